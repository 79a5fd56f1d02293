#include "order/permutation_forest.hpp"

#include <vector>

#include "base/listening.hpp"
#include "forest/builder.hpp"

namespace pentaglot {
namespace {

TemplateId words_template(ForestBuilder& builder, Position begin, Position end) {
    std::vector<Symbol> words;
    for (Position word = begin; word < end; ++word) words.push_back(word);
    return builder.add_template(words);
}

TemplateId order_template(ForestBuilder& builder, const OrderChart& chart, const OrderChart::Node& node) {
    std::vector<Symbol> symbols(node.arity);
    for (std::size_t child = 0; child < node.arity; ++child) {
        const std::size_t place =
            node.kind == root ? chart.places[node.first_place + child] : operators[node.kind].places[child];
        symbols[place] = tail_symbol(child);
    }
    return builder.add_template(symbols);
}

}  // namespace

Forest permutation_forest(const OrderChart& chart, std::span<const Position> begins) {
    ForestBuilder builder;
    for (const auto& cell : chart.cells) {
        const Position begin = begins[cell.begin], end = begins[cell.end];
        const NodeId node = builder.add_node(std::uint64_t{begin} << 32 | end);
        if (cell.first_node == cell.last_node) {
            builder.add_edge(node, {}, words_template(builder, begin, end), {}, root);
        }
        listen();
        for (std::uint32_t number = cell.first_node; number < cell.last_node; ++number) {
            const auto& each = chart.nodes[number];
            const TemplateId order = order_template(builder, chart, each);
            for (std::uint32_t edge = each.first_edge; edge < each.last_edge; ++edge) {
                builder.add_edge(node, chart.children_of(each, edge), order, {}, each.kind);
            }
        }
    }
    return builder.finish(static_cast<NodeId>(chart.cells.size() - 1));
}

}  // namespace pentaglot
