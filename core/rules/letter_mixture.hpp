#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/letter_pairs.hpp"

namespace pentaglot {

// Tells transliterations from translations, given nothing but a mixture of pairs of both (Sajjad, Fraser and Schmid
// 2012). With a chance that is the same for all pairs of a class, a pair is a sequence of units, each with a chance of
// its own whatever comes before it; otherwise its two words have nothing to do with each other. Learnt by EM.
class LetterMixture {
  public:
    static constexpr std::uint32_t most_classes = 1U << 16U;

    // `apart` has for each pair the chance of its words if they have nothing to do with each other. At first all units
    // of one letter on each side are equally likely, and all others `longer` times as likely as these. Throws Error if
    // a chance is not a probability.
    LetterMixture(LetterPairs pairs, std::vector<double> apart, std::vector<std::uint32_t> classes, double longer);

    // One round of EM. Returns the log-likelihood of the pairs before it, which never falls from round to round, and is
    // the same with any number of threads.
    double round(unsigned threads);
    // Drops units whose expected count is below `least`; the others must make do without them.
    void drop_rare(double least);

    std::span<const double> shares() const { return shares_; }    // of pairs that are made of units, by class
    double end() const { return end_; }                           // the chance that no unit follows
    std::span<const double> chances() const { return chances_; }  // of each unit of pairs()
    // For each pair, how likely it is that units made it, by the last round.
    std::span<const double> posteriors() const { return posteriors_; }
    const LetterPairs& pairs() const { return pairs_; }

    // The most likely way to cut a pair into units; empty if there is none.
    std::vector<UnitShape> best_cut(std::size_t number) const;

  private:
    struct Expected;
    double add_expected(std::size_t number, Expected& expected) const;

    LetterPairs pairs_;
    std::vector<double> apart_, chances_, posteriors_;
    std::vector<std::uint32_t> classes_;
    std::vector<double> shares_;
    double end_, made_ = 0;
};

}  // namespace pentaglot
