#pragma once

#include <nanobind/nanobind.h>

#include "base/listening.hpp"

// A Poll for parallel_for: lets Ctrl-C stop a native loop that has released the GIL.
inline void poll_python_signals() {
    const nanobind::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

// For loops that need Python, and so keep the GIL.
inline void check_python_signals_at(std::size_t step) {
    if (step % 256 == 0 && PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

// Releases the GIL for a native call, so that other threads go on, and lets Ctrl-C end its loops, if they listen.
class OutsidePython {
  private:
    nanobind::gil_scoped_release release_;
    pentaglot::Listening listening_{poll_python_signals};
};

// The result of `compute`, run that way.
template <typename Compute>
auto outside_python(const Compute& compute) {
    const OutsidePython outside;
    return compute();
}
