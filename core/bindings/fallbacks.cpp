#include "rules/fallbacks.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "interrupt.hpp"
#include "rule_objects.hpp"
#include "rules/lent_rules.hpp"
#include "rules/word_forms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::SpeltWord;
using pentaglot::WordForms;
using pentaglot::WordId;

namespace {

using Counts = ArrayIn<std::uint64_t>;

std::vector<std::pair<WordId, float>> near(const WordForms& forms, const ArrayIn<std::uint32_t>& letters,
                                           std::uint8_t traits, std::uint8_t heeded, const Counts& counts, float least,
                                           float band, std::uint32_t beginning, std::uint32_t most) {
    const OutsidePython outside;
    std::vector<std::pair<WordId, float>> found;
    const SpeltWord word{span_of(letters), traits, heeded};
    for (const auto& form : forms.near(word, span_of(counts), {least, band, beginning, most}))
        found.emplace_back(form.word, form.likeness);
    return found;
}

std::vector<std::uint32_t> add_stand_ins(
    pentaglot::RuleTable& table, const pentaglot::RuleTable& of_words,
    const std::vector<std::tuple<WordId, std::vector<WordId>, pentaglot::FeatureId, float>>& stand_ins,
    const std::array<pentaglot::FeatureId, 3>& features) {
    if (&table == &of_words) throw pentaglot::Error("the rules of words must be in another table");
    const OutsidePython outside;
    std::vector<pentaglot::StandIn> all;
    for (const auto& [word, like, kind, distance] : stand_ins) all.push_back({word, like, kind, distance});
    return pentaglot::add_stand_ins(table, of_words, all, {features[0], features[1], features[2]});
}

using Loans = std::vector<std::pair<pentaglot::Symbol, pentaglot::Symbol>>;

std::vector<std::uint32_t> lend_rules(pentaglot::RuleTable& table, const Loans& source, const Loans& target,
                                      pentaglot::FeatureId exempt, pentaglot::FeatureId kind) {
    const OutsidePython outside;
    const auto loans = [](const Loans& pairs) {
        std::vector<pentaglot::Loan> found;
        for (const auto& [known, own] : pairs) found.push_back({known, own});
        return found;
    };
    return pentaglot::lend_rules(table, loans(source), loans(target), exempt, kind);
}

}  // namespace

void bind_fallbacks(nb::module_& module) {
    nb::class_<WordForms>(module, "WordForms", "The words of a vocabulary in the order of their letters.")
        .def(
            "__init__",
            [](WordForms* self, const ArrayIn<std::uint32_t>& letters, const ArrayIn<std::uint64_t>& offsets,
               const ArrayIn<std::uint8_t>& traits, WordId first) {
                const OutsidePython outside;
                new (self) WordForms(span_of(letters), span_of(offsets), span_of(traits), first);
            },
            "letters"_a, "offsets"_a, "traits"_a, "first"_a)
        .def("__len__", &WordForms::size)
        .def(
            "extended",
            [](const WordForms& self, const ArrayIn<std::uint32_t>& letters, const ArrayIn<std::uint64_t>& offsets,
               const ArrayIn<std::uint8_t>& traits) {
                const OutsidePython outside;
                return self.extended(span_of(letters), span_of(offsets), span_of(traits));
            },
            "letters"_a, "offsets"_a, "traits"_a, "The same with further words, whose ids follow.")
        .def(
            "alike",
            [](const WordForms& self, const ArrayIn<std::uint32_t>& letters, std::uint8_t traits, std::uint8_t heeded,
               const Counts& counts) {
                const OutsidePython outside;
                return self.alike({span_of(letters), traits, heeded}, span_of(counts));
            },
            "letters"_a, "traits"_a, "heeded"_a, "counts"_a, "Words with just these letters, the most frequent first.")
        .def("near", &near, "letters"_a, "traits"_a, "heeded"_a, "counts"_a, "least"_a, "band"_a, "beginning"_a,
             "most"_a, "Words that begin alike and how alike they are, the most alike first.")
        .def(
            "split",
            [](const WordForms& self, const ArrayIn<std::uint32_t>& letters, std::uint8_t traits, std::uint8_t heeded,
               const Counts& counts, std::uint32_t shortest, std::uint32_t between, std::uint32_t parts,
               std::uint64_t seen) {
                if (parts > 4) throw pentaglot::Error("a word is split into at most 4 parts");
                const OutsidePython outside;
                return self.split({span_of(letters), traits, heeded}, span_of(counts),
                                  {shortest, between, parts, seen});
            },
            "letters"_a, "traits"_a, "heeded"_a, "counts"_a, "shortest"_a, "between"_a, "parts"_a, "seen"_a,
            "The known words that a compound consists of; empty if there are none.");
    module.def(
        "add_stand_ins", &add_stand_ins, "table"_a, "of_words"_a, "stand_ins"_a, "features"_a,
        "Adds rules for words that are treated like others; returns the numbers of the stand-ins that have rules.");
    module.def("lend_rules", &lend_rules, "table"_a, "source"_a, "target"_a, "exempt"_a, "kind"_a,
               "Gives words of the sentence the rules of those looked up in their place: (looked up, own) pairs of "
               "symbols. Returns the patterns that were changed.");
}
