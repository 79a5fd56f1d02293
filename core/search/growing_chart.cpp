#include "search/growing_chart.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "search/chart_match.hpp"
#include "search/cube_grower.hpp"

namespace pentaglot {

namespace {

class GrowingChart {
  public:
    GrowingChart(const Input& input, const RuleTable& table, const SearchModel& model, const ChartOptions& options,
                 const SearchLimits& limits)
        : input_(input),
          table_(table),
          model_(model),
          options_(options),
          watch_(limits),
          ranked_(table, model, options.translations),
          grower_(table, model, ranked_, options.pop_limit, watch_),
          cells_(input.nodes()),
          prefixes_(input.nodes(), none) {}

    SearchOutcome run() {
        start();
        const PatternTrie trie(table_, options_.max_span);
        ChartMatcher matcher(input_, trie, options_.max_span);
        matcher.run([this](auto from, auto to, auto matches, auto& labels) { fill(from, to, matches, labels); },
                    [this](auto to) { glue(to); });
        const std::uint32_t last = prefixes_.back();
        if (last == none) throw Error("no rules cover the input");
        GrowthEdge closing;
        closing.origin = EdgeOrigin::finish;
        closing.tails[0] = last;
        closing.tail_count = 1;
        closing.end = static_cast<std::uint32_t>(input_.nodes() - 1);
        grower_.add_edge(grower_.add_node(), closing);
        SearchGraph graph;
        const auto goal = grower_.grow(options_.whole_forest, graph);
        if (!goal) throw Error("no rules cover the input");
        return {graph.forest(*goal, table_, model_, options_.whole_forest), watch_.was_exhausted(), grower_.made(), 0};
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;
    using LabelledNode = std::pair<std::uint32_t, std::uint32_t>;

    void start() {
        lm::ChartState state;
        if (model_.language != nullptr) {
            lm::ChartScorer scorer(*model_.language);
            scorer.begin_sentence();
            state = scorer.state();
        }
        prefixes_[0] = grower_.add_start(state);
    }

    std::uint32_t node(std::vector<LabelledNode>& cell, std::uint32_t label) {
        for (const auto& [known, number] : cell) {
            if (known == label) return number;
        }
        cell.emplace_back(label, grower_.add_node());
        return cell.back().second;
    }

    void fill(std::uint32_t from, std::uint32_t to, std::span<const Match> matches,
              std::vector<std::uint32_t>& labels) {
        watch_.must_stop(grower_.made());
        auto& row = cells_[from];
        row.resize(std::max<std::size_t>(row.size(), to - from + std::size_t{1}));
        for (const Match& match : matches) {
            GrowthEdge edge;
            edge.rules = ranked_.rules(match.pattern);
            if (edge.rules.empty()) continue;
            for (const std::uint32_t word : match.words) edge.input += input_.words()[word].score;
            for (const Cell& gap : match.gaps)
                edge.tails[edge.tail_count++] = node(cells_[gap.from][gap.to - gap.from], gap.label);
            edge.begin = from;
            edge.end = to;
            grower_.add_edge(node(row[to - from], table_.left_labels[match.pattern]), edge);
        }
        for (const auto& [label, number] : row[to - from]) labels.push_back(label);
    }

    // All ways to translate the input up to `to` by appending one more part. Any label will do.
    void glue(std::uint32_t to) {
        for (std::uint32_t from = 0; from < to; ++from) {
            if (prefixes_[from] == none || to - from >= cells_[from].size()) continue;
            for (const auto& [label, number] : cells_[from][to - from]) {
                GrowthEdge edge;
                edge.tails = {prefixes_[from], number};
                edge.tail_count = 2;
                edge.end = to;
                if (prefixes_[to] == none) prefixes_[to] = grower_.add_node();
                grower_.add_edge(prefixes_[to], edge);
            }
        }
    }

    const Input& input_;
    const RuleTable& table_;
    const SearchModel& model_;
    ChartOptions options_;
    Watch watch_;
    RankedRules ranked_;
    CubeGrower grower_;
    std::vector<std::vector<std::vector<LabelledNode>>> cells_;  // [from][to - from]
    std::vector<std::uint32_t> prefixes_;                        // nodes of the translations up to each input node
};

}  // namespace

SearchOutcome grow_chart(const Input& input, const RuleTable& table, const SearchModel& model,
                         const ChartOptions& options, const SearchLimits& limits) {
    return GrowingChart(input, table, model, options, limits).run();
}

}  // namespace pentaglot
