#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/features/feature.hpp"
#include "search/target_ngrams.hpp"

namespace pentaglot {

// Counts n-grams of target words wherever they are, also across rules and at the ends of a sentence (Clark 2015, §5.5).
// There may be a million of them, of which a step has a few, so their values are sparse.
class TargetNgramFeatures : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        for (const TargetNgrams* each : context.model.ngrams)
            list.push_back(std::make_unique<TargetNgramFeatures>(context, *each));
    }
    TargetNgramFeatures(const FeatureContext& context, const TargetNgrams& ngrams)
        : context_(context), ngrams_(ngrams), sides_(ngrams.order() - 1) {}

    std::size_t state_size() const override { return sizeof(State); }
    void begin(std::byte* state) const override {
        State first;
        first.length = static_cast<std::int32_t>(sides_);  // nothing will come before it
        first.right[most - 1] = TargetNgrams::start;
        put_state(state, first);
    }

    float join(const HypothesisStep& step, const Tails& tails, std::byte* state, float*) const override {
        return add_up({}, step, tails, state);
    }
    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float*) const override {
        return add_up(state_at<State>(tails[0]), step, tails, state);
    }
    float finish(const HypothesisStep&, const Tails& tails, float*) const override {
        float sum = 0;
        walk_end(tails, [&](FeatureId id) { sum += context_.weight(id); });
        return sum;
    }
    float estimate(std::uint32_t rule) const override {
        float sum = 0;
        Walk walk(*this, {}, [&](FeatureId id) { sum += context_.weight(id); });
        for (const Symbol symbol : context_.table.target(rule)) {
            if (is_tail(symbol)) {
                walk.break_off();
            } else {
                walk.word(ngrams_.number(symbol));
            }
        }
        return sum;
    }

    bool has_sparse_values() const override { return true; }
    void add_sparse_values(const HypothesisStep& step, const Tails& tails, bool finishes,
                           std::vector<FeatureValue>& found) const override {
        const auto meet = [&](FeatureId id) { found.push_back({id, 1}); };
        if (finishes) return walk_end(tails, meet);
        State before;
        if (context_.hypotheses == Hypotheses::beginnings) before = state_at<State>(tails[0]);
        walk_step(before, step, tails, meet);
    }

  private:
    static constexpr std::size_t most = TargetNgrams::longest - 1;  // words of a side

    // The first and the last words of a part, as far as an n-gram that reaches across its ends can have them; 0 where
    // none can. The last ones are at the end of `right`.
    struct State {
        std::array<std::int32_t, most> left{}, right{};
        std::int32_t length = 0;  // of the part, up to the size of a side
        std::int32_t unused = 0;
    };

    // A rule without gaps.
    struct Phrase {
        State state;
        float inner = 0;  // the score of its own n-grams
        bool known = false;
    };

    // Goes through words from left to right and calls `meet(id)` for every n-gram.
    template <typename Meet>
    class Walk {
      public:
        Walk(const TargetNgramFeatures& owner, const State& before, Meet meet)
            : ngrams_(owner.ngrams_), sides_(owner.sides_), state_(before), meet_(meet) {}

        void word(std::int32_t word) {
            look(word, 2);
            shift(word);
        }
        // A part that was made before; its own n-grams are counted already.
        void part(const State& part) {
            const auto words = static_cast<std::size_t>(part.length);
            const bool whole = words < sides_;  // all its words are in the state
            for (std::size_t at = 0; at < words; ++at) {
                look(part.left[at], at + 2);
                shift(part.left[at]);
            }
            if (!whole) {
                state_.right = part.right;
            } else {
                // In `left`, words that no n-gram has after others are 0; as context for later words they may still
                // matter.
                for (std::size_t at = 0; at < words; ++at)
                    state_.right[most - words + at] = part.right[most - words + at];
            }
        }
        void break_off() { state_.right = {}; }

        // The state, with only what matters later.
        State state() const {
            State kept = state_;
            bool useful = true;
            for (std::size_t at = most; at-- > 0;) {
                useful = useful && at + sides_ >= most && ngrams_.begins(kept.right[at]);
                if (!useful) kept.right[at] = 0;
            }
            useful = true;
            for (std::int32_t& word : kept.left) {
                useful = useful && ngrams_.ends(word);
                if (!useful) word = 0;
            }
            return kept;
        }

      private:
        // Finds all n-grams that end with a word and have at least `least` words.
        void look(std::int32_t word, std::size_t least) {
            if (!ngrams_.ends(word)) return;
            std::uint64_t key = ngrams_.extended(0, word, 0);
            std::size_t size = 1;
            for (std::size_t at = most; at-- > most - sides_ && state_.right[at] != 0;) {
                key = ngrams_.extended(key, state_.right[at], size);
                if (++size < least) continue;
                const FeatureId id = ngrams_.find(key);
                if (id != TargetNgrams::none) meet_(id);
            }
        }
        void shift(std::int32_t word) {
            if (static_cast<std::size_t>(state_.length) < sides_)
                state_.left[static_cast<std::size_t>(state_.length++)] = word;
            for (std::size_t at = 1; at < most; ++at) state_.right[at - 1] = state_.right[at];
            state_.right[most - 1] = word;
        }

        const TargetNgrams& ngrams_;
        std::size_t sides_;
        State state_;
        Meet meet_;
    };

    template <typename Meet>
    State walk_step(const State& before, const HypothesisStep& step, const Tails& tails, const Meet& meet) const {
        Walk walk(*this, before, meet);
        for (const Symbol symbol : step.symbols) {
            if (is_tail(symbol)) {
                walk.part(state_at<State>(tails[tail_of(symbol)]));
            } else {
                walk.word(ngrams_.number(symbol));
            }
        }
        return walk.state();
    }
    template <typename Meet>
    State walk_words(std::span<const Symbol> words, const Meet& meet) const {
        Walk walk(*this, {}, meet);
        for (const Symbol word : words) walk.word(ngrams_.number(word));
        return walk.state();
    }
    template <typename Meet>
    void walk_end(const Tails& tails, const Meet& meet) const {
        Walk(*this, state_at<State>(tails[0]), meet).word(TargetNgrams::end);
    }
    float add_up(const State& before, const HypothesisStep& step, const Tails& tails, std::byte* state) const {
        float sum = 0;
        const auto meet = [&](FeatureId id) { sum += context_.weight(id); };
        if (!EdgeOrigin::is_rule(step.rule) || std::ranges::any_of(step.symbols, is_tail)) {
            put_state(state, walk_step(before, step, tails, meet));
            return sum;
        }
        // A rule without gaps has the same n-grams everywhere: only its ends are looked at again (in stack searches, in
        // a third of the time).
        const Phrase& phrase = phrase_of(step);
        Walk walk(*this, before, meet);
        walk.part(phrase.state);
        put_state(state, walk.state());
        return phrase.inner + sum;
    }
    const Phrase& phrase_of(const HypothesisStep& step) const {
        if (phrases_.empty()) phrases_.resize(context_.table.rules());
        Phrase& phrase = phrases_[step.rule];
        if (!phrase.known) {
            phrase.known = true;
            phrase.state = walk_words(step.symbols, [&](FeatureId id) { phrase.inner += context_.weight(id); });
        }
        return phrase;
    }

    FeatureContext context_;
    const TargetNgrams& ngrams_;
    std::size_t sides_;
    mutable std::vector<Phrase> phrases_;  // of rules, as they are asked for
};

}  // namespace pentaglot
