#include "forest/ngrams.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

using Words = std::u32string;

// How a yield begins and ends; both are all of it if it is short enough.
struct Context {
    Words left, right;
    bool whole = true;  // there is nothing between them
    auto operator<=>(const Context&) const = default;
};

// A word of an edge's yield, as far as it can be seen, and the tail that it comes from; or a gap.
struct Seen {
    char32_t word;
    std::ptrdiff_t tail;  // -1 for the edge's own
    bool gap;
};

class Matches {
  public:
    Matches(std::size_t order, std::span<const std::uint64_t> offsets, std::span<const WordId> words) : order_(order) {
        for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
            if (offsets[row] > offsets[row + 1] || offsets[row + 1] > words.size())
                throw Error("the offsets of the references do not fit");
            const Words all(words.begin() + static_cast<std::ptrdiff_t>(offsets[row]),
                            words.begin() + static_cast<std::ptrdiff_t>(offsets[row + 1]));
            for (std::size_t at = 0; at < all.size(); ++at) {
                for (std::size_t size = 1; size <= order && at + size <= all.size(); ++size)
                    known_.insert(all.substr(at, size));
            }
        }
    }

    // Adds the words and the known n-grams that an edge completes to a row of statistics.
    void count(std::span<const Seen> yield, double* row) const {
        for (std::size_t begin = 0; begin < yield.size(); ++begin) {
            Words ngram;
            bool inside = true;  // of one tail: it has been counted there
            if (!yield[begin].gap && yield[begin].tail < 0) row[0] += 1.0;
            for (std::size_t at = begin; at < yield.size() && ngram.size() < order_; ++at) {
                if (yield[at].gap) break;
                ngram.push_back(yield[at].word);
                inside = inside && yield[at].tail >= 0 && yield[at].tail == yield[begin].tail;
                if (!inside && known_.contains(ngram)) row[ngram.size()] += 1.0;
            }
        }
    }

  private:
    std::size_t order_;
    std::unordered_set<Words> known_;
};

Context context_of(std::span<const Seen> yield, std::size_t most) {
    Context found;
    const auto gap = std::ranges::find(yield, true, &Seen::gap);
    for (auto at = yield.begin(); at != gap && found.left.size() < most; ++at) found.left.push_back(at->word);
    for (auto at = yield.end(); at != yield.begin() && found.right.size() < most;) {
        if ((--at)->gap) break;
        found.right.insert(found.right.begin(), at->word);
    }
    found.whole = gap == yield.end() && yield.size() <= most;
    return found;
}

struct NewEdge {
    EdgeId origin;
    std::vector<NodeId> tails;
    std::vector<double> statistics;
};

// The parts of a node: one for each context, with the edges that make it.
using Parts = std::map<Context, std::vector<NewEdge>>;

class Splitter {
  public:
    Splitter(const Forest& forest, const Matches& matches, std::size_t order, std::size_t most)
        : forest_(forest), matches_(matches), order_(order), most_(most) {
        mark();
        // A node whose words are left out is split apart from the same node where it speaks.
        for (NodeId node = 0; node <= forest.goal(); ++node) {
            for (const bool speaks : {false, true}) {
                if (needed_[speaks][node]) split(node, speaks);
            }
        }
    }

    NgramForest finish() {
        a_.symbols = forest_.arrays().symbols;
        a_.template_offsets = forest_.arrays().template_offsets;
        a_.goal = static_cast<NodeId>(a_.node_payloads.size() - 1);
        return {Forest(std::move(a_)), std::move(origins_), std::move(statistics_)};
    }

  private:
    // Which nodes a derivation of the goal needs, and whether their words are part of its yield.
    void mark() {
        for (auto& each : needed_) each.assign(forest_.nodes(), 0);
        needed_[1][forest_.goal()] = 1;
        for (NodeId node = forest_.goal() + 1; node-- > 0;) {
            for (const bool speaks : {false, true}) {
                if (!needed_[speaks][node]) continue;
                for (EdgeId edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge) {
                    const auto tails = forest_.tails(edge);
                    for (std::size_t t = 0; t < tails.size(); ++t) needed_[speaks && names(edge, t)][tails[t]] = 1;
                }
            }
        }
    }

    bool names(EdgeId edge, std::size_t tail) const {
        return std::ranges::find(forest_.symbols(edge), tail_symbol(tail)) != forest_.symbols(edge).end();
    }

