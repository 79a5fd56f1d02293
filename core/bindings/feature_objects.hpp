#pragma once

#include <nanobind/nanobind.h>

// Names of features and their weights: a part of the room of forests.
void bind_features(nanobind::module_& module);
