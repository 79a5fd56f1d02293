#include "search/features/language_model.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "lm/cached_chart.hpp"
#include "search/features/target_runs.hpp"

namespace pentaglot {

namespace {

// Natural logarithms are what features hold; the language model speaks in powers of ten.
constexpr float ln10 = 2.302585093F;

class LanguageModelFeature final : public StatefulFeature {
    // States are numbers. That of a beginning is what the model remembers of its last words.
    using Beginning = std::uint32_t;
    using Stretch = lm::CachedStretch;

  public:
    LanguageModelFeature(const FeatureContext& context, const LanguageUse& use, std::shared_ptr<const TargetRuns> runs)
        : chart_(*use.model),
          runs_(std::move(runs)),
          beginnings_(context.hypotheses == Hypotheses::beginnings),
          ids_{use.feature, use.unknown},
          weight_(context.weight(use.feature) * ln10),
          unknown_weight_(context.weight(use.unknown)) {
        words_.reserve(runs_->words().size());
        for (const Symbol word : runs_->words()) words_.push_back(use.id(word));
        known_.reserve(runs_->count());
        for (std::uint32_t run = 0; run < runs_->count(); ++run) {
            if (run % Watch::interval == 0) context.watch.check_cancelled();
            known_.push_back(read(words_of(run)));
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
        const std::uint32_t* run = EdgeOrigin::is_rule(step.rule) ? runs_->of(step.rule).data() : &TargetRuns::empty;
        const Known& first = known_[*run];
        float unknown = first.unknown;
        lm::CachedChart::Scorer scorer(chart_, first.stretch, first.score);
        for (std::size_t at = words_of(*run).size(); at < step.symbols.size();) {
            if (is_tail(step.symbols[at])) {
                scorer.stretch(state_at<Stretch>(tails[tail_of(step.symbols[at])]));
                ++at;
            } else {
                const auto words = words_of(*++run);
                for (const WordId word : words) scorer.word(word);
                unknown += known_[*run].unknown;
                at += words.size();
            }
        }
        put_state(state, scorer.state());
        return weighted(scorer.score(), unknown, values);
    }

    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        const std::uint32_t run = runs_->of(step.rule).front();
        Beginning now = state_at<Beginning>(tails[0]);
        float score = 0;
        for (const WordId word : words_of(run)) {
            const auto answer = chart_.model().score(now, word);
            score += answer.log_probability;
            now = answer.next;
        }
        put_state(state, now);
        return weighted(score, known_[run].unknown, values);
    }

    float finish(const HypothesisStep&, const Tails& tails, float* values) const override {
        const Beginning last = beginnings_ ? state_at<Beginning>(tails[0]) : state_at<Stretch>(tails[0]).right;
        return weighted(chart_.model().score(last, SpecialWord::end).log_probability, 0, values);
    }

    // Words after a gap are estimated as if nothing were before them.
    float estimate(std::uint32_t rule) const override {
        float score = 0, unknown = 0;
        for (const std::uint32_t run : runs_->of(rule)) {
            score += known_[run].score;
            unknown += known_[run].unknown;
        }
        return weight_ * score + unknown_weight_ * unknown;
    }

  private:
    // What is known of a run of words wherever it stands.
    struct Known {
        Stretch stretch;    // not of phrases that are appended
        float score = 0;    // as if nothing were before it
        float unknown = 0;  // words; 0 if nobody wants to know
    };

    bool counts_unknown() const { return ids_[1] != no_feature; }
    std::span<const WordId> words_of(std::uint32_t run) const {
        return std::span(words_).subspan(runs_->begin(run), runs_->end(run) - runs_->begin(run));
    }

    float weighted(float score, float unknown_words, float* values) const {
        values[0] = score * ln10;
        if (!counts_unknown()) return weight_ * score;
        values[1] = unknown_words;
        return weight_ * score + unknown_weight_ * unknown_words;
    }

    Known read(std::span<const WordId> words) {
        Known known;
        if (counts_unknown())
            known.unknown = static_cast<float>(std::ranges::count_if(words, [this](WordId word) {
                return word == SpecialWord::unknown || word >= chart_.model().model().vocabulary_size();
            }));
        if (beginnings_) {
            known.score = chart_.model().score_without_context(words);
            return known;
        }
        lm::CachedChart::Scorer scorer(chart_);
        for (const WordId word : words) scorer.word(word);
        known.stretch = scorer.state();
        known.score = scorer.score();
        return known;
    }

    mutable lm::CachedChart chart_;  // one search, one thread
    std::shared_ptr<const TargetRuns> runs_;
    bool beginnings_;
    std::array<FeatureId, 2> ids_;
    float weight_, unknown_weight_;
    std::vector<WordId> words_;  // those of the runs, as the model calls them
    std::vector<Known> known_;   // by run
};

}  // namespace

void LanguageModelFeatures::make(const FeatureContext& context, FeatureList& list) {
    if (context.model.languages.empty()) return;
    const auto runs = std::make_shared<const TargetRuns>(context.table, context.watch);
    for (const LanguageUse& use : context.model.languages)
        list.push_back(std::make_unique<LanguageModelFeature>(context, use, runs));
}

}  // namespace pentaglot
