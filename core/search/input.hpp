#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/vocabulary.hpp"
#include "rules/signature.hpp"
#include "search/span_filter.hpp"

namespace pentaglot {

// One word of the input: an arc of an acyclic graph whose nodes are numbered in topological order.
struct InputWord {
    std::uint32_t from;
    std::uint32_t to;
    WordId word;
    float score = 0;  // what using it adds to the input's score feature
};

// What is known of an input besides its words.
struct InputLayers {
    // By name: a value for each word, such as a tag, a class, or its head. `head` holds the numbers of words, and -1
    // for a root.
    std::map<std::string, std::vector<std::int32_t>, std::less<>> columns;
    // The edges that signatures are read from; by default the arcs of the heads, if there are any. For sentences only.
    std::optional<std::vector<WordEdge>> edges;
    // How likely each word of a sentence (row) is to be translated before each other one (column); or nothing.
    std::vector<float> precedence;
    SpanFilter spans;
};

// What is to be translated: a sentence (a chain) or a word lattice. Node 0 is its beginning, the last node its end.
class Input {
  public:
    static Input sentence(std::span<const WordId> words, InputLayers layers = {});
    // Throws Error if an arc does not go forward or leads outside, or if the end cannot be reached, or if layers do not
    // fit: a column lacks a value, heads lead outside or form a cycle, a lattice has heads or edges. Words that lie on
    // no path to the end are left out.
    // `score_feature` names the feature that the scores of words belong to.
    Input(std::size_t nodes, std::vector<InputWord> words, InputLayers layers = {},
          std::string score_feature = "input");

    std::size_t nodes() const { return nodes_; }
    const std::string& score_feature() const { return score_feature_; }
    // Whether there is one path, through all nodes.
    bool is_chain() const { return chain_; }
    std::span<const InputWord> words() const { return words_; }
    // The values of the words, or nothing if there is no such column.
    std::span<const std::int32_t> column(std::string_view name) const {
        const auto found = layers_.columns.find(name);
        return found == layers_.columns.end() ? std::span<const std::int32_t>() : found->second;
    }
    const InputLayers& layers() const { return layers_; }
    // The edges between the words of a sentence, if it has some.
    const WordGraph* graph() const { return graph_ ? &*graph_ : nullptr; }
    // The numbers of the words that end at a node.
    std::span<const std::uint32_t> ending_at(std::size_t node) const {
        return std::span(by_end_).subspan(end_offsets_[node], end_offsets_[node + 1] - end_offsets_[node]);
    }

  private:
    void check() const;
    void check_layers();
    void leave_out_what_leads_nowhere();
    void sort_by_end();

    std::size_t nodes_;
    std::string score_feature_;
    std::vector<InputWord> words_;
    std::vector<std::uint32_t> by_end_;
    std::vector<std::uint32_t> end_offsets_;
    InputLayers layers_;
    std::optional<WordGraph> graph_;
    bool chain_ = false;
};

}  // namespace pentaglot
