#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "index_objects.hpp"
#include "interrupt.hpp"
#include "rules/given_rules.hpp"
#include "rules/offline.hpp"
#include "rules/stored_table.hpp"
#include "rules/table_builder.hpp"
#include "rules/table_lookup.hpp"
#include "rules/table_text.hpp"
#include "rules/target_scorer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::ByteBuffer;
using pentaglot::Bytes;
using pentaglot::Error;
using pentaglot::GrammarLimits;
using pentaglot::OfflineOptions;
using pentaglot::StoredTable;
using pentaglot::TableFormat;

namespace {

using ByteArray = ArrayIn<std::uint8_t>;
using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

template <typename Value, std::size_t Size>
Value chosen(const std::string& name, const std::array<std::pair<const char*, Value>, Size>& known) {
    for (const auto& [spelling, value] : known) {
        if (name == spelling) return value;
    }
    throw Error("'" + name + "' is not known");
}

TableFormat format_of(const std::string& name) {
    return chosen<TableFormat, 4>(name, {{{"moses", TableFormat::moses},
                                          {"reordering", TableFormat::reordering},
                                          {"cdec", TableFormat::cdec},
                                          {"joshua", TableFormat::joshua}}});
}

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

void check_ranges(const BoundAlignedText& aligned, const Ranges& ranges) {
    for (const auto& [first, last] : ranges) {
        if (first > last || last > aligned.text.source().size()) throw Error("there are no such sentences");
    }
}

OfflineOptions offline_options(const pentaglot::ExtractLimits& limits, std::uint32_t max_symbols,
                               std::uint32_t max_gaps, const std::string& counting, bool coherence, bool reordering) {
    const auto by = chosen<pentaglot::Counting, 2>(
        counting, {{{"pairs", pentaglot::Counting::phrase_pairs}, {"occurrences", pentaglot::Counting::occurrences}}});
    return {limits, max_symbols, max_gaps, by, coherence, reordering};
}

nb::list extract_runs(const BoundAlignedText& aligned, const Ranges& ranges, const OfflineOptions& options,
                      std::size_t bytes, unsigned threads) {
    check_ranges(aligned, ranges);
    std::vector<pentaglot::ExtractedRuns> found(ranges.size());
    {
        const nb::gil_scoped_release release;
        pentaglot::parallel_for(
            ranges.size(), threads,
            [&](std::size_t shard, unsigned) {
                pentaglot::OfflineExtractor extractor(aligned.text, options);
                found[shard] = extractor.extract(ranges[shard].first, ranges[shard].second, bytes);
            },
            poll_python_signals);
    }
    nb::list shards;
    for (auto& runs : found) {
        shards.append(
            nb::make_tuple(arrays_of(std::move(runs.rules)), arrays_of(std::move(runs.attempts)), runs.instances));
    }
    return shards;
}

std::uint64_t count_instances(const BoundAlignedText& aligned, const Ranges& ranges, const OfflineOptions& options,
                              unsigned threads) {
    check_ranges(aligned, ranges);
    std::vector<std::uint64_t> found(ranges.size());
    const nb::gil_scoped_release release;
    pentaglot::parallel_for(
        ranges.size(), threads,
        [&](std::size_t shard, unsigned) {
            pentaglot::OfflineExtractor extractor(aligned.text, options);
            found[shard] = extractor.count(ranges[shard].first, ranges[shard].second);
        },
        poll_python_signals);
    std::uint64_t sum = 0;
    for (const std::uint64_t count : found) sum += count;
    return sum;
}

// A step of making a table, with what it looks into.
template <typename Maker>
nb::object next_part(Maker& maker, std::size_t bytes) {
    pentaglot::TablePart part;
    bool more = false;
    {
        const nb::gil_scoped_release release;
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
            const nb::gil_scoped_release release;
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

using Numbers = ArrayIn<std::uint32_t>;

// A table together with the arrays that hold it.
struct BoundTable {
    ArrayIn<pentaglot::Symbol> symbols;
    Numbers children, patterns, rule_offsets, attempts, successes, targets, linkings;
    ArrayIn<float> counts;
    ByteArray target_pool, linking_pool;
    ArrayIn<float> reordering;
    std::vector<ArrayIn<float>> number_columns;
    std::vector<ByteArray> flag_columns;
    StoredTable table;
};

void make_table(BoundTable* self, ArrayIn<pentaglot::Symbol> symbols, Numbers children, Numbers patterns,
                Numbers rule_offsets, Numbers attempts, Numbers successes, Numbers targets, Numbers linkings,
                ArrayIn<float> counts, ByteArray target_pool, ByteArray linking_pool, ArrayIn<float> reordering,
                const nb::list& columns) {
    BoundTable bound{std::move(symbols),
                     std::move(children),
                     std::move(patterns),
                     std::move(rule_offsets),
                     std::move(attempts),
                     std::move(successes),
                     std::move(targets),
                     std::move(linkings),
                     std::move(counts),
                     std::move(target_pool),
                     std::move(linking_pool),
                     std::move(reordering),
                     {},
                     {},
                     {}};
    std::vector<pentaglot::TableColumn> views;
    for (const nb::handle column : columns) {
        ArrayIn<float> numbers;
        ByteArray flags;
        if (nb::try_cast(column, numbers, false)) {
            views.push_back({span_of(numbers), {}});
            bound.number_columns.push_back(std::move(numbers));
        } else if (nb::try_cast(column, flags, false)) {
            views.push_back({{}, span_of(flags)});
            bound.flag_columns.push_back(std::move(flags));
        } else {
            throw Error("a column of a table holds floats or bytes");
        }
    }
    bound.table =
        StoredTable({span_of(bound.symbols), span_of(bound.children), span_of(bound.patterns),
                     span_of(bound.rule_offsets), span_of(bound.attempts), span_of(bound.successes),
                     span_of(bound.targets), span_of(bound.linkings), span_of(bound.counts), span_of(bound.target_pool),
                     span_of(bound.linking_pool), span_of(bound.reordering), std::move(views)});
    new (self) BoundTable(std::move(bound));
}

pentaglot::RuleTable look_up(const BoundTable& bound, const ArrayIn<pentaglot::WordId>& sentence,
                             const GrammarLimits& limits, std::vector<pentaglot::FeatureId> columns,
                             pentaglot::FeatureId coherence, pentaglot::FeatureId rules, pentaglot::FeatureId words,
                             bool reordering) {
    const nb::gil_scoped_release release;
    return pentaglot::look_up(bound.table, span_of(sentence), limits, {std::move(columns), coherence, rules, words},
                              reordering);
}

// 1 for every pattern that lies in some sentence of a text.
ArrayOut<std::uint8_t> patterns_of_text(const BoundTable& bound, const BoundText& text, const GrammarLimits& limits) {
    std::vector<std::uint8_t> found(bound.table.patterns(), 0);
    {
        const nb::gil_scoped_release release;
        for (std::size_t sentence = 0; sentence < text.text.size(); ++sentence) {
            for (const auto& each : pentaglot::find_patterns(bound.table, text.text[sentence], limits)) {
                if (each.pattern >= found.size()) throw Error("the table is damaged: a source side has no rules");
                found[each.pattern] = 1;
            }
        }
    }
    return array_from(std::move(found));
}

struct BoundWriter {
    std::shared_ptr<BoundTable> table;
    pentaglot::TableTextWriter writer;
};

struct BoundTaker {
    std::shared_ptr<BoundTable> table;
    ByteArray kept;
    pentaglot::RuleTaker taker;

    BoundTaker(std::shared_ptr<BoundTable> from, ByteArray which)
        : table(std::move(from)), kept(std::move(which)), taker(table->table, span_of(kept)) {}
};

std::vector<std::size_t> checked_columns(const std::vector<std::int64_t>& columns) {
    std::vector<std::size_t> checked;
    for (const std::int64_t column : columns) {
        checked.push_back(column < 0 ? pentaglot::TableTextWriter::coherence : static_cast<std::size_t>(column));
    }
    return checked;
}

void bind_extraction(nb::module_& module) {
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
                const nb::gil_scoped_release release;
                sorted = pentaglot::renumbered(span_of(run), span_of(source_ids), span_of(target_ids));
            }
            return array_from(std::move(sorted));
        },
        "run"_a, "source_ids"_a, "target_ids"_a, "A run of given rules whose words get other ids, sorted anew.");
}

