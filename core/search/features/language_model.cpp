#include "search/features/language_model.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "lm/cached_chart.hpp"
#include "search/features/target_runs.hpp"

namespace pentaglot {

namespace {

// Features hold natural logarithms; the language model gives logarithms to base 10.
constexpr float ln10 = 2.302585093F;

class LanguageModelFeature final : public StatefulFeature {
    // States are numbers. That of a beginning is what the model remembers of its last words.
    using Beginning = std::uint32_t;
    using Stretch = lm::CachedStretch;
    static constexpr std::uint32_t ahead = 6;  // runs

  public:
    LanguageModelFeature(const FeatureContext& context, const LanguageUse& use, std::shared_ptr<const TargetRuns> runs)
        : chart_(*use.model),
          table_(context.table),
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
            if (run + ahead < runs_->count()) prefetch(runs_->begin(run + ahead), runs_->end(run + ahead));
            known_.push_back(read(runs_->begin(run), runs_->end(run)));
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
        const std::size_t place = EdgeOrigin::is_rule(step.rule) ? table_.target_offsets[step.rule] : 0;
        lm::CachedChart::Scorer scorer(chart_);
        float unknown = 0;
        for (std::size_t at = 0; at < step.symbols.size();) {
            if (is_tail(step.symbols[at])) {
                scorer.stretch(state_at<Stretch>(tails[tail_of(step.symbols[at])]));
                ++at;
                continue;
            }
            const Known& run = known_[runs_->at(place + at)];
            if (at == 0) {
                scorer = lm::CachedChart::Scorer(chart_, run.stretch, run.score);
            } else {
                for (std::uint32_t word = run.begin; word < run.end; ++word) scorer.word(words_[word]);
            }
            unknown += run.unknown;
            at += run.end - run.begin;
        }
        put_state(state, scorer.state());
        return weighted(scorer.score(), unknown, values);
    }

    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        Beginning now = state_at<Beginning>(tails[0]);
        float score = 0, unknown = 0;
        if (!step.symbols.empty()) {
            const Known& run = known_[runs_->at(table_.target_offsets[step.rule])];
            for (std::uint32_t word = run.begin; word < run.end; ++word) {
                const auto answer = chart_.model().score(now, words_[word]);
                score += answer.log_probability;
                now = answer.next;
            }
            unknown = run.unknown;
        }
        put_state(state, now);
        return weighted(score, unknown, values);
    }

    float finish(const HypothesisStep&, const Tails& tails, float* values) const override {
        const Beginning last = beginnings_ ? state_at<Beginning>(tails[0]) : state_at<Stretch>(tails[0]).right;
        return weighted(chart_.model().score(last, SpecialWord::end).log_probability, 0, values);
    }

    // Words after a gap are estimated as if nothing were before them.
    float estimate(std::uint32_t rule) const override {
        float score = 0, unknown = 0;
        for (std::size_t at = table_.target_offsets[rule]; at < table_.target_offsets[rule + std::size_t{1}];) {
            if (is_tail(table_.target_symbols[at])) {
                ++at;
                continue;
            }
            const Known& run = known_[runs_->at(at)];
            score += run.score;
            unknown += run.unknown;
            at += run.end - run.begin;
        }
        return weight_ * score + unknown_weight_ * unknown;
    }

  private:
    // What is known of a run of words wherever it stands.
    struct Known {
        std::uint32_t begin = 0, end = 0;  // among the words
        Stretch stretch;                   // not of phrases that are appended
        float score = 0;                   // as if nothing were before it
        float unknown = 0;                 // words; 0 if nobody wants to know
    };

    bool counts_unknown() const { return ids_[1] != no_feature; }
    float weighted(float score, float unknown_words, float* values) const {
        values[0] = score * ln10;
        if (!counts_unknown()) return weight_ * score;
        values[1] = unknown_words;
        return weight_ * score + unknown_weight_ * unknown_words;
    }

    // The tables of a model do not fit into any cache, and the runs to come are known.
    void prefetch(std::uint32_t begin, std::uint32_t end) const {
        for (std::uint32_t at = begin + 1; at < end; ++at) chart_.model().model().prefetch(&words_[at], at - begin);
    }

    Known read(std::uint32_t begin, std::uint32_t end) {
        const std::span<const WordId> words = std::span(words_).subspan(begin, end - begin);
        Known known{begin, end, {}, 0, 0};
        if (counts_unknown()) {
            const std::size_t size = chart_.model().model().vocabulary_size();
            known.unknown = static_cast<float>(std::ranges::count_if(
                words, [size](WordId word) { return word == SpecialWord::unknown || word >= size; }));
        }
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
    const RuleTable& table_;
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
