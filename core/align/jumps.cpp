#include "align/jumps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/error.hpp"

namespace pentaglot {

namespace jump {

namespace {
constexpr std::array<std::ptrdiff_t, wide> last_of_wide = {12, 18, 28, 48, 128, 1128};
}

std::size_t class_of(std::ptrdiff_t distance) {
    const std::ptrdiff_t size = std::abs(distance);
    std::ptrdiff_t step = size;
    if (size > exact) {
        std::size_t k = 0;
        while (k + 1 < wide && size > last_of_wide[k]) ++k;
        step = exact + 1 + static_cast<std::ptrdiff_t>(k);
    }
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(exact + wide) + (distance < 0 ? -step : step));
}

double width(std::size_t jump_class) {
    const auto middle = static_cast<std::ptrdiff_t>(exact + wide);
    const std::ptrdiff_t step = std::abs(static_cast<std::ptrdiff_t>(jump_class) - middle);
    if (step <= exact) return 1;
    const auto k = static_cast<std::size_t>(step - exact - 1);
    return static_cast<double>(last_of_wide[k] - (k == 0 ? exact : last_of_wide[k - 1]));
}

}  // namespace jump

JumpModel::JumpModel(std::size_t word_classes, double uniform)
    : word_classes_(std::max<std::size_t>(word_classes, 1)), uniform_(uniform) {
    // At first, short jumps are likelier than long ones, and forward ones than backward ones.
    std::vector<double> weights(size());
    for (std::size_t at = 0; at < weights.size(); ++at) {
        const std::size_t k = at % jump::classes;
        const auto step = static_cast<double>(k) - static_cast<double>(jump::exact + jump::wide);
        weights[at] = std::exp(-0.5 * std::abs(step - 1)) * std::sqrt(jump::width(k));
    }
    set_weights(weights);
}

void JumpModel::set_weights(std::span<const double> weights) {
    if (weights.size() != size()) throw Error("the jump table has the wrong size");
    weights_.assign(weights.begin(), weights.end());
    densities_.resize(size());
    for (std::size_t row = 0; row < rows(); ++row) {
        double total = 0;
        for (std::size_t k = 0; k < jump::classes; ++k) {
            if (!(weights_[row * jump::classes + k] >= 0)) throw Error("the jump table has a negative chance");
            total += weights_[row * jump::classes + k];
        }
        if (!(total > 0 && std::isfinite(total))) throw Error("the jump table has a row without usable chances");
        for (std::size_t k = 0; k < jump::classes; ++k) {
            weights_[row * jump::classes + k] /= total;
            densities_[row * jump::classes + k] = weights_[row * jump::classes + k] / jump::width(k);
        }
    }
}

void JumpModel::estimate(std::span<const double> counts, double strength) {
    if (counts.size() != size()) throw Error("the jump counts have the wrong size");
    std::array<double, jump::classes> mean{};
    double all = 0;
    for (std::size_t row = 0; row < word_classes_; ++row) {
        for (std::size_t k = 0; k < jump::classes; ++k) mean[k] += counts[row * jump::classes + k];
    }
    for (double& each : mean) all += each;
    for (std::size_t k = 0; k < jump::classes; ++k) mean[k] = (mean[k] + 0.01 * jump::width(k)) / (all + 1);
    std::vector<double> weights(counts.begin(), counts.end());
    for (std::size_t row = 0; row < rows(); ++row) {
        const double pull = row < word_classes_ ? strength : 1.0;
        for (std::size_t k = 0; k < jump::classes; ++k) weights[row * jump::classes + k] += pull * mean[k];
    }
    set_weights(weights);
}

double JumpModel::density(std::size_t row, std::ptrdiff_t distance) const {
    return densities_[row * jump::classes + jump::class_of(distance)];
}

void JumpModel::fill(std::span<const std::uint16_t> classes, std::size_t stride, double* transitions,
                     double* transposed, double* start, double* end) const {
    const auto positions = static_cast<std::ptrdiff_t>(classes.size());
    const double uniform = uniform_ / static_cast<double>(positions);
    // One row of densities over all distances that this sentence can have, read with an offset for each position.
    std::vector<double> by_distance(static_cast<std::size_t>(2 * positions + 1));
    std::size_t filled_row = rows();
    const auto normalised = [&](std::size_t row, std::ptrdiff_t from, double* out) {
        if (row != filled_row) {
            for (std::ptrdiff_t d = -positions; d <= positions; ++d) {
                by_distance[static_cast<std::size_t>(d + positions)] = density(row, d);
            }
            filled_row = row;
        }
        const double* density_at = by_distance.data() + (positions - from);
        double total = 0;
        for (std::ptrdiff_t to = 0; to < positions; ++to) total += density_at[to];
        const double scale = (1 - uniform_) / total;
        for (std::ptrdiff_t to = 0; to < positions; ++to) out[to] = density_at[to] * scale + uniform;
    };
    std::fill_n(transitions, classes.size() * stride, 0.0);
    std::fill_n(transposed, classes.size() * stride, 0.0);
    for (std::size_t from = 0; from < classes.size(); ++from) {
        const std::size_t row = std::min<std::size_t>(classes[from], word_classes_ - 1);
        double* out = transitions + from * stride;
        normalised(row, static_cast<std::ptrdiff_t>(from), out);
        for (std::size_t to = 0; to < classes.size(); ++to) transposed[to * stride + from] = out[to];
    }
    std::fill_n(start, stride, 0.0);
    normalised(start_row(), -1, start);
    // The step out is the jump from the last position to the place after the sentence.
    std::fill_n(end, stride, 0.0);
    double total = 0;
    for (std::ptrdiff_t from = 0; from < positions; ++from) {
        end[from] = density(end_row(), positions - from);
        total += end[from];
    }
    for (std::ptrdiff_t from = 0; from < positions; ++from) end[from] = end[from] / total * (1 - uniform_) + uniform;
}

}  // namespace pentaglot
