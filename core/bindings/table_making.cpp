#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "index_objects.hpp"
#include "interrupt.hpp"
#include "rule_objects.hpp"
#include "rules/given_rules.hpp"
#include "rules/offline.hpp"
#include "rules/table_builder.hpp"
#include "rules/target_scorer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::ByteBuffer;
using pentaglot::Bytes;
using pentaglot::Error;
using pentaglot::OfflineOptions;

namespace {

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

nb::list arrays_of(std::vector<ByteBuffer>&& buffers) {
    nb::list arrays;
    for (ByteBuffer& buffer : buffers) arrays.append(array_from(std::move(buffer)));
    return arrays;
}

// Runs together with the arrays that hold them.
struct Runs {
    std::vector<ByteArray> arrays;
    std::vector<Bytes> spans;

    explicit Runs(std::vector<ByteArray> given) : arrays(std::move(given)) {
        for (const ByteArray& array : arrays) spans.push_back(span_of(array));
    }
};

OfflineOptions offline_options(const pentaglot::ExtractLimits& limits, std::uint32_t max_symbols,
                               std::uint32_t max_gaps, const std::string& counting, bool coherence, bool reordering) {
    const auto by = chosen<pentaglot::Counting, 2>(
        counting, {{{"pairs", pentaglot::Counting::phrase_pairs}, {"occurrences", pentaglot::Counting::occurrences}}});
    return {limits, max_symbols, max_gaps, by, coherence, reordering};
}

// Calls work(extractor, range, shard) for every range of sentences, without the GIL.
template <typename Work>
void extract_each(const BoundAlignedText& aligned, const Ranges& ranges, const OfflineOptions& options,
                  unsigned threads, const Work& work) {
    for (const auto& [first, last] : ranges) {
        if (first > last || last > aligned.text.source().size()) throw Error("there are no such sentences");
    }
    const OutsidePython outside;
    pentaglot::parallel_for(
        ranges.size(), threads,
        [&](std::size_t shard, unsigned) {
            pentaglot::OfflineExtractor extractor(aligned.text, options);
            work(extractor, ranges[shard], shard);
        },
        poll_python_signals);
}

nb::list extract_runs(const BoundAlignedText& aligned, const Ranges& ranges, const OfflineOptions& options,
                      std::size_t bytes, unsigned threads) {
    std::vector<pentaglot::ExtractedRuns> found(ranges.size());
    extract_each(aligned, ranges, options, threads, [&](auto& extractor, const auto& range, std::size_t shard) {
        found[shard] = extractor.extract(range.first, range.second, bytes);
    });
    nb::list shards;
    for (auto& runs : found) {
        shards.append(
            nb::make_tuple(arrays_of(std::move(runs.rules)), arrays_of(std::move(runs.attempts)), runs.instances));
    }
    return shards;
}

std::uint64_t count_instances(const BoundAlignedText& aligned, const Ranges& ranges, const OfflineOptions& options,
                              unsigned threads) {
    std::vector<std::uint64_t> found(ranges.size());
    extract_each(aligned, ranges, options, threads, [&](auto& extractor, const auto& range, std::size_t shard) {
        found[shard] = extractor.count(range.first, range.second);
    });
    return std::accumulate(found.begin(), found.end(), std::uint64_t{0});
}

// One step of making a table.
template <typename Maker>
nb::object next_part(Maker& maker, std::size_t bytes) {
    pentaglot::TablePart part;
    bool more = false;
    {
        const OutsidePython outside;
        more = maker.next(bytes, part);
    }
    if (!more) return nb::none();
    return nb::make_tuple(array_from(std::move(part.run)), array_from(std::move(part.targets)),
                          array_from(std::move(part.linkings)));
}

struct BoundScorer {
    Runs runs;
    std::shared_ptr<BoundLexicalTable> lexicon;
    pentaglot::TargetScorer scorer;

    BoundScorer(std::vector<ByteArray> given, std::shared_ptr<BoundLexicalTable> words, bool reordering)
        : runs(std::move(given)), lexicon(std::move(words)), scorer(runs.spans, lexicon->table, reordering) {}
};

struct BoundNumberer {
    Runs rules, orientations;
    pentaglot::TargetNumberer numberer;

    BoundNumberer(std::vector<ByteArray> given, std::vector<ByteArray> oriented, std::size_t columns)
        : rules(std::move(given)),
          orientations(std::move(oriented)),
          numberer(rules.spans, orientations.spans, columns) {}
};

struct BoundBuilder {
    Runs rows, attempts;
    pentaglot::TableBuilder builder;

    BoundBuilder(std::vector<ByteArray> given, std::vector<ByteArray> tried, std::size_t columns,
                 pentaglot::TranslationColumn translation, bool reordering)
        : rows(std::move(given)),
          attempts(std::move(tried)),
          builder(rows.spans, attempts.spans, columns, translation, reordering) {}

