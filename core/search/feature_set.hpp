#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "rules/extract.hpp"
#include "search/features/feature.hpp"

namespace pentaglot {

// All features with state of one search. For each step they fill one row of bytes: first their states, side by side,
// then their values.
class FeatureSet {
  public:
    // The states of the tails of a step.
    using TailStates = std::array<const std::byte*, max_gaps>;

    explicit FeatureSet(const FeatureContext& context);

    std::size_t state_size() const { return state_size_; }  // a multiple of 8, not 0
    std::size_t row_size() const { return row_size_; }      // a multiple of 8
    std::size_t values() const { return value_count_; }
    const float* values_of(const std::byte* row) const { return reinterpret_cast<const float*>(row + state_size_); }

    bool same(const std::byte* one, const std::byte* other) const { return std::memcmp(one, other, state_size_) == 0; }
    std::uint64_t hash(const std::byte* state) const {
        std::uint64_t sum = 0;
        for (std::size_t at = 0; at < state_size_; at += sizeof(std::uint64_t)) {
            std::uint64_t word;
            std::memcpy(&word, state + at, sizeof(word));
            sum = std::rotl((sum ^ word) * 0x9E3779B97F4A7C15ULL, 32);
        }
        return sum;
    }

    void begin(std::byte* state) const;
    // Each returns `score` plus the scores of the features, and fills a row; bytes between states stay as they are (0
    // in a RowPool).
    float join(const HypothesisStep& step, const TailStates& tails, std::byte* row, float score) const {
        for (const Placed& each : placed_)
            score += each.feature->join(step, Tails(tails.data(), each.state), row + each.state, value_at(row, each));
        return score;
    }
    float append(const HypothesisStep& step, const TailStates& tails, std::byte* row, float score) const {
        for (const Placed& each : placed_)
            score += each.feature->append(step, Tails(tails.data(), each.state), row + each.state, value_at(row, each));
        return score;
    }
    float finish(const HypothesisStep& step, const TailStates& tails, std::byte* row, float score) const;

    float estimate(std::uint32_t rule) const;
    float estimate(const InputPart& part) const;
    bool foresees() const { return !foreseeing_.empty(); }
    float foresee(const HypothesisStep& step, const TailStates& tails, float score) const {
        for (const Placed& each : foreseeing_) score += each.feature->foresee(step, Tails(tails.data(), each.state));
        return score;
    }

    bool has_sparse_values() const { return !sparse_.empty(); }
    void add_sparse_values(const HypothesisStep& step, const TailStates& tails, bool finishes,
                           std::vector<FeatureValue>& found) const;

    // Adds the values that are not 0, with that of glue for an edge of glue.
    void collect(const float* values, bool glue, std::vector<FeatureValue>& found) const;

    // Calls `add(id, value)` for a feature, and for all that are conjoined with it.
    template <typename Add>
    void with_conjoined(FeatureId id, float value, const Add& add) const {
        add(id, value);
        if (conjoined_.empty()) return;
        const auto before = [](const auto& pair, FeatureId feature) { return pair.first < feature; };
        for (auto at = std::lower_bound(conjoined_.begin(), conjoined_.end(), id, before);
             at != conjoined_.end() && at->first == id; ++at)
            add(at->second, value);
    }
    bool conjoins() const { return !conjoined_.empty(); }

  private:
    struct Placed {
        const StatefulFeature* feature;
        std::size_t state, value;  // where they begin
    };
    struct Slot {
        FeatureId id;
        std::size_t value;
    };
    static constexpr std::size_t value_of_glue = SIZE_MAX;

    void add_slots(const Placed& placed);
    float* value_at(std::byte* row, const Placed& placed) const {
        return reinterpret_cast<float*>(row + state_size_) + placed.value;
    }

    FeatureList features_;
    std::span<const std::pair<FeatureId, FeatureId>> conjoined_;  // see SearchModel
    std::vector<Placed> placed_, foreseeing_, sparse_;
    std::vector<Slot> slots_;  // in a fixed order: the last bit of a sum of features depends on it
    std::size_t state_size_ = 0, value_count_ = 0, row_size_ = 0;
};

}  // namespace pentaglot
