#pragma once

#include <cstdint>
#include <vector>

#include "forest/derivation.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// The words of some derivations, one derivation after the other, and the sums of their features by rising id.
struct DerivationArrays {
    std::vector<std::uint64_t> word_offsets{0};
    std::vector<WordId> words;
    std::vector<std::uint64_t> feature_offsets{0};
    std::vector<FeatureId> feature_ids;
    std::vector<double> feature_values;
};

// The same words and sums as words_of() and features_of() give for each.
DerivationArrays arrays_of(const Forest& forest, const Derivations& derivations);

}  // namespace pentaglot
