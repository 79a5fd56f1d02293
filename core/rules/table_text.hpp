#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/vocabulary.hpp"
#include "rules/given_rules.hpp"
#include "rules/stored_table.hpp"

namespace pentaglot {

// How tables are written as text, a rule on each line, fields separated by "|||":
//   moses       source ||| target ||| probabilities ||| links ||| counts of target, source and both
//   reordering  source ||| target ||| six probabilities of orientations
//   cdec        [X] ||| [X,1] source ||| [1] target ||| name=value ... ||| links
//   joshua      [X] ||| [X,1] source ||| [X,1] target ||| values ||| links
enum class TableFormat : std::uint8_t { moses, reordering, cdec, joshua };

// The characters that have a meaning in such files are written as "&amp;", "&#124;", "&lt;" and so on, as by Moses.
std::string escaped(std::string_view word);
std::string unescaped(std::string_view word);

// Probabilities are kept as natural logarithms; zero becomes this, as in Moses.
constexpr float log_of_zero = -100.0F;

// Reads lines and collects GivenRules; whatever is wrong throws Error, and line() says where. The probabilities of
// Moses become logarithms; values of grammars stay what they are.
class TableTextReader {
  public:
    TableTextReader(Vocabulary& source, Vocabulary& target, TableFormat format, bool escapes);

    // One or more whole lines.
    void feed(std::string_view lines);
    std::uint64_t line() const { return line_; }
    std::uint64_t rules() const { return rules_; }
    std::size_t waiting() const { return records_.bytes(); }
    // The columns so far: names if the format has them, else how many.
    const std::vector<std::string>& names() const { return names_; }
    std::size_t columns() const { return columns_; }
    bool has_counts() const { return has_counts_; }
    // The rules since the last time, as a run; words have ids in the order in which they were first read.
    ByteBuffer take() { return records_.finish(); }
    // How often each word was read, by id.
    const std::vector<std::uint64_t>& source_counts() const { return source_counts_; }
    const std::vector<std::uint64_t>& target_counts() const { return target_counts_; }

  private:
    void read(std::string_view line);
    void read_side(std::string_view field, bool source);
    std::size_t gap_number(std::string_view token, bool source) const;
    void read_scores(std::string_view field);
    void read_named(std::string_view field);
    void read_links(std::string_view field);
    void read_counts(std::string_view field);
    WordId word(std::string_view token, bool source);

    Vocabulary &source_, &target_;
    TableFormat format_;
    bool escapes_;
    std::uint64_t line_ = 0, rules_ = 0;
    std::vector<std::string> names_;
    std::size_t columns_ = 0;
    bool has_counts_ = false;
    RunBuilder records_;
    std::vector<std::uint64_t> source_counts_, target_counts_;
    // Of the line at hand.
    std::vector<std::string_view> fields_;
    std::vector<Symbol> source_symbols_, target_symbols_;
    std::vector<std::size_t> gap_order_;  // numbers of the source side's gaps, in order
    GivenRule rule_;
    ByteBuffer key_, payload_;
};

// Writes the rules of a table as lines.
class TableTextWriter {
  public:
    static constexpr std::size_t coherence = SIZE_MAX;

    // `columns` says which of the table's columns are written, in which order (`coherence`: the one that is computed),
    // `names` what they are called. `inverse` is the column with the logarithm of count / count of the target side,
    // from which the counts of target sides are found; `coherence` if there is none. For Moses files whose counts were
    // given, `given_counts` are the columns of the counts of target and source side.
    TableTextWriter(const StoredTable& table, const Vocabulary& source, const Vocabulary& target, TableFormat format,
                    bool escapes, std::vector<std::size_t> columns, std::vector<std::string> names, std::size_t inverse,
                    std::vector<std::size_t> given_counts);

    // The next lines, about this many bytes; empty at the end.
    std::string next(std::size_t bytes);

  private:
    void write_pattern(std::string& out);
    void write_side(std::span<const Symbol> symbols, bool source, std::string& out) const;
    void write_values(std::uint32_t rule, std::string& out) const;
    void write_counts(std::uint32_t rule, double source_count, std::string& out) const;
    std::string spelt(const Vocabulary& words, Symbol symbol) const;
    float value(std::size_t column, std::uint32_t rule) const;

    const StoredTable& table_;
    const Vocabulary &source_, &target_;
    TableFormat format_;
    bool escapes_;
    std::vector<std::size_t> columns_;
    std::vector<std::string> names_;
    std::size_t inverse_;
    std::vector<std::size_t> given_counts_;
    TableCursor cursor_;
    std::vector<Symbol> symbols_;
    std::vector<RuleLink> links_;
};

}  // namespace pentaglot
