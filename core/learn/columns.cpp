#include "learn/columns.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

// The features of the sentence at hand.
struct FeatureColumns::Seen {
    struct Feature {
        std::uint32_t id;
        std::uint32_t count;  // candidates that have it
        float first;
        float least, largest;  // of candidates that have it, then of all
        bool differs;          // between candidates
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    explicit Seen(std::size_t features) : places(features, none), varies(features, 0) {}

    void look(const SparseRows& rows, std::size_t begin, std::size_t end) {
        features.clear();
        for (std::size_t at = rows.offsets[begin]; at < rows.offsets[end]; ++at) {
            std::uint32_t& place = places[rows.ids[at]];
            if (place == none) {
                place = static_cast<std::uint32_t>(features.size());
                features.push_back({rows.ids[at], 0, rows.values[at], rows.values[at], rows.values[at], false});
            }
            Feature& feature = features[place];
            ++feature.count;
            feature.least = std::min(feature.least, rows.values[at]);
            feature.largest = std::max(feature.largest, rows.values[at]);
        }
        std::ranges::sort(features, {}, &Feature::id);
        for (std::uint32_t place = 0; place < features.size(); ++place) places[features[place].id] = place;
    }
    void forget() {
        for (const Feature& each : features) places[each.id] = none;
    }

    std::vector<std::uint32_t> places;  // feature -> its place in `features`
    std::vector<Feature> features;
    std::vector<std::uint8_t> varies;  // in any sentence so far
};

FeatureColumns::FeatureColumns(const CandidateLists& lists) : lists_(lists) {
    Seen seen(lists.feature_count);
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        listen_at<16>(sentence);
        add(sentence, seen);
        offsets_.push_back(columns_.size());
    }
    for (std::uint32_t feature = 0; feature < lists.feature_count; ++feature) {
        if (seen.varies[feature] != 0) varying_.push_back(feature);
    }
}

void FeatureColumns::add(std::size_t sentence, Seen& seen) {
    const SparseRows& rows = lists_.features;
    const std::size_t begin = lists_.sentences[sentence], end = lists_.sentences[sentence + 1], size = end - begin;
    const std::size_t chunks = (size + lanes - 1) / lanes;
    seen.look(rows, begin, end);
    std::uint32_t varying = 0;
    for (auto& each : seen.features) {
        if (each.count < size) {
            each.least = std::min(each.least, 0.0F);
            each.largest = std::max(each.largest, 0.0F);
        }
        each.differs = each.least != each.largest;
        if (each.differs) seen.varies[each.id] = 1;
        varying += each.differs ? 1 : 0;
    }
    // If fewer than one in so many cells has a value, rows are faster.
    constexpr std::size_t sparse = 4;
    const std::size_t present = rows.offsets[end] - rows.offsets[begin];
    dense_.push_back(varying * chunks * lanes <= sparse * present + lanes * varying ? 1 : 0);
    if (dense_.back() != 0) {
        // By feature, as they were seen.
        std::vector<float*> places;
        values_.emplace_back(varying * chunks * lanes + (seen.features.size() - varying) * lanes, 0.0F);
        float* next = values_.back().data();
        for (const auto& each : seen.features) {
            columns_.push_back(
                {each.id, each.differs ? static_cast<std::uint32_t>(lanes) : 0U, next, each.least, each.largest});
            places.push_back(next);
            if (!each.differs) std::fill_n(next, lanes, each.first);
            next += each.differs ? chunks * lanes : lanes;
        }
        for (std::size_t row = begin; row < end; ++row) {
            for (std::size_t at = rows.offsets[row]; at < rows.offsets[row + 1]; ++at) {
                const std::uint32_t feature = seen.places[rows.ids[at]];
                if (seen.features[feature].differs) places[feature][row - begin] = rows.values[at];
            }
        }
        for (std::size_t at = 0; at < places.size(); ++at) {
            if (seen.features[at].differs) std::fill_n(places[at] + size, chunks * lanes - size, *places[at]);
        }
    }
    seen.forget();
}

void FeatureColumns::scores(std::size_t sentence, std::span<const double> weights, std::vector<double>& found) const {
    if (weights.size() != lists_.feature_count) throw Error("there are not as many weights as features");
    const std::size_t begin = lists_.sentences[sentence], size = lists_.sentences[sentence + 1] - begin;
    if (!dense(sentence)) {
        found.resize(size);
        for (std::size_t at = 0; at < size; ++at) found[at] = lists_.features.dot(begin + at, weights);
        return;
    }
    found.assign((size + lanes - 1) / lanes * lanes, 0.0);
    // So few columns at once that they are read side by side, so many that sums are seldom put back.
    constexpr std::size_t some = 8;
    const auto columns = this->columns(sentence);
    for (std::size_t first = 0; first < columns.size(); first += some)
        add_scores(columns.subspan(first, std::min(some, columns.size() - first)), weights, found);
    found.resize(size);
}

void FeatureColumns::add_scores(std::span<const Column> columns, std::span<const double> weights,
                                std::span<double> sums) {
    for (std::size_t chunk = 0; chunk * lanes < sums.size(); ++chunk) {
        std::array<double, lanes> own;
        std::copy_n(sums.data() + chunk * lanes, lanes, own.begin());
        for (const Column& column : columns) {
            const double weight = weights[column.feature];
            const float* const values = column.values + chunk * column.step;
            for (std::size_t lane = 0; lane < lanes; ++lane) own[lane] += weight * double{values[lane]};
        }
        std::copy_n(own.begin(), lanes, sums.data() + chunk * lanes);
    }
}

void FeatureColumns::column_times(const Column& column, double factor, std::span<double> found) {
    for (std::size_t chunk = 0; chunk * lanes < found.size(); ++chunk) {
        const float* const values = column.values + chunk * column.step;
        const std::size_t count = std::min(lanes, found.size() - chunk * lanes);
        for (std::size_t lane = 0; lane < count; ++lane) found[chunk * lanes + lane] = factor * double{values[lane]};
    }
}

std::vector<double> scores(const FeatureColumns& columns, std::span<const double> weights) {
    const CandidateLists& lists = columns.lists();
    if (weights.size() != lists.feature_count) throw Error("there are not as many weights as features");
    std::vector<double> all, found;
    all.reserve(lists.size());
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        listen_at<16>(sentence);
        columns.scores(sentence, weights, found);
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

}  // namespace pentaglot
