#pragma once

#include <cstddef>
#include <functional>

namespace pentaglot {

// Asks whether to go on; throws to end a loop.
using Poll = std::function<void()>;

// How a long loop learns that it must end, however deep in the core and on whichever thread: the caller provides a
// function to ask, for as long as this object lives, and the loop calls listen() now and then.
class Listening {
  public:
    // An inner one replaces an outer one while it lives.
    explicit Listening(Poll poll);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

  private:
    friend void listen();

    Poll poll_;
    Listening* outer_;
};

// Asks at most every 50 ms; otherwise it only looks at the clock. Without a Listening on this thread it does nothing.
void listen();

// For loops of many small steps, which would look at the clock too often: listens once in `often` steps.
template <std::size_t often = 65'536>
void listen_at(std::size_t step) {
    if (step % often == 0) listen();
}

}  // namespace pentaglot
