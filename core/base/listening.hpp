#pragma once

#include <cstddef>
#include <functional>

namespace pentaglot {

// Asks whether to go on; ends a loop by throwing.
using Poll = std::function<void()>;

// How a long loop hears that it must end, however deep it lies and whichever thread it runs on: who calls the core says
// whom to ask, for as long as this lives, and the loop says listen() now and then.
class Listening {
  public:
    // An inner one takes the place of an outer one.
    explicit Listening(Poll poll);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

  private:
    friend void listen();

    Poll poll_;
    Listening* outer_;
};

// Asks about every 50 ms; else it costs a look at the clock. Where nobody is to be asked it does nothing.
void listen();

// For loops of many small steps, which would look at the clock too often: listens at every so manieth of them.
template <std::size_t often = 65'536>
void listen_at(std::size_t step) {
    if (step % often == 0) listen();
}

}  // namespace pentaglot
