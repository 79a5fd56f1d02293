#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace pentaglot {

// What inside and outside sums are computed in: two operations, of which `times` must be commutative.
template <typename S>
concept Semiring = requires(typename S::Value a) {
    { S::zero() } -> std::same_as<typename S::Value>;
    { S::one() } -> std::same_as<typename S::Value>;
    { S::plus(a, a) } -> std::same_as<typename S::Value>;
    { S::times(a, a) } -> std::same_as<typename S::Value>;
};

// The score of the best derivation.
struct MaxSemiring {
    using Value = double;
    static Value zero() { return -std::numeric_limits<double>::infinity(); }
    static Value one() { return 0.0; }
    static Value plus(Value a, Value b) { return std::max(a, b); }
    static Value times(Value a, Value b) { return a + b; }
};

// The logarithm of the sum of exponentiated scores.
struct LogSemiring {
    using Value = double;
    static Value zero() { return -std::numeric_limits<double>::infinity(); }
    static Value one() { return 0.0; }
    static Value plus(Value a, Value b) {
        const double high = std::max(a, b);
        const double low = std::min(a, b);
        if (low == zero()) return high;
        return high + std::log1p(std::exp(low - high));
    }
    static Value times(Value a, Value b) { return a + b; }
};

// The number of derivations; `most` stands for itself and everything above.
struct CountSemiring {
    using Value = std::uint64_t;
    static constexpr Value most = std::numeric_limits<Value>::max();
    static Value zero() { return 0; }
    static Value one() { return 1; }
    static Value plus(Value a, Value b) { return a > most - b ? most : a + b; }
    static Value times(Value a, Value b) { return b != 0 && a > most / b ? most : a * b; }
};

// The first-order expectation semiring (Eisner 2002) of a quantity that adds up over edges. Instead of the pair
// (p, p r) it keeps (log p, r), which neither overflows nor needs signed logarithms.
struct Expectation {
    double log_weight;
    double mean;
};

struct ExpectationSemiring {
    using Value = Expectation;
    static Value zero() { return {LogSemiring::zero(), 0.0}; }
    static Value one() { return {0.0, 0.0}; }
    static Value plus(Value a, Value b) {
        if (a.log_weight == LogSemiring::zero()) return b;
        if (b.log_weight == LogSemiring::zero()) return a;
        const double total = LogSemiring::plus(a.log_weight, b.log_weight);
        const double share = std::exp(b.log_weight - total);
        return {total, a.mean + share * (b.mean - a.mean)};
    }
    static Value times(Value a, Value b) { return {a.log_weight + b.log_weight, a.mean + b.mean}; }
};

// The second-order one (Li and Eisner 2009, section 5) for two such quantities: their means and that of their product.
struct SecondExpectation {
    double log_weight;
    double first;
    double second;
    double product;
};

struct SecondExpectationSemiring {
    using Value = SecondExpectation;
    static Value zero() { return {LogSemiring::zero(), 0.0, 0.0, 0.0}; }
    static Value one() { return {0.0, 0.0, 0.0, 0.0}; }
    static Value plus(Value a, Value b) {
        if (a.log_weight == LogSemiring::zero()) return b;
        if (b.log_weight == LogSemiring::zero()) return a;
        const double total = LogSemiring::plus(a.log_weight, b.log_weight);
        const double share = std::exp(b.log_weight - total);
        return {total, a.first + share * (b.first - a.first), a.second + share * (b.second - a.second),
                a.product + share * (b.product - a.product)};
    }
    static Value times(Value a, Value b) {
        return {a.log_weight + b.log_weight, a.first + b.first, a.second + b.second,
                a.product + b.product + a.first * b.second + a.second * b.first};
    }
};

}  // namespace pentaglot
