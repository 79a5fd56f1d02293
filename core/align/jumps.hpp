#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// How an HMM moves over the positions of a sentence: the chance of a jump depends on its distance and on the class of
// the word that is left. Distances are put into classes that widen with distance (Vogel et al. 1996; Och and Ney 2003).
namespace jump {

constexpr std::ptrdiff_t exact = 8;  // each distance up to this has a class of its own
constexpr std::size_t wide = 6;      // further classes: 9-12, 13-18, 19-28, 29-48, 49-128, beyond
constexpr std::size_t classes = 2 * (exact + wide) + 1;

std::size_t class_of(std::ptrdiff_t distance);
// How many distances share a class; the last class counts as 1000.
double width(std::size_t jump_class);

}  // namespace jump

// The jump probabilities of one direction: one row for each word class (there is at least one, class 0), then the row
// for the step into the sentence and the row for the step out of it.
class JumpModel {
  public:
    explicit JumpModel(std::size_t word_classes, double uniform);

    std::size_t word_classes() const { return word_classes_; }
    std::size_t rows() const { return word_classes_ + 2; }
    std::size_t size() const { return rows() * jump::classes; }
    std::size_t start_row() const { return word_classes_; }
    std::size_t end_row() const { return word_classes_ + 1; }
    // Probability of each jump class, by row.
    std::span<const double> weights() const { return weights_; }
    void set_weights(std::span<const double> weights);

    // New weights from expected counts, each row drawn towards the mean of the word rows with `strength`.
    void estimate(std::span<const double> counts, double strength);

    // Fills the n x n matrix of transitions (row: from; `stride` columns, those beyond n zero), its transpose, the
    // chance of each first position and the factor of each last position.
    void fill(std::span<const std::uint16_t> classes, std::size_t stride, double* transitions, double* transposed,
              double* start, double* end) const;
    // The part of a transition that comes from the jump classes, not from the uniform share.
    double learned_share(double transition, std::size_t positions) const {
        return transition > 0 ? 1 - uniform_ / (static_cast<double>(positions) * transition) : 0;
    }

  private:
    double density(std::size_t row, std::ptrdiff_t distance) const;

    std::size_t word_classes_;
    double uniform_;
    std::vector<double> weights_;
    std::vector<double> densities_;
};

}  // namespace pentaglot
