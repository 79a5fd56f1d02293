#include "rules/stored_table.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace pentaglot {

namespace {

[[noreturn]] void damaged(const char* what) {
    throw Damage(std::string("the table is damaged: ") + what);
}

}  // namespace

StoredTable::StoredTable(TableArrays arrays) : a_(std::move(arrays)) {
    const std::size_t nodes = a_.symbols.size();
    if (nodes == 0 || nodes >= none || a_.children.size() != nodes + 1 || a_.patterns.size() != nodes)
        damaged("the arrays of its tree differ in length");
    if (a_.rule_offsets.empty() || a_.rule_offsets.front() != 0 || a_.rule_offsets.back() != a_.counts.size() ||
        a_.targets.size() != a_.counts.size() || a_.linkings.size() != a_.counts.size() ||
        (!a_.reordering.empty() && a_.reordering.size() != 6 * a_.counts.size()) ||
        std::any_of(a_.columns.begin(), a_.columns.end(),
                    [&](const TableColumn& column) { return column.size() != a_.counts.size(); })) {
        damaged("the columns of its rules differ in length");
    }
    if (a_.attempts.size() != a_.successes.size() || (!a_.attempts.empty() && a_.attempts.size() != patterns()))
        damaged("the columns of its source sides differ in length");
}

std::pair<std::uint32_t, std::uint32_t> StoredTable::children(std::uint32_t node) const {
    const std::uint32_t begin = a_.children[node], end = a_.children[node + std::size_t{1}];
    if (begin > end || end > a_.symbols.size() || (begin != end && begin <= node)) damaged("its tree is tangled");
    return {begin, end};
}

std::uint32_t StoredTable::child(std::uint32_t node, Symbol symbol) const {
    const auto [begin, end] = children(node);
    const auto first = a_.symbols.begin() + begin, last = a_.symbols.begin() + end;
    const auto found = std::lower_bound(first, last, symbol);
    return found == last || *found != symbol ? none : begin + static_cast<std::uint32_t>(found - first);
}

std::pair<std::uint32_t, std::uint32_t> StoredTable::rules_of(std::uint32_t pattern) const {
    if (pattern >= patterns()) damaged("a source side has no rules");
    const std::uint32_t begin = a_.rule_offsets[pattern], end = a_.rule_offsets[pattern + std::size_t{1}];
    if (begin > end || end > rules()) damaged("the rules of a source side are out of order");
    return {begin, end};
}

void StoredTable::target(std::size_t rule, std::vector<Symbol>& symbols) const {
    const std::uint32_t place = a_.targets[rule];
    if (place >= a_.target_pool.size()) damaged("a target side is missing");
    read_side(a_.target_pool.subspan(place), symbols);
}

void StoredTable::links(std::size_t rule, std::vector<RuleLink>& links) const {
    const std::uint32_t place = a_.linkings[rule];
    if (place >= a_.linking_pool.size()) damaged("the links of a rule are missing");
    ByteReader reader(a_.linking_pool.subspan(place));
    read_links(reader, links);
}

float StoredTable::coherence(std::uint32_t pattern) const {
    if (a_.attempts.empty() || a_.attempts[pattern] == 0 || a_.successes[pattern] == 0) return 0;
    return std::log(static_cast<float>(a_.successes[pattern]) / static_cast<float>(a_.attempts[pattern]));
}

bool TableCursor::next() {
    if (!begun_) {
        begun_ = true;
        waiting_.push_back(table_.children(0));
    }
    while (!waiting_.empty()) {
        auto& [node, end] = waiting_.back();
        if (node == end) {
            waiting_.pop_back();
            if (!source_.empty()) source_.pop_back();
            continue;
        }
        const std::uint32_t here = node++;
        // In a damaged tree a node may be below many others.
        if (++visited_ > table_.arrays().symbols.size()) damaged("its tree is tangled");
        source_.push_back(table_.arrays().symbols[here]);
        waiting_.push_back(table_.children(here));
        if (table_.pattern(here) != StoredTable::none) {
            pattern_ = table_.pattern(here);
            return true;
        }
    }
    return false;
}

}  // namespace pentaglot
