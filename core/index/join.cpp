#include "index/join.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/damage.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

enum class Order { precedes, partner, follows };

// The two lists being joined and the result. A is an occurrence of the prefix `a α`, B one of the suffix `α b`.
class Joiner {
  public:
    Joiner(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape, const Occurrences& prefix,
           const Occurrences& suffix, double lambda)
        : sentences_(index.sentences()),
          limits_(limits),
          shape_(shape),
          first_(prefix.positions()),
          second_(suffix.positions()),
          width_(prefix.chunks()),
          other_width_(suffix.chunks()),
          only_gap_(shape.starts_with_gap && shape.ends_with_gap && width_ == 1 && other_width_ == 1),
          lambda_(lambda),
          most_compared_(most_compared()),
          most_found_(most_found()) {}

    std::uint32_t result_width() const { return width_ + (shape_.ends_with_gap ? 1 : 0); }

    std::vector<std::uint32_t> merged() {
        merge(0, first_.size() / width_, 0, second_.size() / other_width_);
        return std::move(result_);
    }

    std::vector<std::uint32_t> halved() {
        halve(0, first_.size() / width_, 0, second_.size() / other_width_);
        if (unsorted_) sort_tuples(result_, result_width());
        return std::move(result_);
    }

    std::vector<std::uint32_t> galloped() {
        const std::size_t size = first_.size() / width_, other_size = second_.size() / other_width_;
        if (size <= other_size) {
            std::size_t low = 0;
            for (std::size_t a = 0; a < size; ++a) {
                low = seek(second_, other_width_, low, other_size, least_second(head(a)));
                if (low == other_size) break;
                emit_partners_of_first(a, low, other_size);
            }
        } else {
            std::size_t low = 0;
            for (std::size_t b = 0; b < other_size; ++b) {
                low = seek(first_, width_, low, size, least_first(other_head(b)));
                if (low == size) break;
                emit_partners_of_second(b, low, size);
            }
            if (unsorted_) sort_tuples(result_, result_width());
        }
        return std::move(result_);
    }

    std::uint64_t compared() const { return compared_; }

  private:
    std::uint32_t head(std::size_t a) const { return first_[a * width_]; }
    std::uint32_t other_head(std::size_t b) const { return second_[b * other_width_]; }

    // Partners' first positions: B's in [least_second(A), beyond_second(A)), A's in [least_first(B), beyond_first(B)).
    // Bounds are on first positions because with α = X β tuples of A are not in the order of their suffixes.
    std::uint64_t least_second(std::uint64_t a) const { return a + 1 + (shape_.starts_with_gap ? limits_.min_gap : 0); }
    std::uint64_t beyond_second(std::uint64_t a) const {
        return a + (shape_.starts_with_gap ? std::uint64_t{limits_.max_span} : 2);
    }
    std::uint64_t least_first(std::uint64_t b) const {
        const std::uint64_t back = shape_.starts_with_gap ? std::uint64_t{limits_.max_span} - 1 : 1;
        return b > back ? b - back : 0;
    }
    std::uint64_t beyond_first(std::uint64_t b) const {
        const std::uint64_t back = shape_.starts_with_gap ? limits_.min_gap : std::uint64_t{0};
        return b > back ? b - back : 0;
    }

    Order compare(std::size_t a, std::size_t b) {
        if (++compared_ > most_compared_) damaged("the index is damaged: its lists of occurrences are out of order");
        listen_at(compared_);
        const std::uint32_t* const A = first_.data() + a * width_;
        const std::uint32_t* const B = second_.data() + b * other_width_;
        if (only_gap_) return compare_across_gap(A[0], B[0]);
        if (!shape_.starts_with_gap) {
            if (A[0] + 1 != B[0]) return A[0] + 1 > B[0] ? Order::follows : Order::precedes;
            for (std::uint32_t i = 1; i < width_; ++i) {
                if (A[i] != B[i]) return A[i] > B[i] ? Order::follows : Order::precedes;
            }
        } else {
            for (std::uint32_t i = 1; i < width_; ++i) {
                if (A[i] != B[i - 1]) return A[i] > B[i - 1] ? Order::follows : Order::precedes;
            }
        }
        const std::uint64_t end = std::uint64_t{B[other_width_ - 1]} + shape_.last_chunk;
        return end - A[0] > limits_.max_span ? Order::precedes : Order::partner;
    }

    // `a X b` is the one case where sentence and gap are tested; longer patterns inherit both.
    Order compare_across_gap(std::uint32_t a, std::uint32_t b) const {
        if (std::uint64_t{a} + 1 + limits_.min_gap > b) {
            return a > b || sentences_.same(a, b) ? Order::follows : Order::precedes;
        }
        if (std::uint64_t{b} + 1 - a > limits_.max_span || !sentences_.same(a, b)) return Order::precedes;
        return Order::partner;
    }

    // Lists from a damaged file may be out of order and hold the same numbers over and over; then there would be no end
    // of partners. In sorted lists of distinct tuples an occurrence is compared only with those that begin within its
    // reach.
    std::uint64_t most_compared() const {
        double reach = 4;
        for (std::uint32_t chunk = 0; chunk < std::max(width_, other_width_); ++chunk) reach *= limits_.max_span + 1.0;
        const double most = 2 * reach * static_cast<double>(first_.size() + second_.size() + 1);
        return most < 1e18 ? static_cast<std::uint64_t>(most) : UINT64_MAX;
    }
    // Each occurrence of the prefix gives at most one for every place where the last word may be.
    std::size_t most_found() const {
        const std::size_t places = shape_.ends_with_gap ? limits_.max_span : 1;
        return first_.size() / width_ * std::min(places, second_.size()) * result_width();
    }

