#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "search/features/feature.hpp"

namespace pentaglot {

// The scores of the words of an input lattice, if any has one.
class InputScores : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        const FeatureId id = context.model.feature(context.input.score_feature());
        const auto words = context.input.words();
        if (id != no_feature && std::any_of(words.begin(), words.end(), [](auto& word) { return word.score != 0; }))
            list.push_back(std::make_unique<InputScores>(id, context.weight(id)));
    }
    InputScores(FeatureId id, float weight) : ids_{id}, weight_(weight) {}

    std::span<const FeatureId> ids() const override { return ids_; }
    float join(const HypothesisStep& step, const Tails&, std::byte*, float* values) const override {
        values[0] = step.input.score;
        return estimate(step.input);
    }
    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        return join(step, tails, state, values);
    }
    float estimate(const InputPart& part) const override { return weight_ * part.score; }
    bool foresees() const override { return true; }
    float foresee(const HypothesisStep& step, const Tails&) const override { return estimate(step.input); }

  private:
    std::array<FeatureId, 1> ids_;
    float weight_;
};

}  // namespace pentaglot
