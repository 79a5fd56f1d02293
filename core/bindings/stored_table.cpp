#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "interrupt.hpp"
#include "rule_objects.hpp"
#include "rules/given_rules.hpp"
#include "rules/stored_table.hpp"
#include "rules/table_lookup.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::ByteBuffer;
using pentaglot::Error;
using pentaglot::GrammarLimits;
using pentaglot::StoredTable;

namespace {

using Numbers = ArrayIn<std::uint32_t>;

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
    const OutsidePython outside;
    return pentaglot::look_up(bound.table, span_of(sentence), limits, {std::move(columns), coherence, rules, words},
                              reordering);
}

// 1 for every pattern that occurs in some sentence of a text.
ArrayOut<std::uint8_t> patterns_of_text(const BoundTable& bound, const BoundText& text, const GrammarLimits& limits) {
    std::vector<std::uint8_t> found(bound.table.patterns(), 0);
    {
        const OutsidePython outside;
        for (std::size_t sentence = 0; sentence < text.text.size(); ++sentence) {
            pentaglot::listen();
            for (const auto& each : pentaglot::find_patterns(bound.table, text.text[sentence], limits)) {
                if (each.pattern >= found.size()) throw Error("the table is damaged: a source side has no rules");
                found[each.pattern] = 1;
            }
        }
    }
    return array_from(std::move(found));
}

struct BoundTaker {
    std::shared_ptr<BoundTable> table;
    ByteArray kept;
    pentaglot::RuleTaker taker;

    BoundTaker(std::shared_ptr<BoundTable> from, ByteArray which)
        : table(std::move(from)), kept(std::move(which)), taker(table->table, span_of(kept)) {}
};

}  // namespace

void bind_stored_table(nb::module_& module) {
    module.attr("NO_FEATURE") = pentaglot::TableFeatures::none;
    module.attr("NO_PATTERN") = StoredTable::none;
    nb::class_<BoundTable>(module, "StoredTable", "A view of a table of rules.")
        .def("__init__", &make_table, "symbols"_a, "children"_a, "patterns"_a, "rule_offsets"_a, "attempts"_a,
             "successes"_a, "targets"_a, "linkings"_a, "counts"_a, "target_pool"_a, "linking_pool"_a, "reordering"_a,
             "columns"_a)
        .def_prop_ro("patterns", [](const BoundTable& self) { return self.table.patterns(); })
        .def_prop_ro("rules", [](const BoundTable& self) { return self.table.rules(); })
        .def("look_up", &look_up, "sentence"_a, "limits"_a, "columns"_a, "coherence"_a, "rules"_a, "words"_a,
             "reordering"_a, "The rules of one sentence.")
        .def("patterns_of_text", &patterns_of_text, "text"_a, "limits"_a,
             "1 for every source side that occurs in some sentence of a text.");
    nb::class_<BoundTaker>(module, "RuleTaker", "Takes rules from a table to make another of them.")
        .def(nb::init<std::shared_ptr<BoundTable>, ByteArray>(), "table"_a, "kept"_a)
        .def(
            "next",
            [](BoundTaker& self, std::size_t bytes) -> nb::object {
                ByteBuffer rules, attempts;
                bool more = false;
                {
                    const OutsidePython outside;
                    more = self.taker.next(bytes, rules, attempts);
                }
                if (!more) return nb::none();
                return nb::make_tuple(array_from(std::move(rules)), array_from(std::move(attempts)));
            },
            "bytes"_a, "Runs of rules and of attempts; None at the end.");
}
