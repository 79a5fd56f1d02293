#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "search/features/feature.hpp"
#include "search/precedence_costs.hpp"

namespace pentaglot {

// How far a translation goes against the expected order of the input words, as a cost (0 or below). The input says how
// likely each word is to be translated before each other one; a pair that is translated in the less likely order costs
// the difference of the two chances. Only pairs of words of different phrases (stacks), or of a gap and another gap or
// a linked word of a rule (chart), count: the order inside a phrase was seen in the training text.
class ExpectedPrecedence : public StatefulFeature {
  public:
    static void make(const FeatureContext& context, FeatureList& list) {
        const FeatureId id = context.model.feature("precedence");
        if (id != no_feature && !context.input.layers().precedence.empty())
            list.push_back(std::make_unique<ExpectedPrecedence>(context, id));
    }
    ExpectedPrecedence(const FeatureContext& context, FeatureId id)
        : table_(context.table),
          words_(context.input.words().size()),
          stacks_(context.hypotheses == Hypotheses::beginnings),
          ids_{id},
          weight_(context.weight(id)),
          costs_(context.input.layers().precedence, words_) {
        if (stacks_) return;
        pattern_of_.resize(table_.rules());
        for (std::uint32_t pattern = 0; pattern < table_.patterns(); ++pattern) {
            std::fill(pattern_of_.begin() + table_.rule_offsets[pattern],
                      pattern_of_.begin() + table_.rule_offsets[pattern + 1], pattern);
        }
    }

    // Stacks: which words are translated, one bit each. Chart: the first word of a part, and the one after its last.
    std::size_t state_size() const override { return stacks_ ? 8 * std::max<std::size_t>(blocks(), 1) : sizeof(Part); }
    std::span<const FeatureId> ids() const override { return ids_; }
    void begin(std::byte* state) const override { std::memset(state, 0, state_size()); }

    float join(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        put_state(state, Part{step.input.begin, step.input.end});
        values[0] = joined(step, tails);
        return weight_ * values[0];
    }
    float append(const HypothesisStep& step, const Tails& tails, std::byte* state, float* values) const override {
        values[0] = appended(step, tails[0]);
        std::memcpy(state, tails[0], state_size());
        each_place(step, [&](std::size_t place) {
            std::uint64_t block = block_of(state, place / 64) | (std::uint64_t{1} << (place % 64));
            std::memcpy(state + place / 64 * 8, &block, 8);
        });
        return weight_ * values[0];
    }
    bool foresees() const override { return true; }
    float foresee(const HypothesisStep& step, const Tails& tails) const override {
        return weight_ * (stacks_ ? appended(step, tails[0]) : joined(step, tails));
    }

  private:
    using Part = PrecedenceCosts::Part;
    // A symbol of a rule: the words that it stands for, and its place in the translation.
    struct Placed {
        Part part;
        double place;
        bool gap;
    };

    std::size_t blocks() const { return (words_ + 63) / 64; }
    static std::uint64_t block_of(const std::byte* state, std::size_t block) {
        std::uint64_t bits;
        std::memcpy(&bits, state + 8 * block, 8);
        return bits;
    }
    static bool has(const std::byte* state, std::size_t place) {
        return ((block_of(state, place / 64) >> (place % 64)) & 1U) != 0;
    }
    template <typename Visit>
    static void each_place(const HypothesisStep& step, const Visit& visit) {
        if (step.places.empty()) {
            for (std::uint32_t place = step.input.begin; place < step.input.end; ++place) visit(place);
        } else {
            for (const std::uint32_t place : step.places) visit(place);
        }
    }

    // The words of the phrase come before all that are not yet translated.
    float appended(const HypothesisStep& step, const std::byte* translated) const {
        double sum = 0.0;
        const auto belongs = [&](std::uint32_t place) {
            return step.places.empty() ? step.input.begin <= place && place < step.input.end
                                       : std::ranges::binary_search(step.places, place);
        };
        const auto left = [&](std::uint32_t place) { return !has(translated, place) && !belongs(place); };
        const auto count = static_cast<std::uint32_t>(words_);
        for (std::uint32_t from = 0, to = 0; from < count; from = to + 1) {
            for (to = from; to < count && left(to); ++to) {
            }
            if (from == to) continue;
            if (step.places.empty()) {
                sum += costs_.cost({step.input.begin, step.input.end}, {from, to});
            } else {
                for (const std::uint32_t place : step.places) sum += costs_.cost({place, place + 1}, {from, to});
            }
        }
        return static_cast<float>(0.0 - sum);
    }

    float joined(const HypothesisStep& step, const Tails& tails) const {
        if (!EdgeOrigin::is_rule(step.rule))
            return static_cast<float>(0.0 - costs_.cost(state_at<Part>(tails[0]), state_at<Part>(tails[1])));
        if (std::ranges::none_of(step.symbols, is_tail)) return 0;
        const auto symbols = placed(step, tails);
        double sum = 0.0;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            for (std::size_t j = i + 1; j < symbols.size(); ++j) {
                const Placed &one = symbols[i], &other = symbols[j];
                if (!one.gap && !other.gap) continue;
                if (one.place < other.place) sum += costs_.cost(one.part, other.part);
                if (other.place < one.place) sum += costs_.cost(other.part, one.part);
            }
        }
        return static_cast<float>(0.0 - sum);
    }

    // The gaps of a rule and its linked words. A word with several links has their average place.
    std::vector<Placed> placed(const HypothesisStep& step, const Tails& tails) const {
        std::vector<Placed> found;
        const auto source = table_.source(pattern_of_[step.rule]);
        const auto target = table_.target(step.rule);
        std::uint32_t at = step.input.begin;
        std::size_t gap = 0;
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (is_tail(source[i])) {
                const Part& part = state_at<Part>(tails[gap]);
                const auto place = std::find(target.begin(), target.end(), tail_symbol(gap)) - target.begin();
                found.push_back({part, static_cast<double>(place), true});
                at = part.end;
                ++gap;
                continue;
            }
            double sum = 0.0, links = 0.0;
            for (const RuleLink& link : table_.links_of(step.rule)) {
                if (link.source != i) continue;
                sum += link.target;
                links += 1.0;
            }
            if (links > 0.0) found.push_back({{at, at + 1}, sum / links, false});
            ++at;
        }
        return found;
    }

    const RuleTable& table_;
    std::size_t words_;
    bool stacks_;
    std::array<FeatureId, 1> ids_;
    float weight_;
    PrecedenceCosts costs_;
    std::vector<std::uint32_t> pattern_of_;
};

}  // namespace pentaglot
