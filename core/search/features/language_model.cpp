#include "search/features/language_model.hpp"

#include <array>
#include <memory>

#include "lm/cached_chart.hpp"

namespace pentaglot {

namespace {

// Features hold natural logarithms; the language model gives logarithms to base 10.
constexpr float ln10 = 2.302585093F;

class LanguageModelFeature final : public StatefulFeature {
    // States are numbers. That of a beginning is what the model remembers of its last words.
    using Beginning = std::uint32_t;
    using Stretch = lm::CachedStretch;

  public:
    LanguageModelFeature(const FeatureContext& context, const LanguageUse& use)
        : known_(use.model->vocabulary_size()),
          chart_(*use.model),
          table_(context.table),
          beginnings_(context.hypotheses == Hypotheses::beginnings),
          ids_{use.feature, use.unknown},
          weight_(context.weight(use.feature) * ln10),
          unknown_weight_(context.weight(use.unknown)) {
        words_.resize(table_.target_symbols.size());
        starts_.reserve(table_.rules());
        for (std::uint32_t rule = 0; rule < table_.rules(); ++rule) {
            if (rule % Watch::interval == 0) context.watch.check_cancelled();
            read(rule, use);
        }
    }

    std::size_t state_size() const override { return beginnings_ ? sizeof(Beginning) : sizeof(Stretch); }
    std::span<const FeatureId> ids() const override { return std::span(ids_).first(counts_unknown() ? 2 : 1); }

    void begin(std::byte* state) const override {
        if (beginnings_) {
            put_state(state, Beginning{chart_.model().begin_sentence()});
        } else {
            put_state(state, chart_.begin_sentence());
        }
    }

    float join(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        const bool rule = EdgeOrigin::is_rule(step.rule);
        const Start start = rule ? starts_[step.rule] : Start{};
        const WordId* const words = words_.data() + (rule ? table_.target_offsets[step.rule] : 0);
        lm::CachedChart::Scorer scorer(chart_, start.stretch, start.score);
        for (std::size_t at = start.words; at < step.symbols.size(); ++at) {
            if (is_tail(step.symbols[at])) {
                scorer.stretch(state_at<Stretch>(tails[tail_of(step.symbols[at])]));
            } else {
                scorer.word(words[at]);
            }
        }
        put_state(state, scorer.state());
        return weighted(scorer.score(), rule ? unknown(step.rule) : 0, values);
    }

    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        Beginning now = state_at<Beginning>(tails[0]);
        float score = 0;
        for (std::size_t at = table_.target_offsets[step.rule]; at < table_.target_offsets[step.rule + std::size_t{1}];
             ++at) {
            const auto answer = chart_.model().score(now, words_[at]);
            score += answer.log_probability;
            now = answer.next;
        }
        put_state(state, now);
        return weighted(score, unknown(step.rule), values);
    }

    float finish(const HypothesisStep&, const Tails& tails, float* values) const override {
        const Beginning last = beginnings_ ? state_at<Beginning>(tails[0]) : state_at<Stretch>(tails[0]).right;
        return weighted(chart_.model().score(last, SpecialWord::end).log_probability, 0, values);
    }

    float estimate(std::uint32_t rule) const override {
        return weight_ * starts_[rule].estimate + unknown_weight_ * unknown(rule);
    }

  private:
    // What is known of a rule in any context: its words up to the first gap, and an estimate for all of them.
    struct Start {
        Stretch stretch;
        std::uint32_t words = 0;
        float score = 0, estimate = 0;
    };

    bool counts_unknown() const { return ids_[1] != no_feature; }
    float unknown(std::uint32_t rule) const { return unknown_.empty() ? 0 : unknown_[rule]; }

    float weighted(float score, float unknown_words, float* values) const {
        values[0] = score * ln10;
        if (!counts_unknown()) return weight_ * score;
        values[1] = unknown_words;
        return weight_ * score + unknown_weight_ * unknown_words;
    }

    // Words after a gap are estimated as if nothing were before them.
    void read(std::uint32_t rule, const LanguageUse& use) {
        const auto symbols = table_.target(rule);
        const std::span<WordId> words = std::span(words_).subspan(table_.target_offsets[rule], symbols.size());
        float unknown_words = 0;
        Start start;
        for (std::size_t begin = 0, end = 0; begin < symbols.size(); begin = end + 1) {
            for (end = begin; end < symbols.size() && !is_tail(symbols[end]); ++end) {
                words[end] = use.id(symbols[end]);
                if (words[end] == SpecialWord::unknown || words[end] >= known_) ++unknown_words;
            }
            const auto run = words.subspan(begin, end - begin);
            if (begin == 0 && !beginnings_) {
                lm::CachedChart::Scorer scorer(chart_);
                for (const WordId word : run) scorer.word(word);
                start = {scorer.state(), static_cast<std::uint32_t>(end), scorer.score(), scorer.score()};
            } else {
                start.estimate += chart_.model().score_without_context(run);
            }
        }
        starts_.push_back(start);
        if (counts_unknown()) unknown_.push_back(unknown_words);
    }

    std::size_t known_;              // words
    mutable lm::CachedChart chart_;  // one search, one thread
    const RuleTable& table_;
    bool beginnings_;
    std::array<FeatureId, 2> ids_;
    float weight_, unknown_weight_;
    std::vector<Start> starts_;   // by rule
    std::vector<WordId> words_;   // the target symbols of the table, by their ids in the model
    std::vector<float> unknown_;  // words of each rule; empty if they are not counted
};

}  // namespace

void LanguageModelFeatures::make(const FeatureContext& context, FeatureList& list) {
    for (const LanguageUse& use : context.model.languages)
        list.push_back(std::make_unique<LanguageModelFeature>(context, use));
}

}  // namespace pentaglot
