#include "learn/rough_scores.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/four.hpp"
#include "base/listening.hpp"
#include "learn/rough_builder.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pentaglot {

namespace {

constexpr std::size_t lanes = RoughScores::lanes;
constexpr float nothing = -std::numeric_limits<float>::infinity();
constexpr double largest_integer = 32767.0;
constexpr double most_weights = 65000.0;                     // their sum times the largest integer fits into 32 bits
constexpr double largest_known = 1e30, least_known = 1e-30;  // what scores are made of lies between these

// Adds up products of weights and values of 16 candidates, two columns at a time.
#if defined(__SSE2__)
void add_products(const std::int16_t* values, std::span<const std::int16_t> weights, float unit, float* found) {
    __m128i sums[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (std::size_t at = 0; at < weights.size(); at += 2, values += 2 * lanes) {
        int both;
        std::memcpy(&both, weights.data() + at, sizeof(both));
        const __m128i weight = _mm_set1_epi32(both);
        for (std::size_t part = 0; part < 4; ++part) {
            const __m128i own = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + 8 * part));
            sums[part] = _mm_add_epi32(sums[part], _mm_madd_epi16(own, weight));
        }
    }
    for (std::size_t part = 0; part < 4; ++part)
        _mm_storeu_ps(found + 4 * part, _mm_mul_ps(_mm_cvtepi32_ps(sums[part]), _mm_set1_ps(unit)));
}
#else
void add_products(const std::int16_t* values, std::span<const std::int16_t> weights, float unit, float* found) {
    std::int32_t sums[lanes] = {};
    for (std::size_t at = 0; at < weights.size(); at += 2, values += 2 * lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
            sums[lane] += weights[at] * values[2 * lane] + weights[at + 1] * values[2 * lane + 1];
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) found[lane] = static_cast<float>(sums[lane]) * unit;
}
#endif

}  // namespace

RoughScores::RoughScores(const CandidateLists& lists) : lists_(lists) {
    RoughBuilder builder(lists);
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        listen_at<16>(sentence);
        builder.look(sentence);
        const bool sparse = builder.sparse(lanes);
        sparse_.push_back(sparse ? 1 : 0);
        values_.push_back(sparse ? std::vector<std::int16_t>() : builder.integers(lanes));
        for (const auto& each : builder.features())
            features_.push_back({each.id, sparse ? constant : each.column, each.largest});
        feature_offsets_.push_back(features_.size());
        for (const auto& each : builder.columns()) {
            if (!sparse) columns_.push_back({each.step, each.error});
        }
        column_offsets_.push_back(columns_.size());
    }
}

double RoughScores::scored(std::size_t sentence, double magnitude, Scratch& scratch) const {
    const std::size_t size = lists_.sentences[sentence + 1] - lists_.sentences[sentence];
    const auto columns = std::span(columns_).subspan(column_offsets_[sentence], scratch.sums.size());
    double total = 0.0, largest = 0.0, error = 0.0;
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const double own = std::abs(scratch.sums[at] * columns[at].step);
        total += own;
        largest = std::max(largest, own);
        error += std::abs(scratch.sums[at]) * columns[at].error;
    }
    scratch.scores.assign(room(size), 0.0F);
    const auto end = [&] {
        std::fill(scratch.scores.begin() + static_cast<std::ptrdiff_t>(size), scratch.scores.end(), nothing);
    };
    // Where weights are out of all proportion, nothing is known.
    if (!(total < largest_known) || !(magnitude < largest_known)) return end(), std::numeric_limits<double>::infinity();
    // What is lost by adding up floating-point numbers, here and in exact scores.
    error += 1e-15 * static_cast<double>(features_of(sentence).size() + 16) * magnitude;
    if (total < least_known) return end(), error + total * largest_integer;
    // Rounding adds at most a half to each weight, and to their sum at most as much again.
    const double room_for = std::max(most_weights - 0.5 * static_cast<double>(columns.size()), 0.5 * most_weights);
    const double scale = std::min(largest_integer / largest, room_for / total), unit = 1.0 / scale;
    scratch.weights.assign((columns.size() + 1) / 2 * 2, 0);
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const double wanted = scratch.sums[at] * columns[at].step * scale;
        const auto rounded = static_cast<std::int16_t>(std::lrint(wanted));
        scratch.weights[at] = rounded;
        error += std::abs(wanted - static_cast<double>(rounded)) * unit * largest_integer;
    }
    const std::int16_t* values = values_[sentence].data();
    for (std::size_t at = 0; at < scratch.scores.size(); at += lanes, values += lanes * scratch.weights.size())
        add_products(values, scratch.weights, static_cast<float>(unit), scratch.scores.data() + at);
    end();
    return error + 4e-7 * total * largest_integer;  // and by fewer digits
}

