#include "learn/background.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/four.hpp"
#include "base/listening.hpp"

namespace pentaglot {

double Background::gain(std::span<const double> statistics) {
    std::array<double, max_order> precisions;  // side by side: divisions are what takes time here
    for (std::size_t n = 0; n < max_order; ++n) {
        const std::size_t at = 2 + n;
        precisions[n] =
            (statistics[at] + totals_[at] + 1.0) / (statistics[at + max_order] + totals_[at + max_order] + 1.0);
    }
    const double precision = precisions[0] * precisions[1] * precisions[2] * precisions[3];
    const double length = statistics[0] + totals_[0] + 1.0, reference = statistics[1] + totals_[1] + 1.0;
    return std::sqrt(std::sqrt(precision)) * brevity(length, reference) * reference;
}

double Background::brevity(double length, double reference) {
    if (!(length < reference)) return 1.0;
    const double place = std::clamp(length, 0.0, 1e15);
    Known& known = known_[static_cast<std::uint64_t>(place) % known_.size()];
    if (known.length != length || known.reference != reference)
        known = {length, reference, std::exp(1.0 - reference / length)};
    return known.brevity;
}

void Background::add(std::span<const double> statistics) {
    for (std::size_t at = 0; at < totals_.size(); ++at) totals_[at] = decay_ * totals_[at] + statistics[at];
}

double Background::of_lengths(double length, double reference) {
    const double all = reference + totals_[1] + 1.0;
    return brevity(length + totals_[0] + 1.0, all) * all;
}

namespace {

constexpr std::size_t lanes = 4, counts = 2 * Background::max_order;
constexpr double most = 1e9;               // four of these multiplied are still numbers
constexpr std::size_t most_lengths = 256;  // of a sentence: they are looked through for every row

}  // namespace

RoughGains::RoughGains(const DistinctRows& rows)
    : rows_(rows),
      usable_(rows.width == Background::width &&
              std::ranges::all_of(rows.rows, [](double each) { return each >= 0.0 && each < most; })) {
    if (!usable_) return;
    for (std::size_t sentence = 0; sentence + 1 < rows.offsets.size(); ++sentence) {
        listen_at<64>(sentence);
        const std::size_t first = rows.offsets[sentence], size = rows.offsets[sentence + 1] - first;
        begins_.push_back(counts_.size());
        counts_.resize(counts_.size() + (size + lanes - 1) / lanes * lanes * counts, 1.0F);
        float* const own = counts_.data() + begins_.back();
        for (std::size_t row = 0; row < size; ++row) {
            const auto values = rows.row(first + row);
            for (std::size_t at = 0; at < counts; ++at)
                own[(row / lanes * counts + at) * lanes + row % lanes] = static_cast<float>(values[2 + at]);
            const auto same = [&](const Lengths& each) {
                return each.length == values[0] && each.reference == values[1];
            };
            const auto begin = lengths_.begin() + static_cast<std::ptrdiff_t>(length_offsets_.back());
            const auto known = std::find_if(begin, lengths_.end(), same);
            places_.push_back(static_cast<std::uint32_t>(known - begin));
            if (known == lengths_.end()) lengths_.push_back({values[0], values[1]});
            if (lengths_.size() - length_offsets_.back() <= most_lengths) continue;
            usable_ = false;
            return;
        }
        length_offsets_.push_back(lengths_.size());
    }
}

double RoughGains::of(std::size_t sentence, Background& background, std::vector<float>& found) {
    const std::size_t first = rows_.offsets[sentence], size = rows_.offsets[sentence + 1] - first;
    found.assign((size + lanes - 1) / lanes * lanes, 0.0F);
    const auto fits = [](double each) { return each >= 0.0 && each < most; };
    if (!usable_ || !std::ranges::all_of(background.totals(), fits)) return std::numeric_limits<double>::infinity();
    factors_.clear();
    double largest = 0.0;
    for (std::size_t at = length_offsets_[sentence]; at < length_offsets_[sentence + 1]; ++at) {
        const double factor = background.of_lengths(lengths_[at].length, lengths_[at].reference);
        largest = std::max(largest, factor);
        factors_.push_back(static_cast<float>(factor));
    }
    Four totals[counts];
    for (std::size_t at = 0; at < counts; ++at)
        totals[at] = Four{} + static_cast<float>(background.totals()[2 + at] + 1.0);
    const float* values = counts_.data() + begins_[sentence];
    for (std::size_t row = 0; row < size; row += lanes, values += lanes * counts) {
        Four own[counts];
        std::memcpy(own, values, sizeof(own));
        for (std::size_t at = 0; at < counts; ++at) own[at] += totals[at];
        const Four precision = (own[0] * own[1] * own[2] * own[3]) / (own[4] * own[5] * own[6] * own[7]);
        std::memcpy(found.data() + row, &precision, sizeof(precision));
    }
    for (float& each : found) each = std::sqrt(std::sqrt(each));
    float precise = 0.0F;
    for (std::size_t row = 0; row < size; ++row) {
        precise = std::max(precise, found[row]);
        found[row] *= factors_[places_[first + row]];
    }
    return 2e-6 * largest * std::max(1.0, static_cast<double>(precise));
}

}  // namespace pentaglot
