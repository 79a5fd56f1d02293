#include "base/listening.hpp"

#include <chrono>
#include <utility>

namespace pentaglot {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto pause = std::chrono::milliseconds(50);

// One for each thread: threads do not hear what is meant for others.
thread_local Listening* present = nullptr;
thread_local Clock::time_point next_question;

}  // namespace

Listening::Listening(Poll poll) : poll_(std::move(poll)), outer_(std::exchange(present, this)) {}

Listening::~Listening() {
    present = outer_;
}

void listen() {
    if (present == nullptr) return;
    const auto now = Clock::now();
    if (now < next_question) return;
    next_question = now + pause;
    present->poll_();
}

}  // namespace pentaglot
