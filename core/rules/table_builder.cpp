#include "rules/table_builder.hpp"

#include <algorithm>
#include <cmath>

#include "base/listening.hpp"
#include "rules/stored_table.hpp"

namespace pentaglot {

TableBuilder::TableBuilder(std::span<const Bytes> rows, std::span<const Bytes> attempts, std::size_t columns,
                           TranslationColumn translation, bool reordering)
    : rows_(rows), width_(columns), translation_(translation), reordering_(reordering) {
    if (attempts.empty()) return;
    attempts_.emplace(attempts);
    attempts_left_ = attempts_->next(attempt_);
}

bool TableBuilder::next(std::size_t rules, BuiltPart& part) {
    part = {};
    if (finished_) return false;
    part.levels.resize(level_sizes_.size());
    part.columns.resize(width_ + (translation_ == TranslationColumn::given ? 0 : 1));
    Record record;
    while (part.counts.size() < rules) {
        if (!rows_.next(record)) {
            end_pattern(part);
            finished_ = true;
            break;
        }
        listen_at<1024>(pending_size_ + part.counts.size());
        ByteReader reader(record.key);
        const Bytes source = reader.take_side();
        if (const int order = compare(source, source_); order != 0) {
            if (order < 0) throw Damage("sorted rules are damaged: they are out of order");
            end_pattern(part);
            source_.assign(source.begin(), source.end());
        }
        if (pending_size_ == pending_.size()) pending_.emplace_back();
        Row& row = pending_[pending_size_++];
        row.target = read_place(reader.rest());
        row.values.read(record.payload, width_);
        if (row.values.has_reordering != reordering_) throw Damage("some rules have orientations and others do not");
    }
    return true;
}

void TableBuilder::end_pattern(BuiltPart& part) {
    if (pending_size_ == 0) return;
    const std::span rows(pending_.data(), pending_size_);
    read_side(source_, symbols_);
    if (symbols_.empty()) throw Error("a rule needs at least one word on its source side");
    add_nodes(part);
    find_attempts();
    double total = translated_;
    if (translation_ == TranslationColumn::share_of_counts) {
        total = 0;
        for (const Row& row : rows) total += row.values.count;
    }
    for (const Row& row : rows) {
        part.targets.push_back(row.target);
        part.linkings.push_back(row.values.linking);
        part.counts.push_back(static_cast<float>(row.values.count));
        std::size_t column = 0;
        if (translation_ != TranslationColumn::given) {
            part.columns[column++].push_back(static_cast<float>(std::log(row.values.count / total)));
        }
        for (const float value : row.values.columns) part.columns[column++].push_back(value);
        if (reordering_) {
            part.reordering.insert(part.reordering.end(), row.values.reordering.begin(), row.values.reordering.end());
        }
    }
    rules_ += pending_size_;
    if (rules_ > UINT32_MAX) throw Error("the table is too large: it has more than 2^32 rules");
    part.rule_offsets.push_back(static_cast<std::uint32_t>(rules_));
    if (attempts_) {
        part.attempts.push_back(tried_);
        part.successes.push_back(translated_);
    }
    pending_size_ = 0;
}

// Sorted sides share their beginnings with the side before: only what is new becomes nodes.
void TableBuilder::add_nodes(BuiltPart& part) {
    const auto shared = static_cast<std::size_t>(
        std::mismatch(symbols_.begin(), symbols_.end(), previous_.begin(), previous_.end()).first - symbols_.begin());
    if (shared == symbols_.size()) throw Damage("sorted rules are damaged: they are out of order");
    if (level_sizes_.size() < symbols_.size()) level_sizes_.resize(symbols_.size());
    if (part.levels.size() < symbols_.size()) part.levels.resize(symbols_.size());
    for (std::size_t level = shared; level < symbols_.size(); ++level) {
        const std::uint64_t children = level + 1 < level_sizes_.size() ? level_sizes_[level + 1] : 0;
        if (level_sizes_[level] >= UINT32_MAX - 1) throw Error("the table is too large: it has too many source sides");
        BuiltPart::Level& nodes = part.levels[level];
        nodes.symbols.push_back(symbols_[level]);
        nodes.children.push_back(static_cast<std::uint32_t>(children));
        nodes.patterns.push_back(StoredTable::none);
        ++level_sizes_[level];
    }
    // Keys are sorted and different, so the last symbol is always new.
    part.levels[symbols_.size() - 1].patterns.back() = static_cast<std::uint32_t>(patterns_++);
    previous_ = symbols_;
}

void TableBuilder::find_attempts() {
    tried_ = translated_ = 0;
    while (attempts_left_) {
        const int order = compare(attempt_.key, source_);
        if (order > 0) break;
        if (order == 0) {
            ByteReader reader(attempt_.payload);
            tried_ += static_cast<std::uint32_t>(reader.take_number());
            translated_ += static_cast<std::uint32_t>(reader.take_number());
        }
        attempts_left_ = attempts_->next(attempt_);
    }
    if (translation_ == TranslationColumn::share_of_successes && translated_ == 0)
        throw Damage("sorted rules are damaged: a rule comes from no occurrence");
}

}  // namespace pentaglot
