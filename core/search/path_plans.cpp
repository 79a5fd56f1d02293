#include "search/path_plans.hpp"

#include <algorithm>

namespace pentaglot {

PathPlans::PathPlans(const Input& input, std::uint32_t longest)
    : chain_(input.is_chain()),
      longest_(static_cast<std::uint32_t>(std::min<std::size_t>(longest, input.nodes()))),  // no path has more words
      row_words_(longest_ / 64 + 1) {
    if (chain_) return;
    measure(input);
    const auto last = static_cast<std::uint32_t>(input.nodes() - 1);
    plans_.push_back(&numbers_.emplace(Holes{{0, last, 0, open}}, everything_left).first->first);
}

void PathPlans::measure(const Input& input) {
    lengths_.resize(input.nodes());
    for (std::size_t node = 0; node < input.nodes(); ++node)
        lengths_[node].assign(row_words_, 0), lengths_[node][0] = 1;
    std::vector<std::uint64_t> sum(row_words_);
    for (std::uint32_t to = 1; to < input.nodes(); ++to) {
        for (std::uint32_t from = to; from-- > 0;) {
            std::fill(sum.begin(), sum.end(), 0);
            for (const std::uint32_t number : input.ending_at(to)) {
                const std::uint32_t before = input.words()[number].from;
                const std::size_t at = before < from ? SIZE_MAX : std::size_t{before - from} * row_words_;
                if (at >= lengths_[from].size()) continue;
                std::uint64_t carried = 0;  // one word more: everything moves up by one
                for (std::size_t i = 0; i < row_words_; ++i) {
                    const std::uint64_t part = lengths_[from][at + i];
                    sum[i] |= (part << 1U) | carried;
                    carried = part >> 63U;
                }
            }
            if (std::all_of(sum.begin(), sum.end(), [](std::uint64_t part) { return part == 0; })) continue;
            const std::size_t at = std::size_t{to - from} * row_words_;
            lengths_[from].resize(std::max(lengths_[from].size(), at + row_words_), 0);
            std::copy(sum.begin(), sum.end(), lengths_[from].begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
}

const PathPlans::Hole& PathPlans::hole_around(Plan plan, std::uint32_t from) const {
    const Holes& holes = *plans_[plan];
    // The last that begins no later.
    const auto after = std::upper_bound(holes.begin(), holes.end(), from,
                                        [](std::uint32_t node, const Hole& hole) { return node < hole.from; });
    return *(after - 1);
}

void PathPlans::ways(Plan plan, std::uint32_t from, std::uint32_t to, std::uint32_t words,
                     std::vector<Way>& found) const {
    found.clear();
    if (chain_) {
        found.push_back({from, to});
        return;
    }
    const Hole& hole = hole_around(plan, from);
    if (to > hole.to) return;
    for (std::uint32_t before = 0; before <= longest_; ++before) {
        if (!possible(hole.from, from, before)) continue;
        const Way way{hole.begin + before, hole.begin + before + words};
        // To the end of everything some path leads from anywhere.
        if (hole.end == open || (way.end <= hole.end && possible(to, hole.to, hole.end - way.end)))
            found.push_back(way);
    }
}

PathPlans::Plan PathPlans::after(Plan plan, std::uint32_t from, std::uint32_t to, const Way& way) {
    if (chain_) return everything_left;
    const Hole& taken = hole_around(plan, from);
    Holes holes;
    for (const Hole& hole : *plans_[plan]) {
        if (&hole != &taken) {
            holes.push_back(hole);
            continue;
        }
        if (hole.from < from) holes.push_back({hole.from, from, hole.begin, way.begin});
        if (to < hole.to || hole.end == open) holes.push_back({to, hole.to, way.end, hole.end});
    }
    const auto [known, fresh] = numbers_.emplace(std::move(holes), static_cast<Plan>(plans_.size()));
    if (fresh) plans_.push_back(&known->first);
    return known->second;
}

std::uint32_t PathPlans::first_left(Plan plan) const {
    return plans_[plan]->front().begin;
}

}  // namespace pentaglot
