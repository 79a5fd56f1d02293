#pragma once

#include <nanobind/nanobind.h>

// Names of features and their weights, in the submodule of forests.
void bind_features(nanobind::module_& module);
