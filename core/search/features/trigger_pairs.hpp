#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "search/features/feature.hpp"
#include "search/trigger_pairs.hpp"

namespace pentaglot {

// Counts pairs of words of which one is anywhere before the other (triggers: Rosenfeld 1996; Gimpel 2012, §4.5). The
// state says which of the words a part has, and how often: most hypotheses differ in it, so a search with triggers
// merges few of them.
class TriggerFeatures : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        for (const TriggerPairs* each : context.model.triggers)
            list.push_back(std::make_unique<TriggerFeatures>(context, *each));
    }
    TriggerFeatures(const FeatureContext& context, const TriggerPairs& pairs) : context_(context), pairs_(pairs) {}

    std::size_t state_size() const override { return sizeof(Words); }
    void begin(std::byte* state) const override { put_state(state, Words{}); }

    float join(const HypothesisStep& step, const Tails& tails, std::byte* state, float*) const override {
        return add_up({}, step, tails, state);
    }
    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float*) const override {
        return add_up(state_at<Words>(tails[0]), step, tails, state);
    }
    float estimate(std::uint32_t rule) const override {
        Words words;
        float sum = 0;
        const auto meet = [&](FeatureId id, float count) { sum += context_.weight(id) * count; };
        for (const Symbol symbol : context_.table.target(rule)) {
            if (!is_tail(symbol)) add(words, {pairs_.number(symbol), 1}, meet);
        }
        return sum;
    }

    bool has_sparse_values() const override { return true; }
    void add_sparse_values(const HypothesisStep& step, const Tails& tails, bool finishes,
                           std::vector<FeatureValue>& found) const override {
        if (finishes) return;
        const bool appended = context_.hypotheses == Hypotheses::beginnings;
        walk(appended ? state_at<Words>(tails[0]) : Words{}, step, tails,
             [&](FeatureId id, float count) { found.push_back({id, count}); });
    }

  private:
    struct Word {
        std::uint16_t number = 0, count = 0;
    };
    // In the order of their numbers; if there are more words than fit, those with the largest numbers are forgotten.
    struct Words {
        static constexpr std::size_t most = 32;
        std::array<Word, most> words{};
    };

    // A word comes after others: calls meet(id, count) for its pairs with them.
    template <typename Meet>
    void add(Words& before, Word word, const Meet& meet) const {
        if (word.number == 0) return;
        meet_all(before, word, meet);
        put(before, word);
    }
    template <typename Meet>
    void meet_all(const Words& before, Word word, const Meet& meet) const {
        for (const Word& each : before.words) {
            if (each.number == 0) break;
            const FeatureId id = pairs_.find(each.number, word.number);
            if (id != TriggerPairs::none) meet(id, static_cast<float>(each.count) * static_cast<float>(word.count));
        }
    }
    void put(Words& kept, Word word) const {
        // At the beginning of a translation, only words that trigger others matter.
        if (context_.hypotheses == Hypotheses::beginnings && !pairs_.triggers(word.number)) return;
        auto& words = kept.words;
        std::size_t at = 0;
        while (at < Words::most && words[at].number != 0 && words[at].number < word.number) ++at;
        if (at == Words::most) return;
        if (words[at].number == word.number) {
            words[at].count = static_cast<std::uint16_t>(std::min(words[at].count + word.count, 0xFFFF));
            return;
        }
        for (std::size_t last = Words::most - 1; last > at; --last) words[last] = words[last - 1];
        words[at] = word;
    }

    template <typename Meet>
    Words walk(Words before, const HypothesisStep& step, const Tails& tails, const Meet& meet) const {
        for (const Symbol symbol : step.symbols) {
            if (!is_tail(symbol)) {
                add(before, {pairs_.number(symbol), 1}, meet);
                continue;
            }
            const Words& part = state_at<Words>(tails[tail_of(symbol)]);
            const Words left = before;  // words of one part do not trigger each other again
            for (const Word& word : part.words) {
                if (word.number == 0) break;
                meet_all(left, word, meet);
                put(before, word);
            }
        }
        return before;
    }
    float add_up(const Words& before, const HypothesisStep& step, const Tails& tails, std::byte* state) const {
        float sum = 0;
        const auto meet = [&](FeatureId id, float count) { sum += context_.weight(id) * count; };
        put_state(state, walk(before, step, tails, meet));
        return sum;
    }

    FeatureContext context_;
    const TriggerPairs& pairs_;
};

}  // namespace pentaglot
