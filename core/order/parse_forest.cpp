#include "order/parse_forest.hpp"

#include <cmath>
#include <unordered_map>
#include <vector>

#include "forest/builder.hpp"
#include "order/precedence.hpp"

namespace pentaglot {
namespace {

class Writer {
  public:
    explicit Writer(const Parse& parse) : parse_(parse), layout_(parse.grammar().layout()), ends_(parse.cells()) {
        for (std::size_t begin = 0; begin < parse.size(); ++begin) {
            for (std::size_t end = begin + 1; end <= parse.size(); ++end) {
                ends_[parse.cell(begin, end)] = {static_cast<Position>(begin), static_cast<Position>(end)};
            }
        }
        for (OperatorId kind = 0; kind < operators.size(); ++kind) {
            std::vector<Symbol> symbols;
            for (std::size_t place = 0; place < arity_of(kind); ++place) {
                symbols.push_back(tail_symbol(operators[kind].order[place]));
            }
            orders_[kind] = builder_.add_template(symbols);
        }
        orders_[root] = builder_.add_template(std::vector<Symbol>{tail_symbol(0)});
        for (std::size_t slot_kind = 0; slot_kind < slot_kinds; ++slot_kind) {
            for (std::size_t s = 0; s < layout_.width(slot_kind); ++s) kinds_of_slots_.push_back({slot_kind, s});
        }
    }

    void add(const LikelyEdges::Filling& filling) {
        const NodeId head = node(filling.cell, layout_.all_states + filling.slot);
        if (filling.state == layout_.all_states) {
            const auto [kind, state] = kinds_of_slots_[filling.slot];
            const Parse::Leaf& leaf = parse_.leaf(filling.cell);
            add_words(head, ends_[filling.cell], parse_.grammar().word(leaf.terminal, kind, state) * leaf.factor);
            return;
        }
        const NodeId tail = node(filling.cell, filling.state);
        const FeatureValue feature{0, std::log(parse_.grammar().view().row(filling.state)[filling.slot])};
        builder_.add_edge(head, {&tail, 1}, orders_[root], {&feature, 1}, root);
    }

    void add(const LikelyEdges::Division& division) {
        OperatorId kind = 0;
        while (division.state >= layout_.first_state[kind] + layout_.states[kind]) ++kind;
        const std::size_t state = division.state - layout_.first_state[kind];
        const Stretch whole = ends_[division.cell];
        std::vector<NodeId> tails;
        Position begin = whole.begin;
        for (std::size_t c = 0; c < arity_of(kind); ++c) {
            const Position end = c + 1 < arity_of(kind) ? division.posts[c] : whole.end;
            tails.push_back(node(parse_.cell(begin, end), layout_.all_states + layout_.slot(kind, c) + state));
            begin = end;
        }
        builder_.add_edge(node(division.cell, division.state), tails, orders_[kind], {}, kind);
    }

    Forest finish() {
        std::vector<NodeId> tails;
        std::vector<Symbol> symbols;
        for (const Parse::Piece& piece : parse_.pieces()) {
            const std::size_t cell = parse_.cell(piece.begin, piece.end);
            tails.push_back(node(cell, layout_.all_states + layout_.all_slots - 1));
            if (!piece.parsed) add_words(tails.back(), ends_[cell], 1.0F);
            symbols.push_back(tail_symbol(symbols.size()));
        }
        if (tails.size() == 1) return builder_.finish(tails[0]);
        const NodeId goal = builder_.add_node(parse_.size());
        builder_.add_edge(goal, tails, builder_.add_template(symbols), {}, root);
        return builder_.finish(goal);
    }

  private:
    struct Stretch {
        Position begin, end;
    };

    // The node of a state, or, beyond all states, of a slot.
    NodeId node(std::size_t cell, std::size_t what) {
        const std::uint64_t key = cell * (layout_.all_states + layout_.all_slots) + what;
        const auto [found, added] = numbers_.try_emplace(key, 0);
        if (added) found->second = builder_.add_node(std::uint64_t{ends_[cell].begin} << 32 | ends_[cell].end);
        return found->second;
    }

    void add_words(NodeId head, const Stretch& stretch, float probability) {
        std::vector<Symbol> words;
        for (Position word = stretch.begin; word < stretch.end; ++word) words.push_back(word);
        const FeatureValue feature{0, std::log(probability)};
        builder_.add_edge(head, {}, builder_.add_template(words), {&feature, 1}, root);
    }

    const Parse& parse_;
    const GrammarLayout& layout_;
    std::vector<Stretch> ends_;
    ForestBuilder builder_;
    std::array<TemplateId, operator_kinds> orders_{};
    struct SlotKind {
        std::size_t kind, state;
    };
    std::vector<SlotKind> kinds_of_slots_;  // of each slot
    std::unordered_map<std::uint64_t, NodeId> numbers_;
};

}  // namespace

Forest parse_forest(const Parse& parse, float least) {
    LikelyEdges edges{least, {}, {}};
    expected_precedence(parse, nullptr, &edges);
    Writer writer(parse);
    for (const auto& each : edges.fillings) writer.add(each);
    for (const auto& each : edges.divisions) writer.add(each);
    return writer.finish();
}

}  // namespace pentaglot