    void emit(std::size_t a, std::size_t b) {
        if (result_.size() >= most_found_) damaged("the index is damaged: its lists of occurrences are out of order");
        const auto from = first_.begin() + static_cast<std::ptrdiff_t>(a * width_);
        result_.insert(result_.end(), from, from + width_);
        if (shape_.ends_with_gap) result_.push_back(second_[(b + 1) * other_width_ - 1]);
    }

    void merge(std::size_t a, std::size_t a_end, std::size_t b, std::size_t b_end) {
        std::uint64_t previous = ~std::uint64_t{0};
        for (; a < a_end; ++a) {
            // B is dropped only when a new first position has passed it: with α = X β its partners are not contiguous.
            if (head(a) != previous) {
                while (b < b_end && compare(a, b) == Order::follows) ++b;
                if (b == b_end) break;
                previous = head(a);
            }
            for (std::size_t at = b; at < b_end; ++at) {
                const Order order = compare(a, at);
                if (order == Order::precedes) break;
                if (order == Order::partner) emit(a, at);
            }
        }
    }

    // Lopez 2008, §4.2.5, with bounds that keep several partners in reach of both halves. Each call halves one list, so
    // the depth is at most the sum of their logarithms.
    void halve(std::size_t a, std::size_t a_end, std::size_t b, std::size_t b_end) {
        if (a == a_end || b == b_end) return;
        if (!searching_pays(a_end - a, b_end - b, lambda_)) return merge(a, a_end, b, b_end);
        if (a_end - a <= b_end - b) {
            const std::size_t middle = a + (a_end - a) / 2;
            const std::size_t low = lower(second_, other_width_, b, b_end, least_second(head(middle)));
            const std::size_t high = lower(second_, other_width_, low, b_end, beyond_second(head(middle)));
            halve(a, middle, b, high);
            emit_partners_of_first(middle, low, high);
            halve(middle + 1, a_end, low, b_end);
        } else {
            const std::size_t middle = b + (b_end - b) / 2;
            const std::size_t low = lower(first_, width_, a, a_end, least_first(other_head(middle)));
            const std::size_t high = lower(first_, width_, low, a_end, beyond_first(other_head(middle)));
            halve(a, high, b, middle);
            emit_partners_of_second(middle, low, high);
            halve(low, a_end, middle + 1, b_end);
            unsorted_ = true;
        }
    }

    void emit_partners_of_first(std::size_t a, std::size_t low, std::size_t high) {
        const std::uint64_t beyond = beyond_second(head(a));
        for (std::size_t b = low; b < high && other_head(b) < beyond; ++b) {
            if (compare(a, b) == Order::partner) emit(a, b);
        }
    }

    void emit_partners_of_second(std::size_t b, std::size_t low, std::size_t high) {
        unsorted_ = true;
        const std::uint64_t beyond = beyond_first(other_head(b));
        for (std::size_t a = low; a < high && head(a) < beyond; ++a) {
            if (compare(a, b) == Order::partner) emit(a, b);
        }
    }

    // The first tuple in [low, high) whose first position is at least `value`.
    static std::size_t lower(std::span<const std::uint32_t> list, std::uint32_t width, std::size_t low,
                             std::size_t high, std::uint64_t value) {
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (list[middle * width] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    static std::size_t seek(std::span<const std::uint32_t> list, std::uint32_t width, std::size_t low, std::size_t high,
                            std::uint64_t value) {
        std::size_t step = 1;
        std::size_t at = low;
        while (at < high && list[at * width] < value) {
            low = at + 1;
            at += step;
            step *= 2;
        }
        return lower(list, width, low, std::min(at, high), value);
    }

    const SentenceNumbers& sentences_;
    const GrammarLimits& limits_;
    const JoinShape& shape_;
    std::span<const std::uint32_t> first_, second_;
    std::uint32_t width_, other_width_;
    bool only_gap_;
    double lambda_;
    std::uint64_t most_compared_;
    std::size_t most_found_;
    bool unsorted_ = false;
    std::uint64_t compared_ = 0;
    std::vector<std::uint32_t> result_;
};

}  // namespace

bool searching_pays(std::size_t one, std::size_t other, double lambda) {
    const auto few = static_cast<double>(std::min(one, other));
    const auto many = static_cast<double>(std::max(one, other));
    return few != many && lambda * few * std::log2(many) < few + many;
}

Occurrences join(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape,
                 const Occurrences& prefix, const Occurrences& suffix, JoinMethod method, double lambda,
                 JoinCounts& counts) {
    ++counts.joins;
    const std::uint32_t width = prefix.chunks() + (shape.ends_with_gap ? 1 : 0);
    if (prefix.empty() || suffix.empty()) return {std::vector<std::uint32_t>{}, width};
    Joiner joiner(index, limits, shape, prefix, suffix, lambda);
    std::vector<std::uint32_t> found;
    if (method == JoinMethod::merge || !searching_pays(prefix.size(), suffix.size(), lambda)) {
        found = joiner.merged();
    } else if (method == JoinMethod::double_binary) {
        found = joiner.halved();
    } else {
        found = joiner.galloped();
    }
    counts.compared += joiner.compared();
    return {std::move(found), width};
}

}  // namespace pentaglot
