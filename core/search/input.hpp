#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/vocabulary.hpp"

namespace pentaglot {

// One word of the input: an arc of an acyclic graph whose nodes are numbered in topological order.
struct InputWord {
    std::uint32_t from;
    std::uint32_t to;
    WordId word;
    float score = 0;  // what using it adds to the feature of the input
};

// What is to be translated: a sentence (a chain) or a word lattice. Node 0 is its beginning, the last node its end.
class Input {
  public:
    static Input sentence(std::span<const WordId> words);
    // Throws Error if an arc does not go forward or leads outside, or if the end cannot be reached. Words that lie on
    // no path to the end are left out.
    Input(std::size_t nodes, std::vector<InputWord> words);

    std::size_t nodes() const { return nodes_; }
    // Whether there is one path, through all nodes.
    bool is_chain() const { return chain_; }
    std::span<const InputWord> words() const { return words_; }
    // The numbers of the words that end at a node.
    std::span<const std::uint32_t> ending_at(std::size_t node) const {
        return std::span(by_end_).subspan(end_offsets_[node], end_offsets_[node + 1] - end_offsets_[node]);
    }

  private:
    void check() const;
    void leave_out_what_leads_nowhere();
    void sort_by_end();

    std::size_t nodes_;
    std::vector<InputWord> words_;
    std::vector<std::uint32_t> by_end_;
    std::vector<std::uint32_t> end_offsets_;
    bool chain_ = false;
};

}  // namespace pentaglot
