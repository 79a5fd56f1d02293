#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/prefix_tree.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

// How much a sentence of the text has in common with an input sentence: the sum over the distinct words that both have
// of log(text length / frequency), so that rare words count most.
class ContextSimilarity {
  public:
    ContextSimilarity(const SourceIndex& index, std::span<const WordId> sentence);

    double of(std::size_t sentence);

  private:
    struct Word {
        WordId id;
        double weight;
        bool seen;  // scratch: whether it has been counted already
    };

    const SourceIndex& index_;
    std::vector<Word> words_;  // by id
};

// Like SentencePatterns::sample(), but takes an even sample of `pool` occurrences, and of these the `size` whose
// sentences are most similar to the input; of equals the earlier ones. They keep their order.
std::vector<std::uint32_t> sample_similar(const SourceIndex& index, const SentencePatterns& patterns,
                                          std::uint32_t node, std::size_t size, std::size_t pool,
                                          ContextSimilarity& similarity);

}  // namespace pentaglot
