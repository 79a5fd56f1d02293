#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace pentaglot {

inline constexpr std::size_t bleu_order = 4;

// What BLEU adds up: length, length of a reference, matched n-grams by order, all n-grams by order.
using BleuStatistics = std::array<double, 2 + 2 * bleu_order>;

// The n-grams of the references of one segment, each with its largest count in any of them. N-grams form a trie, so
// that a hypothesis is matched by one lookup for each n-gram that is found and one for each that is not.
class BleuReferences {
  public:
    // Takes the place of earlier references. The texts must outlive the statistics that are asked for; words are
    // separated by what Unicode calls white space.
    void assign(std::span<const std::string_view> references);

    BleuStatistics statistics(std::string_view hypothesis, bool shortest);

  private:
    struct Node {
        std::uint32_t most = 0;   // count in the reference that has most of it
        std::uint32_t seen = 0;   // count in the text at hand
        std::uint64_t stamp = 0;  // which text `seen` is about
    };
    struct Slot {
        std::uint64_t key = 0;  // node and word
        std::uint32_t child = 0;
    };
    struct Word {
        std::string_view spelling;
        std::uint32_t id = 0;
    };

    void split(std::string_view text);
    std::size_t word_slot(std::string_view word) const;
    std::size_t child_slot(std::uint32_t node, std::uint32_t word) const;
    void count_reference();
    Node& fresh(std::uint32_t node);

    std::vector<Node> nodes_;  // node 0 is the root: it stands for the empty n-gram, and as a child for none
    std::vector<Slot> slots_;
    std::vector<Word> words_;  // id 0 is none
    std::uint32_t distinct_words_ = 0;
    std::vector<std::size_t> lengths_;     // of the references
    std::vector<std::string_view> parts_;  // the words of the text at hand
    std::vector<std::uint32_t> ids_;
    std::uint64_t stamp_ = 0;
};

}  // namespace pentaglot
