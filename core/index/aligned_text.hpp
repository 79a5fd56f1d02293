#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/text.hpp"

namespace pentaglot {

// Which words of one text are linked to which of the other, for every token of both: the first and the last place (in
// the other sentence) that a word is linked to, and, for source words with more than two links, those between. All
// links can be read back; spans are projected without scanning a sentence's links (Lopez 2008, §4.4.2). Words have
// places up to 65,534 in their sentence; links of words beyond are left out.
using Place = std::uint16_t;
constexpr Place unaligned = 0xFFFF;

struct LinkArrays {
    std::vector<Place> source_first, source_last;  // one for each source token, closing ids included
    std::vector<Place> target_first, target_last;
    std::vector<std::uint32_t> inner_tokens;  // source token of each further link, ascending
    std::vector<Place> inner_places;          // the target word it is linked to
    std::uint64_t left_out = 0;               // links of words that are too far into their sentence
};

// From links as (source place, target place) pairs, `offsets` saying where each sentence's begin. Throws Error if a
// link points outside its sentence or sentence counts differ.
LinkArrays arrange_links(const Text& source, const Text& target, std::span<const std::uint64_t> offsets,
                         std::span<const std::uint32_t> source_places, std::span<const std::uint32_t> target_places);

// Two aligned texts; owns nothing.
class AlignedText {
  public:
    struct Link {
        std::uint32_t source, target;
        bool operator==(const Link&) const = default;
    };

    AlignedText() = default;
    // Throws Error if the arrays do not belong to the texts.
    AlignedText(Text source, Text target, std::span<const Place> source_first, std::span<const Place> source_last,
                std::span<const Place> target_first, std::span<const Place> target_last,
                std::span<const std::uint32_t> inner_tokens, std::span<const Place> inner_places);

    const Text& source() const { return source_; }
    const Text& target() const { return target_; }

    // First and last target places of the words of source sentence `number`, and the other way round; `unaligned` for
    // words without links.
    std::span<const Place> source_first(std::size_t number) const { return part(source_first_, source_, number); }
    std::span<const Place> source_last(std::size_t number) const { return part(source_last_, source_, number); }
    std::span<const Place> target_first(std::size_t number) const { return part(target_first_, target_, number); }
    std::span<const Place> target_last(std::size_t number) const { return part(target_last_, target_, number); }

    // The places that a source token is linked to between its first and its last.
    std::span<const Place> inner(std::uint32_t token) const;
    // All links of a sentence pair, by source and then target place.
    std::vector<Link> links(std::size_t number) const;

  private:
    static std::span<const Place> part(std::span<const Place> places, const Text& text, std::size_t number) {
        const auto begin = text.offsets()[number];
        return places.subspan(begin, text.offsets()[number + 1] - begin - 1);
    }

    Text source_, target_;
    std::span<const Place> source_first_, source_last_, target_first_, target_last_;
    std::span<const std::uint32_t> inner_tokens_;
    std::span<const Place> inner_places_;
};

}  // namespace pentaglot
