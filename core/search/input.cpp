#include "search/input.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace pentaglot {

namespace {

// Far more than any search could finish; it bounds what a wrong number can make us allocate.
constexpr std::size_t most_nodes = 1'000'000;

}  // namespace

Input Input::sentence(std::span<const WordId> words, InputLayers layers) {
    std::vector<InputWord> chain;
    chain.reserve(words.size());
    for (std::size_t at = 0; at < words.size(); ++at) {
        chain.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1), words[at]});
    }
    return {words.size() + 1, std::move(chain), std::move(layers)};
}

Input::Input(std::size_t nodes, std::vector<InputWord> words, InputLayers layers, std::string score_feature)
    : nodes_(nodes), score_feature_(std::move(score_feature)), words_(std::move(words)), layers_(std::move(layers)) {
    check();
    chain_ = words_.size() + 1 == nodes_;
    for (std::size_t at = 0; at < words_.size() && chain_; ++at)
        chain_ = words_[at].from == at && words_[at].to == at + 1;
    check_layers();
    if (!chain_) leave_out_what_leads_nowhere();
    sort_by_end();
}

void Input::check() const {
    if (nodes_ == 0) throw Error("an input lattice needs at least one node");
    if (nodes_ > most_nodes) throw Error("an input lattice may have at most 1,000,000 nodes");
    for (const InputWord& word : words_) {
        if (word.from >= word.to || word.to >= nodes_) {
            throw Error("the input lattice has a word from node " + std::to_string(word.from) + " to node " +
                        std::to_string(word.to) + "; words must lead forward and stay inside");
        }
    }
}

void Input::check_layers() {
    for (const auto& [name, values] : layers_.columns) {
        if (values.size() != words_.size()) {
            throw Error("the input has " + std::to_string(words_.size()) + " words, but " +
                        std::to_string(values.size()) + " values of '" + name + "'");
        }
    }
    if (!layers_.precedence.empty()) {
        const bool chances = std::ranges::all_of(layers_.precedence, [](float p) { return p >= 0.0F && p <= 1.0F; });
        if (!chain_ || layers_.precedence.size() != words_.size() * words_.size() || !chances)
            throw Error("only a sentence has an expected order of its words: a probability for each pair of them");
    }
    const auto heads = layers_.columns.find("head");
    const bool has_heads = heads != layers_.columns.end();
    if (!chain_ && (has_heads || layers_.edges)) throw Error("the words of a lattice cannot have heads or other edges");
    if (has_heads) graph_ = WordGraph::of_heads(heads->second);
    if (layers_.edges) graph_ = WordGraph(words_.size(), *layers_.edges);
}

void Input::leave_out_what_leads_nowhere() {
    // Sorted by the nodes they leave, so that one pass in each direction reaches everything.
    std::vector<std::uint32_t> order(words_.size());
    for (std::uint32_t number = 0; number < order.size(); ++number) order[number] = number;
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return words_[a].from < words_[b].from; });
    std::vector<std::uint8_t> begun(nodes_, 0), ends(nodes_, 0);
    begun.front() = ends.back() = 1;
    for (const std::uint32_t number : order) begun[words_[number].to] |= begun[words_[number].from];
    for (auto at = order.rbegin(); at != order.rend(); ++at) ends[words_[*at].from] |= ends[words_[*at].to];
    if (ends.front() == 0) throw Error("the end of the input lattice cannot be reached");
    const auto lost = [&](const InputWord& word) { return (begun[word.from] & ends[word.to]) == 0; };
    for (auto& [name, values] : layers_.columns) {
        std::size_t at = 0;
        std::erase_if(values, [&](std::int32_t) { return lost(words_[at++]); });
    }
    std::erase_if(words_, lost);
}

void Input::sort_by_end() {
    end_offsets_.assign(nodes_ + 1, 0);
    for (const InputWord& word : words_) ++end_offsets_[word.to + std::size_t{1}];
    for (std::size_t node = 0; node < nodes_; ++node) end_offsets_[node + 1] += end_offsets_[node];
    by_end_.resize(words_.size());
    std::vector<std::uint32_t> next(end_offsets_.begin(), end_offsets_.end() - 1);
    for (std::uint32_t number = 0; number < words_.size(); ++number) by_end_[next[words_[number].to]++] = number;
}

}  // namespace pentaglot
