#include <nanobind/nanobind.h>

#include "rooms.hpp"

void bind_lm(nanobind::module_&) {}
