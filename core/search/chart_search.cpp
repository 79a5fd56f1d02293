#include "search/chart_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "search/chart_match.hpp"
#include "search/cube.hpp"

namespace pentaglot {

namespace {

class ChartSearch {
  public:
    ChartSearch(const Input& input, const RuleTable& table, const SearchModel& model, const ChartOptions& options,
                const SearchLimits& limits)
        : input_(input),
          table_(table),
          model_(model),
          options_(options),
          watch_(limits),
          ranked_(table, model, options.translations),
          pruner_(table, model, ranked_, graph_),
          cells_(input.nodes()),
          prefixes_(input.nodes()) {}

    SearchOutcome run() {
        start();
        const PatternTrie trie(table_, options_.max_span);
        ChartMatcher matcher(input_, trie, options_.max_span);
        matcher.run([this](auto from, auto to, auto matches, auto& labels) { fill(from, to, matches, labels); },
                    [this](auto to) { glue(to); });
        const std::uint32_t last = finish();
        return {graph_.forest(last, table_, model_, options_.whole_forest), watch_.was_exhausted(),
                graph_.items.size()};
    }

  private:
    std::uint32_t pop_limit() { return watch_.exhausted(graph_.items.size()) ? 1 : options_.pop_limit; }

    // The empty translation of nothing, after the beginning of the sentence.
    void start() {
        lm::ChartState state;
        if (model_.language != nullptr) {
            lm::ChartScorer scorer(*model_.language);
            scorer.begin_sentence();
            state = scorer.state();
        }
        prefixes_[0].push_back(pruner_.add_item(state));
        graph_.add_edge(prefixes_[0].front(), {});
    }

    std::span<const std::uint32_t> cell(const Cell& wanted) const {
        for (const auto& [label, items] : cells_[wanted.from][wanted.to - wanted.from]) {
            if (label == wanted.label) return items;
        }
        throw Error("a rule asks for a part of the chart that is not there");
    }

    void fill(std::uint32_t from, std::uint32_t to, std::span<const Match> matches,
              std::vector<std::uint32_t>& labels) {
        if (watch_.cancelled()) throw Error("the translation was cancelled");
        std::vector<std::uint32_t> wanted;
        for (const Match& match : matches) wanted.push_back(table_.left_labels[match.pattern]);
        std::sort(wanted.begin(), wanted.end());
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        auto& row = cells_[from];
        row.resize(std::max<std::size_t>(row.size(), to - from + std::size_t{1}));
        for (const std::uint32_t label : wanted) {
            std::vector<Cube> cubes;
            for (const Match& match : matches) {
                if (table_.left_labels[match.pattern] != label || ranked_.rules(match.pattern).empty()) continue;
                Cube cube;
                cube.rules = ranked_.rules(match.pattern);
                for (const Cell& gap : match.gaps) cube.tails[cube.tail_count++] = cell(gap);
                cubes.push_back(cube);
            }
            if (cubes.empty()) continue;
            auto made = pruner_.fill(cubes, pop_limit(), from, to);
            row[to - from].emplace_back(label, std::move(made));
            labels.push_back(label);
        }
    }

    // All ways to translate the input up to `to` by appending one more part. Any label will do.
    void glue(std::uint32_t to) {
        std::vector<Cube> cubes;
        for (std::uint32_t from = 0; from < to; ++from) {
            if (prefixes_[from].empty() || to - from >= cells_[from].size()) continue;
            for (const auto& [label, items] : cells_[from][to - from]) {
                Cube cube;
                cube.tails[0] = prefixes_[from];
                cube.tails[1] = items;
                cube.tail_count = 2;
                cubes.push_back(cube);
            }
        }
        if (!cubes.empty()) prefixes_[to] = pruner_.fill(cubes, pop_limit(), 0, to);
    }

    // Closes all translations of the whole input with the end of the sentence.
    std::uint32_t finish() {
        const auto& ends = prefixes_[input_.nodes() - 1];
        if (ends.empty()) throw Error("no rules cover the input");
        const std::uint32_t goal = graph_.add_item();
        for (const std::uint32_t end : ends) {
            SearchEdge closing;
            closing.origin = EdgeOrigin::finish;
            closing.end = static_cast<std::uint32_t>(input_.nodes() - 1);
            closing.tail_count = 1;
            closing.tails[0] = end;
            if (model_.language != nullptr) {
                lm::State after;
                closing.language = model_.language->score(pruner_.state(end).right, SpecialWord::end, after);
            }
            closing.score = graph_.items[end].score + model_.language_weight() * closing.language;
            graph_.add_edge(goal, closing);
        }
        return goal;
    }

    using LabelledItems = std::pair<std::uint32_t, std::vector<std::uint32_t>>;

    const Input& input_;
    const RuleTable& table_;
    const SearchModel& model_;
    ChartOptions options_;
    Watch watch_;
    RankedRules ranked_;
    SearchGraph graph_;
    CubePruner pruner_;
    std::vector<std::vector<std::vector<LabelledItems>>> cells_;  // [from][to - from], then by label
    std::vector<std::vector<std::uint32_t>> prefixes_;            // translations of the input up to each node
};

}  // namespace

SearchOutcome search_chart(const Input& input, const RuleTable& table, const SearchModel& model,
                           const ChartOptions& options, const SearchLimits& limits) {
    return ChartSearch(input, table, model, options, limits).run();
}

}  // namespace pentaglot
