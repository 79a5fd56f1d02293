#pragma once

#include <cstddef>
#include <cstdint>

#include "search/input.hpp"
#include "search/path_plans.hpp"
#include "search/stack_candidates.hpp"

namespace pentaglot {

// How far a stack search may jump over words, and which gaps it may leave behind.
template <typename Covered>
class Jumps {
    using Situation = pentaglot::Situation<Covered>;

  public:
    Jumps(const Input& input, const PathPlans& plans, std::uint32_t limit)
        : chain_(input.is_chain()), plans_(plans), limit_(limit) {}

    // In words.
    static std::uint32_t length(const Situation& last, const PathPlans::Way& next) {
        return next.begin > last.end_word ? next.begin - last.end_word : last.end_word - next.begin;
    }

    // Whether a phrase whose words are free may follow: the jump is short, and the first gap left behind can still be
    // reached.
    bool allowed(const Situation& last, const PathPlans::Way& next) const {
        if (length(last, next) > limit_) return false;
        const std::size_t gap = chain_ ? last.covered.first_gap() : plans_.first_left(last.plan);
        return next.begin <= gap || next.end - gap <= limit_;
    }

    // The same for a phrase whose words are not adjacent: the first gap may lie inside it.
    bool allowed_apart(const Situation& last, const PathPlans::Way& next, const Covered& cover) const {
        const std::size_t gap = (last.covered | cover).first_gap();
        return length(last, next) <= limit_ && (gap >= next.end || next.end - gap <= limit_);
    }

  private:
    bool chain_;
    const PathPlans& plans_;
    std::uint32_t limit_;
};

}  // namespace pentaglot
