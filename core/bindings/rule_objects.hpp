#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "rules/stored_table.hpp"

// What the files that bind the room of rules share, and their functions, each of which fills a part of its submodule.

void bind_rule_table(nanobind::module_& module);    // the rules of one sentence
void bind_stored_table(nanobind::module_& module);  // looking up tables of all rules
void bind_table_making(nanobind::module_& module);  // from aligned text or given rules to such a table
void bind_table_text(nanobind::module_& module);    // tables as text
void bind_fallbacks(nanobind::module_& module);     // words without rules
void bind_letters(nanobind::module_& module);       // words in other scripts
void bind_induction(nanobind::module_& module);     // features made of others
void bind_word_choice(nanobind::module_& module);   // words that a sentence calls for

using ByteArray = ArrayIn<std::uint8_t>;

// A value by its name.
template <typename Value, std::size_t Size>
Value chosen(const std::string& name, const std::array<std::pair<const char*, Value>, Size>& known) {
    for (const auto& [spelling, value] : known) {
        if (name == spelling) return value;
    }
    throw pentaglot::Error("unknown name '" + name + "'");
}

// A table together with the arrays that hold it.
struct BoundTable {
    ArrayIn<pentaglot::Symbol> symbols;
    ArrayIn<std::uint32_t> children, patterns, rule_offsets, attempts, successes, targets, linkings;
    ArrayIn<float> counts;
    ByteArray target_pool, linking_pool;
    ArrayIn<float> reordering;
    std::vector<ArrayIn<float>> number_columns;
    std::vector<ByteArray> flag_columns;
    pentaglot::StoredTable table;
};
