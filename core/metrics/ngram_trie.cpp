#include "metrics/ngram_trie.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error.hpp"

namespace pentaglot {

void NgramTrie::assign(std::size_t order, std::size_t symbols) {
    const std::size_t most = std::numeric_limits<std::uint32_t>::max() / 4;
    if (symbols > most || (symbols > 0 && std::min(order, symbols) > most / symbols))
        throw Error("a reference is too long");
    order_ = order;
    slots_.assign(std::bit_ceil(2 * std::min(order, symbols) * symbols + 2), {});
    nodes_.assign(1, {});
}

std::size_t NgramTrie::child_slot(std::uint32_t node, std::uint32_t symbol) const {
    const std::uint64_t key = std::uint64_t{node} << 32 | symbol;
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15ULL;
    std::size_t slot = static_cast<std::size_t>(mixed ^ (mixed >> 29)) & mask;
    while (slots_[slot].child != 0 && slots_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
}

NgramTrie::Node& NgramTrie::fresh(std::uint32_t node) {
    Node& found = nodes_[node];
    if (found.stamp != stamp_) {
        found.stamp = stamp_;
        found.seen = 0;
    }
    return found;
}

void NgramTrie::add(std::span<const std::uint32_t> symbols) {
    ++stamp_;
    for (std::size_t begin = 0; begin < symbols.size(); ++begin) {
        std::uint32_t node = 0;
        for (std::size_t at = begin; at < symbols.size() && at - begin < order_; ++at) {
            Slot& slot = slots_[child_slot(node, symbols[at])];
            if (slot.child == 0) {
                slot = {std::uint64_t{node} << 32 | symbols[at], static_cast<std::uint32_t>(nodes_.size())};
                nodes_.emplace_back();
            }
            node = slot.child;
            Node& found = fresh(node);
            found.most = std::max(found.most, ++found.seen);
        }
    }
}

void NgramTrie::match(std::span<const std::uint32_t> symbols, std::span<double> matched) {
    ++stamp_;
    for (std::size_t begin = 0; begin < symbols.size(); ++begin) {
        std::uint32_t node = 0;
        for (std::size_t at = begin; at < symbols.size() && at - begin < order_; ++at) {
            node = slots_[child_slot(node, symbols[at])].child;
            if (node == 0) break;
            Node& found = fresh(node);
            if (++found.seen <= found.most) matched[at - begin] += 1.0;
        }
    }
}

}  // namespace pentaglot
