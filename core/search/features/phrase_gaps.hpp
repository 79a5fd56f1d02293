#pragma once

#include <array>
#include <memory>

#include "search/features/feature.hpp"

namespace pentaglot {

// How many words lie in the gaps of phrases whose words are not adjacent: with the distance between phrases, this is
// the distortion of Galley and Manning (2010).
class PhraseGaps : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        const FeatureId id = context.model.feature("phrase_gaps");
        if (context.hypotheses == Hypotheses::beginnings && id != no_feature)
            list.push_back(std::make_unique<PhraseGaps>(id, context.weight(id)));
    }
    PhraseGaps(FeatureId id, float weight) : ids_{id}, weight_(weight) {}

    std::span<const FeatureId> ids() const override { return ids_; }
    float join(const HypothesisStep&, const Tails&, std::byte*, float*) const override { return 0; }
    float append(const HypothesisStep& step, const Tails&, std::byte*, float* values) const override {
        values[0] = words(step);
        return weight_ * values[0];
    }
    bool foresees() const override { return true; }
    float foresee(const HypothesisStep& step, const Tails&) const override { return weight_ * words(step); }

  private:
    static float words(const HypothesisStep& step) {
        if (step.places.empty()) return 0;
        return static_cast<float>(step.input.end - step.input.begin - step.places.size());
    }

    std::array<FeatureId, 1> ids_;
    float weight_;
};

}  // namespace pentaglot
