#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rules/sorted_runs.hpp"
#include "rules/stored_table.hpp"
#include "rules/table_rows.hpp"

namespace pentaglot {

// A rule whose scores are given: read from a file, or taken over from another table. The key of its record is its
// target side and its source side.
struct GivenRule {
    double count = 0;
    std::vector<RuleLink> links;
    std::vector<std::pair<std::uint32_t, float>> values;  // column and value; columns that are missing are 0
    bool has_reordering = false;
    std::array<float, 6> reordering{};

    void append(ByteBuffer& bytes) const;
    void read(Bytes bytes);
};

// The run with other ids for its words, sorted again.
ByteBuffer renumbered(Bytes run, std::span<const WordId> source_ids, std::span<const WordId> target_ids);

// Takes the rules of some patterns from a table, piece by piece, to make another table of them.
class RuleTaker {
  public:
    RuleTaker(const StoredTable& table, std::span<const std::uint8_t> kept);

    // Runs of about `bytes` bytes of rules, and of attempts and successes by source side if the table has them; false
    // if there was nothing left.
    bool next(std::size_t bytes, ByteBuffer& rules, ByteBuffer& attempts);

  private:
    void take_pattern();

    const StoredTable& table_;
    std::span<const std::uint8_t> kept_;
    TableCursor cursor_;
    bool finished_ = false;
    RunBuilder rules_, attempts_;
    std::vector<Symbol> target_;
    GivenRule rule_;
    ByteBuffer key_, payload_;
};

// From given rules, merged by target side, to the rows of a table. Orientations may come in runs of their own (six
// numbers for each pair of sides).
class TargetNumberer {
  public:
    TargetNumberer(std::span<const Bytes> rules, std::span<const Bytes> orientations, std::size_t columns);

    // As TargetScorer::next.
    bool next(std::size_t bytes, TablePart& part);
    // How many rules found their orientations.
    std::uint64_t oriented() const { return oriented_; }

  private:
    void orient(Bytes key, TableRow& row);

    RunMerger rules_;
    std::optional<RunMerger> orientations_;
    std::size_t width_;
    bool finished_ = false;
    BytePool targets_;
    LinkingPool linkings_;
    RunBuilder rows_;
    ByteBuffer target_, key_, payload_, links_;
    std::uint32_t place_ = 0;
    Record orientation_;
    bool orientations_left_ = false;
    std::uint64_t oriented_ = 0;
};

}  // namespace pentaglot
