#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/text.hpp"
#include "order/corpus_orders.hpp"
#include "order/grammar.hpp"
#include "order/sentence_units.hpp"

namespace pentaglot {

// Which sentences a reordering grammar is learnt from, and which of their trees.
struct TrainingLimits {
    std::size_t least_words = 4;
    std::size_t most_words = 50;
    std::size_t most_children = 5;
    bool opaque = false;  // larger operators are phrases; otherwise sentences with them are left out
    Trees trees = Trees::all;
    std::vector<Attachment> attachments;
};

// The sentences that a grammar is learnt from, as units with their permutation. Their charts are made anew whenever
// they are needed, which costs far less than what is done with them.
class TrainingSentences {
  public:
    // Throws Error if the links do not fit the text.
    TrainingSentences(const Text& text, const CorpusLinks& links, TrainingLimits limits, unsigned threads);

    std::size_t size() const { return kept_.size(); }
    // Their numbers in the text.
    const std::vector<std::uint32_t>& kept() const { return kept_; }
    std::size_t too_short_or_long() const { return too_short_or_long_; }
    std::size_t without_links() const { return without_links_; }
    std::size_t too_complex() const { return too_complex_; }
    // How many of those that are kept have phrases in place of larger operators.
    std::size_t opaque() const { return opaque_; }

    // How often each word of a vocabulary of this size occurs; only as a unit by itself, if `alone`.
    std::vector<std::uint32_t> word_counts(std::size_t vocabulary, bool alone) const;

    struct Phrases {
        std::vector<std::uint64_t> offsets{0};
        std::vector<WordId> words;
    };
    // Gives every unit its terminal: a word by itself that of `word_terminals`, a phrase seen more than `cutoff` times
    // a new one from `first` on. A word by itself has the probability of its terminal times its entry in `factors`.
    Phrases assign(std::span<const TerminalId> word_terminals, std::span<const float> factors, TerminalId first,
                   std::size_t cutoff);

    OrderChart chart(std::size_t sentence) const;
    std::span<const TerminalId> terminals(std::size_t sentence) const { return part(terminals_, sentence); }
    std::span<const float> factors(std::size_t sentence) const { return part(factors_, sentence); }

    // How often each operator (column) fills each slot kind (row) in edges, every edge counted once, and how often each
    // terminal does. The slot of the root counts each sentence once.
    struct EdgeCounts {
        std::vector<double> slots;           // slot kinds x operators
        std::vector<std::uint64_t> offsets;  // terminal -> entries
        std::vector<std::uint8_t> entries;   // slot kinds
        std::vector<double> words;           // of each entry
    };
    EdgeCounts edge_counts(std::size_t terminals, unsigned threads) const;

  private:
    template <typename T>
    std::span<const T> part(const std::vector<T>& values, std::size_t sentence) const {
        return std::span(values).subspan(unit_offsets_[sentence],
                                         unit_offsets_[sentence + 1] - unit_offsets_[sentence]);
    }
    // The words of a unit of a sentence.
    std::span<const WordId> words(std::size_t sentence, std::size_t unit) const;

    TrainingLimits limits_;
    std::vector<std::uint32_t> kept_;
    std::size_t too_short_or_long_ = 0, without_links_ = 0, too_complex_ = 0, opaque_ = 0;
    std::vector<std::uint64_t> unit_offsets_{0}, rank_offsets_{0}, word_offsets_{0};
    std::vector<std::uint8_t> loose_;
    std::vector<Position> ranks_, begins_;  // begins: one for each unit
    std::vector<WordId> words_;
    std::vector<TerminalId> terminals_;
    std::vector<float> factors_;
};

}  // namespace pentaglot
