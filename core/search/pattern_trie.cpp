#include "search/pattern_trie.hpp"

#include <bit>

namespace pentaglot {

std::uint64_t PatternTrie::hash(Node node, std::uint32_t symbol) {
    const std::uint64_t mixed = ((std::uint64_t{node} << 32U) | symbol) * 0x9E3779B97F4A7C15ULL;
    return mixed ^ (mixed >> 29U);
}

PatternTrie::Node PatternTrie::follow(Node node, std::uint32_t symbol) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash(node, symbol) & mask;; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (slot.node == none) return none;
        if (slot.node == node && slot.symbol == symbol) return slot.child;
    }
}

void PatternTrie::rehash(std::size_t slots) {
    std::vector<Slot> old(slots);
    old.swap(slots_);
    const std::size_t mask = slots - 1;
    for (const Slot& slot : old) {
        if (slot.node == none) continue;
        std::size_t at = hash(slot.node, slot.symbol) & mask;
        while (slots_[at].node != none) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

PatternTrie::Node PatternTrie::follow_or_add(Node node, std::uint32_t symbol) {
    const Node known = follow(node, symbol);
    if (known != none) return known;
    if (2 * size() > slots_.size()) rehash(2 * slots_.size());
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(node, symbol) & mask;
    while (slots_[at].node != none) at = (at + 1) & mask;
    const auto child = static_cast<Node>(size());
    slots_[at] = {node, symbol, child};
    has_gap_.push_back(0);
    if ((symbol & gap_bit) != 0) has_gap_[node] = 1;
    return child;
}

PatternTrie::PatternTrie(const RuleTable& table, std::size_t longest)
    : slots_(std::bit_ceil(std::max<std::size_t>(16, 4 * table.patterns()))), has_gap_(1, 0) {
    std::vector<Node> ends(table.patterns(), none);
    const auto any_length = [&](std::size_t pattern) {
        return table.any_length[pattern] != 0 && table.labels_of_gaps(pattern).empty();
    };
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const auto source = table.source(pattern);
        const auto labels = table.labels_of_gaps(pattern);
        const bool unary = source.size() == 1 && labels.size() == 1;
        if (source.empty() || unary || table.is_apart(pattern) || (source.size() > longest && !any_length(pattern)))
            continue;
        Node node = root;
        for (const Symbol symbol : source) {
            node = follow_or_add(
                node, is_tail(symbol) ? gap_bit | labels[tail_of(symbol)] : static_cast<std::uint32_t>(symbol));
        }
        ends[pattern] = node;
    }
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const auto source = table.source(pattern);
        if (source.size() <= longest || !any_length(pattern) || table.is_apart(pattern)) continue;
        long_.resize(size(), 0);
        Node node = root;
        for (const Symbol symbol : source) long_[node = follow(node, static_cast<std::uint32_t>(symbol))] = 1;
    }
    // Patterns by node, in their order in the table.
    pattern_offsets_.assign(size() + 1, 0);
    for (const Node node : ends) {
        if (node != none) ++pattern_offsets_[node + std::size_t{1}];
    }
    for (std::size_t node = 0; node < size(); ++node) pattern_offsets_[node + 1] += pattern_offsets_[node];
    patterns_.resize(pattern_offsets_.back());
    std::vector<std::uint32_t> next(pattern_offsets_.begin(), pattern_offsets_.end() - 1);
    for (std::size_t pattern = 0; pattern < ends.size(); ++pattern) {
        if (ends[pattern] != none) patterns_[next[ends[pattern]]++] = static_cast<std::uint32_t>(pattern);
    }
}

}  // namespace pentaglot