void bind_text(nb::module_& module) {
    using Reader = pentaglot::TableTextReader;
    module.def(
        "escaped", [](const std::string& word) { return pentaglot::escaped(word); }, "word"_a,
        "A word as it is written in tables of Moses.");
    module.def(
        "unescaped", [](const std::string& word) { return pentaglot::unescaped(word); }, "word"_a,
        "A word as it was before it was written in a table of Moses.");
    nb::class_<Reader>(module, "TableTextReader", "Reads a table in text form piece by piece.")
        .def(
            "__init__",
            [](Reader* self, pentaglot::Vocabulary& source, pentaglot::Vocabulary& target, const std::string& format,
               bool escapes) { new (self) Reader(source, target, format_of(format), escapes); },
            "source"_a, "target"_a, "format"_a, "escapes"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def(
            "feed",
            [](Reader& self, const nb::bytes& lines) {
                const std::string_view text = text_of(lines);
                const nb::gil_scoped_release release;
                self.feed(text);
            },
            "lines"_a, "Reads whole lines.")
        .def(
            "take", [](Reader& self) { return array_from(self.take()); }, "The rules since the last time, as a run.")
        .def_prop_ro("line", &Reader::line)
        .def_prop_ro("rules", &Reader::rules)
        .def_prop_ro("waiting", &Reader::waiting)
        .def_prop_ro("names", [](const Reader& self) { return self.names(); })
        .def_prop_ro("columns", &Reader::columns)
        .def_prop_ro("has_counts", &Reader::has_counts)
        .def_prop_ro(
            "source_counts",
            [](const Reader& self) { return array_from(std::vector<std::uint64_t>(self.source_counts())); },
            nb::rv_policy::move)
        .def_prop_ro(
            "target_counts",
            [](const Reader& self) { return array_from(std::vector<std::uint64_t>(self.target_counts())); },
            nb::rv_policy::move);
    nb::class_<BoundWriter>(module, "TableTextWriter", "Writes a table as text, piece by piece.")
        .def(
            "__init__",
            [](BoundWriter* self, std::shared_ptr<BoundTable> table, const pentaglot::Vocabulary& source,
               const pentaglot::Vocabulary& target, const std::string& format, bool escapes,
               const std::vector<std::int64_t>& columns, std::vector<std::string> names, std::int64_t inverse,
               const std::vector<std::int64_t>& counts) {
                pentaglot::TableTextWriter writer(table->table, source, target, format_of(format), escapes,
                                                  checked_columns(columns), std::move(names),
                                                  checked_columns({inverse})[0], checked_columns(counts));
                new (self) BoundWriter{std::move(table), std::move(writer)};
            },
            "table"_a, "source"_a, "target"_a, "format"_a, "escapes"_a, "columns"_a, "names"_a, "inverse"_a, "counts"_a,
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def(
            "next",
            [](BoundWriter& self, std::size_t bytes) {
                std::string lines;
                {
                    const nb::gil_scoped_release release;
                    lines = self.writer.next(bytes);
                }
                return nb::bytes(lines.data(), lines.size());
            },
            "bytes"_a, "The next lines; nothing at the end.");
}

}  // namespace

void bind_rule_tables(nb::module_& module) {
    module.attr("NO_FEATURE") = pentaglot::TableFeatures::none;
    module.attr("NO_PATTERN") = StoredTable::none;
    nb::class_<BoundTable>(module, "StoredTable", "A table of rules, looked into.")
        .def("__init__", &make_table, "symbols"_a, "children"_a, "patterns"_a, "rule_offsets"_a, "attempts"_a,
             "successes"_a, "targets"_a, "linkings"_a, "counts"_a, "target_pool"_a, "linking_pool"_a, "reordering"_a,
             "columns"_a)
        .def_prop_ro("patterns", [](const BoundTable& self) { return self.table.patterns(); })
        .def_prop_ro("rules", [](const BoundTable& self) { return self.table.rules(); })
        .def("look_up", &look_up, "sentence"_a, "limits"_a, "columns"_a, "coherence"_a, "rules"_a, "words"_a,
             "reordering"_a, "The rules of one sentence.")
        .def("patterns_of_text", &patterns_of_text, "text"_a, "limits"_a,
             "1 for every source side that lies in some sentence of a text.");
    bind_extraction(module);
    bind_text(module);
    nb::class_<BoundTaker>(module, "RuleTaker", "Takes rules out of a table, for making another.")
        .def(nb::init<std::shared_ptr<BoundTable>, ByteArray>(), "table"_a, "kept"_a)
        .def(
            "next",
            [](BoundTaker& self, std::size_t bytes) -> nb::object {
                ByteBuffer rules, attempts;
                bool more = false;
                {
                    const nb::gil_scoped_release release;
                    more = self.taker.next(bytes, rules, attempts);
                }
                if (!more) return nb::none();
                return nb::make_tuple(array_from(std::move(rules)), array_from(std::move(attempts)));
            },
            "bytes"_a, "Runs of rules and of attempts; None at the end.");
}
