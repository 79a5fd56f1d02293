#include "rules/signature.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace pentaglot {

namespace {

constexpr std::int32_t root = -1;

[[noreturn]] void refuse_cycle(std::span<const std::int32_t> heads, std::size_t word) {
    std::string way = std::to_string(word);
    std::size_t at = word;
    for (int shown = 0; shown < 10; ++shown) {  // a long cycle need not be shown to its end
        at = static_cast<std::size_t>(heads[at]);
        way += " to " + std::to_string(at);
        if (at == word) break;
    }
    throw Error("the heads of a sentence form a cycle: from word " + way);
}

// Throws Error if a word is above itself. Each word is visited once.
void check_cycles(std::span<const std::int32_t> heads) {
    enum : std::uint8_t { fresh, on_the_way, done };
    std::vector<std::uint8_t> marks(heads.size(), fresh);
    std::vector<std::size_t> way;
    for (std::size_t word = 0; word < heads.size(); ++word) {
        way.clear();
        std::size_t at = word;
        while (marks[at] == fresh) {
            marks[at] = on_the_way;
            way.push_back(at);
            if (heads[at] == root) break;
            at = static_cast<std::size_t>(heads[at]);
            if (marks[at] == on_the_way) refuse_cycle(heads, at);
        }
        for (const std::size_t each : way) marks[each] = done;
    }
}

}  // namespace

WordGraph::WordGraph(std::size_t words, std::vector<WordEdge> edges)
    : edges_(std::move(edges)), offsets_(words + 1, 0) {
    for (const WordEdge& edge : edges_) {
        if (edge.from >= words || edge.to >= words || edge.from == edge.to) {
            throw Error("an edge leads from word " + std::to_string(edge.from) + " to word " + std::to_string(edge.to) +
                        "; it must join two of the " + std::to_string(words) + " words of the sentence");
        }
    }
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const WordEdge& edge : edges_) ++offsets_[edge.from + std::size_t{1}];
    for (std::size_t word = 0; word < words; ++word) offsets_[word + 1] += offsets_[word];
}

WordGraph WordGraph::of_heads(std::span<const std::int32_t> heads) {
    std::vector<WordEdge> arcs;
    for (std::size_t word = 0; word < heads.size(); ++word) {
        if (heads[word] == root) continue;
        if (heads[word] < root || static_cast<std::size_t>(heads[word]) >= heads.size()) {
            throw Error("word " + std::to_string(word) + " has head " + std::to_string(heads[word]) +
                        "; a head is one of the " + std::to_string(heads.size()) + " words of the sentence, or -1");
        }
        arcs.push_back({static_cast<std::uint32_t>(heads[word]), static_cast<std::uint32_t>(word)});
    }
    check_cycles(heads);
    return {heads.size(), std::move(arcs)};
}

void find_signature(const WordGraph& graph, std::size_t first, std::span<const std::uint16_t> symbols,
                    std::vector<SymbolEdge>& found) {
    found.clear();
    for (std::size_t at = 0; at < symbols.size(); ++at) {
        if (symbols[at] == no_symbol) continue;
        for (const WordEdge& edge : graph.leaving(first + at)) {
            if (edge.to < first || edge.to - first >= symbols.size()) continue;
            const std::uint16_t to = symbols[edge.to - first];
            if (to != no_symbol && to != symbols[at]) found.push_back({symbols[at], to, edge.kind});
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
}

void check_signature(std::span<const SymbolEdge> edges, std::size_t symbols) {
    if (symbols >= no_symbol) throw Error("a source side is too long for a signature");
    for (std::size_t at = 0; at < edges.size(); ++at) {
        if (edges[at].from >= symbols || edges[at].to >= symbols || edges[at].from == edges[at].to)
            throw Error("an edge of a signature must join two symbols of its source side");
        if (at > 0 && !(edges[at - 1] < edges[at])) throw Error("the edges of a signature must be in order, each once");
    }
}

}  // namespace pentaglot
