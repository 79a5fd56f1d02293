#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "rule_objects.hpp"
#include "rules/letter_mixture.hpp"
#include "rules/letter_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::LetterMixture;
using pentaglot::LetterSearch;

namespace {

using Letters = ArrayIn<std::uint32_t>;
using Offsets = ArrayIn<std::uint64_t>;

template <typename T>
std::vector<T> copied(std::span<const T> values) {
    return {values.begin(), values.end()};
}

ArrayOut<double> numbers(std::span<const double> values) {
    return array_from(copied(values));
}

// The units as their letters, side by side.
std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> units_of(const LetterMixture& mixture) {
    const auto letters_of = [](std::uint64_t key) {
        std::vector<std::uint32_t> letters;
        for (; key != 0; key >>= 21U) letters.insert(letters.begin(), static_cast<std::uint32_t>(key & 0x1FFFFF) - 1);
        return letters;
    };
    std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> found;
    for (const auto& unit : mixture.pairs().units())
        found.emplace_back(letters_of(unit.source), letters_of(unit.target));
    return found;
}

}  // namespace

void bind_letters(nb::module_& module) {
    nb::class_<LetterMixture>(module, "LetterMixture", "Tells transliterations from other pairs of words, by EM.")
        .def(
            "__init__",
            [](LetterMixture* self, const Letters& source, const Offsets& source_offsets, const Letters& target,
               const Offsets& target_offsets, const ArrayIn<double>& apart, const ArrayIn<std::uint32_t>& classes,
               double longer) {
                const OutsidePython outside;
                pentaglot::LetterPairs pairs({span_of(source), span_of(source_offsets)},
                                             {span_of(target), span_of(target_offsets)});
                new (self) LetterMixture(std::move(pairs), copied(span_of(apart)), copied(span_of(classes)), longer);
            },
            "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "apart"_a, "classes"_a, "longer"_a)
        .def("__len__", [](const LetterMixture& self) { return self.pairs().size(); })
        .def(
            "round",
            [](LetterMixture& self, unsigned threads) {
                const OutsidePython outside;
                return self.round(threads);
            },
            "threads"_a, "One round of EM; returns the log-likelihood of the pairs before it.")
        .def("drop_rare", &LetterMixture::drop_rare, "least"_a, "Drops units whose expected count is below `least`.")
        .def_prop_ro(
            "shares", [](const LetterMixture& self) { return numbers(self.shares()); }, nb::rv_policy::move)
        .def_prop_ro("end", &LetterMixture::end)
        .def_prop_ro("units", &units_of)
        .def_prop_ro(
            "chances", [](const LetterMixture& self) { return numbers(self.chances()); }, nb::rv_policy::move)
        .def_prop_ro(
            "posteriors", [](const LetterMixture& self) { return numbers(self.posteriors()); }, nb::rv_policy::move)
        .def(
            "best_cut",
            [](const LetterMixture& self, std::size_t pair) {
                std::vector<std::pair<std::size_t, std::size_t>> cut;
                for (const auto shape : self.best_cut(pair)) cut.emplace_back(shape.source, shape.target);
                return cut;
            },
            "pair"_a, "The most likely way to cut a pair: how many letters of either word its units have.");
    nb::class_<LetterSearch>(module, "LetterSearch", "Spells words in another script.")
        .def(
            "__init__",
            [](LetterSearch* self, const Letters& source, const Offsets& source_offsets, const Letters& target,
               const Offsets& target_offsets, pentaglot::WordId first) {
                const OutsidePython outside;
                new (self) LetterSearch({span_of(source), span_of(source_offsets)},
                                        {span_of(target), span_of(target_offsets)}, first);
            },
            "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "first"_a)
        .def("__len__", &LetterSearch::size)
        .def(
            "spell",
            [](const LetterSearch& self, const Letters& word, const pentaglot::lm::LanguageModel& language,
               std::size_t most, std::size_t beam) {
                const OutsidePython outside;
                std::vector<std::pair<std::vector<std::uint32_t>, float>> found;
                for (auto& each : self.spell(span_of(word), language, most, beam))
                    found.emplace_back(std::move(each.letters), each.score);
                return found;
            },
            "word"_a, "language"_a, "most"_a, "beam"_a,
            "Different spellings of a word with their scores, the best first.");
}
