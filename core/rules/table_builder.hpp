#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/sorted_runs.hpp"
#include "rules/table_rows.hpp"

namespace pentaglot {

// How the probability of a target side given its source side is estimated: not at all (it is among the columns), as the
// share of all counts of the source side, or as the share of the occurrences that had a translation.
enum class TranslationColumn : std::uint8_t { given, share_of_counts, share_of_successes };

// A piece of a table: what is to be appended to each of its arrays.
struct BuiltPart {
    struct Level {  // source sides with the same number of symbols, as nodes of a tree
        std::vector<Symbol> symbols;
        std::vector<std::uint32_t> children;  // where the node's children begin in the next level
        std::vector<std::uint32_t> patterns;  // the pattern that ends here, or StoredTable::none
    };
    std::vector<Level> levels;
    std::vector<std::uint32_t> rule_offsets;  // where the rules of each pattern end
    std::vector<std::uint32_t> attempts, successes;
    std::vector<std::uint32_t> targets, linkings;
    std::vector<float> counts;
    std::vector<std::vector<float>> columns;  // the translation column first, if it is estimated here
    std::vector<float> reordering;            // six for each rule
};

// From rows, merged by source side, to the arrays of a table.
class TableBuilder {
  public:
    // `attempts` are runs of attempts and successes by source side, or none.
    TableBuilder(std::span<const Bytes> rows, std::span<const Bytes> attempts, std::size_t columns,
                 TranslationColumn translation, bool reordering);

    // Goes on until about `rules` rules are added; false if there was nothing left to do.
    bool next(std::size_t rules, BuiltPart& part);

  private:
    struct Row {
        std::uint32_t target;
        TableRow values;
    };

    void end_pattern(BuiltPart& part);
    void add_nodes(BuiltPart& part);
    void find_attempts();

    RunMerger rows_;
    std::optional<RunMerger> attempts_;
    std::size_t width_;
    TranslationColumn translation_;
    bool reordering_;
    bool finished_ = false;

    ByteBuffer source_;
    std::vector<Symbol> symbols_, previous_;
    std::vector<Row> pending_;
    std::size_t pending_size_ = 0;
    Record attempt_;
    bool attempts_left_ = false;
    std::uint32_t tried_ = 0, translated_ = 0;
    std::vector<std::uint64_t> level_sizes_;
    std::uint64_t patterns_ = 0, rules_ = 0;
};

}  // namespace pentaglot
