#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/spelling.hpp"
#include "corpus/text.hpp"

namespace pentaglot {

// The first `letters` letters of a word: what its forms most often share. A Han character, which has a meaning by
// itself, counts as `letters_a_sign` letters. A number has no forms: it is its own stem.
constexpr std::size_t letters_a_sign = 4;
std::string_view stem_of(std::string_view spelling, std::size_t letters);

// The words of one side, grouped by stem.
struct Stems {
    std::vector<std::uint32_t> of;       // for each word its stem
    std::vector<double> shares;          // for each word its share of the occurrences of its stem
    std::vector<std::size_t> begins{0};  // for each stem where its words begin; one more at the end
    std::vector<WordId> words;           // by stem, in a stem by id

    std::size_t size() const { return begins.size() - 1; }
    std::span<const WordId> words_of(std::size_t stem) const {
        return std::span(words).subspan(begins[stem], begins[stem + 1] - begins[stem]);
    }
};

// One stem for each word if `letters` is 0. `frequencies` say how often each word occurs.
Stems find_stems(const Spellings& spellings, std::span<const double> frequencies, std::size_t letters);

}  // namespace pentaglot
