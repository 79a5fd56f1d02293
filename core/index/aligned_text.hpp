#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/links.hpp"
#include "corpus/text.hpp"

namespace pentaglot {

// Which words of two texts are linked. For every token of both: the first and the last place (in the other sentence)
// that it is linked to; for source words with more than two links, also those between. All links can be read back;
// spans are projected without scanning a sentence's links (Lopez 2008, §4.4.2).
using Place = Position;
constexpr Place unaligned = no_position;

struct LinkArrays {
    Extents extents;                          // one place for each token, closing ids included
    std::vector<std::uint32_t> inner_tokens;  // source token of each link between first and last, ascending
    std::vector<Place> inner_places;          // the target word it is linked to
};

// From links in flat arrays; `offsets` says where those of each sentence begin. Throws Error if a link points outside
// its sentence, or if the numbers of sentences differ.
LinkArrays arrange_links(const Text& source, const Text& target, std::span<const std::uint64_t> offsets,
                         std::span<const Place> source_places, std::span<const Place> target_places);

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
    // All links of a sentence pair, by source and then target place. Throws Damage if one leads out of it.
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
