#include "search/feature_set.hpp"

#include <algorithm>

#include "search/features/registry.hpp"

namespace pentaglot {

namespace {

std::size_t in_eights(std::size_t bytes) {
    return (bytes + 7) / 8 * 8;
}

}  // namespace

FeatureSet::FeatureSet(const FeatureContext& context)
    : features_(make_features(context)), conjoined_(context.model.conjoined) {
    for (const auto& feature : features_) {
        const Placed placed{feature.get(), state_size_, value_count_};
        placed_.push_back(placed);
        if (feature->foresees()) foreseeing_.push_back(placed);
        if (feature->has_sparse_values()) sparse_.push_back(placed);
        state_size_ += in_eights(feature->state_size());
        value_count_ += feature->ids().size();
    }
    state_size_ = std::max<std::size_t>(state_size_, 8);
    row_size_ = state_size_ + in_eights(value_count_ * sizeof(float));
    for (const bool foreseen : {false, true}) {
        for (const Placed& each : placed_) {
            if (each.feature->foresees() == foreseen) add_slots(each);
        }
    }
    if (context.model.feature("glue") != no_feature) slots_.push_back({context.model.feature("glue"), value_of_glue});
}

void FeatureSet::add_slots(const Placed& placed) {
    const auto ids = placed.feature->ids();
    for (std::size_t at = 0; at < ids.size(); ++at) {
        if (ids[at] != no_feature) slots_.push_back({ids[at], placed.value + at});
    }
}

void FeatureSet::begin(std::byte* state) const {
    std::memset(state, 0, state_size_);
    for (const Placed& each : placed_) each.feature->begin(state + each.state);
}

float FeatureSet::finish(const HypothesisStep& step, const TailStates& tails, std::byte* row, float score) const {
    std::memset(row, 0, row_size_);
    for (const Placed& each : placed_)
        score += each.feature->finish(step, Tails(tails.data(), each.state), value_at(row, each));
    return score;
}

float FeatureSet::estimate(std::uint32_t rule) const {
    float sum = 0;
    for (const Placed& each : placed_) sum += each.feature->estimate(rule);
    return sum;
}

float FeatureSet::estimate(const InputPart& part) const {
    float sum = 0;
    for (const Placed& each : placed_) sum += each.feature->estimate(part);
    return sum;
}

void FeatureSet::add_sparse_values(const HypothesisStep& step, const TailStates& tails, bool finishes,
                                   std::vector<FeatureValue>& found) const {
    for (const Placed& each : sparse_)
        each.feature->add_sparse_values(step, Tails(tails.data(), each.state), finishes, found);
}

void FeatureSet::collect(const float* values, bool glue, std::vector<FeatureValue>& found) const {
    for (const Slot& slot : slots_) {
        const float value = slot.value == value_of_glue ? (glue ? 1.0F : 0.0F) : values[slot.value];
        if (value != 0) found.push_back({slot.id, value});
    }
}

}  // namespace pentaglot
