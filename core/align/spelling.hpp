#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/cooccurrence.hpp"
#include "base/parallel.hpp"

namespace pentaglot {

// The spellings of words by id, lower-cased and without accents, as flat UTF-8. Does not own the arrays.
class Spellings {
  public:
    Spellings() = default;
    // Throws Error unless the offsets rise from 0 to the number of bytes.
    Spellings(std::span<const char> bytes, std::span<const std::uint64_t> offsets);

    std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
    std::string_view operator[](std::size_t id) const {
        return {bytes_.data() + offsets_[id], static_cast<std::size_t>(offsets_[id + 1] - offsets_[id])};
    }

  private:
    std::span<const char> bytes_;
    std::span<const std::uint64_t> offsets_;
};

// How alike two words are spelt: 1 if they are equal; the share of the longer one that their common beginning covers,
// if that is half of it or more; otherwise 0. Names, numbers, punctuation and cognates are found in this way.
double likeness(std::string_view one, std::string_view other);

// The likeness of the two words of every cell.
std::vector<float> cell_likeness(const WordPairs& pairs, const Spellings& source, const Spellings& target,
                                 unsigned threads, const Poll& poll);

}  // namespace pentaglot
