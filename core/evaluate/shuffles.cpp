#include "evaluate/shuffles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t shard_trials = 512;
constexpr std::size_t side_by_side = 8;  // trials that go through the segments together, so that rows are read once

// The coins and draws of one trial.
Random random_of(std::uint64_t seed, std::size_t trial) {
    return Random(mixed(mixed(seed) + 0x632BE59BD9B4E019ULL * (trial + 1)));
}

// Whole numbers with small sums are added as 32-bit integers, four at a time; the result is the same.
bool fits_int32(std::span<const double> rows, std::size_t width) {
    std::vector<double> sums(width, 0.0);
    for (std::size_t at = 0; at < rows.size(); ++at) {
        if (rows[at] != std::floor(rows[at])) return false;
        sums[at % width] += std::abs(rows[at]);
    }
    return std::ranges::all_of(sums, [](double sum) { return sum < std::numeric_limits<std::int32_t>::max() / 4; });
}

// Rows are padded to a multiple of this, so that the loops that add them need no tail.
constexpr std::size_t lane = 8;

std::size_t padded(std::size_t width) {
    return (width + lane - 1) / lane * lane;
}

// The rows must not overlap.
template <typename Number>
void add(Number* __restrict totals, const Number* __restrict row, std::size_t width) {
    for (std::size_t at = 0; at < width; at += lane) {
        for (std::size_t next = 0; next < lane; ++next) totals[at + next] += row[at + next];
    }
}

// Runs pooled: only which rows are exchanged matters, so a trial is the sum of some rows of differences. Eight rows
// have 256 sums; each trial takes one of them by eight coins at once.
template <typename Number>
class PooledTrials {
  public:
    PooledTrials(const PairOfSystems& systems, const Shuffling& shuffling) : systems_(systems), shuffling_(shuffling) {
        const std::size_t width = systems.width;
        differences_.resize((systems.rows() + 7) / 8 * 8 * padded(width));
        sums_.assign(2 * width, 0.0);
        for (std::size_t row = 0; row < systems.rows(); ++row) {
            for (std::size_t at = 0; at < width; ++at) {
                const double one = systems.first[row * width + at], other = systems.second[row * width + at];
                differences_[row * padded(width) + at] = static_cast<Number>(other - one);
                sums_[at] += one;
                sums_[width + at] += other;
            }
        }
    }

    void run(std::size_t begin, std::size_t end, double* out) const {
        const std::size_t width = padded(systems_.width), trials = end - begin;
        std::vector<Number> moved(trials * width, Number{0}), table(256 * width);
        std::vector<Random> random;
        for (std::size_t trial = begin; trial < end; ++trial) random.push_back(random_of(shuffling_.seed, trial));
        std::vector<std::uint64_t> coins(trials);
        for (std::size_t group = 0; group * 8 < systems_.rows(); ++group) {
            listen();
            fill_table(group, table);
            for (std::size_t trial = 0; trial < trials; ++trial) {
                coins[trial] = group % 8 == 0 ? random[trial].next() : coins[trial] >> 8;
                add(moved.data() + trial * width, table.data() + (coins[trial] & 0xFF) * width, width);
            }
        }
        for (std::size_t trial = 0; trial < trials; ++trial) {
            for (std::size_t at = 0; at < systems_.width; ++at) {
                const auto by = static_cast<double>(moved[trial * width + at]);
                *out = sums_[at] + by;
                out[systems_.width] = sums_[systems_.width + at] - by;
                ++out;
            }
            out += systems_.width;
        }
    }

  private:
    void fill_table(std::size_t group, std::vector<Number>& table) const {
        const std::size_t width = padded(systems_.width);
        const Number* rows = differences_.data() + group * 8 * width;
        std::fill_n(table.begin(), width, Number{0});
        for (std::size_t bit = 0; bit < 8; ++bit) {
            for (std::size_t below = 0; below < std::size_t{1} << bit; ++below) {
                Number* sum = table.data() + ((std::size_t{1} << bit) + below) * width;
                std::copy_n(table.data() + below * width, width, sum);
                add(sum, rows + bit * width, width);
            }
        }
    }

    const PairOfSystems& systems_;
    const Shuffling& shuffling_;
    std::vector<Number> differences_;  // what a pseudo-system gains where a row is exchanged; the last rows are 0
    std::vector<double> sums_;         // of both systems as they are
};

