#include "search/stack_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "search/coverage.hpp"
#include "search/feature_set.hpp"
#include "search/jumps.hpp"
#include "search/path_plans.hpp"
#include "search/phrase_choices.hpp"
#include "search/phrase_lattice.hpp"
#include "search/rows.hpp"
#include "search/stack_candidates.hpp"

namespace pentaglot {

namespace {

template <typename Covered>
class StackSearch {
    using Situation = pentaglot::Situation<Covered>;

  public:
    StackSearch(const Input& input, const RuleTable& table, const SearchModel& model, const StackOptions& options,
                const SearchLimits& limits, const TargetAutomaton* automaton)
        : input_(input),
          table_(table),
          options_(options),
          watch_(limits),
          features_({model, table, input, Hypotheses::beginnings, watch_}),
          ranked_(table, model.weights, features_, ranked_translations(options.translations, automaton), watch_),
          phrases_(input, table, features_, ranked_, options.max_span,
                   ranked_translations(options.translations, automaton), options.labels, watch_),
          plans_(input, options.distortion_limit),
          jumps_(input, plans_, options.distortion_limit),
          choices_(table, phrases_, automaton, options.translations),
          graph_(features_),
          states_(features_.state_size()),
          rows_(features_.row_size()),
          incoming_((phrases_.positions() + 1) * choices_.places()),
          stacks_((phrases_.positions() + 1) * choices_.places()) {
        for (const PhraseGroup& option : phrases_.options())
            covers_.push_back(option.places.empty() ? Covered::range(option.begin, option.end)
                                                    : Covered::of(option.places));
    }

    SearchOutcome run() {
        situations_.emplace_back();
        features_.begin(states_.at(states_.add()));
        stacks_[0].push_back(graph_.add_item());
        graph_.add_start(stacks_[0].front());
        // Phrases cover at least one word, so what comes later never leads back.
        for (std::size_t number = 0; number < stacks_.size(); ++number) {
            watch_.check_cancelled();
            if (number > 0) fill(number);
            extend(number);
        }
        const auto goal = finish();
        SearchOutcome outcome{std::nullopt, watch_.was_exhausted(), graph_.edges.size(), reached_};
        if (goal) outcome.forest = graph_.forest(*goal, table_, options_.whole_forest, watch_);
        return outcome;
    }

  private:
    std::uint32_t add(const Situation& situation, const std::byte* state) {
        situations_.push_back(situation);
        std::memcpy(states_.at(states_.add()), state, features_.state_size());
        return graph_.add_item();
    }

    // Of hypotheses in the same stack.
    static bool same(const Situation& one, const Situation& other) {
        return one.covered == other.covered && one.end == other.end && one.plan == other.plan &&
               one.end_word == other.end_word;
    }

    // Whether words that no phrase covers alone can still be translated, which the estimate of future costs does not
    // tell.
    bool leaves_a_way(const Covered& covered) const {
        const auto free = [&](std::size_t option) { return !covered.overlaps(covers_[option]); };
        return std::ranges::all_of(phrases_.scarce(), [&](const ScarceWord& word) {
            return covered.has(word.position) || std::ranges::any_of(word.options, free);
        });
    }

    // How a group's hypotheses may go on with a phrase.
    template <typename Offer>
    void each_way(const Situation& group, const PhraseGroup& option, const Covered& cover, const Offer& offer) {
        if (input_.is_chain()) {
            const PathPlans::Way way{option.begin, option.end};
            if (option.places.empty() ? jumps_.allowed(group, way) : jumps_.allowed_apart(group, way, cover))
                offer(way);
            return;
        }
        plans_.ways(group.plan, option.begin, option.end, option.words, ways_);
        for (const PathPlans::Way& way : ways_) {
            if (jumps_.allowed(group, way)) offer(way);
        }
    }

    // Offers the hypotheses of a finished stack to all phrases that may follow them.
    void extend(std::size_t number) {
        auto& stack = stacks_[number];
        const auto where = [](const Situation& each) {
            return std::tuple(each.begin, each.end, each.plan, each.end_word);
        };
        // Groups of equal coverage and last phrase; within a group the better comes first.
        std::sort(stack.begin(), stack.end(), [&](std::uint32_t one, std::uint32_t other) {
            const Situation &a = situations_[one], &b = situations_[other];
            if (a.covered != b.covered) return a.covered < b.covered;
            if (where(a) != where(b)) return where(a) < where(b);
            const float x = graph_.items[one].score, y = graph_.items[other].score;
            return x != y ? x > y : one < other;
        });
        for (std::size_t first = 0, last = 0; first < stack.size(); first = last) {
            const Situation& group = situations_[stack[first]];
            for (last = first; last < stack.size(); ++last) {
                const Situation& other = situations_[stack[last]];
                if (other.covered != group.covered || where(other) != where(group)) break;
            }
            watch_.check_cancelled();
            extend_group(group, number / choices_.places(), std::span(stack).subspan(first, last - first));
        }
    }

