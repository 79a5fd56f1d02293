#pragma once

#include <atomic>

#include "base/error.hpp"

namespace pentaglot {

// How another thread stops long work: the work looks at this now and then.
class Cancellation {
  public:
    void cancel() { asked_.store(true, std::memory_order_relaxed); }
    bool cancelled() const { return asked_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> asked_{false};
};

// Throws Error if there is somebody who may cancel and has done so.
inline void check_cancelled(const Cancellation* cancellation) {
    if (cancellation != nullptr && cancellation->cancelled()) throw Error("the translation was cancelled");
}

}  // namespace pentaglot
