#include "learn/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pentaglot {

void add_difference(std::span<const double> before, std::span<const double> after, std::vector<double>& total) {
    for (std::size_t at = 0; at < total.size(); ++at) total[at] += after[at] - before[at];
}

Sweep swept(std::vector<double> total, const std::vector<Change>& changes) {
    struct Turn {
        double at;
        std::uint32_t change;
    };
    std::vector<Turn> turns;
    turns.reserve(changes.size());
    for (const Change& each : changes) turns.push_back({each.at, static_cast<std::uint32_t>(turns.size())});
    std::ranges::sort(turns, [](const Turn& one, const Turn& other) {
        return one.at != other.at ? one.at < other.at : one.change < other.change;
    });
    Sweep found;
    found.boundaries.reserve(turns.size());
    found.totals.reserve((turns.size() + 1) * total.size());
    found.totals = total;
    for (std::size_t next = 0; next < turns.size();) {
        const double at = turns[next].at;
        for (; next < turns.size() && turns[next].at == at; ++next) {
            const Change& change = changes[turns[next].change];
            add_difference(change.before, change.after, total);
        }
        found.boundaries.push_back(at);
        found.totals.insert(found.totals.end(), total.begin(), total.end());
    }
    return found;
}

}  // namespace pentaglot
