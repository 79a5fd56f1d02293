#pragma once

#include <memory>

#include "search/features/feature.hpp"
#include "search/features/neighbours.hpp"

namespace pentaglot {

// A feature for every pair of word classes: how often words of the two are neighbours (Cherry 2013). There are
// thousands of them, of which a step has a few, so their values are sparse.
class ClassPairFeatures : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        if (context.model.class_pairs.count > 0) list.push_back(std::make_unique<ClassPairFeatures>(context));
    }
    explicit ClassPairFeatures(const FeatureContext& context)
        : context_(context),
          pairs_(context.model.class_pairs),
          start_(static_cast<std::int32_t>(pairs_.count - 2)),
          end_(static_cast<std::int32_t>(pairs_.count - 1)) {}

    std::size_t state_size() const override { return sizeof(Ends); }
    void begin(std::byte* state) const override { put_state(state, Ends::beginning(start_)); }

    float join(const HypothesisStep& step, const Tails& tails, std::byte* state, float*) const override {
        return add_up({}, step, tails, state);
    }
    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float*) const override {
        return add_up(state_at<Ends>(tails[0]), step, tails, state);
    }
    float finish(const HypothesisStep&, const Tails& tails, float*) const override {
        return context_.weight(feature(state_at<Ends>(tails[0]).last, end_));
    }
    float estimate(std::uint32_t rule) const override {
        const auto symbols = context_.table.target(rule);
        float sum = 0;
        for (std::size_t at = 1; at < symbols.size(); ++at) {
            if (!is_tail(symbols[at]) && !is_tail(symbols[at - 1]))
                sum += context_.weight(feature(class_of(symbols[at - 1]), class_of(symbols[at])));
        }
        return sum;
    }

    bool has_sparse_values() const override { return true; }
    void add_sparse_values(const HypothesisStep& step, const Tails& tails, bool finishes,
                           std::vector<FeatureValue>& found) const override {
        if (finishes) {
            found.push_back({feature(state_at<Ends>(tails[0]).last, end_), 1});
            return;
        }
        const bool appended = context_.hypotheses == Hypotheses::beginnings;
        walk(appended ? state_at<Ends>(tails[0]) : Ends{}, step, tails,
             [&](auto one, auto other) { found.push_back({feature(one, other), 1}); });
    }

  private:
    std::int32_t class_of(Symbol word) const {
        const auto at = static_cast<std::size_t>(word);
        return at < pairs_.classes.size() ? static_cast<std::int32_t>(pairs_.classes[at]) : 0;
    }
    FeatureId feature(std::int32_t one, std::int32_t other) const {
        return pairs_.features[static_cast<std::size_t>(one) * pairs_.count + static_cast<std::size_t>(other)];
    }
    template <typename Meet>
    Ends walk(const Ends& before, const HypothesisStep& step, const Tails& tails, const Meet& meet) const {
        return each_meeting(before, step, tails, [this](Symbol word) { return class_of(word); }, meet);
    }
    float add_up(const Ends& before, const HypothesisStep& step, const Tails& tails, std::byte* state) const {
        float sum = 0;
        put_state(state, walk(before, step, tails,
                              [&](auto one, auto other) { sum += context_.weight(feature(one, other)); }));
        return sum;
    }

    FeatureContext context_;
    ClassPairs pairs_;
    std::int32_t start_, end_;
};

}  // namespace pentaglot
