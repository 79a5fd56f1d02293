#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order/chart.hpp"
#include "order/grammar.hpp"
#include "order/scaled.hpp"

namespace pentaglot {

// The inside values of the chart of a sentence whose trees are known. For every cell, a row over all slots says how
// likely each slot is to be filled with what the cell covers; it is computed only once, however many edges need it
// (Stanojević 2017, §3.3.1).
class ChartInside {
  public:
    // Sums over trees and states or, with `best`, takes the best. All arguments must outlive it.
    ChartInside(const OrderChart& chart, std::span<const TerminalId> terminals, std::span<const float> factors,
                const GrammarView& grammar, bool best);

    bool possible() const;
    double log_total() const;  // natural logarithm

    const OrderChart& chart() const { return chart_; }
    const GrammarView& grammar() const { return grammar_; }
    // The slot kinds, one bit each, that some edge fills with the cell.
    std::uint64_t needed(std::size_t cell) const { return needed_[cell]; }
    int exponent(std::size_t cell) const { return exponents_[cell]; }
    float* filled(std::size_t cell) { return filled_.data() + cell * width_; }
    const float* filled(std::size_t cell) const { return filled_.data() + cell * width_; }
    // The states of a node.
    float* states(std::size_t node) { return states_.data() + node_at_[node]; }
    const float* states(std::size_t node) const { return states_.data() + node_at_[node]; }
    std::size_t node_at(std::size_t node) const { return node_at_[node]; }
    std::size_t all_states() const { return states_.size(); }
    // What the product over the filled slots of an edge is multiplied by.
    float edge_factor(const OrderChart::Node& node, std::span<const std::uint32_t> children) const;
    bool is_leaf(std::size_t cell) const { return chart_.cells[cell].first_node == chart_.cells[cell].last_node; }
    TerminalId terminal(std::size_t cell) const { return terminals_[chart_.cells[cell].begin]; }
    float factor(std::size_t cell) const { return factors_[chart_.cells[cell].begin]; }

  private:
    int exponent_of(std::span<const std::uint32_t> children) const;
    void find_needed();
    void fill_states(std::size_t cell);
    void fill_slots(std::size_t cell);

    const OrderChart& chart_;
    std::span<const TerminalId> terminals_;
    std::span<const float> factors_;
    const GrammarView& grammar_;
    bool best_;
    std::size_t width_;
    std::vector<std::uint64_t> needed_;
    std::vector<int> exponents_;
    std::vector<float> filled_;  // cells x slots
    std::vector<std::size_t> node_at_;
    std::vector<float> states_;
};

// Runs visit(slot kind) for every bit.
template <typename Visit>
void for_slots(std::uint64_t bits, const Visit& visit) {
    for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(__builtin_ctzll(bits)));
}

}  // namespace pentaglot
