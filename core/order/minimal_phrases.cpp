#include "order/minimal_phrases.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "order/permutation_tree.hpp"

namespace pentaglot {
namespace {

// First and last word of a class of linked words, on both sides.
struct Class {
    Position source_first, source_last, target_first, target_last;
};

// Joins classes that overlap on one side. Returns whether there were any.
bool join(std::vector<Class>& classes, Position Class::* first, Position Class::* last) {
    std::sort(classes.begin(), classes.end(), [&](const Class& a, const Class& b) { return a.*first < b.*first; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < classes.size(); ++i) {
        Class& open = classes[kept];
        const Class& next = classes[i];
        if (next.*first > open.*last) {
            classes[++kept] = next;
            continue;
        }
        open = {std::min(open.source_first, next.source_first), std::max(open.source_last, next.source_last),
                std::min(open.target_first, next.target_first), std::max(open.target_last, next.target_last)};
    }
    const bool joined = kept + 1 < classes.size();
    if (joined) classes.resize(kept + 1);
    return joined;
}

}  // namespace

// Both ends of a class are linked words. So classes that overlap on a side share a word there or have one between the
// other's ends, and the same block must hold both; when none overlap on either side, the classes are the blocks.
std::vector<Block> minimal_phrases(std::size_t words, const SentenceLinks& links) {
    std::vector<Class> classes;
    for (std::size_t i = 0; i < links.source.size(); ++i) {
        if (links.source[i] >= words) throw Error("a link lies outside its sentence");
        classes.push_back({links.source[i], links.source[i], links.target[i], links.target[i]});
    }
    bool changed = !classes.empty();
    while (changed) {
        changed = join(classes, &Class::source_first, &Class::source_last);
        changed = join(classes, &Class::target_first, &Class::target_last) || changed;
    }
    std::vector<Block> blocks;  // in the order of the target now
    for (const Class& each : classes) {
        const auto rank = static_cast<Position>(blocks.size());
        blocks.push_back({each.source_first, static_cast<Position>(each.source_last + 1), rank});
    }
    std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.begin < b.begin; });
    return blocks;
}

std::vector<Block> with_opaque_operators(std::span<const Block> blocks, std::size_t most_children) {
    if (blocks.empty()) return {};
    std::vector<Position> ranks;
    for (const Block& block : blocks) ranks.push_back(block.rank);
    const PermutationTree flat = flat_tree(linear_tree(ranks));
    std::vector<Position> end_of(blocks.size(), 0);  // one beyond the last block of the opaque one that begins here
    for (std::size_t number = flat.nodes.size(), covered = blocks.size(); number-- > 0;) {
        const auto& node = flat.nodes[number];  // parents come first, and what is on the right
        if (node.begin >= covered || node.arity <= most_children || is_chain(flat, node)) continue;
        end_of[node.begin] = node.end;
        covered = node.begin;
    }
    std::vector<Block> found;
    for (std::size_t at = 0; at < blocks.size();) {
        const std::size_t end = std::max<std::size_t>(end_of[at], at + 1);
        found.push_back(
            {blocks[at].begin, blocks[end - 1].end, *std::min_element(&ranks[at], &ranks[at] + (end - at))});
        at = end;
    }
    std::vector<Position> order(found.size());
    std::iota(order.begin(), order.end(), Position{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return found[a].rank < found[b].rank; });
    for (std::size_t rank = 0; rank < order.size(); ++rank) found[order[rank]].rank = static_cast<Position>(rank);
    return found;
}

}  // namespace pentaglot
