#include "forest/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pentaglot {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Compilers do not find by themselves what can be computed side by side here: comparisons are in the way.
constexpr std::size_t lanes = RoughLines::lanes;
using Two = double __attribute__((vector_size(2 * sizeof(double))));
using Four = float __attribute__((vector_size(lanes * sizeof(float))));

Four four_at(std::span<const float> numbers, std::size_t at) {
    Four found;
    std::memcpy(&found, numbers.data() + at, sizeof(found));
    return found;
}
float largest_of(const Four& four) {
    return std::max(std::max(four[0], four[1]), std::max(four[2], four[3]));
}

// The lines that are highest far left and far right: the least and the largest slope, and the highest intercept of
// each.
struct Ends {
    float least, largest;
    float left, right;
};

Ends ends_of(const RoughLines& rough) {
    Four least = Four{} + rough.top, largest = least;
    for (std::size_t at = 0; at < rough.slopes.size(); at += lanes) {
        const Four slope = four_at(rough.slopes, at);
        least = slope < least ? slope : least;
        largest = slope > largest ? slope : largest;
    }
    Ends ends{-largest_of(-least), largest_of(largest), 0, 0};
    const Four nothing = Four{} + RoughLines::far_below;
    Four left = nothing, right = nothing;
    for (std::size_t at = 0; at < rough.slopes.size(); at += lanes) {
        const Four slope = four_at(rough.slopes, at), intercept = four_at(rough.intercepts, at);
        const Four one = slope == ends.least ? intercept : nothing;
        const Four other = slope == ends.largest ? intercept : nothing;
        left = one > left ? one : left;
        right = other > right ? other : right;
    }
    ends.left = largest_of(left);
    ends.right = largest_of(right);
    return ends;
}

}  // namespace

std::size_t first_largest(std::span<const double> numbers) {
    if (numbers.empty()) return 0;
    Two largest = Two{} + numbers.back(), number;
    for (std::size_t at = 0; at + 2 <= numbers.size(); at += 2) {
        std::memcpy(&number, numbers.data() + at, sizeof(number));
        largest = number > largest ? number : largest;
    }
    const double most = std::max(largest[0], largest[1]);
    return static_cast<std::size_t>(std::ranges::find(numbers, most) - numbers.begin());
}

// In the plane of (slope, intercept) the envelope is the upper hull, so what lies below the chords between the outer
// lines and the top is never highest. A little below does not count, and neither does much where slopes are so alike
// that few digits tell them apart: rounding must not drop a line.
void UpperEnvelope::find_outer(const RoughLines& rough) {
    const Ends ends = ends_of(rough);
    const float least = ends.least - rough.top, largest = ends.largest - rough.top;
    const float fall = least < 0 ? ends.left / least : 0, rise = largest > 0 ? ends.right / largest : 0;
    constexpr float most = 1e25F;
    const bool usable = std::max(std::abs(fall), std::abs(rise)) <= most && std::max(-least, largest) <= most;
    const float margin =
        usable ? 1e-6F * (std::abs(ends.left) + std::abs(ends.right)) + 1e-12F : -RoughLines::far_below;
    outer_.clear();
    for (std::size_t at = 0; at < rough.slopes.size(); at += lanes) {
        const Four slope = four_at(rough.slopes, at), less = slope - rough.top;
        const Four one = fall * less, other = rise * less;
        auto below = four_at(rough.intercepts, at) < (one < other ? one : other) - margin;
        // Lines whose slopes are rounded to that of an end may lie beyond it.
        if (!rough.exact) below = below & (slope != ends.least) & (slope != ends.largest);
        if ((below[0] & below[1] & below[2] & below[3]) != 0) continue;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            if (below[lane] == 0) outer_.push_back(static_cast<std::uint32_t>(at + lane));
        }
    }
}

// Slopes less that of the top have digits for what tells them apart.
void UpperEnvelope::shift_slopes(std::span<const double> slopes, double top) {
    std::ranges::fill(slopes_, 0.0F);
    for (std::size_t line = 0; line < slopes.size(); ++line) {
        slopes_[line] = static_cast<float>(slopes[line] - top);
        if (slopes_[line] == 0.0F && slopes[line] != top) std::ranges::fill(intercepts_, 0.0F);  // nothing is below
    }
}

const std::vector<Piece>& UpperEnvelope::of(std::span<const double> slopes, std::span<const double> intercepts,
                                            std::size_t top) {
    pieces_.clear();
    if (slopes.empty()) return pieces_;
    slopes_.assign(RoughLines::room(slopes.size()), static_cast<float>(slopes[top]));
    intercepts_.assign(slopes_.size(), RoughLines::far_below);
    bool exact = true;
    for (std::size_t line = 0; line < slopes.size(); ++line) {
        slopes_[line] = static_cast<float>(slopes[line]);
        intercepts_[line] = static_cast<float>(intercepts[line] - intercepts[top]);
        exact = exact && double{slopes_[line]} == slopes[line];
    }
    if (!exact) shift_slopes(slopes, slopes[top]);
    return of(
        RoughLines{slopes_, intercepts_, slopes_[top], exact}, slopes.size(),
        [&](std::size_t line) { return slopes[line]; }, [&](std::size_t line) { return intercepts[line]; });
}

const std::vector<Piece>& UpperEnvelope::of_kept() {
    std::ranges::sort(kept_, [](const Line& one, const Line& other) {
        if (one.slope != other.slope) return one.slope < other.slope;
        if (one.intercept != other.intercept) return one.intercept > other.intercept;
        return one.number < other.number;
    });
    pieces_.clear();
    hull_.clear();
    for (const Line& line : kept_) {
        double from = -infinity;
        bool parallel = false;
        while (!hull_.empty()) {
            const Line& last = hull_.back();
            parallel = last.slope == line.slope;
            if (parallel) break;  // sorted: the one that is there is not lower
            from = (last.intercept - line.intercept) / (line.slope - last.slope);
            if (from > pieces_.back().from) break;
            pieces_.pop_back();
            hull_.pop_back();
            from = -infinity;
        }
        if (!parallel && from < infinity) {
            pieces_.push_back({from, line.number});
            hull_.push_back(line);
        }
    }
    return pieces_;
}

}  // namespace pentaglot