    void split(NodeId node, bool speaks) {
        Parts parts;
        for (EdgeId edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge)
            combine(edge, speaks, parts);
        // The goal stays one node, whatever it says, and so does a node without derivations.
        if (parts.empty()) parts[{}] = {};
        if (node == forest_.goal()) {
            Parts one;
            for (auto& [context, edges] : parts) {
                for (NewEdge& edge : edges) one[{}].push_back(std::move(edge));
            }
            if (one.empty()) one[{}] = {};
            std::ranges::stable_sort(one[{}], {}, &NewEdge::origin);
            parts = std::move(one);
        }
        auto& range = parts_[{node, speaks}];
        for (auto& [context, edges] : parts) {
            range.push_back({context, static_cast<NodeId>(a_.node_payloads.size())});
            add(node, edges);
        }
    }

    // An edge once for every choice of contexts of its tails.
    void combine(EdgeId edge, bool speaks, Parts& parts) {
        const auto tails = forest_.tails(edge);
        std::vector<const std::vector<std::pair<Context, NodeId>>*> choices;
        for (std::size_t t = 0; t < tails.size(); ++t)
            choices.push_back(&parts_.at({tails[t], speaks && names(edge, t)}));
        std::vector<std::size_t> chosen(tails.size(), 0);
        for (bool more = true; more;) {
            listen_at<1024>(++made_);
            if (made_ > most_) throw Error("the forest would have too many edges; prune it first");
            NewEdge added{edge, {}, std::vector<double>(order_ + 1, 0.0)};
            for (std::size_t t = 0; t < tails.size(); ++t) added.tails.push_back((*choices[t])[chosen[t]].second);
            Context context;
            if (speaks) {
                const auto yield = yield_of(edge, choices, chosen);
                matches_.count(yield, added.statistics.data());
                context = context_of(yield, order_ - 1);
            }
            parts[context].push_back(std::move(added));
            more = false;
            for (std::size_t t = 0; t < tails.size() && !more; ++t) {
                more = ++chosen[t] < choices[t]->size();
                if (!more) chosen[t] = 0;
            }
        }
    }

    static void append(const Words& words, std::ptrdiff_t tail, std::vector<Seen>& yield) {
        for (const char32_t word : words) yield.push_back({word, tail, false});
    }

    std::vector<Seen> yield_of(EdgeId edge, std::span<const std::vector<std::pair<Context, NodeId>>* const> choices,
                               std::span<const std::size_t> chosen) const {
        std::vector<Seen> yield;
        for (const Symbol symbol : forest_.symbols(edge)) {
            if (!is_tail(symbol)) {
                yield.push_back({static_cast<char32_t>(symbol), -1, false});
                continue;
            }
            const std::size_t t = tail_of(symbol);
            const Context& context = (*choices[t])[chosen[t]].first;
            append(context.left, static_cast<std::ptrdiff_t>(t), yield);
            if (context.whole) continue;
            yield.push_back({0, static_cast<std::ptrdiff_t>(t), true});
            append(context.right, static_cast<std::ptrdiff_t>(t), yield);
        }
        return yield;
    }

    void add(NodeId node, const std::vector<NewEdge>& edges) {
        a_.node_payloads.push_back(forest_.node_payload(node));
        for (const NewEdge& edge : edges) {
            a_.tails.insert(a_.tails.end(), edge.tails.begin(), edge.tails.end());
            a_.tail_offsets.push_back(a_.tails.size());
            const auto ids = forest_.feature_ids(edge.origin);
            const auto values = forest_.feature_values(edge.origin);
            a_.feature_ids.insert(a_.feature_ids.end(), ids.begin(), ids.end());
            a_.feature_values.insert(a_.feature_values.end(), values.begin(), values.end());
            a_.feature_offsets.push_back(a_.feature_ids.size());
            a_.templates.push_back(forest_.arrays().templates[edge.origin]);
            a_.edge_payloads.push_back(forest_.edge_payload(edge.origin));
            origins_.push_back(edge.origin);
            statistics_.insert(statistics_.end(), edge.statistics.begin(), edge.statistics.end());
        }
        a_.edge_offsets.push_back(a_.templates.size());
    }

    const Forest& forest_;
    const Matches& matches_;
    std::size_t order_, most_, made_ = 0;
    std::vector<std::uint8_t> needed_[2];
    std::map<std::pair<NodeId, bool>, std::vector<std::pair<Context, NodeId>>> parts_;
    ForestArrays a_;
    std::vector<EdgeId> origins_;
    std::vector<double> statistics_;
};

}  // namespace

NgramForest ngram_forest(const Forest& forest, std::size_t order, std::span<const std::uint64_t> offsets,
                         std::span<const WordId> references, std::size_t most) {
    if (order < 1 || order > 16) throw Error("n-grams have 1 to 16 words");
    const Matches matches(order, offsets, references);
    return Splitter(forest, matches, order, most).finish();
}

}  // namespace pentaglot