    void extend_group(const Situation& group, std::size_t covered, std::span<const std::uint32_t> hypotheses) {
        for (std::size_t at = 0; at < covers_.size(); ++at) {
            if (group.covered.overlaps(covers_[at])) continue;
            const PhraseGroup& option = phrases_.options()[at];
            each_way(group, option, covers_[at], [&](const PathPlans::Way& way) {
                const Covered both = group.covered | covers_[at];
                const float future = phrases_.future(both);
                if (future == -std::numeric_limits<float>::infinity() || !leaves_a_way(both)) return;
                const auto plan = plans_.after(group.plan, option.begin, option.end, way);
                for (const auto& [place, rules] : choices_.from(option, group.place)) {
                    incoming_[(covered + option.covered()) * choices_.places() + place].push_back(
                        {hypotheses, &option, rules, way.end, plan, group.begin, group.end, jumps_.length(group, way),
                         future});
                }
            });
        }
    }

    HypothesisStep step(const Extension& extension, std::uint32_t rule) const {
        const PhraseGroup& options = *extension.options;
        return {rule,
                table_.target(rule),
                {options.begin, options.end, options.input},
                {extension.last_begin, extension.last_end},
                extension.jump,
                options.places};
    }

    void push(std::vector<StackCandidate>& heap, std::uint32_t number, std::uint32_t hypothesis,
              std::uint32_t option) const {
        const Extension& extension = extensions_[number];
        if (hypothesis >= extension.hypotheses.size() || option >= extension.rules.size()) return;
        const std::uint32_t item = extension.hypotheses[hypothesis], rule = extension.rules[option];
        const float guess = features_.foresee(step(extension, rule), {states_.at(item)},
                                              graph_.items[item].score + ranked_.estimate(rule));
        heap.push_back({guess + extension.future, 0, number, hypothesis, option, unscored});
        std::push_heap(heap.begin(), heap.end(), lower);
    }

    void fill(std::size_t number) {
        extensions_ = std::move(incoming_[number]);
        if (extensions_.empty()) return;
        place_ = static_cast<std::uint32_t>(number % choices_.places());
        const std::uint32_t pops = watch_.exhausted(graph_.edges.size()) ? 1 : options_.pop_limit;
        std::vector<StackCandidate> heap;
        std::vector<std::uint32_t> slots(std::bit_ceil<std::size_t>(4 * std::size_t{std::min(pops, 1U << 10U)} + 16),
                                         SearchEdge::none);
        for (std::uint32_t extension = 0; extension < extensions_.size(); ++extension) push(heap, extension, 0, 0);
        for (std::uint32_t popped = 0; !heap.empty() && popped < pops;) {
            std::pop_heap(heap.begin(), heap.end(), lower);
            StackCandidate best = heap.back();
            heap.pop_back();
            const Extension& extension = extensions_[best.extension];
            const std::uint32_t hypothesis = extension.hypotheses[best.hypothesis], rule = extension.rules[best.option];
            if (best.row == unscored) {
                // Each combination has one predecessor: the phrase before with the same hypothesis or, for the first
                // phrase, the hypothesis before.
                push(heap, best.extension, best.hypothesis, best.option + 1);
                if (best.option == 0) push(heap, best.extension, best.hypothesis + 1, 0);
                best.row = rows_.take();
                best.score = features_.append(step(extension, rule), {states_.at(hypothesis)}, rows_.at(best.row),
                                              graph_.items[hypothesis].score + ranked_.score(rule));
                best.priority = best.score + extension.future;
                if (!heap.empty() && lower(best, heap.front())) {
                    heap.push_back(best);
                    std::push_heap(heap.begin(), heap.end(), lower);
                    continue;
                }
            }
            ++popped;
            accept(extension, hypothesis, rule, best, slots, stacks_[number]);
            if (popped % Watch::interval == 0 && watch_.must_stop(graph_.edges.size())) break;
        }
        for (const StackCandidate& left : heap) {
            if (left.row != unscored) rows_.give_back(left.row);
        }
        prune(stacks_[number]);
        reached_ = std::max(reached_, place_);
    }

    void accept(const Extension& extension, std::uint32_t hypothesis, std::uint32_t rule,
                const StackCandidate& candidate, std::vector<std::uint32_t>& slots, std::vector<std::uint32_t>& stack) {
        Situation next;
        next.covered = situations_[hypothesis].covered |
                       covers_[static_cast<std::size_t>(extension.options - phrases_.options().data())];
        next.begin = extension.options->begin;
        next.end = extension.options->end;
        next.end_word = extension.end_word;
        next.plan = extension.plan;
        next.place = place_;

        SearchEdge edge;
        edge.origin = rule;
        edge.begin = next.begin;
        edge.end = next.end;
        edge.tail_count = 1;
        edge.tails[0] = hypothesis;
        edge.appends = true;
        edge.score = candidate.score;
        if (features_.has_sparse_values()) {
            sparse_.clear();
            features_.add_sparse_values(step(extension, rule), {states_.at(hypothesis)}, false, sparse_);
        }
        const std::byte* const row = rows_.at(candidate.row);
        graph_.add_edge(item_with(next, row, slots, stack), edge, features_.values_of(row), sparse_);
        rows_.give_back(candidate.row);
    }

