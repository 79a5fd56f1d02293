#pragma once

#include <nanobind/nanobind.h>

// The part of the room that learns and uses reordering grammars.
void bind_order_grammar(nanobind::module_& module);
