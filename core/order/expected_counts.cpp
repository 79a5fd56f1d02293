#include "order/expected_counts.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "order/chart_inside.hpp"

namespace pentaglot {
namespace {

// What one group of sentences adds up. Counts of slots are summed in single precision over a few sentences, where the
// processor adds four at once, and then in double.
struct Sums {
    std::vector<float> few;
    std::vector<double> slots, words;
    std::size_t pending = 0;
    double log_likelihood = 0.0;
    std::size_t impossible = 0;

    void flush() {
        for (std::size_t i = 0; i < few.size(); ++i) slots[i] += few[i];
        std::fill(few.begin(), few.end(), 0.0F);
        pending = 0;
    }
};

// Adds the counts of a terminal in a slot; `weight` gives one for each state.
template <typename Weight>
void count_word(Sums& sums, const GrammarView& grammar, TerminalId terminal, std::size_t slot, const Weight& weight) {
    const auto& lexicon = grammar.lexicon;
    const auto begin = lexicon.slots.begin() + static_cast<std::ptrdiff_t>(lexicon.offsets[terminal]);
    const auto end = lexicon.slots.begin() + static_cast<std::ptrdiff_t>(lexicon.offsets[terminal + std::size_t{1}]);
    const auto found = std::find(begin, end, static_cast<std::uint8_t>(slot));
    if (found == end) return;
    const std::size_t at = grammar.values_at[static_cast<std::size_t>(found - lexicon.slots.begin())];
    for (std::size_t s = 0; s < grammar.layout.width(slot); ++s) sums.words[at + s] += weight(s);
}

// The outside pass, in units of posteriors: a cell's inside value times its outside value is a probability. Counts
// still lack the factor of the rule's own probability, which is the same for all sentences.
class Outside {
  public:
    Outside(const ChartInside& inside, Sums& sums)
        : inside_(inside),
          chart_(inside.chart()),
          grammar_(inside.grammar()),
          layout_(grammar_.layout),
          sums_(sums),
          width_(layout_.all_slots),
          needs_(chart_.cells.size() * width_, 0.0F) {
        const std::size_t goal = chart_.cells.size() - 1;
        needs_[goal * width_ + width_ - 1] = 1.0F / inside.filled(goal)[width_ - 1];
        for (std::size_t cell = chart_.cells.size(); cell-- > 0;) {
            if (inside.exponent(cell) == no_exponent) continue;
            if (inside.is_leaf(cell)) {
                count_words(cell);
                continue;
            }
            for (auto node = chart_.cells[cell].first_node; node < chart_.cells[cell].last_node; ++node) visit(node);
        }
    }

  private:
    const float* needs(std::size_t cell) const { return needs_.data() + cell * width_; }
    float* needs(std::size_t cell) { return needs_.data() + cell * width_; }

    void count_words(std::size_t cell) {
        const float factor = inside_.factor(cell) * std::ldexp(1.0F, -inside_.exponent(cell));
        for_slots(inside_.needed(cell), [&](std::size_t slot) {
            const float* need = needs(cell) + layout_.first_slot[slot];
            count_word(sums_, grammar_, inside_.terminal(cell), slot, [&](std::size_t s) { return need[s] * factor; });
        });
    }

    void visit(std::uint32_t number) {
        const auto& node = chart_.nodes[number];
        const std::size_t count = layout_.states[node.kind];
        outside_.assign(count, 0.0F);
        const float* own = inside_.states(number);
        for_slots(inside_.needed(node.cell), [&](std::size_t slot) {
            const std::size_t first = layout_.first_slot[slot], size = layout_.width(slot);
            const float* need = needs(node.cell) + first;
            for (std::size_t t = 0; t < count; ++t) {
                if (own[t] == 0.0F) continue;
                const std::size_t state = layout_.first_state[node.kind] + t;
                outside_[t] += dot(need, grammar_.row(state) + first, size);
                add_scaled(sums_.few.data() + state * width_ + first, need, own[t], size);
            }
        });
        for (float& value : outside_) value = std::min(value, largest_outside);
        for (std::uint32_t edge = node.first_edge; edge < node.last_edge; ++edge) hand_down(node, edge);
    }

    void hand_down(const OrderChart::Node& node, std::uint32_t edge) {
        const auto children = chart_.children_of(node, edge);
        const float scale = inside_.edge_factor(node, children);
        if (scale == 0.0F) return;
        const std::size_t count = outside_.size();
        for (std::size_t c = 0; c < children.size(); ++c) {
            product_.assign(outside_.begin(), outside_.end());
            for (std::size_t other = 0; other < children.size(); ++other) {
                if (other == c) continue;
                const float* from = inside_.filled(children[other]) + layout_.slot(node.kind, other);
                for (std::size_t s = 0; s < count; ++s) product_[s] *= from[s];
            }
            float* to = needs(children[c]) + layout_.slot(node.kind, c);
            for (std::size_t s = 0; s < count; ++s) to[s] = std::min(to[s] + product_[s] * scale, largest_outside);
        }
    }

