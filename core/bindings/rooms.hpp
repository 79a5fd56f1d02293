#pragma once

#include <nanobind/nanobind.h>

// One function for each room; each fills the submodule of its name.
void bind_base(nanobind::module_& module);
void bind_corpus(nanobind::module_& module);
void bind_align(nanobind::module_& module);
void bind_lm(nanobind::module_& module);
void bind_forest(nanobind::module_& module);
void bind_order(nanobind::module_& module);
void bind_index(nanobind::module_& module);
void bind_rules(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_metrics(nanobind::module_& module);
void bind_learn(nanobind::module_& module);
void bind_evaluate(nanobind::module_& module);
