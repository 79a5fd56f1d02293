#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/parallel.hpp"
#include "forest/derivation.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// Draws derivations of the goal with probability proportional to their exponentiated score; empty if it has none.
// Sample i depends only on the seed and on i: with a larger `count` the first samples stay the same, on every machine.
Derivations sample(const Forest& forest, std::span<const double> scores, std::size_t count, std::uint64_t seed,
                   const Poll& poll = {});

}  // namespace pentaglot