double RoughScores::rounded(std::size_t sentence, double magnitude, Scratch& scratch) const {
    const std::size_t size = scratch.sums.size();
    const bool known = magnitude < largest_known;
    scratch.scores.assign(room(size), nothing);
    double largest = 0.0;
    for (std::size_t at = 0; at < size; ++at) {
        const double own = known ? scratch.sums[at] - scratch.sums.front() : 0.0;
        scratch.scores[at] = static_cast<float>(own);
        largest = std::max(largest, std::abs(own));
    }
    if (!known) return std::numeric_limits<double>::infinity();
    return 4e-7 * largest + least_known + 1e-15 * static_cast<double>(features_of(sentence).size() + 16) * magnitude;
}

namespace {

// Calls `look` for the sums of four candidates at a time.
template <typename Look>
void each_four(std::span<const float> scores, std::span<const float> extra, float factor, const Look& look) {
    if (extra.empty()) {
        for (std::size_t at = 0; at < scores.size(); at += 4) look(at, four_at(scores, at));
    } else {
        for (std::size_t at = 0; at < scores.size(); at += 4)
            look(at, four_at(scores, at) + factor * four_at(extra, at));
    }
}

}  // namespace

void likely_best(std::span<const float> scores, std::span<const float> extra, float factor, double error,
                 std::vector<std::uint32_t>& found) {
    found.clear();
    Four top = Four{} + nothing;
    each_four(scores, extra, factor, [&](std::size_t, const Four& own) { top = own > top ? own : top; });
    const float most = largest_of(top);
    const double wanted = double{most} - 2.0 * error;
    const float least = std::isfinite(wanted) ? std::nextafter(static_cast<float>(wanted), nothing)
                                              : std::numeric_limits<float>::lowest();
    each_four(scores, extra, factor, [&](std::size_t at, const Four& own) {
        for (unsigned likely = bits_of(own >= least); likely != 0; likely &= likely - 1)
            found.push_back(static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(likely)));
    });
    if (!found.empty()) return;
    // Sums are no numbers: anything may be the best.
    for (std::uint32_t at = 0; at < scores.size(); ++at) {
        if (scores[at] > nothing) found.push_back(at);
    }
}

std::vector<std::uint64_t> best(const RoughScores& rough, std::span<const double> weights) {
    const CandidateLists& lists = rough.lists();
    if (weights.size() != lists.feature_count) throw Error("there are not as many weights as features");
    std::vector<std::uint64_t> chosen;
    std::vector<std::uint32_t> likely;
    RoughScores::Scratch scratch;
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        listen_at<16>(sentence);
        const std::size_t begin = lists.sentences[sentence];
        if (begin == lists.sentences[sentence + 1]) continue;
        const double error = rough.of(sentence, weights, scratch);
        likely_best(scratch.scores, {}, 0.0F, error, likely);
        std::size_t top = begin + likely[0];
        double score = likely.size() == 1 ? 0.0 : lists.features.dot(top, weights);
        for (std::size_t at = 1; at < likely.size(); ++at) {
            const double other = lists.features.dot(begin + likely[at], weights);
            if (other > score) {
                score = other;
                top = begin + likely[at];
            }
        }
        chosen.push_back(top);
    }
    return chosen;
}

}  // namespace pentaglot
