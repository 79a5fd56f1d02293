#include "learn/envelope.hpp"

#include <algorithm>

namespace pentaglot {

const std::vector<Piece>& UpperEnvelope::of(std::span<const double> slopes, std::span<const double> intercepts) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    pieces_.clear();
    kept_.clear();
    if (slopes.empty()) return pieces_;
    // The lines that are highest far left, far right and at zero. In the plane of (slope, intercept) the envelope is
    // the upper hull, so what lies below the chords between these three is never highest.
    std::size_t left = 0, right = 0, top = 0;
    for (std::size_t line = 1; line < slopes.size(); ++line) {
        const double slope = slopes[line], intercept = intercepts[line];
        if (slope < slopes[left] || (slope == slopes[left] && intercept > intercepts[left])) left = line;
        if (slope > slopes[right] || (slope == slopes[right] && intercept > intercepts[right])) right = line;
        if (intercept > intercepts[top]) top = line;
    }
    const auto below = [&](std::size_t from, std::size_t to, std::size_t line) {
        return (intercepts[line] - intercepts[from]) * (slopes[to] - slopes[from]) <
               (intercepts[to] - intercepts[from]) * (slopes[line] - slopes[from]);
    };
    for (std::size_t line = 0; line < slopes.size(); ++line) {
        const bool hidden = slopes[line] < slopes[top] ? below(left, top, line) : below(top, right, line);
        if (!hidden) kept_.push_back(line);
    }
    std::ranges::sort(kept_, [&](std::size_t one, std::size_t other) {
        if (slopes[one] != slopes[other]) return slopes[one] < slopes[other];
        if (intercepts[one] != intercepts[other]) return intercepts[one] > intercepts[other];
        return one < other;
    });
    for (const std::size_t line : kept_) {
        double from = -infinity;
        bool parallel = false;
        while (!pieces_.empty()) {
            const Piece& last = pieces_.back();
            parallel = slopes[last.line] == slopes[line];
            if (parallel) break;  // sorted: the one that is there is not lower
            from = (intercepts[last.line] - intercepts[line]) / (slopes[line] - slopes[last.line]);
            if (from > last.from) break;
            pieces_.pop_back();
            from = -infinity;
        }
        if (!parallel && from < infinity) pieces_.push_back({from, line});
    }
    return pieces_;
}

}  // namespace pentaglot
