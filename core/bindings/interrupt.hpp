#pragma once

#include <nanobind/nanobind.h>

// A Poll for parallel_for: lets Ctrl-C stop a native loop that has released the GIL.
inline void poll_python_signals() {
    const nanobind::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}
