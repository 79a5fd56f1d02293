#include "forest/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pentaglot {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// How many numbers are computed at once. Compilers do not vectorise this by themselves: comparisons are in the way.
constexpr std::size_t lanes = 2;
using Two = double __attribute__((vector_size(lanes * sizeof(double))));

double least_of(const Two& two) {
    return std::min(two[0], two[1]);
}
double largest_of(const Two& two) {
    return std::max(two[0], two[1]);
}

// The lines that are highest far left and far right: the least and the largest slope, and the highest intercept of
// each.
struct Ends {
    double least = infinity, largest = -infinity;
    double left = -infinity, right = -infinity;
};

void find_slopes(std::span<const double> slopes, Ends& ends) {
    const std::size_t even = slopes.size() / lanes * lanes;
    Two least = Two{} + infinity, largest = Two{} - infinity, slope;
    for (std::size_t at = 0; at < even; at += lanes) {
        std::memcpy(&slope, slopes.data() + at, sizeof(slope));
        least = slope < least ? slope : least;
        largest = slope > largest ? slope : largest;
    }
    ends.least = least_of(least);
    ends.largest = largest_of(largest);
    for (const double each : slopes.subspan(even)) {
        ends.least = std::min(ends.least, each);
        ends.largest = std::max(ends.largest, each);
    }
}

Ends ends_of(std::span<const double> slopes, std::span<const double> intercepts) {
    Ends ends;
    find_slopes(slopes, ends);
    const std::size_t even = slopes.size() / lanes * lanes;
    const Two nothing = Two{} - infinity;
    Two left = nothing, right = nothing, slope, intercept;
    for (std::size_t at = 0; at < even; at += lanes) {
        std::memcpy(&slope, slopes.data() + at, sizeof(slope));
        std::memcpy(&intercept, intercepts.data() + at, sizeof(intercept));
        const Two one = slope == ends.least ? intercept : nothing;
        const Two other = slope == ends.largest ? intercept : nothing;
        left = one > left ? one : left;
        right = other > right ? other : right;
    }
    ends.left = largest_of(left);
    ends.right = largest_of(right);
    for (std::size_t at = even; at < slopes.size(); ++at) {
        if (slopes[at] == ends.least) ends.left = std::max(ends.left, intercepts[at]);
        if (slopes[at] == ends.largest) ends.right = std::max(ends.right, intercepts[at]);
    }
    return ends;
}

// The line through two lines in the plane of (slope, intercept), where each of them is a point.
struct Chord {
    double rise, start;

    static Chord between(double slope, double intercept, double other_slope, double other_intercept) {
        const double rise = (other_intercept - intercept) / (other_slope - slope);
        const double start = intercept - rise * slope;
        if (std::isfinite(rise) && std::isfinite(start)) return {rise, start};
        return {0.0, slope == other_slope ? infinity : -infinity};  // nothing is on that side; or nothing lies below
    }
};

}  // namespace

std::size_t first_largest(std::span<const double> numbers) {
    return static_cast<std::size_t>(std::ranges::max_element(numbers) - numbers.begin());
}

// In the plane of (slope, intercept) the envelope is the upper hull, so what lies below the chords between the outer
// lines and the top is never highest. What lies only a little below is kept, lest rounding drop a line.
void UpperEnvelope::keep_outer(std::span<const double> slopes, std::span<const double> intercepts, std::size_t top) {
    const Ends ends = ends_of(slopes, intercepts);
    const double slope = slopes[top], height = intercepts[top];
    if (ends.least == ends.largest) {
        kept_.push_back({slope, height, top});
        return;
    }
    const Chord left = Chord::between(ends.least, ends.left, slope, height);
    const Chord right = Chord::between(slope, height, ends.largest, ends.right);
    const double size = std::abs(height) + std::abs(ends.left) + std::abs(ends.right) +
                        (std::abs(left.rise) + std::abs(right.rise)) * (std::abs(ends.least) + std::abs(ends.largest));
    const double margin = std::isfinite(size) ? 1e-12 * size : infinity;
    const auto keep = [&](std::size_t line) {
        const double one = left.rise * slopes[line] + left.start, other = right.rise * slopes[line] + right.start;
        if (!(intercepts[line] < (one < other ? one : other) - margin))
            kept_.push_back({slopes[line], intercepts[line], line});
    };
    const std::size_t even = slopes.size() / lanes * lanes;
    for (std::size_t at = 0; at < even; at += lanes) {
        Two slope_of, intercept;
        std::memcpy(&slope_of, slopes.data() + at, sizeof(slope_of));
        std::memcpy(&intercept, intercepts.data() + at, sizeof(intercept));
        const Two one = left.rise * slope_of + left.start, other = right.rise * slope_of + right.start;
        const auto below = intercept < (one < other ? one : other) - margin;
        if ((below[0] & below[1]) != 0) continue;
        for (std::size_t lane = 0; lane < lanes; ++lane) keep(at + lane);
    }
    for (std::size_t line = even; line < slopes.size(); ++line) keep(line);
}

const std::vector<Piece>& UpperEnvelope::of(std::span<const double> slopes, std::span<const double> intercepts,
                                            std::size_t top) {
    pieces_.clear();
    kept_.clear();
    if (slopes.empty()) return pieces_;
    keep_outer(slopes, intercepts, top);
    std::ranges::sort(kept_, [](const Line& one, const Line& other) {
        if (one.slope != other.slope) return one.slope < other.slope;
        if (one.intercept != other.intercept) return one.intercept > other.intercept;
        return one.number < other.number;
    });
    for (const Line& line : kept_) {
        double from = -infinity;
        bool parallel = false;
        while (!pieces_.empty()) {
            const Piece& last = pieces_.back();
            parallel = slopes[last.line] == line.slope;
            if (parallel) break;  // sorted: the one that is there is not lower
            from = (intercepts[last.line] - line.intercept) / (line.slope - slopes[last.line]);
            if (from > last.from) break;
            pieces_.pop_back();
            from = -infinity;
        }
        if (!parallel && from < infinity) pieces_.push_back({from, line.number});
    }
    return pieces_;
}

}  // namespace pentaglot
