#include "order/chart.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {
namespace {

constexpr std::size_t most_edges = 50'000'000;

// A node as it is found, before cells have numbers.
struct Found {
    Position begin, end;
    OperatorId kind;
    std::uint32_t arity;
    std::uint32_t first_place;
    std::uint32_t first_split;  // arity - 1 inner fence posts for each edge
    std::uint32_t edges;

    auto key() const { return std::tuple(end - begin, begin, kind); }
};

struct Stretch {
    Position begin, end;
};

// Goes through a flat tree, once for each way of attaching words, and writes down all nodes and edges.
class Collector {
  public:
    Collector(const PermutationTree& flat, const Units& units, Trees trees) : flat_(flat), trees_(trees) {
        gaps_.push_back(0);
        for (std::size_t unit = 0; unit < units.loose.size(); ++unit) {
            if (units.loose[unit]) {
                ++gaps_.back();
            } else {
                blocks_.push_back(static_cast<Position>(unit));
                gaps_.push_back(0);
            }
        }
        if (blocks_.size() != units.ranks.size()) throw Error("the blocks of a sentence do not fit its permutation");
    }

    void collect(const Attachment& attachment) {
        attachment_ = attachment;
        stretches_.assign(flat_.nodes.size(), {});
        for (std::size_t i = 0; i < flat_.nodes.size(); ++i) {
            const auto& node = flat_.nodes[i];
            if (node.arity == 0) {
                const Position unit = blocks_[node.begin];
                stretches_[i] = {unit, static_cast<Position>(unit + 1)};
                if (!attachment_.top) attach_to_block(i, node);
            } else {
                if (attachment_.top) attach_to_children(node);
                add_node(node);
                const auto below = flat_.children_of(node);
                stretches_[i] = {stretches_[below.front()].begin, stretches_[below.back()].end};
            }
        }
        if (attachment_.top) attach(flat_.nodes.size() - 1, gaps_.front(), gaps_.back());
    }

    std::vector<Found> found;
    std::vector<Position> splits;
    std::vector<Position> places;

  private:
    void attach_to_block(std::size_t number, const PermutationTree::Node& node) {
        const std::size_t block = node.begin;
        const bool first = block == 0, last = block + 1 == blocks_.size();
        const bool right = attachment_.side == Side::right;
        attach(number, right || first ? gaps_[block] : 0, !right || last ? gaps_[block + 1] : 0);
    }

    void attach_to_children(const PermutationTree::Node& node) {
        const auto below = flat_.children_of(node);
        for (std::size_t c = 0; c < below.size(); ++c) {
            const auto& child = flat_.nodes[below[c]];
            if (attachment_.side == Side::right && c > 0) attach(below[c], gaps_[child.begin], 0);
            if (attachment_.side == Side::left && c + 1 < below.size()) attach(below[c], 0, gaps_[child.end]);
        }
    }

    // Joins `before` and `after` words to a node: first those on the usual side, the nearest first.
    void attach(std::size_t number, std::size_t before, std::size_t after) {
        Stretch& stretch = stretches_[number];
        const auto join_before = [&] {
            for (; before > 0; --before) {
                const Position split = stretch.begin--;
                add_edge(stretch, loose_first, split);
            }
        };
        const auto join_after = [&] {
            for (; after > 0; --after) {
                const Position split = stretch.end++;
                add_edge(stretch, loose_last, split);
            }
        };
        if (attachment_.side == Side::right) join_before();
        join_after();
        join_before();
    }

    void add_edge(const Stretch& stretch, OperatorId kind, Position split) {
        found.push_back({stretch.begin, stretch.end, kind, 2, 0, static_cast<std::uint32_t>(splits.size()), 1});
        splits.push_back(split);
    }

    void add_node(const PermutationTree::Node& node) {
        const auto below = flat_.children_of(node);
        posts_.assign(1, stretches_[below[0]].begin);
        for (const auto child : below) posts_.push_back(stretches_[child].end);
        if (is_chain(flat_, node)) {
            add_chain(flat_.is_monotone(node) ? monotone : inverted);
            return;
        }
        const std::vector<Position> to = flat_.operator_of(node);
        const OperatorId kind = find_operator(to);
        const auto first_place = static_cast<std::uint32_t>(places.size());
        if (kind == root) places.insert(places.end(), to.begin(), to.end());
        found.push_back({posts_.front(), posts_.back(), kind, node.arity, first_place,
                         static_cast<std::uint32_t>(splits.size()), 1});
        splits.insert(splits.end(), posts_.begin() + 1, posts_.end() - 1);
    }

