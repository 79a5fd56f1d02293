#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "rules/table_text.hpp"

namespace pentaglot {

namespace {

constexpr std::array<std::pair<char, std::string_view>, 8> escapes = {{
    {'&', "&amp;"},
    {'|', "&#124;"},
    {'<', "&lt;"},
    {'>', "&gt;"},
    {'\'', "&apos;"},
    {'"', "&quot;"},
    {'[', "&#91;"},
    {']', "&#93;"},
}};

// The shortest text that is read as the same number.
void append_number_text(double value, bool single, std::string& out) {
    std::array<char, 40> text{};
    const auto result = single ? std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value))
                               : std::to_chars(text.data(), text.data() + text.size(), value);
    out.append(text.data(), result.ptr);
}

// A probability, written in as few digits as give the same float as its logarithm when it is read.
void append_probability(float logarithm, std::string& out) {
    if (logarithm == log_of_zero) {
        out += '0';
        return;
    }
    const double value = std::exp(static_cast<double>(logarithm));
    for (int digits = 1; digits < 17; ++digits) {
        std::array<char, 40> text{};
        const auto result =
            std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
        double again = 0;
        std::from_chars(text.data(), result.ptr, again);
        if (static_cast<float>(std::log(again)) == logarithm) {
            out.append(text.data(), result.ptr);
            return;
        }
    }
    append_number_text(value, false, out);
}

}  // namespace

std::string escaped(std::string_view word) {
    std::string text;
    for (const char c : word) {
        bool special = false;
        for (const auto& [character, name] : escapes) {
            if (c == character) {
                text += name;
                special = true;
            }
        }
        if (!special) text += c;
    }
    return text;
}

std::string unescaped(std::string_view word) {
    std::string text;
    while (!word.empty()) {
        std::size_t taken = 0;
        if (word.front() == '&') {
            for (const auto& [character, name] : escapes) {
                if (!word.starts_with(name)) continue;
                text += character;
                taken = name.size();
            }
        }
        if (taken == 0) {
            text += word.front();
            taken = 1;
        }
        word.remove_prefix(taken);
    }
    return text;
}

TableTextWriter::TableTextWriter(const StoredTable& table, const Vocabulary& source, const Vocabulary& target,
                                 TableFormat format, bool escapes, std::vector<std::size_t> columns,
                                 std::vector<std::string> names, std::size_t inverse,
                                 std::vector<std::size_t> given_counts)
    : table_(table),
      source_(source),
      target_(target),
      format_(format),
      escapes_(escapes),
      columns_(std::move(columns)),
      names_(std::move(names)),
      inverse_(inverse),
      given_counts_(std::move(given_counts)),
      cursor_(table) {
    const auto known = [&](std::size_t column) {
        return column == coherence || column < table.arrays().columns.size();
    };
    for (const std::size_t column : columns_) {
        if (!known(column)) throw Error("the table has no such column");
    }
    for (const std::size_t column : given_counts_) {
        if (!known(column)) throw Error("the table has no such column");
    }
    if (!known(inverse_) || names_.size() != columns_.size()) throw Error("every column needs a name");
    if (format == TableFormat::reordering && table.arrays().reordering.empty() && table.rules() > 0)
        throw Error("the table has no orientations");
}

std::string TableTextWriter::next(std::size_t bytes) {
    std::string out;
    while (out.size() < bytes && cursor_.next()) write_pattern(out);
    return out;
}

void TableTextWriter::write_pattern(std::string& out) {
    const bool grammar = format_ == TableFormat::cdec || format_ == TableFormat::joshua;
    std::string source = grammar ? "[X] ||| " : "";
    write_side(cursor_.source(), true, source);
    const auto [begin, end] = table_.rules_of(cursor_.pattern());
    double source_count = 0;
    for (std::uint32_t rule = begin; rule < end; ++rule)
        source_count += static_cast<double>(table_.arrays().counts[rule]);
    for (std::uint32_t rule = begin; rule < end; ++rule) {
        out += source;
        out += " ||| ";
        table_.target(rule, symbols_);
        write_side(symbols_, false, out);
        out += " ||| ";
        write_values(rule, out);
        if (format_ == TableFormat::reordering) {
            out += '\n';
            continue;
        }
        table_.links(rule, links_);
        const bool counted =
            format_ == TableFormat::moses && (table_.arrays().counts[rule] != 0 || !given_counts_.empty());
        if (!links_.empty() || counted) out += " |||";
        for (const RuleLink link : links_) {
            out += ' ' + std::to_string(link.source) + '-' + std::to_string(link.target);
        }
        if (counted) write_counts(rule, source_count, out);
        out += '\n';
    }
}

std::string TableTextWriter::spelt(const Vocabulary& words, Symbol symbol) const {
    const std::string_view word = words.word(static_cast<WordId>(symbol));
    if (word.empty() || word.find_first_of(" \t\n\r") != std::string_view::npos)
        throw Error("the word '" + std::string(word) + "' cannot be written: it is empty or has a space in it");
    if (escapes_) return escaped(word);
    const bool grammar = format_ == TableFormat::cdec || format_ == TableFormat::joshua;
    if (word == "|||" || (grammar && word.front() == '[' && word.back() == ']' && word.size() > 2))
        throw Error("the word '" + std::string(word) + "' cannot be written without escaping");
    return std::string(word);
}

void TableTextWriter::write_side(std::span<const Symbol> symbols, bool source, std::string& out) const {
    bool first = true;
    for (const Symbol symbol : symbols) {
        if (!first) out += ' ';
        first = false;
        if (!is_tail(symbol)) {
            out += spelt(source ? source_ : target_, symbol);
            continue;
        }
        if (format_ == TableFormat::moses || format_ == TableFormat::reordering)
            throw Error("rules with gaps cannot be written as a phrase table");
        out += !source && format_ == TableFormat::cdec ? "[" : "[X,";
        out += std::to_string(tail_of(symbol) + 1) + ']';
    }
}

float TableTextWriter::value(std::size_t column, std::uint32_t rule) const {
    return column == coherence ? table_.coherence(cursor_.pattern()) : table_.arrays().columns[column][rule];
}

void TableTextWriter::write_values(std::uint32_t rule, std::string& out) const {
    if (format_ == TableFormat::reordering) {
        for (std::size_t i = 0; i < 6; ++i) {
            if (i > 0) out += ' ';
            append_probability(table_.arrays().reordering[std::size_t{6} * rule + i], out);
        }
        return;
    }
    for (std::size_t at = 0; at < columns_.size(); ++at) {
        if (at > 0) out += ' ';
        if (format_ == TableFormat::cdec) out += names_[at] + '=';
        if (format_ == TableFormat::moses) {
            append_probability(value(columns_[at], rule), out);
        } else {
            append_number_text(static_cast<double>(value(columns_[at], rule)), true, out);
        }
    }
}

void TableTextWriter::write_counts(std::uint32_t rule, double source_count, std::string& out) const {
    const double both = static_cast<double>(table_.arrays().counts[rule]);
    double target_count = both;
    if (!given_counts_.empty()) {
        target_count = static_cast<double>(value(given_counts_[0], rule));
        source_count = given_counts_.size() > 1 ? static_cast<double>(value(given_counts_[1], rule)) : source_count;
    } else if (inverse_ != coherence) {
        target_count = both / std::exp(static_cast<double>(value(inverse_, rule)));
    }
    out += " ||| ";
    append_number_text(target_count, true, out);
    out += ' ';
    append_number_text(source_count, true, out);
    if (both == 0) return;  // an old table, which has no count of both
    out += ' ';
    append_number_text(both, true, out);
}

}  // namespace pentaglot
