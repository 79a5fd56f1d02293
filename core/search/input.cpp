#include "search/input.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace pentaglot {

namespace {

// All pairs of nodes are measured, so a lattice may have only so many; a sentence is not bound by this.
constexpr std::size_t most_lattice_nodes = 4096;

}  // namespace

Input Input::sentence(std::span<const WordId> words) {
    std::vector<InputWord> chain;
    chain.reserve(words.size());
    for (std::size_t at = 0; at < words.size(); ++at) {
        chain.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1), words[at]});
    }
    return {words.size() + 1, std::move(chain)};
}

Input::Input(std::size_t nodes, std::vector<InputWord> words) : nodes_(nodes), words_(std::move(words)) {
    if (nodes_ == 0) throw Error("an input lattice needs at least one node");
    for (const InputWord& word : words_) {
        if (word.from >= word.to || word.to >= nodes_) {
            throw Error("the input lattice has a word from node " + std::to_string(word.from) + " to node " +
                        std::to_string(word.to) + "; words must lead forward and stay inside");
        }
    }
    chain_ = words_.size() + 1 == nodes_;
    for (std::size_t at = 0; at < words_.size() && chain_; ++at)
        chain_ = words_[at].from == at && words_[at].to == at + 1;
    sort_by_end();
    if (!chain_) measure();
    if (nodes_ > 1 && distance(0, nodes_ - 1) == unreachable)
        throw Error("the end of the input lattice cannot be reached");
}

void Input::sort_by_end() {
    end_offsets_.assign(nodes_ + 1, 0);
    for (const InputWord& word : words_) ++end_offsets_[word.to + std::size_t{1}];
    for (std::size_t node = 0; node < nodes_; ++node) end_offsets_[node + 1] += end_offsets_[node];
    by_end_.resize(words_.size());
    std::vector<std::uint32_t> next(end_offsets_.begin(), end_offsets_.end() - 1);
    for (std::uint32_t number = 0; number < words_.size(); ++number) by_end_[next[words_[number].to]++] = number;
}

void Input::measure() {
    if (nodes_ > most_lattice_nodes) throw Error("an input lattice may have at most 4096 nodes");
    distances_.assign(nodes_ * nodes_, unreachable);
    for (std::size_t from = 0; from < nodes_; ++from) {
        distances_[from * nodes_ + from] = 0;
        for (std::size_t to = from + 1; to < nodes_; ++to) {
            std::uint32_t& best = distances_[from * nodes_ + to];
            for (const std::uint32_t number : ending_at(to)) {
                if (words_[number].from < from) continue;
                const std::uint32_t before = distances_[from * nodes_ + words_[number].from];
                if (before != unreachable) best = std::min(best, before + 1);
            }
        }
    }
}

}  // namespace pentaglot
