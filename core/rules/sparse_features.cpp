#include "rules/sparse_features.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pentaglot {

void SparseFeatures::add_row_of(const SparseFeatures& other, std::size_t rule) {
    const auto more = other.ids_of(rule);
    const auto their = other.values_of(rule);
    ids.insert(ids.end(), more.begin(), more.end());
    values.insert(values.end(), their.begin(), their.end());
    offsets.back() = offset(ids.size());
}

void SparseFeatures::append(SparseFeatures other) {
    if (other.ids.empty()) return;
    if (ids.empty()) {
        *this = std::move(other);
        return;
    }
    SparseFeatures joined;
    joined.offsets.reserve(offsets.size());
    joined.ids.reserve(ids.size() + other.ids.size());
    joined.values.reserve(ids.size() + other.ids.size());
    for (std::size_t rule = 0; rule < rows(); ++rule) {
        joined.add_row();
        joined.add_row_of(*this, rule);
        joined.add_row_of(other, rule);
    }
    *this = std::move(joined);
}

bool SparseFeatures::has(FeatureId id) const {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

void SparseFeatures::remove(FeatureId id) {
    if (!has(id)) return;
    SparseFeatures left;
    for (std::size_t rule = 0; rule < rows(); ++rule) {
        left.add_row();
        for (std::size_t at = offsets[rule]; at < offsets[rule + 1]; ++at) {
            if (ids[at] != id) left.add(ids[at], values[at]);
        }
    }
    *this = std::move(left);
}

void SparseFeatures::add_column(FeatureId id, std::span<float> column) const {
    if (ids.empty()) return;
    for (std::size_t rule = 0; rule < rows(); ++rule) {
        for (std::size_t at = offsets[rule]; at < offsets[rule + 1]; ++at) {
            if (ids[at] == id) column[rule] += values[at];
        }
    }
}

void SparseFeatures::add_scores(std::span<const double> weights, std::span<float> scores) const {
    if (ids.empty()) return;
    for (std::size_t rule = 0; rule < rows(); ++rule) {
        float sum = scores[rule];
        for (std::size_t at = offsets[rule]; at < offsets[rule + 1]; ++at) {
            if (ids[at] < weights.size()) sum += static_cast<float>(weights[ids[at]]) * values[at];
        }
        scores[rule] = sum;
    }
}

void SparseFeatures::check(std::size_t rules) const {
    if (offsets.size() != rules + 1 || offsets.front() != 0 || offsets.back() != ids.size() ||
        ids.size() != values.size() || !std::is_sorted(offsets.begin(), offsets.end())) {
        throw Error("the rule table's sparse features do not fit together");
    }
}

}  // namespace pentaglot
