#include "index/aligned_text.hpp"

#include <algorithm>
#include <utility>

#include "base/damage.hpp"
#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

LinkArrays arrange_links(const Text& source, const Text& target, std::span<const std::uint64_t> offsets,
                         std::span<const Place> source_places, std::span<const Place> target_places) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != source_places.size() ||
        source_places.size() != target_places.size() || !std::is_sorted(offsets.begin(), offsets.end())) {
        throw Error("the arrays of the alignment contradict each other");
    }
    LinkArrays arrays;
    arrays.extents = find_extents(offsets, source_places, target_places, source, target);
    std::vector<std::pair<std::uint32_t, Place>> inner;
    for (std::size_t number = 0; number + 1 < offsets.size(); ++number) {
        listen_at<256>(number);
        const auto begun = static_cast<std::ptrdiff_t>(inner.size());
        for (std::uint64_t i = offsets[number]; i < offsets[number + 1]; ++i) {
            const std::size_t token = source.offsets()[number] + source_places[i];
            const Place place = target_places[i];
            if (place != arrays.extents.source_first[token] && place != arrays.extents.source_last[token]) {
                inner.emplace_back(static_cast<std::uint32_t>(token), place);
            }
        }
        std::sort(inner.begin() + begun, inner.end());
        inner.erase(std::unique(inner.begin() + begun, inner.end()), inner.end());
    }
    for (const auto& [token, place] : inner) {
        arrays.inner_tokens.push_back(token);
        arrays.inner_places.push_back(place);
    }
    return arrays;
}

AlignedText::AlignedText(Text source, Text target, std::span<const Place> source_first,
                         std::span<const Place> source_last, std::span<const Place> target_first,
                         std::span<const Place> target_last, std::span<const std::uint32_t> inner_tokens,
                         std::span<const Place> inner_places)
    : source_(source),
      target_(target),
      source_first_(source_first),
      source_last_(source_last),
      target_first_(target_first),
      target_last_(target_last),
      inner_tokens_(inner_tokens),
      inner_places_(inner_places) {
    if (source.size() != target.size() || source_first.size() != source.tokens().size() ||
        source_last.size() != source_first.size() || target_first.size() != target.tokens().size() ||
        target_last.size() != target_first.size() || inner_tokens.size() != inner_places.size()) {
        throw Error("the alignment does not belong to these texts");
    }
}

std::span<const Place> AlignedText::inner(std::uint32_t token) const {
    const auto [begin, end] = std::equal_range(inner_tokens_.begin(), inner_tokens_.end(), token);
    return inner_places_.subspan(static_cast<std::size_t>(begin - inner_tokens_.begin()),
                                 static_cast<std::size_t>(end - begin));
}

std::vector<AlignedText::Link> AlignedText::links(std::size_t number) const {
    std::vector<Link> found;
    const auto first = source_first(number), last = source_last(number);
    const std::size_t targets = target_[number].size();
    const auto add = [&](std::uint32_t at, Place place) {
        if (place >= targets) damaged("the index is damaged: a word is linked to one that its sentence lacks");
        found.push_back({at, place});
    };
    const std::size_t begin = source_.offsets()[number];
    auto inner = static_cast<std::size_t>(std::lower_bound(inner_tokens_.begin(), inner_tokens_.end(), begin) -
                                          inner_tokens_.begin());
    for (std::uint32_t at = 0; at < first.size(); ++at) {
        if (first[at] == unaligned) continue;
        add(at, first[at]);
        for (; inner < inner_tokens_.size() && inner_tokens_[inner] <= begin + at; ++inner) {
            if (inner_tokens_[inner] == begin + at) add(at, inner_places_[inner]);
        }
        if (last[at] != first[at]) add(at, last[at]);
    }
    return found;
}

}  // namespace pentaglot
