#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text_fields.hpp"
#include "rules/extract.hpp"
#include "rules/table_text.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t longest_side = 250;
constexpr std::size_t no_gap = SIZE_MAX;

float log_probability(std::string_view text) {
    const auto value = number_in<double>(text);
    if (value < 0) throw Error(quoted(text) + " is not a probability");
    return value == 0 ? log_of_zero : static_cast<float>(std::log(value));
}

}  // namespace

TableTextReader::TableTextReader(Vocabulary& source, Vocabulary& target, TableFormat format, bool escapes)
    : source_(source), target_(target), format_(format), escapes_(escapes) {}

void TableTextReader::feed(std::string_view lines) {
    while (!lines.empty()) {
        const std::string_view line = take_line(lines);
        ++line_;
        if (!is_blank(line)) read(line);
    }
}

void TableTextReader::read(std::string_view line) {
    fields_.clear();
    const char* begin = line.data();
    for (std::string_view rest = line; !rest.empty();) {
        const std::string_view token = take_field(rest);
        if (token != "|||") continue;
        fields_.emplace_back(begin, static_cast<std::size_t>(token.data() - begin));
        begin = token.data() + token.size();
    }
    fields_.emplace_back(begin, static_cast<std::size_t>(line.data() + line.size() - begin));
    const bool grammar = format_ == TableFormat::cdec || format_ == TableFormat::joshua;
    std::size_t at = 0;
    if (grammar) {
        std::string_view left = fields_[at++];
        if (const auto label = take_field(left); label != "[X]" || !take_field(left).empty())
            throw Error("a rule begins with [X], not with " + quoted(fields_[0]));
    }
    if (fields_.size() < at + 3) throw Error("a rule has at least " + std::to_string(at + 3) + " fields between |||");
    rule_ = {};
    gap_order_.clear();
    read_side(fields_[at++], true);
    read_side(fields_[at++], false);
    if (format_ == TableFormat::cdec) {
        read_named(fields_[at++]);
    } else {
        read_scores(fields_[at++]);
    }
    if (format_ == TableFormat::reordering) {
        if (rule_.values.size() != 6) throw Error("a line of a reordering table has six probabilities");
        rule_.has_reordering = true;
        for (std::size_t i = 0; i < 6; ++i) rule_.reordering[i] = rule_.values[i].second;
        rule_.values.clear();
    }
    if (at < fields_.size()) read_links(fields_[at++]);
    if (at < fields_.size() && format_ == TableFormat::moses) read_counts(fields_[at++]);
    for (; at < fields_.size(); ++at) {
        if (!is_blank(fields_[at])) throw Error("there is one field too many: " + quoted(fields_[at]));
    }
    key_.clear();
    append_side(target_symbols_, key_);
    append_side(source_symbols_, key_);
    payload_.clear();
    rule_.append(payload_);
    records_.add(key_, payload_);
    ++rules_;
}

WordId TableTextReader::word(std::string_view token, bool source) {
    Vocabulary& words = source ? source_ : target_;
    auto& counts = source ? source_counts_ : target_counts_;
    const WordId id =
        escapes_ && token.find('&') != std::string_view::npos ? words.add(unescaped(token)) : words.add(token);
    if (id >= counts.size()) counts.resize(std::size_t{id} + 1);
    ++counts[id];
    return id;
}

// The number that a gap has in the file, from 1; 0 for one without; no_gap for a word.
std::size_t TableTextReader::gap_number(std::string_view token, bool source) const {
    if (token.size() < 3 || token.front() != '[' || token.back() != ']') return no_gap;
    std::string_view inside = token.substr(1, token.size() - 2);
    if (inside == "X") return 0;
    if (inside.starts_with("X,")) {
        inside.remove_prefix(2);
    } else if (source) {
        throw Error("the gap " + quoted(token) + " has a label other than X");
    }
    if (inside.empty() || inside.size() > 2 ||
        !std::all_of(inside.begin(), inside.end(), [](char c) { return c >= '0' && c <= '9'; }) ||
        inside.front() == '0') {
        throw Error(quoted(token) + " is not a gap; gaps look like [X,1]");
    }
    return number_in<std::size_t>(inside);
}

