#pragma once

#include <memory>
#include <span>
#include <vector>

#include "index/pattern_cache.hpp"
#include "index/precomputation.hpp"
#include "index/prefix_tree.hpp"
#include "index/scan.hpp"

namespace pentaglot {

// Every optimisation can be switched off, to measure what it brings; none changes what is found.
struct LookupOptions {
    JoinMethod join = JoinMethod::gallop;
    bool sequences = true;     // use the precomputed positions of frequent sequences
    bool collocations = true;  // use the precomputed pairs and triples
    bool scan = true;          // look beside the occurrences of the rarer part instead of joining
    double lambda = 1.0;       // see join()
};

// Finds the patterns of sentences in one index. A finder is cheap and holds scratch space: one for each thread.
//
//     PatternFinder finder(index, &precomputed, limits, options, &cache);
//     finder.find(sentence, patterns);            // patterns may be used again and again
//     for (node in patterns.nodes()) if (node.active && node.is_core()) ... patterns.sample(index, number, 300)
//
// `precomputed` and `cache` may be null; everything that is passed must outlive the finder.
class PatternFinder {
  public:
    PatternFinder(const SourceIndex& index, const Precomputed* precomputed, const GrammarLimits& limits,
                  const LookupOptions& options = {}, PatternCache* cache = nullptr);

    // Ids that are not words of the indexed text match nothing.
    void find(std::span<const WordId> sentence, SentencePatterns& patterns);

    const SourceIndex& index() const { return index_; }
    const GrammarLimits& limits() const { return limits_; }

  private:
    friend class PatternTreeBuilder;

    // A word to be added to a pattern: the next step of the search.
    struct NextWord {
        std::uint32_t begin, end;
        std::uint32_t prefix;    // the node of the pattern before the word
        std::uint32_t previous;  // the application of that node's last word
    };

    const SourceIndex& index_;
    const Precomputed* precomputed_;
    GrammarLimits limits_;
    LookupOptions options_;
    PatternCache* cache_;
    std::vector<NextWord> steps_;
};

}  // namespace pentaglot
