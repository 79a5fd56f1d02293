#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rules/rule_bytes.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// A value for every rule: a number, or a flag in a byte.
struct TableColumn {
    std::span<const float> numbers;
    std::span<const std::uint8_t> flags;

    std::size_t size() const { return numbers.empty() ? flags.size() : numbers.size(); }
    float operator[](std::size_t rule) const {
        return numbers.empty() ? static_cast<float>(flags[rule]) : numbers[rule];
    }
};

// The arrays of a table. Source sides are the paths of a tree whose nodes lie level by level, so that the children of a
// node are neighbours, in order of their symbols, and end where those of the next node begin. Node 0 is the root.
// Patterns, which are source sides with rules, are numbered in depth-first order of the tree.
struct TableArrays {
    std::span<const Symbol> symbols;          // of each node; that of the root means nothing
    std::span<const std::uint32_t> children;  // where they begin; one more at the end
    std::span<const std::uint32_t> patterns;  // of each node, or StoredTable::none
    std::span<const std::uint32_t> rule_offsets;
    std::span<const std::uint32_t> attempts, successes;  // of each pattern, or empty
    std::span<const std::uint32_t> targets, linkings;    // of each rule: places in the pools
    std::span<const float> counts;
    std::span<const std::uint8_t> target_pool, linking_pool;
    std::span<const float> reordering;  // six of each rule, or empty
    std::vector<TableColumn> columns;
};

// A view of a table; owns nothing. Whatever the arrays hold, nothing outside them is read; Error is thrown instead.
class StoredTable {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;

    StoredTable() = default;
    // Throws Error if the arrays differ in length where they must not.
    explicit StoredTable(TableArrays arrays);

    const TableArrays& arrays() const { return a_; }
    std::size_t patterns() const { return a_.rule_offsets.size() - 1; }
    std::size_t rules() const { return a_.counts.size(); }

    // The nodes below a node.
    std::pair<std::uint32_t, std::uint32_t> children(std::uint32_t node) const;
    // The node that a symbol leads to from a node, or none.
    std::uint32_t child(std::uint32_t node, Symbol symbol) const;
    std::uint32_t pattern(std::uint32_t node) const { return a_.patterns[node]; }

    std::pair<std::uint32_t, std::uint32_t> rules_of(std::uint32_t pattern) const;
    void target(std::size_t rule, std::vector<Symbol>& symbols) const;
    void links(std::size_t rule, std::vector<RuleLink>& links) const;
    // The logarithm of the share of a pattern's occurrences that had a translation; 0 where that is not known.
    float coherence(std::uint32_t pattern) const;

  private:
    TableArrays a_;
};

// Goes through the patterns of a table in their order.
class TableCursor {
  public:
    explicit TableCursor(const StoredTable& table) : table_(table) {}

    // To the next pattern; false at the end.
    bool next();
    std::uint32_t pattern() const { return pattern_; }
    std::span<const Symbol> source() const { return source_; }

  private:
    const StoredTable& table_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting_;  // at each level: next node, end
    std::vector<Symbol> source_;
    std::uint32_t pattern_ = StoredTable::none;
    std::size_t visited_ = 0;  // nodes
    bool begun_ = false;
};

}  // namespace pentaglot
