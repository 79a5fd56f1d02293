#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "interrupt.hpp"
#include "rule_objects.hpp"
#include "rules/packed_table.hpp"
#include "rules/rule_table.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::Error;
using pentaglot::FeatureId;
using pentaglot::RuleLink;
using pentaglot::RuleTable;
using pentaglot::Sighting;
using pentaglot::Symbol;
using pentaglot::SymbolEdge;

namespace {

template <typename T>
ArrayOut<T> copy_of(std::span<const T> values) {
    return array_from(std::vector<T>(values.begin(), values.end()));
}

template <auto Column>
auto column(const RuleTable& table) {
    return copy_of(std::span(table.*Column));
}

void check_rule(const RuleTable& table, std::size_t rule) {
    if (rule >= table.rules()) throw Error("the table has " + std::to_string(table.rules()) + " rules");
}

void check_pattern(const RuleTable& table, std::size_t pattern) {
    if (pattern >= table.patterns()) throw Error("the table has " + std::to_string(table.patterns()) + " patterns");
}

// Edges of a signature, as (from, to, kind).
using Edges = std::vector<std::tuple<std::uint16_t, std::uint16_t, std::uint16_t>>;

void add_pattern(RuleTable& table, const std::vector<Symbol>& symbols, std::uint64_t occurrences,
                 std::uint32_t attempts, std::uint32_t successes, std::uint32_t label,
                 const std::vector<std::uint32_t>& gap_labels, bool any_length, const std::optional<Edges>& signature,
                 const std::vector<std::uint32_t>& places) {
    std::vector<SymbolEdge> edges;
    for (const auto& [from, to, kind] : signature.value_or(Edges())) edges.push_back({from, to, kind});
    std::sort(edges.begin(), edges.end());
    const pentaglot::PatternTraits traits{label, gap_labels, any_length, signature.has_value(), edges, places};
    pentaglot::check_traits(symbols, traits);
    table.add_pattern(symbols, occurrences, attempts, successes, traits);
}

std::optional<Edges> signature_of(const RuleTable& table, std::size_t pattern) {
    check_pattern(table, pattern);
    if (table.has_signature[pattern] == 0) return std::nullopt;
    Edges edges;
    for (const SymbolEdge& edge : table.signature(pattern)) edges.emplace_back(edge.from, edge.to, edge.kind);
    return edges;
}

// Corpus, sentence and position.
using Places = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;

void add_rule(RuleTable& table, const std::vector<Symbol>& symbols,
              const std::vector<std::pair<std::uint8_t, std::uint8_t>>& links, float count, const Places& sightings) {
    std::vector<RuleLink> inner;
    for (const auto& [source, target] : links) inner.push_back({source, target});
    if (table.patterns() > 0) pentaglot::check_rule(table.source(table.patterns() - 1), symbols, inner, table.rules());
    std::vector<Sighting> seen;
    for (const auto& [corpus, sentence, position] : sightings) seen.push_back({corpus, sentence, position});
    table.add_rule(symbols, inner, count, seen);
}

void set_feature(RuleTable& table, FeatureId id, const ArrayIn<float>& values) {
    if (values.shape(0) != table.rules()) throw Error("a feature column needs one value for each rule");
    table.set_values(id, span_of(values));
}

void add_sparse(RuleTable& table, const ArrayIn<std::uint32_t>& offsets, const ArrayIn<FeatureId>& ids,
                const ArrayIn<float>& values) {
    pentaglot::SparseFeatures block;
    block.offsets.assign(offsets.data(), offsets.data() + offsets.shape(0));
    block.ids.assign(ids.data(), ids.data() + ids.shape(0));
    block.values.assign(values.data(), values.data() + values.shape(0));
    block.check(table.rules());
    table.sparse.append(block);
}

nb::tuple sparse(const RuleTable& table) {
    return nb::make_tuple(copy_of(std::span(table.sparse.offsets)), copy_of(std::span(table.sparse.ids)),
                          copy_of(std::span(table.sparse.values)));
}

nb::tuple features_of(const RuleTable& table, std::size_t rule) {
    check_rule(table, rule);
    std::vector<FeatureId> ids;
    std::vector<float> values;
    table.collect_features(rule, ids, values);
    return nb::make_tuple(array_from(std::move(ids)), array_from(std::move(values)));
}

nb::list links_of(const RuleTable& table, std::size_t rule) {
    check_rule(table, rule);
    nb::list links;
    for (const RuleLink link : table.links_of(rule)) links.append(nb::make_tuple(link.source, link.target));
    return links;
}

nb::list sightings_of(const RuleTable& table, std::size_t rule) {
    check_rule(table, rule);
    nb::list seen;
    for (std::size_t at = table.sighting_offsets[rule]; at < table.sighting_offsets[rule + 1]; ++at) {
        const Sighting& where = table.sightings[at];
        seen.append(nb::make_tuple(where.corpus, where.sentence, where.position));
    }
    return seen;
}

// Six values for each rule; no rows at all if orientations were not counted.
nb::ndarray<nb::numpy, float, nb::ndim<2>> reordering_of(const RuleTable& table) {
    auto* kept = new std::vector<float>;
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
    for (const auto& row : table.reordering) {
        kept->insert(kept->end(), row.before.begin(), row.before.end());
        kept->insert(kept->end(), row.after.begin(), row.after.end());
    }
    return {kept->data(), {table.reordering.size(), 6}, owner};
}

void set_reordering(RuleTable& table,
                    const nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>& rows) {
    if (rows.shape(0) != table.rules() || rows.shape(1) != 6) throw Error("reordering needs six values for each rule");
    table.reordering.resize(table.rules());
    for (std::size_t rule = 0; rule < table.rules(); ++rule) {
        for (std::size_t i = 0; i < 3; ++i) {
            table.reordering[rule].before[i] = rows.data()[6 * rule + i];
            table.reordering[rule].after[i] = rows.data()[6 * rule + 3 + i];
        }
    }
}

}  // namespace

