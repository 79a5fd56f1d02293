#include "forest/envelope.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/four.hpp"

namespace pentaglot {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t lanes = RoughLines::lanes;
using Two = double __attribute__((vector_size(2 * sizeof(double))));

// The highest intercepts of the lines with the least and with the largest slope.
struct Ends {
    float left, right;
};

Ends ends_of(const RoughLines& rough) {
    const Four nothing = Four{} + RoughLines::far_below;
    Four left = nothing, right = nothing;
    for (std::size_t at = 0; at < rough.slopes.size(); at += lanes) {
        const Four slope = four_at(rough.slopes, at), intercept = four_at(rough.intercepts, at);
        const Four one = slope == rough.least ? intercept : nothing;
        const Four other = slope == rough.largest ? intercept : nothing;
        left = one > left ? one : left;
        right = other > right ? other : right;
    }
    return {largest_of(left), largest_of(right)};
}

// How high the line through two others, as points, is at a slope.
template <typename Rough>
float chord(const Rough& one, const Rough& other, float slope) {
    return other.intercept + (slope - other.slope) * ((one.intercept - other.intercept) / (one.slope - other.slope));
}

// A number that is larger if the slope is; of equal slopes the same for 0 and -0.
std::uint64_t key_of(float slope, std::uint32_t line) {
    const auto bits = std::bit_cast<std::uint32_t>(slope + 0.0F);
    const std::uint32_t rising = (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
    return (std::uint64_t{rising} << 32) | line;
}

}  // namespace

void RoughLines::find_slopes() {
    Four low = Four{} + top, high = low;
    for (std::size_t at = 0; at < slopes.size(); at += pentaglot::lanes) {
        const Four slope = four_at(slopes, at);
        low = slope < low ? slope : low;
        high = slope > high ? slope : high;
    }
    least = -largest_of(-low);
    largest = largest_of(high);
}

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
    const float least = rough.least - rough.top, largest = rough.largest - rough.top;
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
        if (!rough.exact) below = below & (slope != rough.least) & (slope != rough.largest);
        for (unsigned above = bits_of(~below); above != 0; above &= above - 1)
            outer_.push_back(static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(above)));
    }
    if (rough.exact && usable) {
        drop_below(rough, {rough.least, ends.left}, margin);
        drop_below(rough, {rough.largest, ends.right}, margin);
    }
}

// The same with one more line on either side: that which is farthest above the chord.
void UpperEnvelope::drop_below(const RoughLines& rough, const Rough& end, float margin) {
    if (end.slope == rough.top) return;
    const auto within = [&](const Rough& line) {
        return end.slope < rough.top ? end.slope < line.slope && line.slope < rough.top
                                     : rough.top < line.slope && line.slope < end.slope;
    };
    const auto at = [&](std::uint32_t line) { return Rough{rough.slopes[line], rough.intercepts[line]}; };
    const Rough top{rough.top, 0.0F};
    Rough far{};
    float most = 0.0F;
    for (const std::uint32_t number : outer_) {
        const Rough line = at(number);
        const float above = line.intercept - chord(end, top, line.slope);
        if (above > most && within(line)) {
            most = above;
            far = line;
        }
    }
    if (most == 0.0F) return;
    std::erase_if(outer_, [&](std::uint32_t number) {
        const Rough line = at(number);
        if (!within(line)) return false;
        const bool outside = (line.slope < far.slope) == (end.slope < far.slope);
        const float height = line.slope == far.slope ? far.intercept : chord(outside ? end : top, far, line.slope);
        return line.intercept < height - margin;
    });
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
    RoughLines rough{slopes_, intercepts_, slopes_[top], exact, 0, 0};
    rough.find_slopes();
    return of(
        rough, slopes.size(), [&](std::size_t line) { return slopes[line]; },
        [&](std::size_t line) { return intercepts[line]; });
}

void UpperEnvelope::sort_outer(const RoughLines& rough) {
    keys_.clear();
    for (const std::uint32_t line : outer_) keys_.push_back(key_of(rough.slopes[line], line));
    std::ranges::sort(keys_);
    for (std::size_t at = 0; at < keys_.size(); ++at) outer_[at] = static_cast<std::uint32_t>(keys_[at]);
}

void UpperEnvelope::drop_parallel() {
    std::size_t count = 0;
    for (const Line& line : kept_) {
        const bool parallel = count > 0 && kept_[count - 1].slope == line.slope;
        if (!parallel) {
            kept_[count++] = line;
        } else if (line.intercept > kept_[count - 1].intercept) {
            kept_[count - 1] = line;
        }
    }
    kept_.resize(count);
}

void UpperEnvelope::sort_kept() {
    std::ranges::sort(kept_, [](const Line& one, const Line& other) {
        if (one.slope != other.slope) return one.slope < other.slope;
        if (one.intercept != other.intercept) return one.intercept > other.intercept;
        return one.number < other.number;
    });
}

const std::vector<Piece>& UpperEnvelope::of_kept() {
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
