#include "search/features/language_model.hpp"

#include <array>
#include <memory>

#include "lm/packed_states.hpp"

namespace pentaglot {

namespace {

// Natural logarithms are what features hold; the language model speaks in powers of ten.
constexpr float ln10 = 2.302585093F;

// `room` is the number of words in a state: known when compiled, so that states are copied by a few instructions.
template <std::size_t room>
class LanguageModelFeature final : public StatefulFeature {
    using Beginning = lm::PackedState<room>;
    using Stretch = lm::PackedChartState<room>;

  public:
    LanguageModelFeature(const FeatureContext& context, const LanguageUse& use)
        : model_(*use.model),
          table_(context.table),
          beginnings_(context.hypotheses == Hypotheses::beginnings),
          ids_{use.feature, use.unknown},
          weight_(context.weight(use.feature) * ln10),
          unknown_weight_(context.weight(use.unknown)) {
        const auto& symbols = table_.target_symbols;
        words_.resize(symbols.size());
        for (std::size_t at = 0; at < symbols.size(); ++at) {
            if (at % (256 * Watch::interval) == 0) context.watch.check_cancelled();
            words_[at] = is_tail(symbols[at]) ? SpecialWord::unknown : use.id(symbols[at]);
        }
        if (counts_unknown()) count_unknown(context.watch);
    }

    std::size_t state_size() const override { return beginnings_ ? sizeof(Beginning) : sizeof(Stretch); }
    std::span<const FeatureId> ids() const override { return std::span(ids_).first(counts_unknown() ? 2 : 1); }

    void begin(std::byte* state) const override {
        if (beginnings_) {
            put_state(state, Beginning(model_.begin_sentence()));
        } else {
            lm::ChartScorer scorer(model_);
            scorer.begin_sentence();
            put_state(state, Stretch(scorer.state()));
        }
    }

    float join(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        lm::ChartScorer scorer(model_);
        const bool rule = EdgeOrigin::is_rule(step.rule);
        const WordId* word = words_.data() + (rule ? table_.target_offsets[step.rule] : 0);
        for (const Symbol symbol : step.symbols) {
            if (is_tail(symbol)) {
                scorer.stretch(state_at<Stretch>(tails[tail_of(symbol)]));
            } else {
                scorer.word(*word);
            }
            ++word;
        }
        put_state(state, Stretch(scorer.state()));
        return weighted(scorer.score(), rule ? unknown(step.rule) : 0, values);
    }

    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        lm::State now;
        state_at<Beginning>(tails[0]).unpack(now);
        const float score = score_after(now, step.rule);
        put_state(state, Beginning(now));
        return weighted(score, unknown(step.rule), values);
    }

    float finish(const HypothesisStep&, const Tails& tails, float* values) const override {
        lm::State now;
        (beginnings_ ? state_at<Beginning>(tails[0]) : state_at<Stretch>(tails[0]).right).unpack(now);
        return weighted(model_.score(now, SpecialWord::end, now), 0, values);
    }

    // Words after a gap are scored as if nothing were before them.
    float estimate(std::uint32_t rule) const override {
        float score = 0;
        const auto symbols = table_.target(rule);
        const WordId* const words = words_.data() + table_.target_offsets[rule];
        for (std::size_t begin = 0, end = 0; begin < symbols.size(); begin = end + 1) {
            for (end = begin; end < symbols.size() && !is_tail(symbols[end]);) ++end;
            if (end > begin) score += model_.score_without_context({words + begin, end - begin});
        }
        return weight_ * score + unknown_weight_ * unknown(rule);
    }

  private:
    bool counts_unknown() const { return ids_[1] != no_feature; }
    float unknown(std::uint32_t rule) const { return unknown_.empty() ? 0 : unknown_[rule]; }

    float score_after(lm::State& now, std::uint32_t rule) const {
        float score = 0;
        for (std::size_t at = table_.target_offsets[rule]; at < table_.target_offsets[rule + std::size_t{1}]; ++at)
            score += model_.score(now, words_[at], now);
        return score;
    }

    float weighted(float score, float unknown_words, float* values) const {
        values[0] = score * ln10;
        if (!counts_unknown()) return weight_ * score;
        values[1] = unknown_words;
        return weight_ * score + unknown_weight_ * unknown_words;
    }

    void count_unknown(const Watch& watch) {
        const std::size_t known = model_.vocabulary_size();
        for (std::size_t rule = 0; rule < table_.rules(); ++rule) {
            if (rule % Watch::interval == 0) watch.check_cancelled();
            float count = 0;
            for (std::size_t at = table_.target_offsets[rule]; at < table_.target_offsets[rule + 1]; ++at) {
                const bool is_unknown = words_[at] == SpecialWord::unknown || words_[at] >= known;
                if (is_unknown && !is_tail(table_.target_symbols[at])) ++count;
            }
            unknown_.push_back(count);
        }
    }

    const lm::LanguageModel& model_;
    const RuleTable& table_;
    bool beginnings_;
    std::array<FeatureId, 2> ids_;
    float weight_, unknown_weight_;
    std::vector<WordId> words_;   // the target symbols of the table, as the model calls them
    std::vector<float> unknown_;  // words of each rule; empty if nobody wants to know
};

}  // namespace

void LanguageModelFeatures::make(const FeatureContext& context, FeatureList& list) {
    for (const LanguageUse& use : context.model.languages) {
        static_assert(lm::max_order <= 7);
        if (use.model->order() <= 3) {
            list.push_back(std::make_unique<LanguageModelFeature<2>>(context, use));
        } else if (use.model->order() <= 5) {
            list.push_back(std::make_unique<LanguageModelFeature<4>>(context, use));
        } else {
            list.push_back(std::make_unique<LanguageModelFeature<6>>(context, use));
        }
    }
}

}  // namespace pentaglot
