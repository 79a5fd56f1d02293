#include "learn/oscar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

struct Sized {
    double size;
    std::uint32_t place;
};

// Neighbours among sorted magnitudes that share one value.
struct Group {
    double sum;     // of magnitudes
    double pushed;  // of what the pairwise part takes from them
    std::size_t end, size;
};

double value_of(const Group& group, const OscarSettings& settings) {
    const auto size = static_cast<double>(group.size);
    const double pushed = settings.group_only ? 0.0 : group.pushed;
    return std::max((group.sum - pushed) / size - settings.single, 0.0);
}

// What groups are compared by: their value, or what it would be if the pairwise part did shrink weights.
double rank_of(const Group& group, const OscarSettings& settings) {
    const double value = value_of(group, settings);
    return settings.group_only ? value - group.pushed / static_cast<double>(group.size) : value;
}

}  // namespace

std::vector<double> oscar_prox(std::span<const double> weights, const OscarSettings& settings) {
    if (weights.size() > std::numeric_limits<std::uint32_t>::max()) throw Error("there are too many weights");
    const auto usable = [](double penalty) { return std::isfinite(penalty) && penalty >= 0.0; };
    if (!usable(settings.single) || !usable(settings.pairwise))
        throw Error("a penalty is negative or not a finite number");
    if (!std::ranges::all_of(weights, [](double each) { return std::isfinite(each); }))
        throw Error("a weight is not a finite number");
    // Magnitudes are stored beside their places, which halves the time of sorting.
    std::vector<Sized> order;
    order.reserve(weights.size());
    for (std::size_t at = 0; at < weights.size(); ++at) {
        if (weights[at] != 0.0) order.push_back({std::abs(weights[at]), static_cast<std::uint32_t>(at)});
    }
    std::ranges::sort(order, [](const Sized& one, const Sized& other) {
        return one.size != other.size ? one.size > other.size : one.place < other.place;
    });
    std::vector<Group> groups;
    // For rank k the exact operator counts N - k; group-only mode counts N - k + 1, as Clark's program does.
    const double shift = settings.group_only ? 1.0 : 0.0;
    for (std::size_t rank = 1; rank <= order.size(); ++rank) {
        listen_at<65536>(rank);
        const double below = std::max(static_cast<double>(settings.features) + shift - static_cast<double>(rank), 0.0);
        Group group{order[rank - 1].size, settings.pairwise * below, rank, 1};
        while (!groups.empty() && rank_of(group, settings) >= rank_of(groups.back(), settings)) {
            group.sum += groups.back().sum;
            group.pushed += groups.back().pushed;
            group.size += groups.back().size;
            groups.pop_back();
        }
        groups.push_back(group);
    }
    std::vector<double> found(weights.size(), 0.0);
    for (const Group& group : groups) {
        const double value = value_of(group, settings);
        for (std::size_t rank = group.end - group.size; rank < group.end; ++rank)
            found[order[rank].place] = std::copysign(value, weights[order[rank].place]);
    }
    return found;
}

}  // namespace pentaglot
