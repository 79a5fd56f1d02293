#include "learn/oscar.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ranges>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

// The place of a weight in the lower half, the first 32 bits of its magnitude, negated, in the upper one: numbers that
// rise from large magnitudes to small ones, and among equal ones by place.
using Rough = std::uint64_t;

Rough rough_of(double weight, std::size_t place) {
    const auto bits = std::bit_cast<std::uint64_t>(weight) << 1U;  // without the sign
    return (~bits & 0xFFFFFFFF00000000U) | place;
}

std::uint32_t place_of(Rough rough) {
    return static_cast<std::uint32_t>(rough);
}
std::uint32_t first_bits(Rough rough) {
    return static_cast<std::uint32_t>(rough >> 32U);
}

// Sorts by the first bits, in three passes of 11 bits each. Keeps the order of what has the same.
void sort_roughly(std::vector<Rough>& roughs) {
    constexpr std::size_t digits = 3, width = 11;
    const auto digit = [](Rough rough, std::size_t at) {
        return static_cast<std::size_t>(first_bits(rough)) >> (at * width) & ((std::size_t{1} << width) - 1);
    };
    std::array<std::array<std::uint32_t, std::size_t{1} << width>, digits> begins{};
    for (const Rough rough : roughs) {
        for (std::size_t at = 0; at < digits; ++at) ++begins[at][digit(rough, at)];
    }
    std::vector<Rough> sorted(roughs.size());
    for (std::size_t at = 0; at < digits; ++at) {
        listen();
        std::uint32_t before = 0;
        for (std::uint32_t& begin : begins[at]) before += std::exchange(begin, before);
        for (const Rough rough : roughs) sorted[begins[at][digit(rough, at)]++] = rough;
        roughs.swap(sorted);
    }
}

// The places of all weights but zeros, large magnitudes first, and among equal ones by place.
std::vector<Rough> sorted_places(std::span<const double> weights) {
    std::vector<Rough> order;
    order.reserve(weights.size());
    for (std::size_t at = 0; at < weights.size(); ++at) {
        if (weights[at] != 0.0) order.push_back(rough_of(weights[at], at));
    }
    sort_roughly(order);
    const auto before = [&](Rough one, Rough other) {
        const double size = std::abs(weights[place_of(one)]), other_size = std::abs(weights[place_of(other)]);
        return size != other_size ? size > other_size : place_of(one) < place_of(other);
    };
    for (auto begin = order.begin(); begin != order.end();) {
        auto end = begin + 1;
        while (end != order.end() && first_bits(*end) == first_bits(*begin)) ++end;
        if (end - begin > 1) std::sort(begin, end, before);
        begin = end;
    }
    return order;
}

// Neighbours among sorted magnitudes that share one value.
struct Group {
    double sum;     // of magnitudes
    double pushed;  // of what the pairwise part takes from them
    std::size_t size;
};

double mean(double sum, std::size_t size) {
    return size == 1 ? sum : sum / static_cast<double>(size);
}

// Nearly all groups are of one weight. They are not stored: that is as much work as everything else.
class Groups {
  public:
    Groups(std::span<const double> weights, std::span<const Rough> order, const OscarSettings& settings)
        : weights_(weights),
          order_(order),
          settings_(settings),
          // For rank k the exact operator counts N - k; group-only mode counts N - k + 1, as Clark's program does.
          pushing_(static_cast<double>(settings.features) + (settings.group_only ? 1.0 : 0.0)) {
        sizes_.reserve(order.size());
    }

    // Adds the next weight, and joins the last groups while they are not above one another.
    void add() {
        Group last = single(++end_);
        double rank = rank_of(last);
        while (!sizes_.empty() && rank >= rank_) {
            const Group before = take(end_ - last.size);
            last = {last.sum + before.sum, last.pushed + before.pushed, last.size + before.size};
            rank = rank_of(last);
            if (!sizes_.empty()) rank_ = rank_of(top(end_ - last.size));
        }
        sizes_.push_back(static_cast<std::uint32_t>(last.size));
        if (last.size > 1) joined_.push_back(last);
        rank_ = rank;
    }

    // Calls `found(place, value)` for all weights.
    template <typename Found>
    void for_each(Found found) const {
        std::size_t at = 0, joined = 0;
        for (const std::uint32_t size : sizes_) {
            const double value = value_of(size == 1 ? single(at + 1) : joined_[joined++]);
            for (const std::size_t end = at + size; at < end; ++at) found(place_of(order_[at]), value);
        }
    }

  private:
    Group single(std::size_t rank) const {
        const double below = std::max(pushing_ - static_cast<double>(rank), 0.0);
        return {std::abs(weights_[place_of(order_[rank - 1])]), settings_.pairwise * below, 1};
    }
    Group top(std::size_t end) const { return sizes_.back() == 1 ? single(end) : joined_.back(); }
    Group take(std::size_t end) {
        const Group found = top(end);
        if (sizes_.back() > 1) joined_.pop_back();
        sizes_.pop_back();
        return found;
    }
    double value_of(const Group& group) const {
        const double pushed = settings_.group_only ? 0.0 : group.pushed;
        return std::max(mean(group.sum - pushed, group.size) - settings_.single, 0.0);
    }
    // What groups are compared by: their value, or what it would be if the pairwise part did shrink weights.
    double rank_of(const Group& group) const {
        const double value = value_of(group);
        return settings_.group_only ? value - mean(group.pushed, group.size) : value;
    }

    std::span<const double> weights_;
    std::span<const Rough> order_;
    const OscarSettings& settings_;
    double pushing_;
    std::vector<std::uint32_t> sizes_;
    std::vector<Group> joined_;  // those of more than one weight
    std::size_t end_ = 0;        // of the last group
    double rank_ = 0.0;          // of the last group
};

}  // namespace

std::vector<double> oscar_prox(std::span<const double> weights, const OscarSettings& settings) {
    if (weights.size() > std::numeric_limits<std::uint32_t>::max()) throw Error("there are too many weights");
    const auto usable = [](double penalty) { return std::isfinite(penalty) && penalty >= 0.0; };
    if (!usable(settings.single) || !usable(settings.pairwise))
        throw Error("a penalty is negative or not a finite number");
    if (!std::ranges::all_of(weights, [](double each) { return std::isfinite(each); }))
        throw Error("a weight is not a finite number");
    const std::vector<Rough> order = sorted_places(weights);
    Groups groups(weights, order, settings);
    for (std::size_t at = 0; at < order.size(); ++at) {
        listen_at<65536>(at);
        groups.add();
    }
    std::vector<double> found(weights.size(), 0.0);
    groups.for_each([&](std::uint32_t place, double value) { found[place] = std::copysign(value, weights[place]); });
    return found;
}

}  // namespace pentaglot
