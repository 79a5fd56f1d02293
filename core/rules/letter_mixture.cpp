#include "rules/letter_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "align/counts.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t shard_size = 256;
constexpr double smallest = 1e-290;  // the smallest chance of a pair that it is safe to divide by

// The index of (i, j) in a table over the places of both words.
struct Grid {
    std::size_t columns;
    std::size_t operator()(std::size_t i, std::size_t j) const { return i * columns + j; }
};

}  // namespace

// What one worker adds up, and its scratch space.
struct LetterMixture::Expected {
    FixedPoint point;
    std::int64_t* counts;
    bool atomic;
    double& posterior;
    std::vector<double>& forward;
    std::vector<double>& backward;
};

LetterMixture::LetterMixture(LetterPairs pairs, std::vector<double> apart, std::vector<std::uint32_t> classes,
                             double longer)
    : pairs_(std::move(pairs)),
      apart_(std::move(apart)),
      posteriors_(pairs_.size(), 0.0),
      classes_(std::move(classes)) {
    const auto no_chance = [](double chance) { return !(chance >= 0 && chance <= 1); };
    if (apart_.size() != pairs_.size() || std::ranges::any_of(apart_, no_chance))
        throw Error("each pair needs the chance that its words have nothing to do with each other");
    if (classes_.size() != pairs_.size() ||
        std::ranges::any_of(classes_, [](std::uint32_t each) { return each >= most_classes; }))
        throw Error("each pair needs a class below 65536");
    if (no_chance(longer)) throw Error("the factor for longer and shorter units must be between 0 and 1");
    shares_.assign(classes_.empty() ? 0 : std::ranges::max(classes_) + 1, 0.5);
    double total = 1;
    for (const auto& unit : pairs_.units()) {
        const std::size_t letters = gram_length(unit.source) + gram_length(unit.target);
        chances_.push_back(letters == 2 ? 1 : longer);
        total += chances_.back();
    }
    for (double& chance : chances_) chance /= total;
    end_ = 1 / total;
}

double LetterMixture::add_expected(std::size_t number, Expected& expected) const {
    const auto pair = pairs_.pair(number);
    const Grid grid{pair.target + std::size_t{1}};
    const std::size_t last = grid(pair.source, pair.target);
    auto &forward = expected.forward, &backward = expected.backward;
    forward.assign(last + 1, 0.0);
    forward[0] = 1;
    LetterPairs::each_unit(pair, [&](std::uint32_t i, std::uint32_t j, UnitShape shape, std::uint32_t unit) {
        forward[grid(i + shape.source, j + shape.target)] += forward[grid(i, j)] * chances_[unit];
    });
    const double share = shares_[classes_[number]];
    const double by_units = share * forward[last] * end_;
    const double total = by_units + (1 - share) * apart_[number];
    expected.posterior = by_units > smallest ? by_units / total : 0;
    if (by_units > smallest) {
        // Backwards, what leads on from (i, j) must be known first: cells in the opposite order.
        backward.assign(last + 1, 0.0);
        backward[last] = 1;
        const double scale = share * end_ / total;
        std::size_t at = pair.cells.size();
        for (std::uint32_t i = pair.source; i-- > 0;) {
            for (std::uint32_t j = pair.target + 1; j-- > 0;) {
                double sum = 0;
                for (std::size_t number_of = unit_shapes.size(); number_of-- > 0;) {
                    const UnitShape shape = unit_shapes[number_of];
                    if (!LetterPairs::fits(pair, i, j, shape)) continue;
                    const std::uint32_t unit = pair.cells[--at];
                    const double onward = chances_[unit] * backward[grid(i + shape.source, j + shape.target)];
                    sum += onward;
                    add_count(expected.counts[unit], expected.point.fixed(forward[grid(i, j)] * onward * scale),
                              expected.atomic);
                }
                backward[grid(i, j)] = sum;
            }
        }
    }
    return std::log(total);
}

double LetterMixture::round(unsigned threads) {
    threads = usable_threads(threads);
    const std::size_t shards = (pairs_.size() + shard_size - 1) / shard_size;
    const FixedPoint point(pairs_.letters() + 1);
    SharedCounts counts(chances_.size(), threads);
    std::vector<double> likelihoods(pairs_.size());
    std::vector<std::vector<double>> forward(threads), backward(threads);
    parallel_for(shards, threads, [&](std::size_t shard, unsigned worker) {
        std::int64_t* lane = counts.lane(worker);
        for (std::size_t at = shard * shard_size; at < std::min(pairs_.size(), (shard + 1) * shard_size); ++at) {
            listen_at<16>(at);
            Expected expected{point, lane, counts.atomic(), posteriors_[at], forward[worker], backward[worker]};
            likelihoods[at] = add_expected(at, expected);
        }
    });
    double likelihood = 0, made = 0;
    std::vector<double> of_class(shares_.size()), made_of_class(shares_.size());
    for (std::size_t at = 0; at < pairs_.size(); ++at) {
        likelihood += likelihoods[at];
        made += posteriors_[at];
        of_class[classes_[at]] += 1;
        made_of_class[classes_[at]] += posteriors_[at];
    }
    for (std::size_t each = 0; each < shares_.size(); ++each)
        shares_[each] = of_class[each] > 0 ? made_of_class[each] / of_class[each] : 0;
    double total = made_ = made;
    for (std::size_t unit = 0; unit < chances_.size(); ++unit) {
        chances_[unit] = point.real(counts.sum(unit));
        total += chances_[unit];
    }
    for (double& chance : chances_) chance = total > 0 ? chance / total : 0;
    end_ = total > 0 ? made / total : 1;
    return likelihood;
}

void LetterMixture::drop_rare(double least) {
    for (double& chance : chances_) {
        if (chance * made_ < least * end_) chance = 0;
    }
}

std::vector<UnitShape> LetterMixture::best_cut(std::size_t number) const {
    if (number >= pairs_.size()) throw Error("there is no such pair");
    const auto pair = pairs_.pair(number);
    const Grid grid{pair.target + std::size_t{1}};
    struct Best {
        double chance = 0;
        UnitShape shape{};
    };
    std::vector<Best> best(grid(pair.source, pair.target) + 1);
    best[0].chance = 1;
    LetterPairs::each_unit(pair, [&](std::uint32_t i, std::uint32_t j, UnitShape shape, std::uint32_t unit) {
        const double chance = best[grid(i, j)].chance * chances_[unit];
        Best& there = best[grid(i + shape.source, j + shape.target)];
        if (chance > there.chance) there = {chance, shape};
    });
    std::vector<UnitShape> cut;
    std::size_t i = pair.source, j = pair.target;
    if (best[grid(i, j)].chance <= 0) return cut;
    while (i > 0) {
        const UnitShape shape = best[grid(i, j)].shape;
        cut.push_back(shape);
        i -= shape.source;
        j -= shape.target;
    }
    std::ranges::reverse(cut);
    return cut;
}

}  // namespace pentaglot
