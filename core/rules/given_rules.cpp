#include "rules/given_rules.hpp"

#include <cmath>

#include "base/listening.hpp"

namespace pentaglot {

void GivenRule::append(ByteBuffer& bytes) const {
    append_value(count, bytes);
    append_links(links, bytes);
    append_number(values.size(), bytes);
    for (const auto& [column, value] : values) {
        append_number(column, bytes);
        append_value(value, bytes);
    }
    if (has_reordering) append_value(reordering, bytes);
}

void GivenRule::read(Bytes bytes) {
    ByteReader reader(bytes);
    count = reader.take_value<double>();
    read_links(reader, links);
    values.clear();
    for (std::uint64_t left = reader.take_number(); left > 0; --left) {
        const auto column = static_cast<std::uint32_t>(reader.take_number());
        values.emplace_back(column, reader.take_value<float>());
    }
    has_reordering = !reader.empty();
    if (has_reordering) reordering = reader.take_value<std::array<float, 6>>();
}

ByteBuffer renumbered(Bytes run, std::span<const WordId> source_ids, std::span<const WordId> target_ids) {
    RunReader reader(run);
    RunBuilder builder;
    Record record;
    ByteBuffer key;
    std::vector<Symbol> symbols;
    const auto renumber = [&](Bytes side, std::span<const WordId> ids) {
        read_side(side, symbols);
        for (Symbol& symbol : symbols) {
            if (is_tail(symbol)) continue;
            if (static_cast<std::size_t>(symbol) >= ids.size()) throw Error("a word has no new id");
            symbol = static_cast<Symbol>(ids[static_cast<std::size_t>(symbol)]);
        }
        append_side(symbols, key);
    };
    for (std::size_t records = 0; reader.next(record); ++records) {
        listen_at<1024>(records);
        ByteReader sides(record.key);
        key.clear();
        renumber(sides.take_side(), target_ids);
        renumber(sides.take_side(), source_ids);
        builder.add(key, record.payload);
    }
    return builder.finish();
}

RuleTaker::RuleTaker(const StoredTable& table, std::span<const std::uint8_t> kept)
    : table_(table), kept_(kept), cursor_(table) {
    if (kept.size() != table.patterns()) throw Error("every source side needs a mark that says whether it is kept");
    rule_.has_reordering = !table.arrays().reordering.empty();
}

bool RuleTaker::next(std::size_t bytes, ByteBuffer& rules, ByteBuffer& attempts) {
    if (finished_) return false;
    while (rules_.bytes() < bytes) {
        if (!cursor_.next()) {
            finished_ = true;
            break;
        }
        listen_at<1024>(cursor_.pattern());
        table_.rules_of(cursor_.pattern());  // throws if there is no such pattern
        if (kept_[cursor_.pattern()] != 0) take_pattern();
    }
    rules = rules_.finish();
    attempts = attempts_.finish();
    return true;
}

void RuleTaker::take_pattern() {
    const auto& a = table_.arrays();
    const auto [begin, end] = table_.rules_of(cursor_.pattern());
    for (std::uint32_t number = begin; number < end; ++number) {
        table_.target(number, target_);
        key_.clear();
        append_side(target_, key_);
        append_side(cursor_.source(), key_);
        rule_.count = static_cast<double>(a.counts[number]);
        table_.links(number, rule_.links);
        rule_.values.clear();
        for (std::uint32_t column = 0; column < a.columns.size(); ++column) {
            rule_.values.emplace_back(column, a.columns[column][number]);
        }
        if (rule_.has_reordering) {
            for (std::size_t i = 0; i < 6; ++i) rule_.reordering[i] = a.reordering[std::size_t{6} * number + i];
        }
        payload_.clear();
        rule_.append(payload_);
        rules_.add(key_, payload_);
    }
    if (a.attempts.empty()) return;
    key_.clear();
    append_side(cursor_.source(), key_);
    payload_.clear();
    append_number(a.attempts[cursor_.pattern()], payload_);
    append_number(a.successes[cursor_.pattern()], payload_);
    attempts_.add(key_, payload_);
}

TargetNumberer::TargetNumberer(std::span<const Bytes> rules, std::span<const Bytes> orientations, std::size_t columns)
    : rules_(rules), width_(columns) {
    if (orientations.empty()) return;
    orientations_.emplace(orientations);
    orientations_left_ = orientations_->next(orientation_);
}

bool TargetNumberer::next(std::size_t bytes, TablePart& part) {
    if (finished_) return false;
    Record record;
    GivenRule given;
    TableRow row;
    std::size_t records = 0;
    while (rows_.bytes() < bytes) {
        if (!rules_.next(record)) {
            finished_ = true;
            break;
        }
        listen_at<1024>(++records);
        ByteReader sides(record.key);
        const Bytes target = sides.take_side(), source = sides.take_side();
        if (const int order = compare(target, target_); order != 0) {
            if (order < 0) throw Damage("sorted rules are damaged: they are out of order");
            target_.assign(target.begin(), target.end());
            place_ = targets_.add(target_);
        }
        given.read(record.payload);
        row.count = given.count;
        links_.clear();
        append_links(given.links, links_);
        row.linking = linkings_.place(links_);
        row.columns.assign(width_, 0.0F);
        for (const auto& [column, value] : given.values) {
            if (column >= width_) throw Error("a rule has a value in a column that the table lacks");
            row.columns[column] = value;
        }
        row.has_reordering = given.has_reordering;
        row.reordering = given.reordering;
        if (orientations_) orient(record.key, row);
        key_.assign(source.begin(), source.end());
        append_place(place_, key_);
        payload_.clear();
        row.append(payload_);
        rows_.add(key_, payload_);
    }
    part.run = rows_.finish();
    part.targets = targets_.take();
    part.linkings = linkings_.take();
    return true;
}

void TargetNumberer::orient(Bytes key, TableRow& row) {
    while (orientations_left_ && compare(orientation_.key, key) < 0) {
        orientations_left_ = orientations_->next(orientation_);
    }
    row.has_reordering = true;
    if (orientations_left_ && compare(orientation_.key, key) == 0) {
        GivenRule given;
        given.read(orientation_.payload);
        row.reordering = given.reordering;
        ++oriented_;
    } else {
        row.reordering.fill(std::log(1.0F / 3.0F));  // nothing is known: all are equally likely
    }
}

}  // namespace pentaglot
