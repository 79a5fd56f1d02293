#include "search/chart_search.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "search/chart_cells.hpp"
#include "search/chart_match.hpp"
#include "search/constrained_cubes.hpp"
#include "search/cube.hpp"
#include "search/growing_chart.hpp"

namespace pentaglot {

namespace {

class ChartSearch {
  public:
    ChartSearch(const Input& input, const RuleTable& table, const SearchModel& model, const ChartOptions& options,
                const SearchLimits& limits, const TargetAutomaton* automaton)
        : input_(input),
          table_(table),
          options_(options),
          watch_(limits),
          features_({model, table, input, Hypotheses::parts, watch_}),
          ranked_(table, model.weights, features_, ranked_translations(options.translations, automaton), watch_),
          graph_(features_),
          pruner_(table, features_, ranked_, static_cast<float>(model.weight(model.feature("glue"))), graph_, watch_),
          cells_(input.nodes()),
          prefixes_(input.nodes()) {
        if (automaton != nullptr)
            constrained_.emplace(table, ranked_, *automaton, options.translations, graph_, watch_);
    }

    SearchOutcome run() {
        prefixes_[0].push_back({0, {pruner_.add_start()}});
        ChartMatcher matcher(input_, table_, {options_.max_span, options_.min_gap});
        matcher.run(
            [this](auto from, auto to, auto analysis, auto matches) { return fill(from, to, analysis, matches); },
            [this](auto to) { glue(to); });
        if (!options_.labels.start.empty()) take_wholes();
        const auto last = finish();
        SearchOutcome outcome{std::nullopt, watch_.was_exhausted(), graph_.edges.size(), reached_};
        if (last) outcome.forest = graph_.forest(*last, table_, options_.whole_forest, watch_);
        return outcome;
    }

  private:
    // Translations of the input up to a node that have reached the same place of the automaton (0 without one).
    struct PrefixGroup {
        std::uint32_t place;
        std::vector<std::uint32_t> items;
    };

    std::uint32_t pop_limit() { return watch_.exhausted(graph_.edges.size()) ? 1 : options_.pop_limit; }

    GapGroups groups(const Cell& wanted) const {
        GapGroups found;
        for (const CellGroup& group : cells_.at(wanted.from, wanted.to)) {
            if (group.analysis == wanted.analysis) found.push_back(&group);
        }
        return found;
    }

    bool fill(std::uint32_t from, std::uint32_t to, Analysis analysis, std::span<const Match> matches) {
        watch_.check_cancelled();
        std::vector<CellGroup>& cell = cells_.fill(from, to);
        if (constrained_) return fill_constrained(from, to, analysis, matches, cell);
        const auto cubes = cubes_for(matches);
        if (cubes.empty()) return false;
        cell.push_back({analysis, Stretch::empty(), pruner_.fill(cubes, pop_limit(), from, to)});
        return true;
    }

    std::vector<Cube> cubes_for(std::span<const Match> matches) const {
        std::vector<Cube> cubes;
        for (const Match& match : matches) {
            if (ranked_.rules(match.pattern).empty()) continue;
            Cube cube;
            cube.rules = ranked_.rules(match.pattern);
            cube.input = match.input;
            for (const Cell& gap : match.gaps) cube.tails[cube.tail_count++] = groups(gap).front()->items;
            cubes.push_back(cube);
        }
        return cubes;
    }

    bool fill_constrained(std::uint32_t from, std::uint32_t to, Analysis analysis, std::span<const Match> matches,
                          std::vector<CellGroup>& cell) {
        constrained_->clear();
        for (const Match& match : matches) {
            std::vector<GapGroups> gaps;
            for (const Cell& gap : match.gaps) gaps.push_back(groups(gap));
            constrained_->add(match.pattern, gaps, match.input);
        }
        for (const auto& [stretch, cubes] : constrained_->cubes())
            cell.push_back({analysis, stretch, pruner_.fill(cubes, pop_limit(), from, to)});
        return !constrained_->cubes().empty();
    }

