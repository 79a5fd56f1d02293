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

// Lines in few digits: what says which of them are worth a second look. Intercepts are less that of the line that is
// highest at zero. There is room for a multiple of `lanes`; beyond the last line all are far below.
struct RoughLines {
    static constexpr std::size_t lanes = 4;  // that are computed side by side
    static constexpr float far_below = -std::numeric_limits<float>::infinity();
    static std::size_t room(std::size_t lines) { return (lines + lanes - 1) / lanes * lanes; }

    std::span<const float> slopes, intercepts;
    float top;             // the slope of the highest one at zero; those that differ from it are other numbers
    bool exact;            // slopes lost nothing
    float least, largest;  // slope, or what find_slopes() says
    void find_slopes();
};

// Which of the lines intercept + x * slope is highest where, from left to right; the first piece begins at minus
// infinity. Of equal lines the first is taken; a line that is highest at one point only is not listed.
//
// Cost: three passes over rough lines, which drop what lies below three outer ones, then O(m log m) for the m lines
// that remain; in k-best lists these are one in twenty.
class UpperEnvelope {
  public:
    // `top` is the line that is highest at zero, of equals the first.
    const std::vector<Piece>& of(std::span<const double> slopes, std::span<const double> intercepts, std::size_t top);
    // The same; `slope(line)` and `intercept(line)` are asked for the lines that remain.
    template <typename Slope, typename Intercept>
    const std::vector<Piece>& of(const RoughLines& rough, std::size_t lines, const Slope& slope,
                                 const Intercept& intercept) {
        find_outer(rough);
        if (rough.exact) sort_outer(rough);
        kept_.clear();
        for (const std::uint32_t line : outer_) {
            if (line < lines) kept_.push_back({slope(line), intercept(line), line});
        }
        if (rough.exact) {
            drop_parallel();
        } else {
            sort_kept();
        }
        return of_kept();
    }

  private:
    struct Line {
        double slope, intercept;
        std::size_t number;
    };
    void shift_slopes(std::span<const double> slopes, double top);
    struct Rough {
        float slope, intercept;
    };
    void find_outer(const RoughLines& rough);
    void drop_below(const RoughLines& rough, const Rough& end, float margin);
    // By slope, in one of two ways: before exact numbers are known, or afterwards. Then, of parallel lines, the highest
    // is the first of those left.
    void sort_outer(const RoughLines& rough);
    void drop_parallel();
    void sort_kept();
    const std::vector<Piece>& of_kept();

    std::vector<float> slopes_, intercepts_;
    std::vector<std::uint32_t> outer_;
    std::vector<std::uint64_t> keys_;
    std::vector<Line> kept_, hull_;  // those that remain, and those of the pieces
    std::vector<Piece> pieces_;
};

// The first of the largest numbers; 0 if there are none.
std::size_t first_largest(std::span<const double> numbers);

}  // namespace pentaglot
