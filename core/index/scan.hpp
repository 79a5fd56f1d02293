#pragma once

#include <cstdint>

#include "index/join.hpp"

namespace pentaglot {

// A join in which the text takes the place of one of the two lists: beside each occurrence of the one pattern, the
// missing word is looked for where it must be. It reads a few tokens for each occurrence and needs no other list: the
// way to join a rare pattern with any other.

// From the occurrences of `a α` to those of `a α b`; `before` is the number of words in the last chunk of `a α`.
Occurrences scan_for_last(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape,
                          const Occurrences& prefix, std::uint32_t before, WordId last);

// From the occurrences of `α b` to those of `a α b`.
Occurrences scan_for_first(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape,
                           const Occurrences& suffix, WordId first);

}  // namespace pentaglot
