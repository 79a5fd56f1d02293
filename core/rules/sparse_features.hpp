#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// Features of which every rule has few, out of any number: for each rule the ids of those that it has, and their
// values. An id that stands twice in a row counts twice.
struct SparseFeatures {
    std::vector<std::uint32_t> offsets{0};  // rule -> ids and values
    std::vector<FeatureId> ids;
    std::vector<float> values;

    std::size_t rows() const { return offsets.size() - 1; }
    std::span<const FeatureId> ids_of(std::size_t rule) const {
        return std::span(ids).subspan(offsets[rule], offsets[rule + 1] - offsets[rule]);
    }
    std::span<const float> values_of(std::size_t rule) const {
        return std::span(values).subspan(offsets[rule], offsets[rule + 1] - offsets[rule]);
    }

    void reserve(std::size_t more_rows, std::size_t more_values) {
        offsets.reserve(offsets.size() + more_rows);
        ids.reserve(ids.size() + more_values);
        values.reserve(values.size() + more_values);
    }
    // Adds a row for a new rule; add() fills it.
    void add_row() { offsets.push_back(offsets.back()); }
    // Adds to the last row.
    void add(FeatureId id, float value) {
        ids.push_back(id);
        values.push_back(value);
        offsets.back() = offset(ids.size());
    }
    // Adds what another block has for a rule to the last row.
    void add_row_of(const SparseFeatures& other, std::size_t rule);
    // Extends each row by the same row of another block, which has as many.
    void append(SparseFeatures other);
    bool has(FeatureId id) const;
    void remove(FeatureId id);
    // Adds the value that each rule has to a column.
    void add_column(FeatureId id, std::span<float> column) const;
    // Adds weight times value to the score of every rule. Ids beyond the weights weigh nothing.
    void add_scores(std::span<const double> weights, std::span<float> scores) const;

    // Throws Error unless there is one row for each rule and all fit together.
    void check(std::size_t rules) const;

  private:
    static std::uint32_t offset(std::size_t size) {
        if (size > UINT32_MAX) throw Error("a rule table holds at most 2^32 values of sparse features");
        return static_cast<std::uint32_t>(size);
    }
};

}  // namespace pentaglot
