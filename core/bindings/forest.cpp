#include <nanobind/nanobind.h>

#include "rooms.hpp"

void bind_forest(nanobind::module_&) {}
