#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/background.hpp"
#include "learn/distinct_rows.hpp"
#include "learn/rough_scores.hpp"

namespace pentaglot {

struct HopeAndFear {
    std::size_t hope, fear;  // candidates
    double hope_gain, fear_gain;
};

struct MiraSettings {
    double strength = 0.01;  // the largest step, C
    double decay = 0.999;    // of the pseudo-corpus, per sentence
};

// Batch MIRA over candidate lists (Cherry and Foster 2012): for one sentence after the other, the weights move just far
// enough to rank its hope above its fear by the difference of their gains, with a step of at most `strength`.
class Mira {
  public:
    // `gains` has the fixed gain of every candidate; where it is empty, gains come from a pseudo-corpus of BLEU.
    Mira(const RoughScores& rough, const DistinctRows& statistics, std::span<const double> gains,
         std::span<const double> weights, MiraSettings settings);

    // The candidate with the highest score plus gain and the one with the highest score minus gain; of equally good
    // ones the one with the higher score, then the first.
    HopeAndFear hope_and_fear(std::size_t sentence);

    // Visits the sentences in this order.
    void epoch(std::span<const std::uint32_t> order);

    const std::vector<double>& weights() const { return weights_; }
    // The mean of the weights after all visits so far.
    std::vector<double> average() const;

  private:
    // The candidate of a sentence with the highest score + sign * gain, given rough scores and gains.
    template <typename Gain>
    std::size_t chosen(std::size_t sentence, double sign, double error, const Gain& gain_of);
    void update(const HopeAndFear& chosen);

    const RoughScores& rough_;
    const DistinctRows& statistics_;
    const CandidateLists& lists_;
    std::span<const double> gains_;
    std::vector<double> weights_;
    std::vector<double>
        delayed_;  // for the average: the sum over steps of the move times the number of visits before it
    MiraSettings settings_;
    Background background_;
    RoughGains rough_gains_;
    std::uint64_t visits_ = 0;
    // Of the sentence at hand: rough scores of candidates, rough gains of its distinct rows of statistics and of
    // candidates, and those that may be the best.
    RoughScores::Scratch scratch_;
    std::vector<float> of_rows_, extra_;
    std::vector<std::uint32_t> likely_;
};

}  // namespace pentaglot
