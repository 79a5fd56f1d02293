#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "corpus/vocabulary.hpp"
#include "order/grammar.hpp"

namespace pentaglot {

// The arrays that a grammar is stored as.
struct GrammarArrays {
    std::vector<std::uint32_t> states;           // of each operator
    std::vector<std::uint64_t> lexicon_offsets;  // see Lexicon
    std::vector<std::uint8_t> lexicon_slots;
    std::vector<float> slots;  // see GrammarView
    std::vector<float> words;
    std::vector<TerminalId> word_terminals;  // of each word by itself
    std::vector<float> word_factors;
    std::vector<std::uint64_t> phrase_offsets;  // the phrases are the last terminals, in their order
    std::vector<WordId> phrase_words;
    float unseen = 0.0F;  // a word's probability in slots that it was not seen in, as a share of the unknown word's
};

// A phrase that a grammar knows, at its place in a sentence.
struct FoundPhrase {
    std::size_t begin, end;
    TerminalId terminal;
};

// A grammar ready for parsing. It never changes once made, so any number of threads may read it.
class ReorderingGrammar {
  public:
    // Throws Error if the arrays contradict each other.
    explicit ReorderingGrammar(GrammarArrays arrays);
    ReorderingGrammar(const ReorderingGrammar&) = delete;

    const GrammarView& view() const { return view_; }
    const GrammarLayout& layout() const { return layout_; }
    TerminalId terminal(WordId word) const {
        return word < a_.word_terminals.size() ? a_.word_terminals[word] : unknown_terminal;
    }
    float factor(WordId word) const { return word < a_.word_factors.size() ? a_.word_factors[word] : 1.0F; }
    std::vector<FoundPhrase> phrases(std::span<const WordId> sentence) const;

    // Whether any tree has such a node.
    bool has(OperatorId kind) const { return has_[kind]; }
    // The probabilities of all states in one slot.
    const float* column(std::size_t slot) const { return columns_.data() + slot * layout_.all_states; }
    // Writes the probabilities of a terminal, times `factor`, into a row of all slots.
    void fill(TerminalId terminal, float factor, float* row) const;
    // The probability of a terminal in one slot of a kind.
    float word(TerminalId terminal, std::size_t slot_kind, std::size_t state) const;

  private:
    // The probability of a terminal in slots that it was not seen in, as a share of the unknown word's.
    float unseen(TerminalId terminal) const {
        return terminal == unknown_terminal || terminal >= first_phrase() ? 0.0F : a_.unseen;
    }
    std::size_t first_phrase() const { return view_.lexicon.terminals() - (a_.phrase_offsets.size() - 1); }

    GrammarArrays a_;
    GrammarLayout layout_;
    std::vector<std::uint64_t> values_at_;
    GrammarView view_;
    std::array<bool, operator_kinds> has_{};
    std::vector<float> columns_;
    std::unordered_multimap<std::uint64_t, std::size_t> phrases_;  // by checksum
    std::size_t longest_phrase_ = 0;
};

}  // namespace pentaglot
