#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "index_objects.hpp"
#include "interrupt.hpp"
#include "rooms.hpp"
#include "rule_objects.hpp"
#include "rules/collector.hpp"
#include "rules/copies.hpp"
#include "rules/extract.hpp"
#include "rules/inverse.hpp"
#include "rules/join_tables.hpp"
#include "rules/placeables.hpp"
#include "rules/remembered.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::Error;
using pentaglot::ExtractedRule;
using pentaglot::ExtractLimits;
using pentaglot::LinkedPair;
using pentaglot::RuleCollector;
using pentaglot::RuleFeatures;
using pentaglot::RuleTable;
using pentaglot::Span;
using pentaglot::Symbol;

namespace {

using Pair = std::pair<std::uint16_t, std::uint16_t>;

std::vector<Span> checked_chunks(const LinkedPair& pair, const std::vector<Pair>& chunks) {
    std::vector<Span> spans;
    for (const auto& [begin, end] : chunks) {
        const bool after_last = spans.empty() || begin > spans.back().end;
        if (begin >= end || end > pair.source_size() || !after_last)
            throw Error("chunks must be ordered source spans with gaps between them");
        spans.push_back({begin, end});
    }
    if (spans.empty()) throw Error("a pattern needs at least one chunk");
    return spans;
}

// First and last partner of every word, from a list of links.
struct Partners {
    std::vector<std::uint16_t> first, last;

    explicit Partners(std::size_t words) : first(words, LinkedPair::unaligned), last(words, LinkedPair::unaligned) {}
    void add(std::size_t word, std::uint16_t partner) {
        last[word] = first[word] == LinkedPair::unaligned ? partner : std::max(last[word], partner);
        first[word] = std::min(first[word], partner);
    }
};

nb::list extract_occurrence(std::uint16_t source_size, std::uint16_t target_size, const std::vector<Pair>& links,
                            const std::vector<Pair>& chunks, bool left_gap, bool right_gap,
                            const ExtractLimits& limits) {
    Partners source(source_size), target(target_size);
    for (const auto& [s, t] : links) {
        if (s >= source_size || t >= target_size) throw Error("a link points outside its sentence pair");
        source.add(s, t);
        target.add(t, s);
    }
    const LinkedPair pair{source.first, source.last, target.first, target.last};
    pentaglot::ExtractScratch scratch;
    std::vector<ExtractedRule> found;
    pentaglot::extract(pair, checked_chunks(pair, chunks), left_gap, right_gap, limits, scratch, found);
    nb::list rules;
    const auto as_tuple = [](Span span) { return nb::make_tuple(span.begin, span.end); };
    for (const ExtractedRule& rule : found) {
        nb::list gaps;
        for (std::size_t gap = 0; gap < rule.gaps; ++gap) {
            gaps.append(nb::make_tuple(as_tuple(rule.gap_sources[gap]), as_tuple(rule.gap_targets[gap])));
        }
        rules.append(nb::make_tuple(as_tuple(rule.source), as_tuple(rule.target), gaps));
    }
    return rules;
}

// What a list of parts holds: finder, aligned text, weights (or None), number.
struct BoundPart {
    const BoundFinder* finder;
    const BoundAlignedText* aligned;
    std::optional<ArrayIn<float>> weights;
    std::uint32_t number;
};

std::vector<BoundPart> bound_parts(const nb::list& list) {
    std::vector<BoundPart> parts;
    for (const nb::handle each : list) {
        const auto tuple = nb::cast<nb::tuple>(each);
        if (tuple.size() != 4) throw Error("a part is a finder, an aligned text, weights and a number");
        if (tuple[0].is_none() || tuple[1].is_none()) throw nb::type_error("a part has a finder and an aligned text");
        parts.push_back({nb::cast<const BoundFinder*>(tuple[0]), nb::cast<const BoundAlignedText*>(tuple[1]),
                         nb::cast<std::optional<ArrayIn<float>>>(tuple[2]), nb::cast<std::uint32_t>(tuple[3])});
    }
    return parts;
}

// Looks up a sentence's patterns in the parts of a corpus and turns their occurrences into rules, all without the GIL.
RuleTable collect_rules(const nb::list& corpus, const BoundLexicalTable& lexicon,
                        const ArrayIn<pentaglot::WordId>& sentence, const ExtractLimits& limits,
                        const std::vector<pentaglot::FeatureId>& features, std::uint32_t sample,
                        std::uint32_t sightings, bool edge_gaps, bool reordering, std::uint32_t pool,
                        const pentaglot::Cancellation* cancellation) {
    if (features.size() != RuleFeatures::count) throw Error("collecting rules needs the ids of 7 features");
    const RuleFeatures ids{features[0], features[1], features[2], features[3], features[4], features[5], features[6]};
    const auto bound = bound_parts(corpus);
    const OutsidePython outside;
    std::vector<pentaglot::SentencePatterns> patterns(bound.size());
    std::vector<pentaglot::CollectedPart> parts;
    for (std::size_t at = 0; at < bound.size(); ++at) {
        const BoundPart& part = bound[at];
        part.finder->make().find(span_of(sentence), patterns[at]);
        parts.push_back({part.finder->index->index, part.aligned->text,
                         part.weights ? span_of(*part.weights) : std::span<const float>(), patterns[at], part.number});
    }
    RuleTable table;
    RuleCollector(lexicon.table, ids, {limits, sample, sightings, edge_gaps, reordering, pool, cancellation})
        .collect(span_of(sentence), parts, table);
    return table;
}

void remember(RuleTable& table, const std::vector<Symbol>& source, const std::vector<Symbol>& target,
              const std::vector<std::pair<std::uint8_t, std::uint8_t>>& links, float count,
              const std::array<std::uint32_t, 3>& where, const std::array<pentaglot::FeatureId, 3>& features) {
    std::vector<pentaglot::RuleLink> inner;
    for (const auto& [from, to] : links) inner.push_back({from, to});
    pentaglot::check_rule(source, target, inner, table.rules());
    pentaglot::remember(table, source, target, inner, count, {where[0], where[1], where[2]},
                        {features[0], features[1], features[2]});
}

}  // namespace

