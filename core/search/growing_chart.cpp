#include "search/growing_chart.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "search/chart_cells.hpp"
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
          options_(options),
          watch_(limits),
          features_({model, table, input, Hypotheses::parts, watch_}),
          ranked_(table, model.weights, features_, options.translations, watch_),
          grower_(table, features_, ranked_, static_cast<float>(model.weight(model.feature("glue"))), options.pop_limit,
                  watch_),
          cells_(input.nodes()),
          prefixes_(input.nodes(), none) {}

    SearchOutcome run() {
        prefixes_[0] = grower_.add_start();
        ChartMatcher matcher(input_, table_, {options_.max_span, options_.min_gap});
        matcher.run(
            [this](auto from, auto to, auto analysis, auto matches) { return fill(from, to, analysis, matches); },
            [this](auto to) { glue(to); });
        const std::uint32_t last = prefixes_.back();
        if (last == none) throw Error("no rules cover the input");
        GrowthEdge closing;
        closing.origin = EdgeOrigin::finish;
        closing.tails[0] = last;
        closing.tail_count = 1;
        closing.end = static_cast<std::uint32_t>(input_.nodes() - 1);
        grower_.add_edge(grower_.add_node(), closing);
        SearchGraph graph(features_);
        const auto goal = grower_.grow(options_.whole_forest, graph);
        if (!goal) throw Error("no rules cover the input");
        return {graph.forest(*goal, table_, options_.whole_forest, watch_), watch_.was_exhausted(), grower_.made(), 0};
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;
    using AnalysedNode = std::pair<Analysis, std::uint32_t>;

    std::uint32_t known(const Cell& wanted) const {
        const auto cell = cells_.at(wanted.from, wanted.to);
        return std::find_if(cell.begin(), cell.end(), [&](auto& each) { return each.first == wanted.analysis; })
            ->second;
    }

    bool fill(std::uint32_t from, std::uint32_t to, Analysis analysis, std::span<const Match> matches) {
        watch_.must_stop(grower_.made());
        std::uint32_t number = none;
        for (const Match& match : matches) {
            GrowthEdge edge;
            edge.rules = ranked_.rules(match.pattern);
            if (edge.rules.empty()) continue;
            edge.input = match.input;
            for (const Cell& gap : match.gaps) edge.tails[edge.tail_count++] = known(gap);
            edge.begin = from;
            edge.end = to;
            if (number == none) number = grower_.add_node();
            grower_.add_edge(number, edge);
        }
        if (number != none) cells_.fill(from, to).emplace_back(analysis, number);
        return number != none;
    }

    // All ways to translate the input up to `to` by appending one more part, and what is a translation by itself.
    void glue(std::uint32_t to) {
        for (std::uint32_t from = 0; from < to; ++from) {
            if (prefixes_[from] == none) continue;
            for (const auto& [analysis, number] : cells_.at(from, to)) {
                if (options_.labels.may_glue(analysis.label)) append(from, to, number, EdgeOrigin::glue);
                if (from == 0 && to + std::size_t{1} == input_.nodes() && options_.labels.may_start(analysis.label))
                    append(from, to, number, EdgeOrigin::whole);
            }
        }
    }

    void append(std::uint32_t from, std::uint32_t to, std::uint32_t part, std::uint32_t origin) {
        GrowthEdge edge;
        edge.origin = origin;
        edge.tails = {prefixes_[from], part};
        edge.tail_count = 2;
        edge.end = to;
        if (prefixes_[to] == none) prefixes_[to] = grower_.add_node();
        grower_.add_edge(prefixes_[to], edge);
    }

    const Input& input_;
    const RuleTable& table_;
    ChartOptions options_;
    Watch watch_;
    FeatureSet features_;
    RankedRules ranked_;
    CubeGrower grower_;
    ChartCells<AnalysedNode> cells_;
    std::vector<std::uint32_t> prefixes_;  // nodes of the translations up to each input node
};

}  // namespace

SearchOutcome grow_chart(const Input& input, const RuleTable& table, const SearchModel& model,
                         const ChartOptions& options, const SearchLimits& limits) {
    return GrowingChart(input, table, model, options, limits).run();
}

}  // namespace pentaglot
