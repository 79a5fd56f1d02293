#include "rules/bins.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::uint64_t bin_bits = 21;  // of a bin's number in a conjunction
constexpr std::size_t few_edges = 64;

// The share of a bin, if values that occur more often than that have bins of their own: a fraction, for rounding would
// decide where a value goes that lies half and half.
struct Share {
    std::uint64_t rules = 0, bins = 1;
};

Share share_of(std::span<const std::uint64_t> counts, std::uint32_t bins) {
    std::vector<std::uint64_t> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const std::uint64_t most = (UINT64_MAX >> 2U) / bins;  // twice its product with the number of bins fits
    std::uint64_t rest = 0;
    for (const std::uint64_t count : sorted) {
        if (count > most - rest) throw Error("there are too many rules for bins");
        rest += count;
    }
    for (std::uint32_t own = 0; own + 1 < bins; ++own) {
        if (sorted[own] * (bins - own) <= rest) return {rest, bins - own};
        rest -= sorted[own];
    }
    return {rest, 1};
}

bool rising(std::span<const float> values) {
    if (std::ranges::any_of(values, [](float each) { return !std::isfinite(each); })) return false;
    return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

}  // namespace

std::vector<std::uint32_t> fill_bins(std::span<const std::uint64_t> counts, std::uint32_t bins) {
    if (bins == 0) throw Error("there must be at least one bin");
    if (counts.size() > UINT32_MAX) throw Error("there are too many values for bins");
    std::vector<std::uint32_t> first;
    if (counts.size() <= bins) {
        first.resize(counts.size());
        std::iota(first.begin(), first.end(), 0U);
        return first;
    }
    // All numbers of rules are multiplied by share.bins.
    const Share share = share_of(counts, bins);
    std::size_t at = 0;
    std::uint64_t filled = 0;
    for (std::uint32_t bin = 1; bin <= bins; ++bin) {
        const std::size_t begin = at;
        first.push_back(static_cast<std::uint32_t>(begin));
        if (bin == bins) break;                                 // it takes the rest
        const std::size_t last = counts.size() - (bins - bin);  // each bin to come needs a value
        const std::uint64_t limit = share.rules * bin;
        const auto size = [&] { return std::min(counts[at] * share.bins, share.rules); };
        while (at < last && (at == begin || filled + size() <= limit)) {
            if (at % 65536 == 0) listen();
            filled += size();
            ++at;
        }
        // A value that lies across the border goes where more of it is.
        if (at < last && 2 * filled + size() < 2 * limit) {
            filled += size();
            ++at;
        }
    }
    return first;
}

void BinSet::check() const {
    const std::size_t bins = edges.size() + 1;
    if (bins >= std::size_t{1} << bin_bits) throw Error("there are too many bins");
    if (kind == BinKind::probability && bins != 1) throw Error("a probability that is not cut has one bin");
    if (ids.size() != (kind == BinKind::thresholds ? bins - 1 : bins)) throw Error("every bin needs its feature");
    if (!rising(edges) || !rising(centres)) throw Error("the edges of bins must rise");
    if (centres.size() != (kind == BinKind::hats ? bins : 0)) throw Error("every hat needs its centre");
}

std::uint32_t BinSet::bin(float value) const {
    if (std::isnan(value)) return none;
    if (edges.size() > few_edges)
        return static_cast<std::uint32_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
    std::uint32_t below = 0;  // quicker for a few than to jump about
    for (const float edge : edges) below += edge <= value ? 1 : 0;
    return below;
}

void BinSet::fire(float value, std::uint32_t bin, SparseFeatures& found) const {
    if (bin == none) return;
    switch (kind) {
        case BinKind::apart:
            found.add(ids[bin], 1);
            return;
        case BinKind::overlapping: {
            const std::uint32_t last = static_cast<std::uint32_t>(ids.size()) - 1;
            const bool few = ids.size() <= 2;  // else all would always fire
            for (std::uint32_t at = few || bin == 0 ? bin : bin - 1; at <= (few ? bin : std::min(bin + 1, last)); ++at)
                found.add(ids[at], 1);
            return;
        }
        case BinKind::thresholds:
            for (std::size_t at = bin; at < ids.size(); ++at) found.add(ids[at], 1);
            return;
        case BinKind::hats: {
            const auto above = std::upper_bound(centres.begin(), centres.end(), value);
            if (above == centres.begin()) return found.add(ids.front(), 1);
            const auto at = static_cast<std::size_t>(above - centres.begin());
            if (above == centres.end()) return found.add(ids.back(), 1);
            const float share = (value - centres[at - 1]) / (centres[at] - centres[at - 1]);
            if (share < 1) found.add(ids[at - 1], 1 - share);
            if (share > 0) found.add(ids[at], share);
            return;
        }
        case BinKind::probability:
            found.add(ids.front(), std::exp(value));
            return;
    }
}

BinConjunction::BinConjunction(std::vector<std::uint32_t> sets, std::span<const std::uint32_t> bins,
                               std::span<const FeatureId> ids, std::span<const BinSet> all)
    : sets_(std::move(sets)) {
    if (sets_.size() < 2 || sets_.size() > 3) throw Error("bins of two or three quantities can be conjoined");
    if (bins.size() != ids.size() * sets_.size()) throw Error("every conjunction of bins needs its feature");
    for (const std::uint32_t set : sets_) {
        if (set >= all.size()) throw Error("there is no such quantity to conjoin");
    }
    for (std::size_t row = 0; row < ids.size(); ++row) {
        std::uint64_t key = 0;
        for (std::size_t part = 0; part < sets_.size(); ++part) {
            const std::uint32_t bin = bins[row * sets_.size() + part];
            if (bin > all[sets_[part]].edges.size()) throw Error("there is no such bin to conjoin");
            key = key << bin_bits | bin;
        }
        if (!ids_.emplace(key, ids[row]).second) throw Error("two features are the same conjunction of bins");
        if (row % 65536 == 0) listen();
    }
}

void BinConjunction::fire(std::span<const std::uint32_t> bins, SparseFeatures& found) const {
    std::uint64_t key = 0;
    for (const std::uint32_t set : sets_) {
        if (bins[set] == BinSet::none) return;
        key = key << bin_bits | bins[set];
    }
    if (const auto known = ids_.find(key); known != ids_.end()) found.add(known->second, 1);
}

}  // namespace pentaglot
