#include "index/aligned_text.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace pentaglot {

namespace {

void widen(std::vector<Place>& first, std::vector<Place>& last, std::size_t token, Place place) {
    first[token] = first[token] == unaligned ? place : std::min(first[token], place);
    last[token] = last[token] == unaligned ? place : std::max(last[token], place);
}

}  // namespace

LinkArrays arrange_links(const Text& source, const Text& target, std::span<const std::uint64_t> offsets,
                         std::span<const std::uint32_t> source_places, std::span<const std::uint32_t> target_places) {
    const std::size_t sentences = source.size();
    if (target.size() != sentences || offsets.size() != sentences + 1 || offsets.front() != 0 ||
        offsets.back() != source_places.size() || source_places.size() != target_places.size() ||
        !std::is_sorted(offsets.begin(), offsets.end())) {
        throw Error("the alignment does not have one line for each of the " + std::to_string(sentences) +
                    " sentence pairs");
    }
    LinkArrays arrays;
    arrays.source_first.assign(source.tokens().size(), unaligned);
    arrays.source_last = arrays.source_first;
    arrays.target_first.assign(target.tokens().size(), unaligned);
    arrays.target_last = arrays.target_first;
    std::vector<std::pair<std::uint32_t, Place>> inner;
    for (std::size_t number = 0; number < sentences; ++number) {
        const std::size_t source_begin = source.offsets()[number], target_begin = target.offsets()[number];
        const auto each_link = [&](const auto& visit) {
            for (std::uint64_t i = offsets[number]; i < offsets[number + 1]; ++i) {
                if (source_places[i] < unaligned && target_places[i] < unaligned)
                    visit(source_places[i], static_cast<Place>(target_places[i]));
            }
        };
        for (std::uint64_t i = offsets[number]; i < offsets[number + 1]; ++i) {
            if (source_places[i] >= source[number].size() || target_places[i] >= target[number].size()) {
                throw Error("sentence pair " + std::to_string(number + 1) + " has a link " +
                            std::to_string(source_places[i]) + "-" + std::to_string(target_places[i]) +
                            " to a word that it does not have");
            }
            if (source_places[i] >= unaligned || target_places[i] >= unaligned) ++arrays.left_out;
        }
        each_link([&](std::uint32_t from, Place to) {
            widen(arrays.source_first, arrays.source_last, source_begin + from, to);
            widen(arrays.target_first, arrays.target_last, target_begin + to, static_cast<Place>(from));
        });
        const std::size_t begun = inner.size();
        each_link([&](std::uint32_t from, Place to) {
            const std::size_t token = source_begin + from;
            if (to != arrays.source_first[token] && to != arrays.source_last[token]) {
                inner.emplace_back(static_cast<std::uint32_t>(token), to);
            }
        });
        std::sort(inner.begin() + static_cast<std::ptrdiff_t>(begun), inner.end());
        inner.erase(std::unique(inner.begin() + static_cast<std::ptrdiff_t>(begun), inner.end()), inner.end());
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
    const std::size_t begin = source_.offsets()[number];
    auto inner = static_cast<std::size_t>(std::lower_bound(inner_tokens_.begin(), inner_tokens_.end(), begin) -
                                          inner_tokens_.begin());
    for (std::uint32_t at = 0; at < first.size(); ++at) {
        if (first[at] == unaligned) continue;
        found.push_back({at, first[at]});
        for (; inner < inner_tokens_.size() && inner_tokens_[inner] <= begin + at; ++inner) {
            if (inner_tokens_[inner] == begin + at) found.push_back({at, inner_places_[inner]});
        }
        if (last[at] != first[at]) found.push_back({at, last[at]});
    }
    return found;
}

}  // namespace pentaglot
