#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "feature_objects.hpp"
#include "forest/feature_names.hpp"
#include "forest/weights_text.hpp"
#include "interrupt.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::Error;
using pentaglot::FeatureId;
using pentaglot::FeatureNames;
using pentaglot::WeightsText;

namespace {

// The bytes of a name, valid as long as it lives; nothing if it cannot be encoded as UTF-8.
std::optional<std::string_view> spelling(const nb::handle& name) {
    Py_ssize_t size = 0;
    if (!PyUnicode_Check(name.ptr())) throw nb::type_error("the name of a feature is a string");
    const char* const text = PyUnicode_AsUTF8AndSize(name.ptr(), &size);
    if (text != nullptr) return std::string_view(text, static_cast<std::size_t>(size));
    PyErr_Clear();
    return std::nullopt;
}

std::string_view good_spelling(const nb::handle& name) {
    const auto spelt = spelling(name);
    if (!spelt) throw Error("the name of a feature cannot be encoded as UTF-8");
    return *spelt;
}

// The names own their bytes, and we keep the names and the GIL, so the views stay valid.
std::vector<std::string_view> spellings(const nb::sequence& names, std::vector<nb::object>& kept) {
    std::vector<std::string_view> found;
    for (const nb::handle name : names) {
        kept.push_back(nb::borrow(name));
        found.push_back(good_spelling(name));
        check_python_signals_at(found.size());
    }
    return found;
}

std::optional<FeatureId> found_or_none(FeatureId id) {
    return id == FeatureNames::none ? std::nullopt : std::optional(id);
}

nb::list names_between(const FeatureNames& self, std::size_t begin, std::size_t end) {
    const auto flat = self.flat(begin, end);
    nb::list names;
    for (std::size_t at = 0; at + 1 < flat.offsets.size(); ++at) {
        const std::size_t size = flat.offsets[at + 1] - flat.offsets[at];
        names.append(nb::str(flat.bytes.data() + flat.offsets[at], size));
        check_python_signals_at(at);
    }
    return names;
}

nb::tuple flat_between(const FeatureNames& self, std::size_t begin, std::size_t end) {
    auto flat = self.flat(begin, end);
    std::vector<std::uint8_t> bytes(flat.bytes.begin(), flat.bytes.end());
    return nb::make_tuple(array_from(std::move(bytes)), array_from(std::move(flat.offsets)));
}

void bind_names(nb::module_& module) {
    nb::class_<FeatureNames>(module, "FeatureNames", "Names of features as ids 0, 1, 2, ...; any thread may add some.")
        .def(nb::init<>())
        .def_static(
            "from_bytes",
            [](const ArrayIn<std::uint8_t>& bytes, const ArrayIn<std::uint64_t>& offsets) {
                return outside_python([&] {
                    const std::span text(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0));
                    return std::make_shared<FeatureNames>(text, span_of(offsets));
                });
            },
            "bytes"_a.noconvert(), "offsets"_a.noconvert(), "From names stored one after the other as UTF-8.")
        .def("__len__", &FeatureNames::size)
        .def(
            "find",
            [](const FeatureNames& self, const nb::str& name) -> std::optional<FeatureId> {
                const auto spelt = spelling(name);
                return spelt ? found_or_none(self.find(*spelt)) : std::nullopt;
            },
            "name"_a, "The id of a name, or None.")
        .def(
            "add", [](FeatureNames& self, const nb::str& name) { return self.add(good_spelling(name)); }, "name"_a,
            "The id of a name; a new one if it has none yet.")
        .def(
            "add_all",
            [](FeatureNames& self, const nb::sequence& names) {
                std::vector<nb::object> kept;
                return array_from(self.add_all(spellings(names, kept)));
            },
            "names"_a, "The ids of many names.")
        .def(
            "name", [](const FeatureNames& self, FeatureId id) { return self.name(id); }, "id"_a, "The name of an id.")
        .def("names", &names_between, "begin"_a = 0, "end"_a = UINT32_MAX,
             "The names of the ids from `begin` to `end`.")
        .def(
            "places_in",
            [](const FeatureNames& self, const FeatureNames& other, std::size_t begin) {
                return array_from(outside_python([&] { return self.places_in(other, begin); }));
            },
            "other"_a, "begin"_a = 0, "The ids that names from `begin` on have in another list, or 2^32 - 1.")
        .def(
            "starting_with",
            [](const FeatureNames& self, const nb::str& prefix) {
                return array_from(self.starting_with(good_spelling(prefix)));
            },
            "prefix"_a, "The ids of all names with this prefix.")
        .def("fork", &FeatureNames::fork, "An independent list with the same names.")
        .def("flat", &flat_between, "begin"_a = 0, "end"_a = UINT32_MAX,
             "The names of the ids from `begin` to `end` as UTF-8, and their offsets.");
}

void bind_weights(nb::module_& module) {
    struct BoundText {
        nb::bytes data;
        WeightsText text;
        explicit BoundText(nb::bytes bytes) : data(std::move(bytes)), text(text_of(data)) {}
    };
    nb::class_<BoundText>(module, "WeightsText", "Reads weights: a name and a number on each line.")
        .def(nb::init<nb::bytes>(), "data"_a)
        .def(
            "read",
            [](BoundText& self) -> nb::object {
                const auto odd = outside_python([&] { return self.text.read(); });
                if (!odd) return nb::none();
                return nb::make_tuple(nb::bytes(odd->text.data(), odd->text.size()), odd->number);
            },
            "Reads up to the next odd line; returns it and its number, or None at the end.")
        .def(
            "add",
            [](BoundText& self, const nb::str& name, double value) {
                return self.text.add(good_spelling(name), value);
            },
            "name"_a, "value"_a, "Adds the weight of an odd line. False if the feature has one already.")
        .def(
            "take",
            [](BoundText& self) {
                return nb::make_tuple(self.text.names(), array_from(std::move(self.text.values)),
                                      array_from(std::move(self.text.lines)));
            },
            "Names, weights and the numbers of their lines.");
    module.def(
        "written_weights",
        [](const FeatureNames& names, const ArrayIn<double>& values, const ArrayIn<std::uint32_t>& left_out) {
            const auto text =
                outside_python([&] { return pentaglot::written_weights(names, span_of(values), span_of(left_out)); });
            return nb::bytes(text.data(), text.size());
        },
        "names"_a, "values"_a, "left_out"_a,
        "Lines of a name and a number, without those at the places in `left_out`.");
    module.def(
        "scattered",
        [](const ArrayIn<FeatureId>& places, const ArrayIn<double>& values, std::size_t size) {
            if (places.shape(0) != values.shape(0)) throw Error("every weight needs its place");
            if (size > UINT32_MAX) throw Error("there are too many features");
            std::vector<double> vector(size, 0.0);
            for (std::size_t at = 0; at < places.shape(0); ++at) {
                if (places.data()[at] < size) vector[places.data()[at]] = values.data()[at];
            }
            return array_from(std::move(vector));
        },
        "places"_a, "values"_a, "size"_a, "A vector with values at some places; those beyond it are left out.");
    module.def(
        "gathered",
        [](const ArrayIn<FeatureId>& places, const ArrayIn<double>& values) {
            std::vector<double> vector(places.shape(0), 0.0);
            for (std::size_t at = 0; at < vector.size(); ++at) {
                if (places.data()[at] < values.shape(0)) vector[at] = values.data()[places.data()[at]];
            }
            return array_from(std::move(vector));
        },
        "places"_a, "values"_a, "The values at some places; 0 for a place beyond them.");
}

}  // namespace

void bind_features(nb::module_& module) {
    bind_names(module);
    bind_weights(module);
}
