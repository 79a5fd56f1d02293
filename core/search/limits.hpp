#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/cancellation.hpp"
#include "base/listening.hpp"

namespace pentaglot {

// How much one sentence may cost. When a limit is met, the search hurries to an end with what it has.
struct SearchLimits {
    double seconds = 0;          // 0: no limit
    std::size_t hypotheses = 0;  // 0: no limit; a limit on memory that gives the same answer everywhere
    const Cancellation* cancellation = nullptr;
};

// Watches the limits of one search.
class Watch {
  public:
    explicit Watch(const SearchLimits& limits)
        : limits_(limits), end_(std::chrono::steady_clock::now() + std::chrono::duration<double>(limits.seconds)) {}

    // Whether it is time to hurry; stays so once it is.
    bool exhausted(std::size_t hypotheses) {
        exhausted_ = exhausted_ || (limits_.hypotheses > 0 && hypotheses >= limits_.hypotheses) ||
                     (limits_.seconds > 0 && std::chrono::steady_clock::now() >= end_);
        return exhausted_;
    }
    bool was_exhausted() const { return exhausted_; }
    // For loops that may be long: every few steps they check whether to stop. Throws Error when cancelled, or what
    // listen() throws.
    static constexpr std::uint32_t interval = 256;
    bool must_stop(std::size_t hypotheses) {
        check_cancelled();
        return exhausted(hypotheses);
    }
    void check_cancelled() const {
        listen();
        pentaglot::check_cancelled(limits_.cancellation);
    }

  private:
    SearchLimits limits_;
    std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
    bool exhausted_ = false;
};

}  // namespace pentaglot