    void add_chain(OperatorId kind) {
        const std::size_t m = posts_.size() - 1;
        const std::size_t last_begin = trees_ == Trees::left ? 0 : m - 2;
        for (std::size_t x = 0; x <= last_begin; ++x) {
            listen_at<64>(x);
            for (std::size_t y = trees_ == Trees::right ? m : x + 2; y <= m; ++y) {
                const auto first = static_cast<std::uint32_t>(splits.size());
                const std::size_t from = trees_ == Trees::left ? y - 1 : x + 1;
                const std::size_t to = trees_ == Trees::right ? x + 2 : y;
                for (std::size_t k = from; k < to; ++k) splits.push_back(posts_[k]);
                found.push_back({posts_[x], posts_[y], kind, 2, 0, first, static_cast<std::uint32_t>(to - from)});
                if (splits.size() > most_edges) {
                    throw Error("the permutation has too many trees to write them all down");
                }
            }
        }
    }

    const PermutationTree& flat_;
    Trees trees_;
    Attachment attachment_;
    std::vector<Position> blocks_;    // block -> unit
    std::vector<std::size_t> gaps_;   // how many loose words come before each block, and after the last
    std::vector<Stretch> stretches_;  // of the flat tree's nodes, with what was joined to them
    std::vector<Position> posts_;
};

// Finds cells by their ends: in a table for short sentences, by binary search for long ones.
class CellNumbers {
  public:
    CellNumbers(const std::vector<OrderChart::Cell>& cells, std::size_t units) : cells_(cells), width_(units + 1) {
        if (units > 256) return;
        table_.assign(width_ * width_, 0);
        for (std::uint32_t i = 0; i < cells.size(); ++i) table_[cells[i].begin * width_ + cells[i].end] = i;
    }
    std::uint32_t operator()(Position begin, Position end) const {
        if (!table_.empty()) return table_[begin * width_ + end];
        const auto key = std::tuple(end - begin, begin);
        const auto at =
            std::lower_bound(cells_.begin(), cells_.end(), key, [](const OrderChart::Cell& cell, auto wanted) {
                return std::tuple(cell.end - cell.begin, cell.begin) < wanted;
            });
        return static_cast<std::uint32_t>(at - cells_.begin());
    }

  private:
    const std::vector<OrderChart::Cell>& cells_;
    std::size_t width_;
    std::vector<std::uint32_t> table_;
};

// Adds the children of all edges of nodes that are the same one, each edge once. Returns how many edges there are.
std::uint32_t add_edges(OrderChart& chart, const CellNumbers& numbers, std::span<const Found> same,
                        const std::vector<Position>& splits) {
    const std::size_t inner = same[0].arity - 1;
    std::vector<std::span<const Position>> edges;
    for (const Found& each : same) {
        for (std::size_t e = 0; e < each.edges; ++e) {
            edges.push_back(std::span(splits).subspan(each.first_split + e * inner, inner));
        }
    }
    if (same.size() > 1) {
        const auto before = [](auto a, auto b) { return std::ranges::lexicographical_compare(a, b); };
        std::sort(edges.begin(), edges.end(), before);
        edges.erase(std::unique(edges.begin(), edges.end(), [](auto a, auto b) { return std::ranges::equal(a, b); }),
                    edges.end());
    }
    for (const auto posts : edges) {
        Position begin = same[0].begin;
        for (const Position post : posts) {
            chart.children.push_back(numbers(begin, post));
            begin = post;
        }
        chart.children.push_back(numbers(begin, same[0].end));
    }
    return static_cast<std::uint32_t>(edges.size());
}

}  // namespace

OrderChart make_chart(const PermutationTree& flat, const Units& units, Trees trees,
                      std::span<const Attachment> attachments) {
    Collector collector(flat, units, trees);
    for (const Attachment& each : attachments) collector.collect(each);
    auto& found = collector.found;
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.key() < b.key(); });

    OrderChart chart;
    chart.places = std::move(collector.places);
    const auto count = static_cast<Position>(units.loose.size());
    for (Position unit = 0; unit < count; ++unit) {
        chart.cells.push_back({unit, static_cast<Position>(unit + 1), 0, 0});
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i > 0 && found[i].begin == found[i - 1].begin && found[i].end == found[i - 1].end) continue;
        chart.cells.push_back({found[i].begin, found[i].end, 0, 0});
    }
    const CellNumbers numbers(chart.cells, count);
    std::uint32_t edges = 0;
    for (std::size_t i = 0, next = 0; i < found.size(); i = next) {
        for (next = i + 1; next < found.size() && found[next].key() == found[i].key();) ++next;
        const std::uint32_t cell = numbers(found[i].begin, found[i].end);
        const auto number = static_cast<std::uint32_t>(chart.nodes.size());
        const auto first_child = static_cast<std::uint32_t>(chart.children.size());
        const std::uint32_t added = add_edges(chart, numbers, std::span(found).subspan(i, next - i), collector.splits);
        chart.nodes.push_back(
            {cell, found[i].kind, edges, edges + added, first_child, found[i].arity, found[i].first_place});
        edges += added;
        OrderChart::Cell& home = chart.cells[cell];
        if (home.first_node == home.last_node) home.first_node = number;
        home.last_node = number + 1;
    }
    return chart;
}

}  // namespace pentaglot
