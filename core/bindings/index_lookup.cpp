#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "base/error.hpp"
#include "index/baselines.hpp"
#include "index/context_sample.hpp"
#include "index/search.hpp"
#include "index_objects.hpp"
#include "interrupt.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::Baseline;
using pentaglot::Error;
using pentaglot::GrammarLimits;
using pentaglot::JoinMethod;
using pentaglot::LookupOptions;
using pentaglot::Occurrences;
using pentaglot::PatternCache;
using pentaglot::PatternSymbol;
using pentaglot::SentencePatterns;
using pentaglot::StratifiedSet;
using pentaglot::WordId;

namespace {

using Tuples = ArrayOut<std::uint32_t>;

Tuples positions_of(const Occurrences& occurrences) {
    const auto positions = occurrences.positions();
    return array_from(std::vector<std::uint32_t>(positions.begin(), positions.end()));
}

JoinMethod join_method(const std::string& name) {
    if (name == "merge") return JoinMethod::merge;
    if (name == "double_binary") return JoinMethod::double_binary;
    if (name == "gallop") return JoinMethod::gallop;
    throw Error("unknown way to join '" + name + "'");
}

Baseline baseline_named(const std::string& name) {
    if (name == "product") return Baseline::product;
    if (name == "tree") return Baseline::tree;
    if (name == "sentences") return Baseline::sentences;
    throw Error("unknown baseline '" + name + "'");
}

std::uint32_t checked(const SentencePatterns& patterns, std::size_t node) {
    if (node >= patterns.nodes().size()) throw nb::index_error("no such pattern");
    return static_cast<std::uint32_t>(node);
}

std::shared_ptr<BoundPatterns> find(const BoundFinder& finder, const ArrayIn<WordId>& sentence) {
    auto found = std::make_shared<BoundPatterns>(finder.index, finder.precomputed);
    const OutsidePython outside;
    auto native = finder.make();
    native.find(span_of(sentence), found->patterns);
    return found;
}

nb::tuple search_forms(const BoundIndex& bound, const std::vector<std::vector<ArrayIn<WordId>>>& chunks,
                       const GrammarLimits& limits, std::size_t most) {
    std::vector<pentaglot::ChunkForms> forms(chunks.size());
    for (std::size_t k = 0; k < chunks.size(); ++k) {
        for (const auto& form : chunks[k]) forms[k].push_back(span_of(form));
    }
    pentaglot::SearchResult found;
    {
        const OutsidePython outside;
        found = pentaglot::search_forms(bound.index, forms, limits, most);
    }
    return nb::make_tuple(positions_of(found.occurrences), found.complete);
}

// The number of occurrences of all core patterns, sentence by sentence.
ArrayOut<std::uint64_t> count_in(const BoundFinder& finder, const BoundText& text, unsigned threads) {
    std::vector<std::uint64_t> totals(text.text.size());
    {
        const OutsidePython outside;
        std::vector<pentaglot::PatternFinder> finders(pentaglot::usable_threads(threads), finder.make());
        std::vector<SentencePatterns> patterns(finders.size());
        pentaglot::parallel_for(
            totals.size(), threads,
            [&](std::size_t number, unsigned worker) {
                auto& found = patterns[worker];
                finders[worker].find(text.text[number], found);
                for (std::uint32_t node = 0; node < found.nodes().size(); ++node) {
                    if (found.nodes()[node].is_core()) totals[number] += found.count(node);
                }
            },
            poll_python_signals);
    }
    return array_from(std::move(totals));
}

ArrayOut<std::uint64_t> count_by_baseline(const BoundIndex& bound, const BoundText& text, const GrammarLimits& limits,
                                          const std::string& baseline) {
    std::vector<std::uint64_t> totals(text.text.size());
    const Baseline kind = baseline_named(baseline);
    {
        const OutsidePython outside;
        StratifiedSet scratch(bound.index.tokens().size());
        pentaglot::parallel_for(
            totals.size(), 1,
            [&](std::size_t number, unsigned) {
                for (const auto& pattern : pentaglot::licensed_patterns(text.text[number], limits, false)) {
                    totals[number] += pentaglot::find_by(kind, bound.index, pattern, limits, scratch).size();
                }
            },
            poll_python_signals);
    }
    return array_from(std::move(totals));
}

nb::dict counts_of(const BoundPatterns& bound) {
    const auto& counts = bound.patterns.counts();
    nb::dict named;
    named["contiguous"] = counts.contiguous;
    named["gapped"] = counts.gapped;
    named["pruned"] = counts.pruned;
    named["precomputed"] = counts.precomputed;
    named["cached"] = counts.cached;
    named["scanned"] = counts.scanned;
    named["sorted"] = counts.sorted;
    named["joins"] = counts.joins.joins;
    named["compared"] = counts.joins.compared;
    return named;
}

void bind_index_object(nb::module_& module) {
    nb::class_<BoundIndex>(module, "SourceIndex", "A text with its suffix array.")
        .def(nb::init<const BoundText&, ArrayIn<std::uint32_t>, ArrayIn<std::uint32_t>, ArrayIn<std::uint64_t>,
                      ArrayIn<std::uint32_t>>(),
             "text"_a, "suffixes"_a.noconvert(), "first_ranks"_a.noconvert(), "ends"_a.noconvert(),
             "before"_a.noconvert())
        .def(
            "find",
            [](const BoundIndex& bound, const ArrayIn<WordId>& words) {
                const auto range = bound.index.find(span_of(words));
                return std::pair(range.begin, range.end);
            },
            "words"_a, "The ranks of the suffixes that begin with these words.")
        .def(
            "extend",
            [](const BoundIndex& bound, std::uint32_t begin, std::uint32_t end, std::size_t depth, WordId word) {
                if (begin > end || end > bound.index.suffixes().size()) throw nb::index_error("no such ranks");
                const auto range = bound.index.extend({begin, end}, depth, word);
                return std::pair(range.begin, range.end);
            },
            "begin"_a, "end"_a, "depth"_a, "word"_a, "Of these suffixes, those that go on with `word` at `depth`.")
        .def(
            "sentence",
            [](const BoundIndex& bound, std::size_t position) {
                if (position >= bound.index.tokens().size()) throw nb::index_error("no such position");
                const std::uint32_t number = bound.index.sentences()[position];
                if (number >= bound.index.text().size())
                    throw pentaglot::Damage("the sentence marks do not belong to this text");
                return number;
            },
            "position"_a, "The number of the sentence that a position is in.")
        .def(
            "search",
            [](const BoundIndex& bound, const ArrayIn<PatternSymbol>& pattern, const GrammarLimits& limits,
               std::size_t most) {
                pentaglot::SearchResult found;
                {
                    const OutsidePython outside;
                    found = pentaglot::search(bound.index, span_of(pattern), limits, most);
                }
                return nb::make_tuple(positions_of(found.occurrences), found.occurrences.chunks(), found.complete);
            },
            "pattern"_a, "limits"_a, "most"_a = 0, "Positions (flat), chunks of the pattern, and whether that is all.")
        .def("search_forms", &search_forms, "chunks"_a, "limits"_a, "most"_a = 0,
             "The same where each chunk may occur in any of its forms: begins and ends of the chunks, flat.")
        .def(
            "find_by",
            [](const BoundIndex& bound, const std::string& baseline, const ArrayIn<PatternSymbol>& pattern,
               const GrammarLimits& limits) {
                StratifiedSet scratch(bound.index.tokens().size());
                return positions_of(
                    pentaglot::find_by(baseline_named(baseline), bound.index, span_of(pattern), limits, scratch));
            },
            "baseline"_a, "pattern"_a, "limits"_a, "The same by an earlier method: product, tree, or sentences.")
        .def("count_by", &count_by_baseline, "text"_a, "limits"_a, "baseline"_a,
             "Occurrences of all licensed patterns of each sentence, each looked up on its own.");
}

void bind_settings(nb::module_& module) {
    nb::class_<GrammarLimits>(module, "GrammarLimits", "Which patterns are licensed.")
        .def(
            "__init__",
            [](GrammarLimits* limits, std::uint32_t max_span, std::uint32_t max_symbols, std::uint32_t max_gaps,
               std::uint32_t min_gap, std::uint32_t max_chunks) {
                new (limits) GrammarLimits{max_span, max_symbols, max_gaps, min_gap, max_chunks};
                limits->validate();
            },
            "max_span"_a = 10, "max_symbols"_a = 5, "max_gaps"_a = 2, "min_gap"_a = 1,
            "max_chunks"_a = pentaglot::unlimited);
    nb::class_<LookupOptions>(module, "LookupOptions", "Which optimisations are used; none changes what is found.")
        .def(
            "__init__",
            [](LookupOptions* options, const std::string& join, bool sequences, bool collocations, bool scan,
               double lambda) {
                new (options) LookupOptions{join_method(join), sequences, collocations, scan, lambda};
            },
            "join"_a = "gallop", "sequences"_a = true, "collocations"_a = true, "scan"_a = true, "threshold"_a = 1.0);
    nb::class_<PatternCache>(module, "PatternCache", "Occurrences kept from one sentence to the next.")
        .def(nb::init<std::size_t>(), "bytes"_a)
        .def_prop_ro("bytes", &PatternCache::bytes);
}

void bind_patterns(nb::module_& module) {
    nb::class_<BoundPatterns>(module, "SentencePatterns", "All patterns of a sentence and where they occur.")
        .def("__len__", [](const BoundPatterns& bound) { return bound.patterns.nodes().size(); })
        .def(
            "symbols",
            [](const BoundPatterns& bound, std::size_t node) {
                return array_from(bound.patterns.symbols(checked(bound.patterns, node)));
            },
            "node"_a)
        .def(
            "active",
            [](const BoundPatterns& bound, std::size_t node) {
                return bound.patterns.nodes()[checked(bound.patterns, node)].active;
            },
            "node"_a)
        .def(
            "is_core",
            [](const BoundPatterns& bound, std::size_t node) {
                return bound.patterns.nodes()[checked(bound.patterns, node)].is_core();
            },
            "node"_a)
        .def(
            "count",
            [](const BoundPatterns& bound, std::size_t node) {
                return bound.patterns.count(checked(bound.patterns, node));
            },
            "node"_a)
        .def(
            "find",
            [](const BoundPatterns& bound, const ArrayIn<PatternSymbol>& pattern) -> std::optional<std::uint32_t> {
                const auto node = bound.patterns.find(span_of(pattern));
                return node == SentencePatterns::none ? std::nullopt : std::optional(node);
            },
            "pattern"_a)
        .def(
            "occurrences",
            [](const BoundPatterns& bound, std::size_t node) {
                return positions_of(bound.patterns.occurrences(bound.index->index, checked(bound.patterns, node)));
            },
            "node"_a)
        .def(
            "sample",
            [](const BoundPatterns& bound, std::size_t node, std::size_t size) {
                return array_from(bound.patterns.sample(bound.index->index, checked(bound.patterns, node), size));
            },
            "node"_a, "size"_a)
        .def(
            "sample_similar",
            [](const BoundPatterns& bound, std::size_t node, std::size_t size, std::size_t pool,
               const ArrayIn<WordId>& sentence) {
                pentaglot::ContextSimilarity similarity(bound.index->index, span_of(sentence));
                return array_from(pentaglot::sample_similar(bound.index->index, bound.patterns,
                                                            checked(bound.patterns, node), size, pool, similarity));
            },
            "node"_a, "size"_a, "pool"_a, "sentence"_a)
        .def(
            "applications",
            [](const BoundPatterns& bound, std::size_t node) {
                std::vector<std::tuple<std::uint32_t, std::uint32_t>> spans;
                for (const auto& each : bound.patterns.applications(checked(bound.patterns, node))) {
                    spans.emplace_back(each.begin, each.end);
                }
                return spans;
            },
            "node"_a)
        .def_prop_ro("counts", &counts_of);
    nb::class_<BoundFinder>(module, "PatternFinder", "Finds the patterns of sentences in one index.")
        .def(
            "__init__",
            [](BoundFinder* finder, std::shared_ptr<BoundIndex> index, const GrammarLimits& limits,
               const LookupOptions& options, std::shared_ptr<BoundPrecomputed> precomputed,
               std::shared_ptr<PatternCache> cache) {
                new (finder) BoundFinder{std::move(index), std::move(precomputed), std::move(cache), limits, options};
            },
            "index"_a, "limits"_a, "options"_a, "precomputed"_a.none() = nb::none(), "cache"_a.none() = nb::none())
        .def("find", &find, "sentence"_a)
        .def("count_in", &count_in, "text"_a, "threads"_a = 1,
             "Occurrences of all core patterns of each sentence of a text.");
    module.def(
        "licensed_patterns",
        [](const ArrayIn<WordId>& sentence, const GrammarLimits& limits, bool edges) {
            return pentaglot::licensed_patterns(span_of(sentence), limits, edges);
        },
        "sentence"_a, "limits"_a, "edges"_a = false, "All distinct patterns of a sentence that the limits license.");
}

}  // namespace

void bind_index_lookup(nb::module_& module) {
    module.attr("GAP") = pentaglot::gap_symbol;
    bind_settings(module);
    bind_index_object(module);
    bind_patterns(module);
}
