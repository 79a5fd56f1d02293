#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "forest/forest.hpp"
#include "rules/sparse_features.hpp"

namespace pentaglot {

// Cuts values into at most `bins` bins that hold about equally many occurrences (Clark 2015, §6.3). `counts` says how
// often each value occurs, in the order of the values. A value that occurs more often than a bin's share gets a bin of
// its own, no bin is empty, and the last one takes the rest. Returns the place of the first value of each bin.
std::vector<std::uint32_t> fill_bins(std::span<const std::uint64_t> counts, std::uint32_t bins);

enum class BinKind : std::uint8_t {
    apart,        // a value is in one bin
    overlapping,  // and in the bins beside it
    thresholds,   // bin n holds all values below its upper edge; there is no last bin, since it would hold them all
    hats,         // a value is shared by the two bins whose centres it lies between; the nearer one gets more
    probability,  // there is one bin, whose feature is the probability that the value is the logarithm of
};

// A quantity of rules cut into bins, each with a feature.
struct BinSet {
    static constexpr std::uint32_t none = UINT32_MAX;

    BinKind kind = BinKind::apart;
    std::vector<float> edges;    // where each bin but the first begins; rising
    std::vector<float> centres;  // of all bins, for hats only; rising
    std::vector<FeatureId> ids;

    // Throws Error unless the parts fit together.
    void check() const;
    // The bin of a value; none if it is not a number.
    std::uint32_t bin(float value) const;
    // Adds the features that a value fires to the last row of `found`.
    void fire(float value, std::uint32_t bin, SparseFeatures& found) const;
};

// Features of combinations of bins of two or three quantities. A combination that was never seen has none.
class BinConjunction {
  public:
    // `sets` are the numbers of the bin sets in `all`; `bins` has one bin of each of them, feature by feature. Throws
    // Error unless they fit together.
    BinConjunction(std::vector<std::uint32_t> sets, std::span<const std::uint32_t> bins, std::span<const FeatureId> ids,
                   std::span<const BinSet> all);

    // `bins` says for every bin set which bin a rule is in.
    void fire(std::span<const std::uint32_t> bins, SparseFeatures& found) const;

  private:
    std::vector<std::uint32_t> sets_;
    std::unordered_map<std::uint64_t, FeatureId> ids_;  // three bins of 21 bits
};

}  // namespace pentaglot
