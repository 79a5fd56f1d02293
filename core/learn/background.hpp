#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/distinct_rows.hpp"

namespace pentaglot {

// The pseudo-corpus of BLEU: decayed statistics of recent hopes, against which one more sentence is judged.
class Background {
  public:
    static constexpr std::size_t max_order = 4, width = 2 + 2 * max_order;

    explicit Background(double decay) : decay_(decay) {}

    // BLEU of the pseudo-corpus with this sentence added, times its reference length: what the sentence is worth in
    // words (Chiang, Marton and Resnik 2008). 1 is added to every count, so that it is always defined.
    double gain(std::span<const double> statistics);
    void add(std::span<const double> statistics);

    const std::array<double, width>& totals() const { return totals_; }
    // The part of a gain that depends on lengths alone.
    double of_lengths(double length, double reference);

  private:
    double brevity(double length, double reference);

    // The candidates of a sentence have a few different lengths.
    struct Known {
        double length = 0.0, reference = 0.0, brevity = 1.0;
    };
    std::array<Known, 16> known_{};
    double decay_;
    std::array<double, width> totals_{};
};

// Gains in few digits, four at a time, to tell which candidates need an exact one.
class RoughGains {
  public:
    explicit RoughGains(const DistinctRows& rows);

    // The gains of all distinct rows of a sentence; returns by how much each may differ from an exact one.
    double of(std::size_t sentence, Background& background, std::vector<float>& found);

  private:
    const DistinctRows& rows_;
    bool usable_;                        // statistics are counts of a reasonable size, and lengths are few
    std::vector<float> counts_;          // of four rows: what follows the lengths, each four times
    std::vector<std::uint64_t> begins_;  // of the counts of each sentence
    struct Lengths {
        double length, reference;
    };
    std::vector<Lengths> lengths_;  // distinct ones of each sentence
    std::vector<std::uint64_t> length_offsets_{0};
    std::vector<std::uint32_t> places_;  // row -> its lengths among those of its sentence
    std::vector<float> factors_;         // of these, at the moment
};

}  // namespace pentaglot
