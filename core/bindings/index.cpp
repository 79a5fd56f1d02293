#include <nanobind/nanobind.h>

#include "rooms.hpp"

void bind_index(nanobind::module_&) {}
