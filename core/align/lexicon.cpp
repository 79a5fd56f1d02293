#include "align/lexicon.hpp"

#include <algorithm>
#include <cmath>

#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t words_a_shard = 512;
// No probability is smaller: products over a long sentence are rescaled word by word, so this is safe.
constexpr double least = 1e-12;

double share(double count, double total, bool variational) {
    if (!variational) return total > 0 ? std::max(least, count / total) : least;
    return count > 0 ? std::max(least, std::exp(digamma(count)) / total) : least;
}

// What shares are divided by.
double divisor(double total, bool variational) {
    return variational && total > 0 ? std::exp(digamma(total)) : total;
}

}  // namespace

double digamma(double x) {
    double shifted = 0;
    for (; x < 7; x += 1) shifted -= 1 / x;
    x -= 0.5;
    const double inverse = 1 / x, square = inverse * inverse, fourth = square * square;
    return shifted + std::log(x) + square / 24 - 7.0 / 960 * fourth + 31.0 / 8064 * fourth * square -
           127.0 / 30720 * fourth * fourth;
}

Lexicon::Lexicon(const WordPairs& pairs, std::size_t source_words, std::size_t target_words, unsigned threads)
    : pairs_(pairs) {
    const BothWays<std::size_t> generated = {target_words, source_words};
    const BothWays<std::size_t> generating = {source_words, target_words};
    BothWays<double> uniform{};
    for (const Direction way : {to_target, to_source}) {
        uniform[way] = 1 / static_cast<double>(std::max<std::size_t>(generated[way], 1));
        null_[way].assign(generated[way], uniform[way]);
        null_counts_[way].assign(generated[way], 0.0);
        floor_[way].assign(generating[way], uniform[way]);
        totals_[way].assign(generating[way], 0.0);
    }
    probabilities_ = {pairs.size(), uniform, threads};
    counts_ = {pairs.size(), {0.0, 0.0}, threads};
}

void Lexicon::set_known(std::vector<BothWays<float>>&& counts, BothWays<std::vector<double>>&& null_counts) {
    known_ = std::move(counts);
    known_null_ = std::move(null_counts);
    for (const Direction way : {to_target, to_source}) known_null_[way].resize(null_[way].size(), 0.0);
}

// The counts of one source stem with every target stem, while its words are divided.
struct Lexicon::StemCounts {
    std::vector<BothWays<double>> of;
    std::vector<std::uint32_t> touched;
};

void Lexicon::estimate(const SharedCounts& counts, const SharedCounts& null_counts, const FixedPoint& fixed,
                       const LexiconOptions& options, unsigned threads, const Poll& poll) {
    const std::size_t source_words = pairs_.source_words(), target_words = null_[to_target].size();
    const std::size_t shards = (source_words + words_a_shard - 1) / words_a_shard;
    // Rows are summed directly. Columns are spread over the rows, so their sums are integers, added by any worker in
    // any order with the same result.
    SharedCounts column_sums(target_words, usable_threads(threads));
    std::vector<double> row_sums(source_words);
    parallel_for(
        shards, threads,
        [&](std::size_t shard, unsigned worker) {
            std::int64_t* sums = column_sums.lane(worker);
            const std::size_t last = std::min(source_words, (shard + 1) * words_a_shard);
            for (std::size_t word = shard * words_a_shard; word < last; ++word) {
                double total = 0;
                for (std::size_t cell = pairs_.rows[word]; cell < pairs_.rows[word + 1]; ++cell) {
                    listen_at(cell);
                    auto& [forward, backward] = counts_[cell];
                    forward = fixed.real(counts.sum(2 * cell));
                    backward = fixed.real(counts.sum(2 * cell + 1));
                    if (!known_.empty()) {
                        forward += static_cast<double>(known_[cell][to_target]);
                        backward += static_cast<double>(known_[cell][to_source]);
                    }
                    const double extra = prior(cell, options);
                    total += forward + extra;
                    add_count(sums[pairs_.columns[cell]], fixed.fixed(backward + extra), column_sums.atomic());
                }
                row_sums[word] = total;
            }
        },
        poll);
    BothWays<std::vector<double>> divisors;
    divisors[to_target].resize(source_words);
    divisors[to_source].resize(target_words);
    const bool by_stem = options.stem_strength > 0;
    for (const Direction way : {to_target, to_source}) {
        stem_totals_[way].assign(by_stem ? stems_[way].size() : 0, 0.0);
        for (std::size_t word = 0; word < divisors[way].size(); ++word) {
            const double sum = way == to_target ? row_sums[word] : fixed.real(column_sums.sum(word));
            if (by_stem) stem_totals_[way][stems_[way].of[word]] += sum;
            const double total = sum + options.stem_strength;
            totals_[way][word] = total;
            divisors[way][word] = divisor(total, options.variational);
            floor_[way][word] = total > 0 ? share(options.smoothing, divisors[way][word], options.variational)
                                          : 1 / static_cast<double>(null_[way].size());
        }
    }
    std::vector<StemCounts> scratch(std::max(threads, 1U));
    const std::size_t rows = by_stem ? stems_[to_target].size() : source_words;
    parallel_for((rows + words_a_shard - 1) / words_a_shard, threads,
                 [&](std::size_t shard, unsigned worker) {
                     const std::size_t last = std::min(rows, (shard + 1) * words_a_shard);
                     for (std::size_t row = shard * words_a_shard; row < last; ++row) {
                         if (by_stem) {
                             divide_stem(row, options, divisors, scratch[worker]);
                         } else {
                             divide_word(row, options, divisors);
                         }
                     }
                 },
                 poll);
    estimate_null(null_counts, fixed, options);
}

