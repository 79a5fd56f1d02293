#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "index/suffix_array.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::WordId;

namespace {

ArrayOut<std::uint32_t> suffix_array(const ArrayIn<WordId>& tokens) {
    std::vector<std::uint32_t> sorted;
    {
        const nb::gil_scoped_release release;
        sorted = pentaglot::build_suffix_array(span_of(tokens));
    }
    return array_from(std::move(sorted));
}

ArrayOut<std::uint32_t> common_prefixes(const ArrayIn<WordId>& tokens, const ArrayIn<std::uint32_t>& suffixes) {
    std::vector<std::uint32_t> lengths;
    {
        const nb::gil_scoped_release release;
        lengths = pentaglot::longest_common_prefixes(span_of(tokens), span_of(suffixes));
    }
    return array_from(std::move(lengths));
}

}  // namespace

void bind_index(nb::module_& module) {
    module.def("suffix_array", &suffix_array, "tokens"_a.noconvert(), "The suffixes of a text of ids, sorted.");
    module.def("common_prefixes", &common_prefixes, "tokens"_a.noconvert(), "suffixes"_a.noconvert(),
               "How many tokens each suffix shares with the one before it in order.");
}