void bind_rules(nb::module_& module) {
    nb::class_<ExtractLimits>(module, "ExtractLimits", "What an extracted rule may look like.")
        .def(
            "__init__",
            [](ExtractLimits* self, unsigned max_source_span, unsigned max_target_span, unsigned min_gap, bool tight,
               unsigned max_chunks) {
                if (min_gap == 0 || min_gap > UINT16_MAX) throw Error("a gap covers from 1 to 65,535 words");
                new (self) ExtractLimits{max_source_span, max_target_span, min_gap, tight, max_chunks};
            },
            "max_source_span"_a = 10, "max_target_span"_a = 10, "min_gap"_a = 1, "tight"_a = true,
            "max_chunks"_a = pentaglot::max_gaps + 1);
    bind_rule_table(module);
    bind_stored_table(module);
    bind_table_making(module);
    bind_table_text(module);
    bind_fallbacks(module);
    bind_letters(module);
    bind_word_choice(module);
    bind_induction(module);
    module.attr("NO_COPY") = pentaglot::no_copy;
    module.def(
        "add_copies",
        [](RuleTable& table, const ArrayIn<pentaglot::WordId>& sentence, const ArrayIn<pentaglot::WordId>& copies,
           const ArrayIn<std::uint8_t>& always, const std::array<pentaglot::FeatureId, 4>& features) {
            pentaglot::add_copies(table, span_of(sentence), span_of(copies), span_of(always),
                                  {features[0], features[1], features[2], features[3]});
        },
        "table"_a, "sentence"_a, "copies"_a, "always"_a, "features"_a,
        "Adds rules that copy words: those without a rule of their own, and those that are marked.");
    module.def(
        "add_inverse",
        [](RuleTable& table, const std::vector<const BoundIndex*>& targets, pentaglot::FeatureId feature) {
            std::vector<const pentaglot::SourceIndex*> texts;
            for (const BoundIndex* bound : targets) {
                if (bound == nullptr) throw nb::type_error("the target texts must be indexes");
                texts.push_back(&bound->index);
            }
            const OutsidePython outside;
            pentaglot::add_inverse(table, texts, feature);
        },
        "table"_a, "targets"_a, "feature"_a,
        "Adds an estimate of the chance of every rule's source side given its target side, by indexes of the target "
        "texts.");
    module.def("collect_rules", &collect_rules, "parts"_a, "lexicon"_a, "sentence"_a, "limits"_a, "features"_a,
               "sample"_a = 300, "sightings"_a = 3, "edge_gaps"_a = true, "reordering"_a = false, "pool"_a = 0,
               "cancellation"_a.none() = nb::none(),
               "The rules of one sentence, found in the parts of an indexed corpus.");
    module.def("join_tables", &pentaglot::join_tables, "one"_a, "other"_a, "merge"_a = false,
               nb::call_guard<OutsidePython>(), "The rules of two corpora in one table.");
    module.def(
        "keep_placeables",
        [](RuleTable& table, const ArrayIn<Symbol>& source, const ArrayIn<std::uint64_t>& source_codes,
           const ArrayIn<Symbol>& target, const ArrayIn<std::uint64_t>& target_codes, pentaglot::FeatureId exempt) {
            const OutsidePython outside;
            pentaglot::keep_placeables(table, {span_of(source), span_of(source_codes)},
                                       {span_of(target), span_of(target_codes)}, exempt);
        },
        "table"_a, "source"_a, "source_codes"_a, "target"_a, "target_codes"_a, "exempt"_a,
        "Removes rules whose sides have different placeables, unless their feature `exempt` is not 0.");
    module.def("remember", &remember, "table"_a, "source"_a, "target"_a, "links"_a, "count"_a, "where"_a, "features"_a,
               "Makes sure that the table has a rule for the whole sentence, and marks it as remembered.");
    module.def(
        "extract_occurrence", &extract_occurrence, "source_size"_a, "target_size"_a, "links"_a, "chunks"_a,
        "left_gap"_a, "right_gap"_a, "limits"_a,
        "The rules of one occurrence: (source span, target span, [(gap's source span, gap's target span), ...]).");
}
