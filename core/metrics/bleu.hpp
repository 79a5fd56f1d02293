#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/ngram_trie.hpp"
#include "metrics/words.hpp"

namespace pentaglot {

inline constexpr std::size_t bleu_order = 4;

// What BLEU adds up: length, length of the nearest reference, matched n-grams by order, all n-grams by order.
using BleuStatistics = std::array<double, 2 + 2 * bleu_order>;

// The references of one segment, as BLEU sees them.
class BleuReferences {
  public:
    // Replaces earlier references. The texts must outlive all calls of statistics(); words are separated by Unicode
    // white space.
    void assign(std::span<const std::string_view> references);

    // With `shortest`, the length of the shortest reference counts instead of the nearest.
    BleuStatistics statistics(std::string_view hypothesis, bool shortest);

  private:
    NgramTrie ngrams_;
    WordNumbers words_;
    std::vector<std::size_t> lengths_;     // of the references
    std::vector<std::string_view> parts_;  // the words of the text at hand
    std::vector<std::uint32_t> ids_;
};

}  // namespace pentaglot