void Lexicon::divide_word(std::size_t word, const LexiconOptions& options,
                          const BothWays<std::vector<double>>& divisors) {
    const double row = divisors[to_target][word];
    for (std::size_t cell = pairs_.rows[word]; cell < pairs_.rows[word + 1]; ++cell) {
        const double column = divisors[to_source][pairs_.columns[cell]], extra = prior(cell, options);
        probabilities_[cell] = {share(counts_[cell][to_target] + extra, row, options.variational),
                                share(counts_[cell][to_source] + extra, column, options.variational)};
    }
}

// The same for all words of a source stem. Each is drawn towards the chance that its stem generates the other word's
// stem, times the share of the other word in that stem. The counts of stems are computed here: no table of stem pairs
// is kept.
void Lexicon::divide_stem(std::size_t stem, const LexiconOptions& options,
                          const BothWays<std::vector<double>>& divisors, StemCounts& counts) {
    const auto& [sources, targets] = stems_;
    const auto words = sources.words_of(stem);
    counts.of.resize(targets.size(), {0.0, 0.0});
    counts.touched.clear();
    for (const WordId word : words) {
        for (std::size_t cell = pairs_.rows[word]; cell < pairs_.rows[word + 1]; ++cell) {
            const std::uint32_t other = targets.of[pairs_.columns[cell]];
            const double extra = prior(cell, options);
            auto& [forward, backward] = counts.of[other];
            if (forward == 0 && backward == 0) counts.touched.push_back(other);
            forward += counts_[cell][to_target] + extra;
            backward += counts_[cell][to_source] + extra;
        }
    }
    const auto strength = [&](double total) { return total > 0 ? options.stem_strength / total : 0; };
    const double pull = strength(stem_totals_[to_target][stem]);
    for (const std::uint32_t other : counts.touched) {
        counts.of[other][to_target] *= pull;
        counts.of[other][to_source] *= strength(stem_totals_[to_source][other]);
    }
    for (const WordId word : words) {
        const double row = divisors[to_target][word], own_share = sources.shares[word];
        for (std::size_t cell = pairs_.rows[word]; cell < pairs_.rows[word + 1]; ++cell) {
            const WordId target = pairs_.columns[cell];
            const auto& [forward, backward] = counts.of[targets.of[target]];
            const double column = divisors[to_source][target], extra = prior(cell, options);
            probabilities_[cell] = {
                share(counts_[cell][to_target] + extra + forward * targets.shares[target], row, options.variational),
                share(counts_[cell][to_source] + extra + backward * own_share, column, options.variational)};
        }
    }
    for (const std::uint32_t other : counts.touched) counts.of[other] = {0.0, 0.0};
}

void Lexicon::estimate_null(const SharedCounts& null_counts, const FixedPoint& fixed, const LexiconOptions& options) {
    for (const Direction way : {to_target, to_source}) {
        const std::size_t first = way == to_target ? 0 : null_[to_target].size();
        double total = 0;
        for (std::size_t word = 0; word < null_[way].size(); ++word) {
            const double known = known_null_[way].empty() ? 0 : known_null_[way][word];
            null_counts_[way][word] = fixed.real(null_counts.sum(first + word)) + known;
            total += null_counts_[way][word] + options.null_smoothing;
        }
        total = divisor(total, options.variational);
        for (std::size_t word = 0; word < null_[way].size(); ++word) {
            null_[way][word] = share(null_counts_[way][word] + options.null_smoothing, total, options.variational);
        }
    }
}

}  // namespace pentaglot
