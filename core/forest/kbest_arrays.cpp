#include "forest/kbest_arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/listening.hpp"

namespace pentaglot {
namespace {

// Above this, sums are not kept in a vector over all features.
constexpr std::size_t most_dense = 1 << 16;

// Adds up features in a vector over all of them, which is cleared after each derivation. Values are added in the order
// of the edges, so the sums are those of features_of() to the last bit.
class DenseSums {
  public:
    explicit DenseSums(const Forest& forest)
        : forest_(forest), sums_(forest.feature_count(), 0.0), touched_(forest.feature_count(), 0) {}

    void append(std::span<const EdgeId> derivation, DerivationArrays& to) {
        for (const EdgeId edge : derivation) {
            const auto ids = forest_.feature_ids(edge);
            const auto values = forest_.feature_values(edge);
            for (std::size_t at = 0; at < ids.size(); ++at) {
                if (touched_[ids[at]] == 0) {
                    touched_[ids[at]] = 1;
                    found_.push_back(ids[at]);
                }
                sums_[ids[at]] += double{values[at]};
            }
        }
        std::ranges::sort(found_);
        for (const FeatureId id : found_) {
            to.feature_ids.push_back(id);
            to.feature_values.push_back(sums_[id]);
            sums_[id] = 0.0;
            touched_[id] = 0;
        }
        found_.clear();
    }

  private:
    const Forest& forest_;
    std::vector<double> sums_;
    std::vector<std::uint8_t> touched_;
    std::vector<FeatureId> found_;
};

void append_sorted(const Forest& forest, std::span<const EdgeId> derivation, DerivationArrays& to) {
    const SummedFeatures sum = features_of(forest, derivation);
    to.feature_ids.insert(to.feature_ids.end(), sum.ids.begin(), sum.ids.end());
    to.feature_values.insert(to.feature_values.end(), sum.values.begin(), sum.values.end());
}

}  // namespace

DerivationArrays arrays_of(const Forest& forest, const Derivations& derivations) {
    DerivationArrays found;
    const bool dense = forest.feature_count() <= most_dense;
    if (!dense) {
        for (std::size_t number = 0; number < derivations.size(); ++number) {
            listen_at<64>(number);
            append_sorted(forest, derivations[number], found);
            found.feature_offsets.push_back(found.feature_ids.size());
        }
    } else {
        DenseSums sums(forest);
        for (std::size_t number = 0; number < derivations.size(); ++number) {
            listen_at<64>(number);
            sums.append(derivations[number], found);
            found.feature_offsets.push_back(found.feature_ids.size());
        }
    }
    for (std::size_t number = 0; number < derivations.size(); ++number) {
        listen_at<64>(number);
        const auto words = words_of(forest, derivations[number]);
        found.words.insert(found.words.end(), words.begin(), words.end());
        found.word_offsets.push_back(found.words.size());
    }
    return found;
}

}  // namespace pentaglot
