#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"

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
    // words (Chiang, Marton and Resnik 2008). One is added to every count, so that nothing is ever undefined.
    double gain(std::span<const double> statistics) const;
    void add(std::span<const double> statistics);

  private:
    double decay_;
    std::vector<double> totals_ = std::vector<double>(10, 0.0);
};

struct MiraSettings {
    double strength = 0.01;  // the largest step, C
    double decay = 0.999;    // of the pseudo-corpus, per sentence
};

// Batch MIRA over candidate lists (Cherry and Foster 2012): for one sentence after the other the weights move just as
// far as it takes to rank its hope above its fear by what they differ in gain, but never further than `strength`.
class Mira {
  public:
    // `gains` has the fixed gain of every candidate; where it is empty, gains come from a pseudo-corpus of BLEU.
    Mira(const CandidateLists& lists, std::span<const double> gains, std::span<const double> weights,
         MiraSettings settings);

    // The candidate with the highest score plus gain and the one with the highest score minus gain; of equally good
    // ones the one with the higher score, then the first.
    HopeAndFear hope_and_fear(std::size_t sentence) const;

    // Visits the sentences in this order.
    void epoch(std::span<const std::uint32_t> order);

    const std::vector<double>& weights() const { return weights_; }
    // The mean of the weights after all visits so far.
    std::vector<double> average() const;

  private:
    void update(const HopeAndFear& chosen);

    CandidateLists lists_;
    std::span<const double> gains_;
    std::vector<double> weights_;
    std::vector<double> delayed_;  // sum over steps of what the step came too late for: visits before it times its move
    MiraSettings settings_;
    Background background_;
    std::uint64_t visits_ = 0;
};

}  // namespace pentaglot
