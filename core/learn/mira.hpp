#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/columns.hpp"

namespace pentaglot {

struct HopeAndFear {
    std::size_t hope, fear;  // candidates
    double hope_gain, fear_gain;
};

// The pseudo-corpus of BLEU: decayed statistics of recent hopes, against which one more sentence is judged.
class Background {
  public:
    explicit Background(double decay) : decay_(decay) {}

    // BLEU of the pseudo-corpus with this sentence added, times its reference length: what the sentence is worth in
    // words (Chiang, Marton and Resnik 2008). 1 is added to every count, so that it is always defined.
    double gain(std::span<const double> statistics);
    void add(std::span<const double> statistics);

  private:
    double brevity(double length, double reference);

    // The candidates of a sentence have a few different lengths.
    struct Known {
        double length = 0.0, reference = 0.0, brevity = 1.0;
    };
    std::array<Known, 16> known_{};
    double decay_;
    std::array<double, 10> totals_{};
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
    Mira(const FeatureColumns& columns, std::span<const double> gains, std::span<const double> weights,
         MiraSettings settings);

    // The candidate with the highest score plus gain and the one with the highest score minus gain; of equally good
    // ones the one with the higher score, then the first.
    HopeAndFear hope_and_fear(std::size_t sentence);

    // Visits the sentences in this order.
    void epoch(std::span<const std::uint32_t> order);

    const std::vector<double>& weights() const { return weights_; }
    // The mean of the weights after all visits so far.
    std::vector<double> average() const;

  private:
    // Of the candidates from `begin`, whose scores are known.
    template <typename Gain>
    HopeAndFear chosen_by(std::size_t begin, const Gain& gain_of) const;
    void update(const HopeAndFear& chosen);

    const FeatureColumns& columns_;
    const CandidateLists& lists_;
    std::span<const double> gains_;
    std::vector<double> weights_;
    std::vector<double>
        delayed_;  // for the average: the sum over steps of the move times the number of visits before it
    MiraSettings settings_;
    Background background_;
    std::uint64_t visits_ = 0;
    std::vector<double> scores_,
        found_;  // of the sentence at hand: scores of its candidates, gains of its distinct rows of statistics
};

}  // namespace pentaglot
