#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

// The source sides of a rule table as a trie, so that all rules that fit are found by walking over the input once. Gaps
// are told apart by their labels only, not by their numbers. Patterns of one gap and nothing else are not here
// (UnaryRules), nor are those whose words are not adjacent (PhraseLattice).
class PatternTrie {
  public:
    using Node = std::uint32_t;
    static constexpr Node root = 0;
    static constexpr Node none = UINT32_MAX;

    // Patterns of more than `longest` symbols are left out, but for those of any length: see leads_to_long().
    explicit PatternTrie(const RuleTable& table, std::size_t longest = SIZE_MAX);

    Node after_word(Node node, WordId word) const { return follow(node, word); }
    Node after_gap(Node node, std::uint32_t label) const {
        return has_gap_[node] != 0 ? follow(node, gap_bit | label) : none;
    }
    // The patterns that end here: several if they differ in label, signature or places.
    std::span<const std::uint32_t> patterns(Node node) const {
        return std::span(patterns_).subspan(pattern_offsets_[node],
                                            pattern_offsets_[node + 1] - pattern_offsets_[node]);
    }
    std::size_t size() const { return has_gap_.size(); }

    // Whether there are longer patterns, of any length, and whether a node lies on the way to one.
    bool has_long() const { return !long_.empty(); }
    bool leads_to_long(Node node) const { return !long_.empty() && long_[node] != 0; }

  private:
    static constexpr std::uint32_t gap_bit = 0x80000000U;

    struct Slot {
        Node node = none;  // none marks a free slot
        std::uint32_t symbol = 0;
        Node child = none;
    };

    static std::uint64_t hash(Node node, std::uint32_t symbol);
    Node follow(Node node, std::uint32_t symbol) const;
    Node follow_or_add(Node node, std::uint32_t symbol);
    void rehash(std::size_t slots);

    std::vector<Slot> slots_;  // open addressing, at most half full
    std::vector<std::uint8_t> has_gap_;
    std::vector<std::uint8_t> long_;  // empty if no pattern is that long
    std::vector<std::uint32_t> pattern_offsets_;
    std::vector<std::uint32_t> patterns_;
};

}  // namespace pentaglot