    // All ways to translate the input up to `to` by appending one more part.
    void glue(std::uint32_t to) {
        std::map<std::uint32_t, std::vector<Cube>> cubes;  // by place
        for (std::uint32_t from = 0; from < to; ++from) {
            watch_.check_cancelled();
            for (const PrefixGroup& prefix : prefixes_[from]) {
                for (const CellGroup& part : cells_.at(from, to)) {
                    if (!options_.labels.may_glue(part.analysis.label)) continue;
                    const std::uint32_t place = part.stretch.after(prefix.place);
                    if (place == TargetAutomaton::nowhere) continue;
                    cubes[place].push_back(appended(prefix, part, EdgeOrigin::glue));
                }
            }
        }
        add_prefixes(cubes, to);
    }

    // Takes parts that are a translation all by themselves.
    void take_wholes() {
        const auto last = static_cast<std::uint32_t>(input_.nodes() - 1);
        std::map<std::uint32_t, std::vector<Cube>> cubes;  // by place
        for (const CellGroup& part : cells_.at(0, last)) {
            const PrefixGroup& start = prefixes_[0].front();
            const std::uint32_t place = part.stretch.after(start.place);
            if (options_.labels.may_start(part.analysis.label) && place != TargetAutomaton::nowhere)
                cubes[place].push_back(appended(start, part, EdgeOrigin::whole));
        }
        add_prefixes(cubes, last);
    }

    static Cube appended(const PrefixGroup& prefix, const CellGroup& part, std::uint32_t origin) {
        Cube cube;
        cube.tails[0] = prefix.items;
        cube.tails[1] = part.items;
        cube.tail_count = 2;
        cube.origin = origin;
        return cube;
    }

    void add_prefixes(const std::map<std::uint32_t, std::vector<Cube>>& cubes, std::uint32_t to) {
        for (const auto& [place, group] : cubes) {
            prefixes_[to].push_back({place, pruner_.fill(group, pop_limit(), 0, to)});
            reached_ = std::max(reached_, place);
        }
    }

    // Closes all translations of the whole input with the end of the sentence; none if the automaton accepts none.
    std::optional<std::uint32_t> finish() {
        const auto& groups = prefixes_[input_.nodes() - 1];
        std::vector<std::uint32_t> ends;
        for (const PrefixGroup& group : groups) {
            if (!constrained_ || constrained_->automaton().accepts(group.place))
                ends.insert(ends.end(), group.items.begin(), group.items.end());
        }
        if (ends.empty()) {
            if (!constrained_) throw Error("no rules cover the input");
            return std::nullopt;
        }
        return pruner_.add_goal(ends, static_cast<std::uint32_t>(input_.nodes() - 1));
    }

    const Input& input_;
    const RuleTable& table_;
    ChartOptions options_;
    Watch watch_;
    FeatureSet features_;
    RankedRules ranked_;
    SearchGraph graph_;
    CubePruner pruner_;
    std::optional<ConstrainedCubes> constrained_;
    std::uint32_t reached_ = 0;
    ChartCells<CellGroup> cells_;
    std::vector<std::vector<PrefixGroup>> prefixes_;  // translations of the input up to each node
};

}  // namespace

SearchOutcome search_chart(const Input& input, const RuleTable& table, const SearchModel& model,
                           const ChartOptions& options, const SearchLimits& limits, const TargetAutomaton* automaton) {
    for (std::size_t pattern = 0; pattern < table.patterns() && !table.places.empty(); ++pattern) {
        if (table.is_apart(pattern)) {
            throw Error("the words of pattern " + std::to_string(pattern) +
                        " are not adjacent; only the stack search can use such rules");
        }
    }
    if (options.growing && automaton == nullptr) return grow_chart(input, table, model, options, limits);
    return ChartSearch(input, table, model, options, limits, automaton).run();
}

}  // namespace pentaglot