    std::uint32_t item_with(const Situation& wanted, const std::byte* state, std::vector<std::uint32_t>& slots,
                            std::vector<std::uint32_t>& stack) {
        if (2 * (stack.size() + 1) > slots.size()) {
            slots.assign(2 * slots.size(), SearchEdge::none);
            for (const std::uint32_t known : stack) slots[place(situations_[known], states_.at(known), slots)] = known;
        }
        std::uint32_t& slot = slots[place(wanted, state, slots)];
        if (slot == SearchEdge::none) {
            slot = add(wanted, state);
            stack.push_back(slot);
        }
        return slot;
    }

    std::size_t place(const Situation& wanted, const std::byte* state, const std::vector<std::uint32_t>& slots) const {
        const std::size_t mask = slots.size() - 1;
        const std::uint64_t end = std::uint64_t{wanted.end} ^ (std::uint64_t{wanted.plan} << 20U);
        std::size_t at = (wanted.covered.hash() ^ features_.hash(state) ^ (end * 0x9E3779B97F4A7C15ULL)) & mask;
        while (slots[at] != SearchEdge::none &&
               !(same(situations_[slots[at]], wanted) && features_.same(states_.at(slots[at]), state)))
            at = (at + 1) & mask;
        return at;
    }

    void prune(std::vector<std::uint32_t>& stack) const {
        std::vector<std::pair<float, std::uint32_t>> ranked;
        for (const std::uint32_t item : stack) {
            ranked.emplace_back(-(graph_.items[item].score + phrases_.future(situations_[item].covered)), item);
        }
        std::sort(ranked.begin(), ranked.end());
        stack.clear();
        for (const auto& [cost, item] : ranked) {
            if (stack.size() >= options_.stack_size ||
                (options_.threshold > 0 && cost > ranked.front().first + options_.threshold))
                break;
            stack.push_back(item);
        }
    }

    // Closes all translations of the whole input with the end of the sentence; none if the automaton accepts none.
    std::optional<std::uint32_t> finish() {
        std::vector<std::uint32_t> last;
        for (std::uint32_t place = 0; place < choices_.places(); ++place) {
            const auto& stack = stacks_[phrases_.positions() * choices_.places() + place];
            if (choices_.accepts(place)) last.insert(last.end(), stack.begin(), stack.end());
        }
        if (last.empty()) {
            if (!choices_.constrained()) throw Error("no phrases cover the input");
            return std::nullopt;
        }
        const std::uint32_t goal = graph_.add_item();
        std::byte* const row = rows_.at(rows_.take());
        for (const std::uint32_t hypothesis : last) {
            SearchEdge edge = SearchEdge::closing(hypothesis, phrases_.positions());
            HypothesisStep step = HypothesisStep::finishing(edge.end);
            step.last = {situations_[hypothesis].begin, situations_[hypothesis].end};
            const FeatureSet::TailStates tails{states_.at(hypothesis)};
            edge.score = features_.finish(step, tails, row, graph_.items[hypothesis].score);
            sparse_.clear();
            features_.add_sparse_values(step, tails, true, sparse_);
            graph_.add_edge(goal, edge, features_.values_of(row), sparse_);
        }
        return goal;
    }

    const Input& input_;
    const RuleTable& table_;
    StackOptions options_;
    Watch watch_;
    FeatureSet features_;
    RankedRules ranked_;
    PhraseLattice phrases_;
    std::vector<Covered> covers_;  // of the phrases
    PathPlans plans_;
    Jumps<Covered> jumps_;
    std::vector<PathPlans::Way> ways_;
    PhraseChoices choices_;
    SearchGraph graph_;
    std::vector<Situation> situations_;  // by item
    Rows states_;                        // by item
    RowPool rows_;                       // of candidates
    std::vector<FeatureValue> sparse_;   // of the edge at hand
    // By number of covered positions, then by place of the automaton.
    std::vector<std::vector<Extension>> incoming_;
    std::vector<std::vector<std::uint32_t>> stacks_;
    std::vector<Extension> extensions_;  // into the stack that is being filled
    std::uint32_t place_ = 0;            // of that stack
    std::uint32_t reached_ = 0;
};

}  // namespace

SearchOutcome search_stacks(const Input& input, const RuleTable& table, const SearchModel& model,
                            const StackOptions& options, const SearchLimits& limits, const TargetAutomaton* automaton) {
    // Most inputs are short, and a search is faster with smaller sets.
    const std::size_t positions = input.nodes() - 1;
    if (positions <= 256) return StackSearch<Coverage<256>>(input, table, model, options, limits, automaton).run();
    using Wide = Coverage<4096>;
    if (positions <= Wide::most) return StackSearch<Wide>(input, table, model, options, limits, automaton).run();
    throw Error("an input of " + std::to_string(positions) + " places is too long for phrase reordering; split it at " +
                std::to_string(Wide::most));
}

}  // namespace pentaglot
