#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "forest/forest.hpp"
#include "rules/sparse_features.hpp"

namespace pentaglot {

// Cuts values, given in order by how often each occurs, into at most `bins` bins that hold about equally many (Clark
// 2015, §6.3). A value that occurs more often than a bin's share has a bin of its own, no bin is empty, and the last
// one takes the rest. Returns the place of the first value of each bin.
std::vector<std::uint32_t> fill_bins(std::span<const std::uint64_t> counts, std::uint32_t bins);

enum class BinKind : std::uint8_t {
    apart,        // a value is in one bin
    overlapping,  // and in those beside it
    thresholds,   // bin n has all values below its upper end; the last bin, which would have all, does not exist
    hats,         // a value belongs to the two bins whose centres it lies between, to the nearer one more
};

// A quantity of rules cut into bins, each with a feature.
struct BinSet {
    static constexpr std::uint32_t none = UINT32_MAX;

    BinKind kind = BinKind::apart;
    std::vector<float> edges;    // of neighbouring bins: where the upper one begins; rising
    std::vector<float> centres;  // for hats: of all bins; rising
    std::vector<FeatureId> ids;

    // Throws Error unless the parts fit together.
    void check() const;
    // The bin of a value; none if it is not a number.
    std::uint32_t bin(float value) const;
    // Adds what a value fires to the last row.
    void fire(float value, std::uint32_t bin, SparseFeatures& found) const;
};

// Features of bins of two or three quantities at once. Those that never met have none.
class BinConjunction {
  public:
    // `sets` are numbers of bin sets, `bins` the bins of one feature after the other. Throws Error unless they fit.
    BinConjunction(std::vector<std::uint32_t> sets, std::span<const std::uint32_t> bins, std::span<const FeatureId> ids,
                   std::span<const BinSet> all);

    // `bins` has that of each set.
    void fire(std::span<const std::uint32_t> bins, SparseFeatures& found) const;

  private:
    std::vector<std::uint32_t> sets_;
    std::unordered_map<std::uint64_t, FeatureId> ids_;  // three bins of 21 bits
};

}  // namespace pentaglot
