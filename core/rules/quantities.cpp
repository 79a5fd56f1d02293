#include "rules/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace pentaglot {

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

// Sums of logarithms that ought to be equal are, without the noise of their last bits.
float without_noise(float value) {
    return static_cast<float>(std::round(static_cast<double>(value) * 1e5) / 1e5);
}

float words_in(std::span<const Symbol> side) {
    std::size_t words = 0;
    for (const Symbol symbol : side) words += is_tail(symbol) ? 0 : 1;
    return static_cast<float>(words);
}

float new_words_in(std::span<const Symbol> side, const RuleSurroundings& surroundings) {
    std::size_t words = 0;
    for (const Symbol symbol : side) {
        if (is_tail(symbol)) continue;
        const auto word = static_cast<std::size_t>(symbol);
        const bool further = word >= sentence_words;
        const auto& known = further ? surroundings.known_further : surroundings.known;
        const std::size_t at = further ? word - sentence_words : word;
        words += at < known.size() && known[at] != 0 ? 0 : 1;
    }
    return static_cast<float>(words);
}

bool has_column(const RuleTable& table, FeatureId id) {
    return std::ranges::find(table.feature_ids, id) != table.feature_ids.end();
}

bool has(const RuleTable& table, FeatureId id) {
    return has_column(table, id) || table.sparse.has(id);
}

// Those of a sparse feature, of the rules that have it: what other rules have must not tell these apart.
std::vector<float> sparse_values(const RuleTable& table, FeatureId id) {
    std::vector<float> values = table.values_of(id);
    for (std::size_t rule = 0; rule < values.size(); ++rule) {
        const auto ids = table.sparse.ids_of(rule);
        if (std::ranges::find(ids, id) == ids.end()) values[rule] = missing;
    }
    return values;
}

}  // namespace

std::vector<float> RuleQuantities::of(const Quantity& quantity) {
    std::vector<float> values = of_all(quantity);
    if (quantity.found != Quantity::nothing) {
        const auto column = table_.values_of(quantity.found);
        for (std::size_t rule = 0; rule < values.size(); ++rule) {
            if (column[rule] == 0) values[rule] = missing;
        }
    }
    if (quantity.collected) leave_out_made(values);
    return values;
}

// Most quantities leave out the same rules, which are looked for only once.
void RuleQuantities::leave_out_made(std::vector<float>& values) {
    if (!std::exchange(knows_made_, true)) {
        for (const FeatureId id : surroundings_.made) {
            if (!has(table_, id)) continue;
            const auto column = table_.values_of(id);
            for (std::uint32_t rule = 0; rule < column.size(); ++rule) {
                if (column[rule] != 0) made_.push_back(rule);
            }
        }
    }
    for (const std::uint32_t rule : made_) values[rule] = missing;
}

std::vector<float> RuleQuantities::of_all(const Quantity& quantity) const {
    const RuleTable& table = table_;
    std::vector<float> values(table.rules(), missing);
    switch (quantity.kind) {
        case QuantityKind::column:
            if (has_column(table, quantity.first)) return table.values_of(quantity.first);
            if (table.sparse.has(quantity.first)) return sparse_values(table, quantity.first);
            break;
        case QuantityKind::always:
            return table.values_of(quantity.first);
        case QuantityKind::sum:
            if (has(table, quantity.first) && has(table, quantity.second)) {
                values = table.values_of(quantity.first);
                const auto second = table.values_of(quantity.second);
                for (std::size_t rule = 0; rule < values.size(); ++rule)
                    values[rule] = without_noise(values[rule] + second[rule]);
            }
            break;
        case QuantityKind::pair_count:
            for (std::size_t rule = 0; rule < table.rules(); ++rule)
                values[rule] = table.counts[rule] > 0 ? table.counts[rule] : missing;
            break;
        case QuantityKind::new_words:
            for (std::size_t rule = 0; rule < table.rules(); ++rule)
                values[rule] = new_words_in(table.target(rule), surroundings_);
            break;
        case QuantityKind::source_count:
        case QuantityKind::source_words:
            for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
                const std::uint64_t seen = table.occurrences[pattern];
                const float value = quantity.kind == QuantityKind::source_words ? words_in(table.source(pattern))
                                    : seen > 0                                  ? static_cast<float>(seen)
                                                                                : missing;
                for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule)
                    values[rule] = value;
            }
            break;
    }
    return values;
}

}  // namespace pentaglot