void TableTextReader::read_side(std::string_view field, bool source) {
    auto& symbols = source ? source_symbols_ : target_symbols_;
    symbols.clear();
    std::size_t gaps = 0;
    while (true) {
        const std::string_view token = take_field(field);
        if (token.empty()) break;
        if (symbols.size() == longest_side) throw Error("a side of a rule has more than 250 words");
        const bool grammar = format_ == TableFormat::cdec || format_ == TableFormat::joshua;
        std::size_t gap = grammar ? gap_number(token, source) : no_gap;
        if (gap == no_gap) {
            if (!grammar && (token == "[X][X]" || token == "[X]"))
                throw Error("this is a grammar of Moses, with gaps; only phrase tables of Moses can be read");
            symbols.push_back(static_cast<Symbol>(word(token, source)));
            continue;
        }
        if (gap == 0) gap = gaps + 1;
        ++gaps;
        if (gaps > max_gaps) throw Error("a rule may have at most 6 gaps");
        if (source) {
            if (std::find(gap_order_.begin(), gap_order_.end(), gap) != gap_order_.end())
                throw Error("the gap " + quoted(token) + " occurs twice on the source side");
            gap_order_.push_back(gap);
            symbols.push_back(tail_symbol(gaps - 1));
            continue;
        }
        const auto found = std::find(gap_order_.begin(), gap_order_.end(), gap);
        if (found == gap_order_.end()) throw Error("the source side lacks the gap " + quoted(token));
        const Symbol symbol = tail_symbol(static_cast<std::size_t>(found - gap_order_.begin()));
        if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end())
            throw Error("the gap " + quoted(token) + " occurs twice on the target side");
        symbols.push_back(symbol);
    }
    if (source && std::all_of(symbols.begin(), symbols.end(), is_tail)) throw Error("the source side has no words");
    if (!source && gaps != gap_order_.size()) throw Error("the target side lacks a gap of the source side");
}

void TableTextReader::read_scores(std::string_view field) {
    std::uint32_t column = 0;
    while (true) {
        const std::string_view token = take_field(field);
        if (token.empty()) break;
        rule_.values.emplace_back(column++,
                                  format_ == TableFormat::joshua ? number_in<float>(token) : log_probability(token));
    }
    if (rules_ == 0) columns_ = column;
    if (column != columns_) {
        throw Error("there are " + std::to_string(column) + " scores here, but " + std::to_string(columns_) +
                    " on the first line");
    }
}

void TableTextReader::read_named(std::string_view field) {
    while (true) {
        const std::string_view token = take_field(field);
        if (token.empty()) break;
        const std::size_t equals = token.rfind('=');
        if (equals == std::string_view::npos || equals == 0)
            throw Error("a feature looks like name=value, not like " + quoted(token));
        const std::string_view name = token.substr(0, equals);
        const auto known = std::find(names_.begin(), names_.end(), name);
        const auto column = static_cast<std::uint32_t>(known - names_.begin());
        if (known == names_.end()) {
            if (names_.size() == 1000) throw Error("there are more than 1000 features; a table has a column for each");
            names_.emplace_back(name);
        }
        if (std::any_of(rule_.values.begin(), rule_.values.end(), [&](const auto& v) { return v.first == column; }))
            throw Error("the feature " + quoted(name) + " occurs twice");
        rule_.values.emplace_back(column, number_in<float>(token.substr(equals + 1)));
    }
    columns_ = names_.size();
}

void TableTextReader::read_links(std::string_view field) {
    while (true) {
        const std::string_view token = take_field(field);
        if (token.empty()) break;
        const std::size_t dash = token.find('-');
        if (dash == std::string_view::npos) throw Error("a link looks like 0-1, not like " + quoted(token));
        const auto source = number_in<std::uint32_t>(token.substr(0, dash));
        const auto target = number_in<std::uint32_t>(token.substr(dash + 1));
        if (source >= source_symbols_.size() || target >= target_symbols_.size())
            throw Error("the link " + std::string(token) + " points outside the rule");
        rule_.links.push_back({static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)});
    }
}

// Counts of the target side, of the source side and of both; they follow the scores as columns of their own.
void TableTextReader::read_counts(std::string_view field) {
    std::vector<double> counts;
    while (true) {
        const std::string_view token = take_field(field);
        if (token.empty()) break;
        counts.push_back(number_in<double>(token));
        if (counts.back() < 0) throw Error(quoted(token) + " is not a count");
    }
    if (counts.empty()) return;
    if (counts.size() > 3) throw Error("there are more than three counts");
    has_counts_ = true;
    for (std::size_t at = 0; at < std::min<std::size_t>(2, counts.size()); ++at) {
        rule_.values.emplace_back(static_cast<std::uint32_t>(columns_ + at), static_cast<float>(counts[at]));
    }
    if (counts.size() == 3) rule_.count = counts[2];
}

}  // namespace pentaglot
