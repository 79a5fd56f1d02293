#pragma once

#include <array>
#include <memory>

#include "search/features/feature.hpp"
#include "search/features/neighbours.hpp"

namespace pentaglot {

// How often a word stands twice in a row ("the the house"). This is the example in docs/architecture.md: a feature with
// state that is as small as possible.
class RepeatedWords : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        const FeatureId id = context.model.feature("repeated_words");
        if (id != no_feature) list.push_back(std::make_unique<RepeatedWords>(context, id));
    }
    RepeatedWords(const FeatureContext& context, FeatureId id)
        : table_(context.table), ids_{id}, weight_(context.weight(id)) {}

    std::size_t state_size() const override { return sizeof(Ends); }
    std::span<const FeatureId> ids() const override { return ids_; }
    void begin(std::byte* state) const override { put_state(state, Ends::beginning()); }

    float join(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        return count({}, step, tails, state, values);
    }
    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        return count(state_at<Ends>(tails[0]), step, tails, state, values);
    }
    float estimate(std::uint32_t rule) const override {
        const auto symbols = table_.target(rule);
        float repeated = 0;
        for (std::size_t at = 1; at < symbols.size(); ++at) {
            if (!is_tail(symbols[at]) && symbols[at] == symbols[at - 1]) ++repeated;
        }
        return weight_ * repeated;
    }

  private:
    float count(const Ends& before, const HypothesisStep& step, const Tails& tails, std::byte* state,
                float* values) const {
        const auto word = [](Symbol symbol) { return symbol; };
        values[0] = 0;
        put_state(state, each_meeting(before, step, tails, word, [&](auto one, auto other) {
                      if (one == other) ++values[0];
                  }));
        return weight_ * values[0];
    }

    const RuleTable& table_;
    std::array<FeatureId, 1> ids_;
    float weight_;
};

}  // namespace pentaglot
