#include <nanobind/nanobind.h>

#include "rooms.hpp"

void bind_align(nanobind::module_&) {}
