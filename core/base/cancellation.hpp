#pragma once

#include <atomic>

#include "base/error.hpp"

namespace pentaglot {

// How one thread cancels the long work of another, which checks this now and then.
class Cancellation {
  public:
    void cancel() { asked_.store(true, std::memory_order_relaxed); }
    bool cancelled() const { return asked_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> asked_{false};
};

// Throws Error if there is a Cancellation and it was cancelled.
inline void check_cancelled(const Cancellation* cancellation) {
    if (cancellation != nullptr && cancellation->cancelled()) throw Error("the translation was cancelled");
}

}  // namespace pentaglot