// Runs kept apart. With a random permutation p for each segment, row p(r) goes to run r of the first pseudo-system,
// from the first or the second system by its coin, and its counterpart to run p(p(r)) of the second one.
template <typename Number>
class SeparateTrials {
  public:
    SeparateTrials(const PairOfSystems& systems, const Shuffling& shuffling)
        : systems_(systems), shuffling_(shuffling) {
        // Segment by segment, all rows of a segment beside each other: run by run, first system and second.
        rows_.resize(2 * systems.rows() * padded(systems.width));
        for (std::size_t run = 0; run < systems.runs; ++run) {
            for (std::size_t segment = 0; segment < systems.segments; ++segment) {
                const std::size_t from = (run * systems.segments + segment) * systems.width;
                Number* to = rows_.data() + (segment * systems.runs + run) * 2 * padded(systems.width);
                for (std::size_t at = 0; at < systems.width; ++at) {
                    to[at] = static_cast<Number>(systems.first[from + at]);
                    to[padded(systems.width) + at] = static_cast<Number>(systems.second[from + at]);
                }
            }
        }
    }

    void run(std::size_t begin, std::size_t end, double* out) const {
        const std::size_t width = padded(systems_.width), rows = 2 * systems_.runs;
        for (std::size_t at = begin; at < end; at += side_by_side) {
            const std::size_t stop = std::min(end, at + side_by_side);
            std::vector<Number> totals((stop - at) * rows * width, Number{0});
            std::vector<std::size_t> order(systems_.runs);
            std::array<Random, side_by_side> random;
            for (std::size_t trial = at; trial < stop; ++trial) random[trial - at] = random_of(shuffling_.seed, trial);
            for (std::size_t segment = 0; segment < systems_.segments; ++segment) {
                listen_at<256>(segment);
                for (std::size_t trial = 0; trial < stop - at; ++trial)
                    deal(segment, random[trial], order, totals.data() + trial * rows * width);
            }
            for (std::size_t row = 0; row < (stop - at) * rows; ++row)
                out = std::copy_n(totals.begin() + static_cast<std::ptrdiff_t>(row * width), systems_.width, out);
        }
    }

  private:
    void deal(std::size_t segment, Random& random, std::vector<std::size_t>& order, Number* totals) const {
        const std::size_t runs = systems_.runs, width = padded(systems_.width);
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t left = runs; left > 1; --left) std::swap(order[left - 1], order[random.below(left)]);
        const Number* rows = rows_.data() + segment * runs * 2 * width;
        std::uint64_t coins = 0;
        for (std::size_t run = 0; run < runs; ++run) {
            coins = run % 64 == 0 ? random.next() : coins >> 1;
            const std::size_t row = order[run], side = coins & 1;
            add(totals + run * width, rows + (2 * row + side) * width, width);
            add(totals + (runs + order[row]) * width, rows + (2 * row + 1 - side) * width, width);
        }
    }

    const PairOfSystems& systems_;
    const Shuffling& shuffling_;
    std::vector<Number> rows_;
};

template <typename Trials>
std::vector<double> totals_of(const PairOfSystems& systems, const Shuffling& shuffling, std::size_t each,
                              unsigned threads) {
    const Trials trials(systems, shuffling);
    std::vector<double> totals(shuffling.trials * each);
    parallel_for((shuffling.trials + shard_trials - 1) / shard_trials, threads, [&](std::size_t shard, unsigned) {
        const std::size_t begin = shard * shard_trials, end = std::min(shuffling.trials, begin + shard_trials);
        trials.run(shuffling.begin + begin, shuffling.begin + end, totals.data() + begin * each);
    });
    return totals;
}

}  // namespace

std::vector<double> shuffled_totals(const PairOfSystems& systems, const Shuffling& shuffling, unsigned threads) {
    if (systems.first.size() != systems.second.size() || systems.first.size() != systems.rows() * systems.width)
        throw Error("two systems need equally many rows of statistics");
    if (!std::ranges::all_of(systems.first, [](double value) { return std::isfinite(value); }) ||
        !std::ranges::all_of(systems.second, [](double value) { return std::isfinite(value); }))
        throw Error("statistics must be finite numbers");
    const bool pooled = shuffling.pooled || systems.runs == 1;
    const std::size_t each = 2 * (pooled ? 1 : systems.runs) * systems.width;
    if (each > 0 && shuffling.trials > std::numeric_limits<std::uint32_t>::max() / each)
        throw Error("there are too many trials to hold at once");
    const bool whole =
        systems.width > 0 && fits_int32(systems.first, systems.width) && fits_int32(systems.second, systems.width);
    if (pooled) {
        return whole ? totals_of<PooledTrials<std::int32_t>>(systems, shuffling, each, threads)
                     : totals_of<PooledTrials<double>>(systems, shuffling, each, threads);
    }
    return whole ? totals_of<SeparateTrials<std::int32_t>>(systems, shuffling, each, threads)
                 : totals_of<SeparateTrials<double>>(systems, shuffling, each, threads);
}

}  // namespace pentaglot
