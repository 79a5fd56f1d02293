#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/join.hpp"
#include "index/limits.hpp"
#include "index/occurrences.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

// One pattern of an input sentence. Patterns that begin or end with a gap occur where the pattern without that gap does
// (`core`), so results are kept there only.
struct PatternNode {
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    std::uint32_t parent = none;        // the pattern without its last symbol
    PatternSymbol symbol = gap_symbol;  // its last symbol
    std::uint32_t suffix = none;        // the pattern without its first symbol; none if it was never reached
    std::uint32_t core = none;          // the pattern without gaps at its edges (itself if it has none)
    std::uint32_t last_chunk = none;    // the pattern that is its last chunk alone
    std::uint32_t before_gap = none;    // the pattern up to its last inner gap; none if it is contiguous
    std::uint32_t frequent = none;      // its number among the precomputed sequences, if contiguous
    std::uint32_t list = none;          // its sorted occurrences, if they were needed
    SuffixRange range;                  // its suffixes, if contiguous
    std::uint16_t symbols = 0;
    std::uint16_t gaps = 0;    // edges included
    std::uint16_t chunks = 0;  // 0 only for the root and the single gap
    std::uint16_t last_chunk_length = 0;
    bool active = false;  // whether it occurs
    bool starts_with_gap = false;
    bool ends_with_gap = false;

    bool contiguous() const { return chunks == 1 && gaps == 0; }
    // A pattern with words at both ends: what rules are extracted from.
    bool is_core() const { return chunks > 0 && !starts_with_gap && !ends_with_gap; }
};

// A place in the input where a pattern that ends with a word applies: it covers [begin, end), where a leading gap
// counts with its least width. Following `previous` (the place of the pattern without its last word) tells where each
// chunk is.
struct Application {
    std::uint32_t node;
    std::uint32_t begin, end;
    std::uint32_t previous;  // an index into applications(), none for the first word
};

// What a lookup did.
struct LookupCounts {
    std::uint64_t contiguous = 0;   // lookups in the suffix array
    std::uint64_t gapped = 0;       // patterns with inner gaps that had to be computed
    std::uint64_t pruned = 0;       // patterns known not to occur without looking
    std::uint64_t precomputed = 0;  // of `gapped`, those read from precomputed lists
    std::uint64_t cached = 0;       // of `gapped`, those found in the cache
    std::uint64_t scanned = 0;      // of `gapped`, those found by scanning the text
    std::uint64_t sorted = 0;       // positions that were sorted
    JoinCounts joins;               // of `gapped`, the rest
};

// All patterns of one sentence that the limits license and whose parts occur, as a tree by symbols (Lopez 2008, §4.2).
// Node 0 is the empty pattern. Every pattern of the sentence that occurs in the text is here and active.
//
// For rules: go through nodes() and take those that are active and is_core(); sample() gives the occurrences to extract
// from. child() tells whether variants with gaps at the edges are licensed in this sentence: `αX` is child(α,
// gap_symbol); for `Xα`, walk from child(0, gap_symbol), or see find().
class SentencePatterns {
  public:
    static constexpr std::uint32_t none = PatternNode::none;

    std::span<const PatternNode> nodes() const { return nodes_; }
    // Sorted by node; within a node in order of discovery.
    std::span<const Application> applications() const { return applications_; }
    std::span<const Application> applications(std::uint32_t node) const {
        return applications().subspan(first_application_[node],
                                      first_application_[node + 1] - first_application_[node]);
    }
    const LookupCounts& counts() const { return counts_; }

    std::vector<PatternSymbol> symbols(std::uint32_t node) const;
    std::uint32_t child(std::uint32_t node, PatternSymbol symbol) const;
    // The node of a pattern; none if it was never reached.
    std::uint32_t find(std::span<const PatternSymbol> pattern) const;

    // How often the node's pattern occurs, not counting gaps at its edges.
    std::size_t count(std::uint32_t node) const;
    // A sample of at most `size` occurrences (0: all) as flat tuples of the positions of chunks. It is spread evenly:
    // in suffix order for contiguous patterns, and so over what follows them; in text order for others.
    std::vector<std::uint32_t> sample(const SourceIndex& index, std::uint32_t node, std::size_t size) const;
    // All occurrences in text order.
    Occurrences occurrences(const SourceIndex& index, std::uint32_t node) const;

  private:
    friend class PatternTreeBuilder;

    void reset(std::size_t expected);
    void add_child(std::uint32_t node, PatternSymbol symbol, std::uint32_t child);
    void grow();
    std::size_t slot_of(std::uint64_t key) const;

    std::vector<PatternNode> nodes_;
    std::vector<Occurrences> lists_;
    std::vector<Application> applications_;
    std::vector<std::uint32_t> first_application_;
    std::vector<std::uint64_t> keys_;  // (node, symbol) of each slot of a hash table
    std::vector<std::uint32_t> children_;
    LookupCounts counts_;
};

}  // namespace pentaglot
