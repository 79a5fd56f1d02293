#include "learn/rough_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace pentaglot {

void RoughBuilder::look(std::size_t sentence) {
    begin_ = lists_.sentences[sentence];
    end_ = lists_.sentences[sentence + 1];
    collect();
    find_columns();
}

void RoughBuilder::collect() {
    const SparseRows& rows = lists_.features;
    features_.clear();
    for (std::size_t row = begin_; row < end_; ++row) {
        for (std::size_t at = rows.offsets[row]; at < rows.offsets[row + 1]; ++at) {
            const float value = rows.values[at];
            std::uint32_t& place = places_[rows.ids[at]];
            if (place == constant) {
                place = static_cast<std::uint32_t>(features_.size());
                features_.push_back({rows.ids[at], constant, 0, value, value, 0, 0});
            }
            Feature& feature = features_[place];
            ++feature.count;
            feature.least = std::min(feature.least, value);
            feature.most = std::max(feature.most, value);
            const std::uint64_t both = (std::uint64_t{row - begin_} << 32) | std::bit_cast<std::uint32_t>(value);
            feature.hash = std::rotl((feature.hash ^ both) * 0x9E3779B97F4A7C15ULL, 29);
        }
    }
    for (Feature& each : features_) {
        places_[each.id] = constant;
        if (each.count < end_ - begin_) {
            each.least = std::min(each.least, 0.0F);
            each.most = std::max(each.most, 0.0F);
        }
        each.largest = std::max(std::abs(each.least), std::abs(each.most));
    }
    std::ranges::sort(features_, {}, &Feature::id);
}

void RoughBuilder::find_columns() {
    columns_.clear();
    std::vector<std::uint32_t> order;
    for (std::uint32_t place = 0; place < features_.size(); ++place) {
        if (features_[place].least != features_[place].most) order.push_back(place);
    }
    const auto key = [&](std::uint32_t place) {
        const Feature& each = features_[place];
        return std::tuple(each.hash, each.count, each.least, each.most);
    };
    std::ranges::sort(order, [&](std::uint32_t one, std::uint32_t other) {
        return std::tuple(key(one), one) < std::tuple(key(other), other);
    });
    for (std::size_t at = 0; at < order.size(); ++at) {
        const bool same = at > 0 && key(order[at]) == key(order[at - 1]);
        features_[order[at]].column = same ? features_[order[at - 1]].column : new_column(order[at]);
    }
}

std::uint32_t RoughBuilder::new_column(std::uint32_t leader) {
    const double least = features_[leader].least, most = features_[leader].most;
    constexpr double integers = 65534.0;
    const double step = (most - least) / integers;
    columns_.push_back({leader, least, step, 0.501 * step});
    return static_cast<std::uint32_t>(columns_.size() - 1);
}

std::int16_t RoughBuilder::integer(const Column& column, double value) {
    return static_cast<std::int16_t>(std::lrint((value - column.least) / column.step) - 32767);
}

bool RoughBuilder::sparse(std::size_t lanes) const {
    const SparseRows& rows = lists_.features;
    // If fewer than one in so many cells has a value, adding up rows takes less time, and less than half the memory.
    constexpr std::size_t most = 8;
    const std::size_t present = rows.offsets[end_] - rows.offsets[begin_];
    return end_ - begin_ > lanes && (end_ - begin_) * columns_.size() > most * present;
}

std::vector<std::int16_t> RoughBuilder::integers(std::size_t lanes) {
    std::vector<std::int16_t> found;
    if (!fill(lanes, found)) fill(lanes, found);
    return found;
}

bool RoughBuilder::fill(std::size_t lanes, std::vector<std::int16_t>& found) {
    const SparseRows& rows = lists_.features;
    const std::size_t size = end_ - begin_, chunks = (size + lanes - 1) / lanes, width = (columns_.size() + 1) / 2 * 2;
    const std::size_t known = columns_.size();
    const auto cell = [&](std::size_t candidate, std::size_t column) -> std::int16_t& {
        const std::size_t chunk = candidate / lanes, lane = candidate % lanes;
        return found[(chunk * width + column / 2 * 2) * lanes + 2 * lane + column % 2];
    };
    found.assign(chunks * lanes * width, 0);
    last_.assign(known, {end_, 0.0F});
    for (std::size_t column = 0; column < known; ++column) {
        if (features_[columns_[column].leader].count == size) continue;
        const std::int16_t zero = integer(columns_[column], 0.0);
        for (std::size_t candidate = 0; candidate < size; ++candidate) cell(candidate, column) = zero;
    }
    for (std::uint32_t place = 0; place < features_.size(); ++place) places_[features_[place].id] = place;
    bool fits = true;
    for (std::size_t row = begin_; row < end_; ++row) {
        for (std::size_t at = rows.offsets[row]; at < rows.offsets[row + 1]; ++at) {
            const std::uint32_t place = places_[rows.ids[at]], column = features_[place].column;
            if (column == constant || column >= known) continue;
            const std::pair<std::size_t, float> value{row, rows.values[at]};
            if (columns_[column].leader == place) {
                cell(row - begin_, column) = integer(columns_[column], double{rows.values[at]});
                last_[column] = value;
            } else if (last_[column] != value) {  // two hashes were alike
                features_[place].column = new_column(place);
                fits = false;
            }
        }
    }
    for (const Feature& each : features_) places_[each.id] = constant;
    return fits;
}

}  // namespace pentaglot
