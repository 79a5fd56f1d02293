#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lm/model.hpp"

namespace pentaglot::lm {

// Answers by state (or anything else that has a number) and word. An open hash table with entries of 16 bytes, four to
// a cache line.
class AnswerTable {
  public:
    struct Answer {
        float log_probability;
        std::uint32_t length : 3;        // of the longest n-gram that was found
        std::uint32_t extends_left : 1;  // a longer n-gram ends in it
        std::uint32_t next : 28;         // the state after the word
    };
    static constexpr std::uint32_t most_states = (1U << 28U) - 1;

    AnswerTable() : entries_(std::size_t{1} << first_bits, Entry{unused, {}}) {}

    // Calls `ask()`, which must not use the table, for what is not known yet.
    template <typename Ask>
    Answer find(std::uint32_t state, WordId word, const Ask& ask) {
        const std::uint64_t key = std::uint64_t{state} << 32U | word;
        std::size_t at = place(key);
        if (entries_[at].key == key) return entries_[at].answer;
        if (2 * (count_ + 1) > entries_.size()) {
            grow();
            at = place(key);
        }
        entries_[at] = {key, ask()};
        ++count_;
        return entries_[at].answer;
    }

  private:
    struct Entry {
        std::uint64_t key;
        Answer answer;
    };
    static_assert(sizeof(Entry) == 16);
    static constexpr std::uint64_t unused = UINT64_MAX;
    static constexpr unsigned first_bits = 12;

    // The place of a key, or where it would go.
    std::size_t place(std::uint64_t key) const {
        std::size_t at = (key ^ (key >> 32U)) * 0x9E3779B97F4A7C15ULL >> shift_;
        while (entries_[at].key != key && entries_[at].key != unused) at = (at + 1) & (entries_.size() - 1);
        return at;
    }
    void grow();

    std::vector<Entry> entries_;
    unsigned shift_ = 64 - first_bits;
    std::size_t count_ = 0;
};

// A language model that remembers what it was asked. States are numbered as they turn up, and equal states have equal
// numbers. A search asks the same few questions over and over: of some 20,000 for a sentence of Multi30k (Hiero),
// 1,500 differ. Serves one thread.
class CachedModel {
  public:
    using Answer = AnswerTable::Answer;
    static constexpr std::uint32_t nothing_before = 0;  // the number of State{}

    explicit CachedModel(const LanguageModel& model);

    const LanguageModel& model() const { return model_; }
    const State& state(std::uint32_t number) const { return states_[number]; }
    std::uint32_t begin_sentence() { return number_of(model_.begin_sentence()); }
    std::uint32_t number_of(const State& state);

    Answer score(std::uint32_t before, WordId word) {
        return answers_.find(before, word, [&] { return ask(before, word); });
    }
    // See LanguageModel.
    float score_without_context(std::span<const WordId> words) {
        float sum = 0;
        std::uint32_t state = nothing_before;
        for (const WordId word : words) {
            const Answer answer = score(state, word);
            sum += answer.log_probability;
            state = answer.next;
        }
        return sum;
    }

  private:
    Answer ask(std::uint32_t before, WordId word);
    void grow();

    const LanguageModel& model_;
    AnswerTable answers_;
    std::vector<State> states_;
    std::vector<std::uint32_t> numbers_;  // hash table of the states
};

}  // namespace pentaglot::lm
