#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "corpus/text.hpp"

namespace pentaglot {

// Word classes from bigrams by the exchange algorithm (Kneser and Ney 1993; Martin, Liermann and Ney 1998): words are
// dealt out to classes by frequency, then moved one by one, the most frequent first, to the class with which the class
// bigram model explains the text best, for at most `rounds` rounds. Class 0 holds the special ids and words that are
// not in the text; the others are numbered from 1 to classes - 1. Cost of a round: words x classes + bigrams.
std::vector<std::uint16_t> exchange_classes(const Text& text, std::size_t words, std::size_t classes, unsigned rounds,
                                            const Poll& poll);

}  // namespace pentaglot