    const ChartInside& inside_;
    const OrderChart& chart_;
    const GrammarView& grammar_;
    const GrammarLayout& layout_;
    Sums& sums_;
    std::size_t width_;
    std::vector<float> needs_;  // cells x slots
    std::vector<float> outside_, product_;
};

// Follows the best tree from the root down and counts its rules, each divided by its probability, as these counts are
// multiplied with it in the end.
void count_best(const ChartInside& inside, Sums& sums) {
    const OrderChart& chart = inside.chart();
    const GrammarView& grammar = inside.grammar();
    const GrammarLayout& layout = grammar.layout;
    struct Open {
        std::size_t cell, slot, state;  // a slot kind, and the state of its operator
    };
    std::vector<Open> open{{chart.cells.size() - 1, first_slot_numbers[root], 0}};
    while (!open.empty()) {
        const Open at = open.back();
        open.pop_back();
        const std::size_t column = layout.first_slot[at.slot] + at.state;
        if (inside.is_leaf(at.cell)) {
            const float filled = inside.filled(at.cell)[column];
            const double probability =
                std::ldexp(filled, inside.exponent(at.cell)) / static_cast<double>(inside.factor(at.cell));
            count_word(sums, grammar, inside.terminal(at.cell), at.slot,
                       [&](std::size_t s) { return s == at.state ? 1.0 / probability : 0.0; });
            continue;
        }
        float best = -1.0F;
        std::uint32_t best_node = 0;
        std::size_t best_state = 0;
        const auto& cell = chart.cells[at.cell];
        for (std::uint32_t node = cell.first_node; node < cell.last_node; ++node) {
            const OperatorId kind = chart.nodes[node].kind;
            for (std::size_t t = 0; t < layout.states[kind]; ++t) {
                const float score = inside.states(node)[t] * grammar.row(layout.first_state[kind] + t)[column];
                if (score > best) std::tie(best, best_node, best_state) = std::tuple(score, node, t);
            }
        }
        const auto& node = chart.nodes[best_node];
        const std::size_t row = layout.first_state[node.kind] + best_state;
        sums.few[row * layout.all_slots + column] += 1.0F / grammar.row(row)[column];
        best = -1.0F;
        std::uint32_t best_edge = node.first_edge;
        for (std::uint32_t edge = node.first_edge; edge < node.last_edge; ++edge) {
            const auto children = chart.children_of(node, edge);
            float score = inside.edge_factor(node, children);
            for (std::size_t c = 0; c < children.size(); ++c) {
                score *= inside.filled(children[c])[layout.slot(node.kind, c) + best_state];
            }
            if (score > best) std::tie(best, best_edge) = std::tuple(score, edge);
        }
        const auto children = chart.children_of(node, best_edge);
        for (std::size_t c = 0; c < children.size(); ++c) {
            open.push_back({children[c], first_slot_numbers[node.kind] + c, best_state});
        }
    }
}

void add_sentence(const TrainingSentences& sentences, std::size_t sentence, const GrammarView& grammar, bool hard,
                  Sums& sums) {
    const OrderChart chart = sentences.chart(sentence);
    const ChartInside inside(chart, sentences.terminals(sentence), sentences.factors(sentence), grammar, hard);
    if (!inside.possible()) {
        ++sums.impossible;
        return;
    }
    sums.log_likelihood += inside.log_total();
    if (hard) {
        count_best(inside, sums);
    } else {
        Outside(inside, sums);
    }
    if (++sums.pending == 32) sums.flush();
}

// Depends only on the size of the grammar, so that the sums are the same with any number of threads.
std::size_t groups_for(const GrammarView& grammar) {
    constexpr std::size_t most_bytes = std::size_t{512} << 20;
    const std::size_t bytes = 12 * grammar.slots.size() + 8 * grammar.words.size();
    return std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(bytes, 1), 1, 16);
}

}  // namespace

ExpectedCounts expected_counts(const TrainingSentences& sentences, const GrammarView& grammar, std::size_t first,
                               std::size_t last, bool hard, unsigned threads) {
    if (first > last || last > sentences.size()) throw Error("there are no such sentences to learn from");
    for (std::size_t i = first; i < last; ++i) {
        for (const TerminalId terminal : sentences.terminals(i)) {
            if (terminal >= grammar.lexicon.terminals()) throw Error("the grammar lacks words of the sentences");
        }
    }
    const std::size_t groups = groups_for(grammar);
    std::vector<Sums> sums(groups);
    parallel_for(groups, threads, [&](std::size_t group, unsigned) {
        Sums& own = sums[group];
        own.few.assign(grammar.slots.size(), 0.0F);
        own.slots.assign(grammar.slots.size(), 0.0);
        own.words.assign(grammar.words.size(), 0.0);
        const std::size_t count = last - first;
        for (std::size_t i = first + count * group / groups; i < first + count * (group + 1) / groups; ++i) {
            listen();
            add_sentence(sentences, i, grammar, hard, own);
        }
        own.flush();
    });
    ExpectedCounts counts;
    counts.slots.assign(grammar.slots.size(), 0.0);
    counts.words.assign(grammar.words.size(), 0.0);
    for (const Sums& own : sums) {
        for (std::size_t i = 0; i < own.slots.size(); ++i) counts.slots[i] += own.slots[i];
        for (std::size_t i = 0; i < own.words.size(); ++i) counts.words[i] += own.words[i];
        counts.log_likelihood += own.log_likelihood;
        counts.impossible += own.impossible;
    }
    for (std::size_t i = 0; i < counts.slots.size(); ++i) counts.slots[i] *= grammar.slots[i];
    for (std::size_t i = 0; i < counts.words.size(); ++i) counts.words[i] *= grammar.words[i];
    return counts;
}

}  // namespace pentaglot
