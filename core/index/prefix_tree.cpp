#include "index/prefix_tree.hpp"

#include <algorithm>
#include <bit>

#include "base/damage.hpp"

namespace pentaglot {

namespace {

constexpr std::uint64_t free_slot = ~std::uint64_t{0};

std::uint64_t key_of(std::uint32_t node, PatternSymbol symbol) {
    return (std::uint64_t{node} << 32) | symbol;
}

}  // namespace

void SentencePatterns::reset(std::size_t expected) {
    nodes_.clear();
    lists_.clear();
    applications_.clear();
    first_application_.clear();
    counts_ = {};
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(64, 4 * expected));
    keys_.assign(slots, free_slot);
    children_.assign(slots, none);
}

std::size_t SentencePatterns::slot_of(std::uint64_t key) const {
    std::size_t slot = (key * 0x9E3779B97F4A7C15) >> (64 - std::countr_zero(keys_.size()));
    while (keys_[slot] != key && keys_[slot] != free_slot) slot = (slot + 1) & (keys_.size() - 1);
    return slot;
}

void SentencePatterns::add_child(std::uint32_t node, PatternSymbol symbol, std::uint32_t child) {
    if (2 * nodes_.size() > keys_.size()) grow();
    const std::size_t slot = slot_of(key_of(node, symbol));
    keys_[slot] = key_of(node, symbol);
    children_[slot] = child;
}

void SentencePatterns::grow() {
    const auto old_keys = std::exchange(keys_, std::vector<std::uint64_t>(4 * keys_.size(), free_slot));
    const auto old_children = std::exchange(children_, std::vector<std::uint32_t>(keys_.size(), none));
    for (std::size_t old = 0; old < old_keys.size(); ++old) {
        if (old_keys[old] == free_slot) continue;
        const std::size_t slot = slot_of(old_keys[old]);
        keys_[slot] = old_keys[old];
        children_[slot] = old_children[old];
    }
}

std::uint32_t SentencePatterns::child(std::uint32_t node, PatternSymbol symbol) const {
    return keys_.empty() ? none : children_[slot_of(key_of(node, symbol))];
}

std::uint32_t SentencePatterns::find(std::span<const PatternSymbol> pattern) const {
    std::uint32_t node = 0;
    for (const PatternSymbol symbol : pattern) {
        node = child(node, symbol);
        if (node == none) break;
    }
    return node;
}

std::vector<PatternSymbol> SentencePatterns::symbols(std::uint32_t node) const {
    std::vector<PatternSymbol> symbols;
    for (; nodes_[node].parent != none; node = nodes_[node].parent) symbols.push_back(nodes_[node].symbol);
    std::reverse(symbols.begin(), symbols.end());
    return symbols;
}

std::size_t SentencePatterns::count(std::uint32_t node) const {
    if (!nodes_[node].active || nodes_[node].chunks == 0) return 0;
    const PatternNode& core = nodes_[nodes_[node].core];
    return core.contiguous() ? core.range.size() : lists_[core.list].size();
}

Occurrences SentencePatterns::occurrences(const SourceIndex& index, std::uint32_t node) const {
    const PatternNode& given = nodes_[node];
    if (!given.active || given.chunks == 0)
        return {std::vector<std::uint32_t>{}, std::max<std::uint32_t>(1, given.chunks)};
    const PatternNode& core = nodes_[given.core];
    return core.list != none ? lists_[core.list] : sorted_occurrences(index, core.range);
}

std::vector<std::uint32_t> SentencePatterns::sample(const SourceIndex& index, std::uint32_t node,
                                                    std::size_t size) const {
    const std::size_t all = count(node);
    if (all == 0) return {};
    const PatternNode& core = nodes_[nodes_[node].core];
    const auto taken = sample_evenly(all, size);
    std::vector<std::uint32_t> tuples;
    tuples.reserve(taken.size() * core.chunks);
    if (core.contiguous()) {
        const auto positions = index.positions(core.range);
        for (const auto at : taken) {
            if (positions[at] >= index.tokens().size()) {
                damaged("the suffix array is damaged: it points outside the text");
            }
            tuples.push_back(positions[at]);
        }
    } else {
        for (const auto at : taken) {
            const auto tuple = lists_[core.list][at];
            tuples.insert(tuples.end(), tuple.begin(), tuple.end());
        }
    }
    return tuples;
}

}  // namespace pentaglot
