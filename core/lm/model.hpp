#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "corpus/vocabulary.hpp"
#include "lm/ngrams.hpp"
#include "lm/tables.hpp"

namespace pentaglot::lm {

// What the words so far mean for the words to come: the last words, nearest first, as many as begin a longer n-gram of
// the model. Two hypotheses with equal states get equal scores for all that follows. 52 bytes, cheap to copy.
struct State {
    std::array<WordId, max_order - 1> words{};
    std::array<float, max_order - 1> backoff{};  // of the last word, the last two words, ...
    std::uint32_t length = 0;

    friend bool operator==(const State& one, const State& other) {
        return one.length == other.length &&
               std::memcmp(one.words.data(), other.words.data(), one.length * sizeof(WordId)) == 0;
    }
    std::uint64_t hash() const {
        std::uint64_t sum = length;
        for (std::uint32_t i = 0; i < length; ++i) sum = extend_hash(sum, words[i]);
        return sum;
    }
};

// What is known about one word in its context.
struct WordScore {
    float log_probability = 0.0F;  // base 10, as in ARPA files
    std::uint32_t length = 0;      // of the longest n-gram that was found, this word included
    bool extends_left = false;     // a longer n-gram ends in the one that was found
};

// A back-off language model over hash tables. Immutable: any number of threads may query it. All scores are logarithms
// to base 10, everywhere in this room; a decoder that wants natural ones multiplies by ln 10.
class LanguageModel {
  public:
    // Checks that the tables fit each other. `owner` keeps their memory.
    LanguageModel(TableView tables, std::shared_ptr<const void> owner);

    unsigned order() const { return static_cast<unsigned>(tables_.arrays.size()); }
    // The number of ids in the model's own vocabulary, special ones included. Ids from this on are scored as unknown.
    std::size_t vocabulary_size() const { return unigrams_.size(); }
    const TableView& tables() const { return tables_; }

    // The state before the first word of a sentence; a default State is one with nothing known before it.
    State begin_sentence() const;

    // Log-probability of `word` after `before`; `after` may be the same object as `before`. The end of a sentence is
    // the word SpecialWord::end. Costs one probe for each n-gram length that is found, at most order() - 1.
    float score(const State& before, WordId word, State& after) const {
        return full_score(before, word, after).log_probability;
    }
    WordScore full_score(const State& before, WordId word, State& after) const;

    // The score of words about which nothing is known on the left: an estimate before they are put into a sentence.
    float score_without_context(std::span<const WordId> words) const;

    // Tells the processor which slots full_score() will read for the word at `word`, which has `before` words before
    // it.
    void prefetch(const WordId* word, std::size_t before) const;

  private:
    template <typename Entry>
    const Entry* find(unsigned n, std::uint64_t hash, std::uint32_t parent, WordId word, std::uint32_t& place) const;

    TableView tables_;
    std::shared_ptr<const void> owner_;
    std::span<const Weights> unigrams_;
    std::array<const void*, max_order> slots_{};
};

}  // namespace pentaglot::lm
