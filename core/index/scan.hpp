#pragma once

#include <cstdint>

#include "index/join.hpp"

namespace pentaglot {

// A join in which one of the two lists is replaced by the text: beside each occurrence of the one pattern the missing
// word is looked for where it must be. Costs a few tokens an occurrence, and the other list need be neither sorted nor
// long: the way to join a rare pattern with any other.

// From the occurrences of `a α` to those of `a α b`; `before` is the number of words in the last chunk of `a α`.
Occurrences scan_for_last(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape,
                          const Occurrences& prefix, std::uint32_t before, WordId last);

// From the occurrences of `α b` to those of `a α b`.
Occurrences scan_for_first(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape,
                           const Occurrences& suffix, WordId first);

}  // namespace pentaglot
