#pragma once

#include <array>
#include <memory>

#include "search/features/feature.hpp"

namespace pentaglot {

// How many words the search jumps over between two phrases.
class Distortion : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        const FeatureId id = context.model.feature("distortion");
        if (context.hypotheses == Hypotheses::beginnings && id != no_feature)
            list.push_back(std::make_unique<Distortion>(id, context.weight(id)));
    }
    Distortion(FeatureId id, float weight) : ids_{id}, weight_(weight) {}

    std::span<const FeatureId> ids() const override { return ids_; }
    float join(const HypothesisStep&, const Tails&, std::byte*, float*) const override { return 0; }
    float append(const HypothesisStep& step, const Tails&, std::byte*, float* values) const override {
        values[0] = static_cast<float>(step.jump);
        return weight_ * values[0];
    }
    bool foresees() const override { return true; }
    float foresee(const HypothesisStep& step, const Tails&) const override {
        return weight_ * static_cast<float>(step.jump);
    }

  private:
    std::array<FeatureId, 1> ids_;
    float weight_;
};

}  // namespace pentaglot
