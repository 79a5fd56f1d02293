#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "index/frequent_sequences.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

// The frequent sequences as a trie, to find all of them that start at a position.
class SequenceTrie {
  public:
    SequenceTrie(const SourceIndex& index, const FrequentSequences& frequent) {
        std::map<std::pair<std::uint32_t, WordId>, std::uint32_t> children;
        for (std::uint32_t number = 0; number < frequent.length.size(); ++number) {
            std::uint32_t node = 0;
            for (std::uint32_t i = 0; i < frequent.length[number]; ++i) {
                const WordId word = index.tokens()[index.suffixes()[frequent.begin[number]] + i];
                const auto [place, is_new] =
                    children.try_emplace({node, word}, static_cast<std::uint32_t>(numbers_.size()));
                if (is_new) numbers_.push_back(none);
                node = place->second;
            }
            numbers_[node] = number;
        }
        for (const auto& [from, to] : children) {
            const auto& [node, word] = from;
            first_.resize(std::size_t{node} + 1, edges_.size());
            edges_.push_back({word, to});
            if (node > 0) continue;
            roots_.resize(std::size_t{word} + 1);
            roots_[word] = to;
        }
        first_.resize(numbers_.size() + 1, edges_.size());
    }

    template <typename Visit>
    void visit(std::span<const WordId> words, const Visit& visit) const {
        std::uint32_t node = 0;
        for (std::uint32_t length = 1; length <= words.size(); ++length) {
            node = length == 1 ? root(words[0]) : child(node, words[length - 1]);
            if (node == 0) return;
            if (numbers_[node] != none) visit(numbers_[node], length);
        }
    }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;  // not a whole sequence

    struct Edge {
        WordId word;
        std::uint32_t node;
    };

    // The node of a word after the root, and after another node; 0 if there is none.
    std::uint32_t root(WordId word) const { return word < roots_.size() ? roots_[word] : 0; }
    std::uint32_t child(std::uint32_t node, WordId word) const {
        const auto last = edges_.begin() + static_cast<std::ptrdiff_t>(first_[node + 1]);
        const auto edge = std::lower_bound(edges_.begin() + static_cast<std::ptrdiff_t>(first_[node]), last, word,
                                           [](const Edge& one, WordId wanted) { return one.word < wanted; });
        return edge != last && edge->word == word ? edge->node : 0;
    }

    std::vector<std::uint32_t> roots_;  // by word
    std::vector<std::size_t> first_;    // where the edges of each node begin
    std::vector<Edge> edges_;           // those of a node by word
    std::vector<std::uint32_t> numbers_{none};
};

}  // namespace pentaglot
