#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace pentaglot {

// From `from` to where the next piece begins, `line` is the highest one.
struct Piece {
    double from;
    std::size_t line;
};

// Which of the lines intercept + x * slope is highest where, from left to right; the first piece begins at minus
// infinity. Of equal lines the first is taken; a line that is highest at one point only is not listed.
//
// Cost: two passes that drop what lies below three outer lines, then O(m log m) for the m lines that remain; in k-best
// lists these are one in twenty.
class UpperEnvelope {
  public:
    const std::vector<Piece>& of(std::span<const double> slopes, std::span<const double> intercepts);

  private:
    std::vector<std::size_t> kept_;
    std::vector<Piece> pieces_;
};

}  // namespace pentaglot
