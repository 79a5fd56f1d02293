#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// A directed edge between two words of a sentence. The kind tells edges of one type from those of another.
struct WordEdge {
    std::uint32_t from, to;
    std::uint16_t kind = 0;
    friend auto operator<=>(const WordEdge&, const WordEdge&) = default;
};

// The same between two symbols of a source side, counted from its beginning.
struct SymbolEdge {
    std::uint16_t from, to;
    std::uint16_t kind = 0;
    friend auto operator<=>(const SymbolEdge&, const SymbolEdge&) = default;
};

// The structure of a sentence beyond the order of its words: a graph whose nodes are the words.
class WordGraph {
  public:
    // Throws Error if an edge leads outside or from a word to itself. Of equal edges one is kept.
    WordGraph(std::size_t words, std::vector<WordEdge> edges);
    // The arcs of a dependency tree, from heads to dependents, of kind 0. A root has head -1; there may be several.
    // Throws Error if a head lies outside or heads form a cycle.
    static WordGraph of_heads(std::span<const std::int32_t> heads);

    std::size_t words() const { return offsets_.size() - 1; }
    // In order.
    std::span<const WordEdge> leaving(std::size_t word) const {
        return std::span(edges_).subspan(offsets_[word], offsets_[word + 1] - offsets_[word]);
    }

  private:
    std::vector<WordEdge> edges_;
    std::vector<std::size_t> offsets_;
};

// The signature of a source side where it stands in a sentence: the edges that lead from a word of one of its symbols
// to a word of another, as edges between the symbols. A gap is one node, so what leads into it or out of it, to
// whichever of its words, is an edge of the gap; edges inside a symbol and those to words outside do not count, and
// equal ones count once. A source side that has a signature fits only where it is exactly this.
//
// The words from `first` on belong to the symbols `symbols`; `no_symbol` is a word between them that belongs to none.
//
// With the arcs of the heads this is the key of an edge replacement grammar (its pairs of nodes say no more than which
// symbol hangs from which), with links between neighbouring siblings as well that of a node replacement grammar (Li
// 2016, §5.3 and §5.4), and over the words of a treelet or segment that of a subgraph.
constexpr std::uint16_t no_symbol = UINT16_MAX;
void find_signature(const WordGraph& graph, std::size_t first, std::span<const std::uint16_t> symbols,
                    std::vector<SymbolEdge>& found);

// Throws Error unless the edges between these symbols are a signature: in order, none twice, none from a symbol to
// itself or to one that is not there.
void check_signature(std::span<const SymbolEdge> edges, std::size_t symbols);

}  // namespace pentaglot
