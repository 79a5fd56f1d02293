#include "order/chart_inside.hpp"

#include <cmath>

namespace pentaglot {

ChartInside::ChartInside(const OrderChart& chart, std::span<const TerminalId> terminals, std::span<const float> factors,
                         const GrammarView& grammar, bool best)
    : chart_(chart),
      terminals_(terminals),
      factors_(factors),
      grammar_(grammar),
      best_(best),
      width_(grammar.layout.all_slots),
      needed_(chart.cells.size(), 0),
      exponents_(chart.cells.size(), no_exponent),
      filled_(chart.cells.size() * width_, 0.0F) {
    std::size_t states = 0;
    for (const auto& node : chart.nodes) {
        node_at_.push_back(states);
        states += grammar.layout.states[node.kind];
    }
    states_.assign(states, 0.0F);
    find_needed();
    for (std::size_t cell = 0; cell < chart.cells.size(); ++cell) {
        if (is_leaf(cell)) {
            grammar_.fill(terminal(cell), factor(cell), filled(cell));
            exponents_[cell] = rescale({filled(cell), width_});
        } else {
            fill_states(cell);
            if (exponents_[cell] != no_exponent) fill_slots(cell);
        }
    }
}

void ChartInside::find_needed() {
    for (const auto& node : chart_.nodes) {
        for (std::uint32_t edge = node.first_edge; edge < node.last_edge; ++edge) {
            const auto children = chart_.children_of(node, edge);
            for (std::size_t c = 0; c < children.size(); ++c) {
                needed_[children[c]] |= std::uint64_t{1} << (first_slot_numbers[node.kind] + c);
            }
        }
    }
    needed_.back() |= std::uint64_t{1} << first_slot_numbers[root];
}

int ChartInside::exponent_of(std::span<const std::uint32_t> children) const {
    int sum = 0;
    for (const auto child : children) {
        if (exponents_[child] == no_exponent) return no_exponent;
        sum += exponents_[child];
    }
    return sum;
}

float ChartInside::edge_factor(const OrderChart::Node& node, std::span<const std::uint32_t> children) const {
    const int exponent = exponent_of(children);
    return exponent == no_exponent ? 0.0F : power_of_two(exponent - exponents_[node.cell]);
}

void ChartInside::fill_states(std::size_t number) {
    const auto& cell = chart_.cells[number];
    const auto& layout = grammar_.layout;
    int highest = no_exponent;
    for (std::uint32_t i = cell.first_node; i < cell.last_node; ++i) {
        const auto& node = chart_.nodes[i];
        for (std::uint32_t edge = node.first_edge; edge < node.last_edge; ++edge) {
            highest = std::max(highest, exponent_of(chart_.children_of(node, edge)));
        }
    }
    if (highest == no_exponent) return;
    std::vector<float> product;
    for (std::uint32_t i = cell.first_node; i < cell.last_node; ++i) {
        const auto& node = chart_.nodes[i];
        const std::size_t count = layout.states[node.kind];
        product.resize(count);
        for (std::uint32_t edge = node.first_edge; edge < node.last_edge; ++edge) {
            const auto children = chart_.children_of(node, edge);
            const int exponent = exponent_of(children);
            if (exponent == no_exponent) continue;
            const float scale = power_of_two(exponent - highest);
            std::fill(product.begin(), product.end(), scale);
            for (std::size_t c = 0; c < children.size(); ++c) {
                const float* from = filled(children[c]) + layout.slot(node.kind, c);
                for (std::size_t s = 0; s < count; ++s) product[s] *= from[s];
            }
            (best_ ? max_scaled : add_scaled)(states(i), product.data(), 1.0F, count);
        }
    }
    const std::size_t begin = node_at_[cell.first_node];
    const auto& last = chart_.nodes[cell.last_node - std::size_t{1}];
    const std::size_t end = node_at_[cell.last_node - std::size_t{1}] + layout.states[last.kind];
    const int exponent = rescale({states_.data() + begin, end - begin});
    if (exponent != no_exponent) exponents_[number] = highest + exponent;
}

void ChartInside::fill_slots(std::size_t number) {
    const auto& cell = chart_.cells[number];
    const auto& layout = grammar_.layout;
    float* to = filled(number);
    for (std::uint32_t i = cell.first_node; i < cell.last_node; ++i) {
        const OperatorId kind = chart_.nodes[i].kind;
        const float* own = states(i);
        for_slots(needed_[number], [&](std::size_t slot) {
            const std::size_t first = layout.first_slot[slot], count = layout.width(slot);
            for (std::size_t t = 0; t < layout.states[kind]; ++t) {
                if (own[t] == 0.0F) continue;
                const float* row = grammar_.row(layout.first_state[kind] + t) + first;
                (best_ ? max_scaled : add_scaled)(to + first, row, own[t], count);
            }
        });
    }
}

bool ChartInside::possible() const {
    return exponents_.back() != no_exponent && filled(exponents_.size() - 1)[width_ - 1] > least_total;
}

double ChartInside::log_total() const {
    return std::log(filled(exponents_.size() - 1)[width_ - 1]) + exponents_.back() * std::log(2.0);
}

}  // namespace pentaglot