    nb::object next(std::size_t rules) {
        pentaglot::BuiltPart part;
        bool more = false;
        {
            const OutsidePython outside;
            more = builder.next(rules, part);
        }
        if (!more) return nb::none();
        nb::list levels, columns;
        for (auto& level : part.levels) {
            levels.append(nb::make_tuple(array_from(std::move(level.symbols)), array_from(std::move(level.children)),
                                         array_from(std::move(level.patterns))));
        }
        for (auto& column : part.columns) columns.append(array_from(std::move(column)));
        nb::dict arrays;
        arrays["rule_offsets"] = array_from(std::move(part.rule_offsets));
        arrays["attempts"] = array_from(std::move(part.attempts));
        arrays["successes"] = array_from(std::move(part.successes));
        arrays["targets"] = array_from(std::move(part.targets));
        arrays["linkings"] = array_from(std::move(part.linkings));
        arrays["counts"] = array_from(std::move(part.counts));
        arrays["reordering"] = array_from(std::move(part.reordering));
        return nb::make_tuple(levels, columns, arrays);
    }
};

}  // namespace

void bind_table_making(nb::module_& module) {
    nb::class_<OfflineOptions>(module, "OfflineOptions", "Which rules are extracted offline, and how they count.")
        .def(
            "__init__",
            [](OfflineOptions* self, const pentaglot::ExtractLimits& limits, std::uint32_t max_symbols,
               std::uint32_t max_gaps, const std::string& counting, bool coherence, bool reordering) {
                new (self)
                    OfflineOptions(offline_options(limits, max_symbols, max_gaps, counting, coherence, reordering));
            },
            "limits"_a, "max_symbols"_a, "max_gaps"_a, "counting"_a, "coherence"_a, "reordering"_a);
    module.def(
        "extract_runs", &extract_runs, "aligned"_a, "ranges"_a, "options"_a, "bytes"_a, "threads"_a,
        "For each range of sentences: sorted runs of its rules, of its attempts, and how many rules were found.");
    module.def("count_instances", &count_instances, "aligned"_a, "ranges"_a, "options"_a, "threads"_a,
               "How many rules would be found, each as often as it is found.");
    nb::class_<BoundScorer>(module, "TargetScorer", "From counted rules to rows of a table, by target side.")
        .def(nb::init<std::vector<ByteArray>, std::shared_ptr<BoundLexicalTable>, bool>(), "runs"_a, "lexicon"_a,
             "reordering"_a)
        .def(
            "next", [](BoundScorer& self, std::size_t bytes) { return next_part(self.scorer, bytes); }, "bytes"_a,
            "A sorted run of rows, further target sides and further links; None at the end.");
    nb::class_<BoundNumberer>(module, "TargetNumberer", "From given rules to rows of a table, by target side.")
        .def(nb::init<std::vector<ByteArray>, std::vector<ByteArray>, std::size_t>(), "rules"_a, "orientations"_a,
             "columns"_a)
        .def(
            "next", [](BoundNumberer& self, std::size_t bytes) { return next_part(self.numberer, bytes); }, "bytes"_a,
            "A sorted run of rows, further target sides and further links; None at the end.")
        .def_prop_ro("oriented", [](const BoundNumberer& self) { return self.numberer.oriented(); });
    nb::class_<BoundBuilder>(module, "TableBuilder", "From rows to the arrays of a table, by source side.")
        .def(
            "__init__",
            [](BoundBuilder* self, std::vector<ByteArray> rows, std::vector<ByteArray> attempts, std::size_t columns,
               const std::string& translation, bool reordering) {
                using Column = pentaglot::TranslationColumn;
                const auto by = chosen<Column, 3>(translation, {{{"given", Column::given},
                                                                 {"counts", Column::share_of_counts},
                                                                 {"successes", Column::share_of_successes}}});
                new (self) BoundBuilder(std::move(rows), std::move(attempts), columns, by, reordering);
            },
            "rows"_a, "attempts"_a, "columns"_a, "translation"_a, "reordering"_a)
        .def("next", &BoundBuilder::next, "rules"_a,
             "Pieces of all arrays: levels of the tree, columns, and the others by name; None at the end.");
    module.def(
        "renumbered",
        [](const ByteArray& run, const ArrayIn<pentaglot::WordId>& source_ids,
           const ArrayIn<pentaglot::WordId>& target_ids) {
            ByteBuffer sorted;
            {
                const OutsidePython outside;
                sorted = pentaglot::renumbered(span_of(run), span_of(source_ids), span_of(target_ids));
            }
            return array_from(std::move(sorted));
        },
        "run"_a, "source_ids"_a, "target_ids"_a, "A run of given rules with other ids for its words, sorted again.");
}