void bind_rule_table(nb::module_& module) {
    nb::class_<RuleTable>(module, "RuleTable", "The rules of one sentence, by columns.")
        .def(nb::init<>())
        .def_prop_ro("patterns", &RuleTable::patterns)
        .def_prop_ro("rules", &RuleTable::rules)
        .def("add_pattern", &add_pattern, "symbols"_a, "occurrences"_a = 0, "attempts"_a = 0, "successes"_a = 0,
             "label"_a = 0, "gap_labels"_a = std::vector<std::uint32_t>{}, "any_length"_a = false,
             "signature"_a.none() = nb::none(), "places"_a = std::vector<std::uint32_t>{},
             "Opens a new source side; its own label and those of its gaps are 0 by default. With a "
             "signature, edges (from, to, kind) between its symbols, it fits only where the input has just these; with "
             "places, only over these words of the input.")
        .def("add_rule", &add_rule, "symbols"_a, "links"_a = std::vector<std::pair<std::uint8_t, std::uint8_t>>{},
             "count"_a = 1.0F, "sightings"_a = Places{},
             "Adds a target side to the last source side; sightings are where it was seen: corpus, sentence and the "
             "source position of its first word.")
        .def(
            "copy", [](const RuleTable& self) { return RuleTable(self); }, nb::call_guard<OutsidePython>(),
            "An independent table with the same rules.")
        .def(
            "pack",
            [](const RuleTable& self) { return array_from(outside_python([&] { return pentaglot::packed(self); })); },
            "All columns as bytes.")
        .def_static(
            "unpack",
            [](const ByteArray& bytes) { return outside_python([&] { return pentaglot::unpacked(span_of(bytes)); }); },
            "bytes"_a.noconvert(), "The table in the bytes that `pack` made.")
        .def("check", &RuleTable::check, "Raises an error if the columns contradict each other.")
        .def_prop_ro("labels", &column<&RuleTable::left_labels>, nb::rv_policy::move)
        .def_prop_ro("rule_offsets", &column<&RuleTable::rule_offsets>, nb::rv_policy::move)
        .def_prop_ro("target_symbols", &column<&RuleTable::target_symbols>, nb::rv_policy::move)
        .def_prop_ro("counts", &column<&RuleTable::counts>, nb::rv_policy::move)
        .def_prop_ro("occurrences", &column<&RuleTable::occurrences>, nb::rv_policy::move)
        .def_prop_ro("attempts", &column<&RuleTable::attempts>, nb::rv_policy::move)
        .def_prop_ro("successes", &column<&RuleTable::successes>, nb::rv_policy::move)
        .def_prop_ro("feature_ids", &column<&RuleTable::feature_ids>, nb::rv_policy::move)
        .def(
            "source",
            [](const RuleTable& self, std::size_t pattern) {
                check_pattern(self, pattern);
                return copy_of(self.source(pattern));
            },
            "pattern"_a, "The symbols of a source side.")
        .def(
            "gap_labels",
            [](const RuleTable& self, std::size_t pattern) {
                check_pattern(self, pattern);
                return copy_of(self.labels_of_gaps(pattern));
            },
            "pattern"_a, "The labels of the gaps of a source side.")
        .def("signature", &signature_of, "pattern"_a, "The edges (from, to, kind) between the symbols; None: any.")
        .def(
            "places",
            [](const RuleTable& self, std::size_t pattern) {
                check_pattern(self, pattern);
                return copy_of(self.places_of(pattern));
            },
            "pattern"_a, "The words of the input that a source side covers; none if it fits anywhere.")
        .def(
            "target",
            [](const RuleTable& self, std::size_t rule) {
                check_rule(self, rule);
                return copy_of(self.target(rule));
            },
            "rule"_a, "The symbols of a rule's target side.")
        .def("links", &links_of, "rule"_a, "The links inside a rule, by places of symbols.")
        .def("sightings", &sightings_of, "rule"_a, "Where a rule was seen: corpus, sentence, source position.")
        .def(
            "feature", [](const RuleTable& self, FeatureId id) { return array_from(self.values_of(id)); }, "id"_a,
            "A feature's value for every rule.")
        .def("set_feature", &set_feature, "id"_a, "values"_a, "Sets a feature's value for every rule.")
        .def_prop_ro("sparse", &sparse, "Offsets of rules, ids and values of features that few rules have.")
        .def("add_sparse", &add_sparse, "offsets"_a, "ids"_a, "values"_a,
             "Adds a block of features: those of rule n lie between offsets n and n + 1.")
        .def("features_of", &features_of, "rule"_a, "Ids and values of all features of a rule that are not 0.")
        .def_prop_ro("reordering", &reordering_of, nb::rv_policy::move)
        .def("set_reordering", &set_reordering, "rows"_a,
             "Sets the six logarithms of orientation chances of every rule.");
}
