#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "search/features/feature.hpp"

namespace pentaglot {

// Lexicalised reordering: every phrase says how likely each orientation is to the phrase before it, and of the phrase
// after it to itself.
class Reordering : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        if (context.hypotheses == Hypotheses::beginnings && !context.table.reordering.empty())
            list.push_back(std::make_unique<Reordering>(context));
    }
    explicit Reordering(const FeatureContext& context)
        : table_(context.table), end_(static_cast<std::uint32_t>(context.input.nodes() - 1)) {
        const std::array<std::string, 2> sides{"before_", "after_"};
        const std::array<std::string, 3> orientations{"monotone", "swapped", "discontinuous"};
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            ids_[i] = context.model.feature(sides[i / 3] + orientations[i % 3]);
            weights_[i] = context.weight(ids_[i]);
        }
    }

    std::size_t state_size() const override { return sizeof(State); }
    std::span<const FeatureId> ids() const override { return ids_; }
    float join(const HypothesisStep&, const Tails&, std::byte*, float*) const override { return 0; }
    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        const std::size_t at = orientation(step.last, step.input);
        std::fill_n(values, ids_.size(), 0.0F);
        values[at] = table_.reordering[step.rule].before[at];
        values[3 + at] = state_at<State>(tails[0]).after[at];
        State next{step.input.begin, table_.reordering[step.rule].after};
        for (float& value : next.after) value += 0.0F;  // -0 becomes 0, to be the same byte by byte
        put_state(state, next);
        return weights_[at] * values[at] + weights_[3 + at] * values[3 + at];
    }
    float finish(const HypothesisStep& step, const Tails& tails, float* values) const override {
        const std::size_t at = orientation(step.last, {end_, end_ + 1});
        values[3 + at] = state_at<State>(tails[0]).after[at];
        return weights_[3 + at] * values[3 + at];
    }
    bool foresees() const override { return true; }
    float foresee(const HypothesisStep& step, const Tails& tails) const override {
        const std::size_t at = orientation(step.last, step.input);
        return weights_[at] * table_.reordering[step.rule].before[at] +
               weights_[3 + at] * state_at<State>(tails[0]).after[at];
    }

  private:
    // Whether a phrase is swapped with the last one depends on where that began, so this is part of the state.
    struct State {
        std::uint32_t begin;
        std::array<float, 3> after;
    };
    static std::size_t orientation(const InputPart& last, const InputPart& next) {
        const auto which = next.begin == last.end   ? Orientation::monotone
                           : next.end == last.begin ? Orientation::swapped
                                                    : Orientation::discontinuous;
        return static_cast<std::size_t>(which);
    }

    const RuleTable& table_;
    std::uint32_t end_;
    std::array<FeatureId, 6> ids_{};
    std::array<float, 6> weights_{};
};

}  // namespace pentaglot
