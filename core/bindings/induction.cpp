#include "rules/induction.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "interrupt.hpp"
#include "rule_objects.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::BinKind;
using pentaglot::FeatureId;
using pentaglot::Induction;
using pentaglot::Quantity;
using pentaglot::QuantityKind;
using pentaglot::RuleTable;
using pentaglot::TemplateKind;
using pentaglot::WordCounter;
using pentaglot::WordTemplate;

namespace {

constexpr std::array<std::pair<const char*, QuantityKind>, 7> quantities{{
    {"column", QuantityKind::column},
    {"always", QuantityKind::always},
    {"sum", QuantityKind::sum},
    {"source_count", QuantityKind::source_count},
    {"pair_count", QuantityKind::pair_count},
    {"source_words", QuantityKind::source_words},
    {"new_words", QuantityKind::new_words},
}};
constexpr std::array<std::pair<const char*, BinKind>, 5> bin_kinds{{
    {"apart", BinKind::apart},
    {"overlapping", BinKind::overlapping},
    {"thresholds", BinKind::thresholds},
    {"hats", BinKind::hats},
    {"probability", BinKind::probability},
}};
constexpr std::array<std::pair<const char*, TemplateKind>, 7> templates{{
    {"source_words", TemplateKind::source_words},
    {"target_words", TemplateKind::target_words},
    {"linked_pairs", TemplateKind::linked_pairs},
    {"all_pairs", TemplateKind::all_pairs},
    {"source_ngrams", TemplateKind::source_ngrams},
    {"target_ngrams", TemplateKind::target_ngrams},
    {"rules", TemplateKind::rules},
}};

template <typename T>
std::vector<T> vector_of(const ArrayIn<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

// What quantities look at besides rules: features that mark rules not collected from text, and which words the language
// model knows, of the vocabulary and of the sentence alone.
using Surroundings = std::tuple<std::vector<FeatureId>, ArrayIn<std::uint8_t>, ArrayIn<std::uint8_t>>;

pentaglot::RuleSurroundings surroundings_of(const Surroundings& given) {
    return {std::get<0>(given), span_of(std::get<1>(given)), span_of(std::get<2>(given))};
}

nb::tuple counted(const WordCounter& counter, std::uint64_t least, std::size_t most) {
    auto found = outside_python([&] { return counter.counted(least, most); });
    return nb::make_tuple(array_from(std::move(found.offsets)), array_from(std::move(found.symbols)),
                          array_from(std::move(found.counts)));
}

void add_bins(Induction& self, const Quantity& quantity, const std::string& kind, const ArrayIn<float>& edges,
              const ArrayIn<float>& centres, const ArrayIn<FeatureId>& ids) {
    self.add_bins(quantity, {chosen(kind, bin_kinds), vector_of(edges), vector_of(centres), vector_of(ids)});
}

void bind_counting(nb::module_& module) {
    nb::class_<Quantity>(module, "Quantity", "A number that rules have, or some of them.")
        .def(
            "__init__",
            [](Quantity* self, const std::string& kind, FeatureId first, FeatureId second, FeatureId found,
               bool collected) { new (self) Quantity{chosen(kind, quantities), first, second, found, collected}; },
            "kind"_a, "first"_a = Quantity::nothing, "second"_a = Quantity::nothing, "found"_a = Quantity::nothing,
            "collected"_a = false)
        .def(
            "of_rules",
            [](const Quantity& self, const RuleTable& table, const Surroundings& around) {
                const auto surroundings = surroundings_of(around);
                return array_from(
                    outside_python([&] { return pentaglot::RuleQuantities(table, surroundings).of(self); }));
            },
            "table"_a, "around"_a, "The quantity of every rule; NaN for rules that do not have it.");
    module.def(
        "fill_bins",
        [](const ArrayIn<std::uint64_t>& counts, std::uint32_t bins) {
            return array_from(outside_python([&] { return pentaglot::fill_bins(span_of(counts), bins); }));
        },
        "counts"_a, "bins"_a,
        "Cuts values into bins that hold about equally many occurrences; returns the place of the first value of each "
        "bin.");
    nb::class_<WordTemplate>(module, "WordTemplate", "Which features are made of the words of a rule.")
        .def(
            "__init__",
            [](WordTemplate* self, const std::string& kind, std::uint32_t order,
               const ArrayIn<std::uint32_t>& source_classes, const ArrayIn<std::uint32_t>& target_classes) {
                WordTemplate made{chosen(kind, templates), order, vector_of(source_classes), vector_of(target_classes)};
                made.check();
                new (self) WordTemplate(std::move(made));
            },
            "kind"_a, "order"_a, "source_classes"_a, "target_classes"_a);
    nb::class_<WordCounter>(module, "WordCounter", "Counts the features that a template makes of rules.")
        .def(nb::init<WordTemplate>(), "template"_a)
        .def("add", &WordCounter::add, "table"_a, nb::call_guard<OutsidePython>())
        .def("__len__", &WordCounter::size)
        .def("counted", &counted, "least"_a, "most"_a,
             "Offsets, words and counts of what was seen at least `least` times, the most frequent first; at most "
             "`most` "
             "of them (0: all).");
}

}  // namespace

void bind_induction(nb::module_& module) {
    bind_counting(module);
    module.attr("BETWEEN_SIDES") = pentaglot::TemplateReader::between_sides;
    nb::class_<Induction>(module, "Induction", "Features that are induced from others and from words of rules.")
        .def(nb::init<>())
        .def("add_bins", &add_bins, "quantity"_a, "kind"_a, "edges"_a, "centres"_a, "ids"_a,
             "Adds the bins of a quantity; edges lie between neighbouring bins.")
        .def(
            "add_conjunction",
            [](Induction& self, std::vector<std::uint32_t> sets, const ArrayIn<std::uint32_t>& bins,
               const ArrayIn<FeatureId>& ids) {
                const OutsidePython outside;
                self.add_conjunction(std::move(sets), span_of(bins), span_of(ids));
            },
            "sets"_a, "bins"_a, "ids"_a,
            "Adds features of combinations of bins of several quantities, a row of bins for each.")
        .def(
            "add_words",
            [](Induction& self, const WordTemplate& made, const ArrayIn<std::uint64_t>& offsets,
               const ArrayIn<std::int32_t>& symbols, const ArrayIn<FeatureId>& ids) {
                const OutsidePython outside;
                self.add_words({made, span_of(offsets), span_of(symbols), span_of(ids)});
            },
            "template"_a, "offsets"_a, "symbols"_a, "ids"_a, "Adds features of words.")
        .def(
            "apply",
            [](const Induction& self, RuleTable& table, const Surroundings& around) {
                const OutsidePython outside;
                self.apply(table, surroundings_of(around));
            },
            "table"_a, "around"_a, "Adds the induced features of all rules to them, as sparse ones.");
}
