#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pentaglot {

// From `from` to where the next piece begins, `line` is the highest line.
struct Piece {
    double from;
    std::size_t line;
};

// Which of the lines intercept + x * slope is highest where, from left to right; the first piece begins at minus
// infinity. Of equal lines the first is taken; a line that is highest at one point only is not listed.
//
// Cost: three vectorised passes, which drop what lies below three outer lines, then O(m log m) for the m lines that
// remain; in k-best lists these are one in twenty.
class UpperEnvelope {
  public:
    // `top` is the line that is highest at zero, of equals the first.
    const std::vector<Piece>& of(std::span<const double> slopes, std::span<const double> intercepts, std::size_t top);

  private:
    struct Line {
        double slope, intercept;
        std::size_t number;
    };
    void keep_outer(std::span<const double> slopes, std::span<const double> intercepts, std::size_t top);

    std::vector<Line> kept_;
    std::vector<Piece> pieces_;
};

// The first of the largest numbers; 0 if there are none.
std::size_t first_largest(std::span<const double> numbers);

}  // namespace pentaglot
