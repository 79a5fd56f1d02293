#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "forest/forest.hpp"
#include "rules/rule_table.hpp"
#include "search/input.hpp"
#include "search/limits.hpp"
#include "search/model.hpp"

namespace pentaglot {

// What the hypotheses of a search are: parts of translations, which are joined in any way (chart), or beginnings of
// translations, to which phrases are appended (stacks). A beginning needs a state for its right side only.
enum class Hypotheses : std::uint8_t { parts, beginnings };

// What makes a hypothesis, and what an edge of a searched forest stands for.
struct EdgeOrigin {
    static constexpr std::uint32_t glue = UINT32_MAX;
    static constexpr std::uint32_t start = UINT32_MAX - 1;
    static constexpr std::uint32_t finish = UINT32_MAX - 2;
    static constexpr std::uint32_t whole = UINT32_MAX - 3;  // one part is all of a translation, by its label
    // Every other value is the number of a rule in the table.
    static bool is_rule(std::uint32_t origin) { return origin < whole; }
};

// A part of the input: between two nodes, with the scores of its words.
struct InputPart {
    std::uint32_t begin = 0, end = 0;
    float score = 0;
};

// How a hypothesis is made of others, its tails.
struct HypothesisStep {
    std::uint32_t rule;               // in the table; or see EdgeOrigin
    std::span<const Symbol> symbols;  // words and tails, in target order; only words when they are appended
    InputPart input;         // of the whole (chart) or of the phrase (stacks); the score is that of the rule's words
    InputPart last;          // stacks: that of the phrase before
    std::uint32_t jump = 0;  // stacks: how many words lie between the two
    // Stacks: the places of the phrase's words, if they are not adjacent; otherwise it has all words of `input`, which
    // in either case reaches from its first word to its last.
    std::span<const std::uint32_t> places{};

    // Parts are joined by a rule or by glue.
    static HypothesisStep joining(const RuleTable& table, std::uint32_t origin, const InputPart& input) {
        static constexpr std::array<Symbol, 2> glued{tail_symbol(0), tail_symbol(1)};
        const bool rule = EdgeOrigin::is_rule(origin);
        return {origin, rule ? table.target(origin) : std::span<const Symbol>(glued), input, {}};
    }
    // The whole input, up to its last node, is translated.
    static HypothesisStep finishing(std::uint32_t last_node) {
        return {EdgeOrigin::finish, {}, {last_node, last_node}, {}};
    }
};

// A feature's states of the tails of a step.
class Tails {
  public:
    Tails(const std::byte* const* states, std::size_t offset) : states_(states), offset_(offset) {}
    const std::byte* operator[](std::size_t tail) const { return states_[tail] + offset_; }

  private:
    const std::byte* const* states_;
    std::size_t offset_;
};

// States are bytes; this is how a feature sees its own. The type has no padding and is aligned to 4 or 8.
template <typename State>
const State& state_at(const std::byte* bytes) {
    static_assert(std::is_trivially_copyable_v<State> && alignof(State) <= 8);
    return *reinterpret_cast<const State*>(bytes);
}
template <typename State>
void put_state(std::byte* bytes, const State& state) {
    static_assert(std::is_trivially_copyable_v<State> && alignof(State) <= 8);
    std::memcpy(bytes, &state, sizeof(State));
}

// A feature that cannot be read off a rule: it looks at where rules meet. Hypotheses that it must tell apart have
// different states; those whose states are equal, byte by byte, may become one. One object serves one search.
//
// Every score below is weighted, and the search adds it up. A feature fills all of `state`, the state of the hypothesis
// that is made, and all of `values`, one for each of ids().
class StatefulFeature {
  public:
    StatefulFeature() = default;
    StatefulFeature(const StatefulFeature&) = delete;
    StatefulFeature& operator=(const StatefulFeature&) = delete;
    virtual ~StatefulFeature() = default;

    // Bytes of a state, and the features that the values belong to.
    virtual std::size_t state_size() const { return 0; }
    virtual std::span<const FeatureId> ids() const { return {}; }

    // The state of the beginning of a sentence, where nothing is said yet.
    virtual void begin(std::byte* /*state*/) const {}
    // Parts are joined by a rule, or by glue.
    virtual float join(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const = 0;
    // A phrase is appended to a beginning, the only tail.
    virtual float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const = 0;
    // A translation, the only tail, is complete. All values are 0 already.
    virtual float finish(const HypothesisStep& /*step*/, const Tails& /*tails*/, float* /*values*/) const { return 0; }

    // Estimates, for what must be ranked before the feature can be computed: of a rule in any context, and of a part of
    // the input by whatever rule.
    virtual float estimate(std::uint32_t /*rule*/) const { return 0; }
    virtual float estimate(const InputPart& /*part*/) const { return 0; }
    // The part of a score that is cheap to compute when a step is first considered, beyond the estimate for its rule.
    // Called only if foresees().
    virtual bool foresees() const { return false; }
    virtual float foresee(const HypothesisStep& /*step*/, const Tails& /*tails*/) const { return 0; }

    // Further values, of any features, for steps that are kept; called only if has_sparse_values(). `finishes`: the
    // step completes a translation.
    virtual bool has_sparse_values() const { return false; }
    virtual void add_sparse_values(const HypothesisStep& /*step*/, const Tails& /*tails*/, bool /*finishes*/,
                                   std::vector<FeatureValue>& /*found*/) const {}
};

using FeatureList = std::vector<std::unique_ptr<const StatefulFeature>>;

// What features are made from.
struct FeatureContext {
    const SearchModel& model;
    const RuleTable& table;
    const Input& input;
    Hypotheses hypotheses;
    const Watch& watch;

    float weight(FeatureId id) const { return static_cast<float>(model.weight(id)); }
};

}  // namespace pentaglot
