#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/parallel.hpp"
#include "forest/derivation.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// Draws derivations of the goal with probability proportional to their exponentiated score; none if there are none.
// Sample i depends on the seed and on i only: more samples begin with the same ones, on every machine.
Derivations sample(const Forest& forest, std::span<const double> scores, std::size_t count, std::uint64_t seed,
                   const Poll& poll = {});

}  // namespace pentaglot
