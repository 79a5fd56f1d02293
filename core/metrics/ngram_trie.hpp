#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// The n-grams of the references of one segment, each with its largest count in any of them. They form a trie, so that
// a hypothesis is matched by one lookup for each n-gram that is found and one for each that is not.
class NgramTrie {
  public:
    // Forgets all n-grams, and makes room for those up to `order` of texts with this many symbols in all.
    void assign(std::size_t order, std::size_t symbols);

    // Adds a reference.
    void add(std::span<const std::uint32_t> symbols);

    // Adds to matched[n - 1] how many n-grams of a hypothesis are in the references, each at most as often as in one of
    // them.
    void match(std::span<const std::uint32_t> symbols, std::span<double> matched);

  private:
    struct Node {
        std::uint32_t most = 0;   // count in the reference that has most of it
        std::uint32_t seen = 0;   // count in the text at hand
        std::uint64_t stamp = 0;  // which text `seen` is about
    };
    struct Slot {
        std::uint64_t key = 0;  // node and symbol
        std::uint32_t child = 0;
    };

    std::size_t child_slot(std::uint32_t node, std::uint32_t symbol) const;
    Node& fresh(std::uint32_t node);

    std::size_t order_ = 0;
    std::vector<Node> nodes_;  // node 0 is the root: it stands for the empty n-gram, and as a child for none
    std::vector<Slot> slots_;
    std::uint64_t stamp_ = 0;
};

}  // namespace pentaglot
