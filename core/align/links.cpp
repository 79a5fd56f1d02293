#include "align/links.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/text_fields.hpp"

namespace pentaglot {

namespace {

struct Link {
    Position source;
    Position target;
    bool sure;

    bool operator<(const Link& other) const {
        if (source != other.source) return source < other.source;
        if (target != other.target) return target < other.target;
        return sure && !other.sure;
    }
    bool same_place(const Link& other) const { return source == other.source && target == other.target; }
};

[[noreturn]] void complain(std::size_t line, std::string_view item, const char* problem) {
    throw Error("line " + std::to_string(line) + ": " + quoted(item) + " " + problem);
}

Link parse_link(std::string_view item, unsigned base, std::size_t line) {
    const char* const end = item.data() + item.size();
    unsigned source = 0, target = 0;
    const auto first = std::from_chars(item.data(), end, source);
    if (first.ec == std::errc::result_out_of_range) complain(line, item, "has a position that is too large");
    if (first.ec != std::errc{} || first.ptr == end || (*first.ptr != '-' && *first.ptr != 'p')) {
        complain(line, item, "is not a link such as 3-4 or 3p4");
    }
    const auto second = std::from_chars(first.ptr + 1, end, target);
    if (second.ec == std::errc::result_out_of_range) complain(line, item, "has a position that is too large");
    if (second.ec != std::errc{} || second.ptr != end) complain(line, item, "is not a link such as 3-4 or 3p4");
    if (source < base || target < base) complain(line, item, "has position 0 although positions count from 1 here");
    if (source - base >= no_position || target - base >= no_position) {
        complain(line, item, "has a position that is too large");
    }
    return {static_cast<Position>(source - base), static_cast<Position>(target - base), *first.ptr == '-'};
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

Links parse_links(std::string_view text, unsigned base) {
    Links links;
    std::vector<Link> sentence;
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size();) {
        listen_at<256>(++line);
        const std::size_t end = std::min(text.find('\n', at), text.size());
        sentence.clear();
        while (at < end) {
            while (at < end && is_space(text[at])) ++at;
            std::size_t stop = at;
            while (stop < end && !is_space(text[stop])) ++stop;
            if (stop > at) sentence.push_back(parse_link(text.substr(at, stop - at), base, line));
            at = stop;
        }
        at = end + 1;
        std::sort(sentence.begin(), sentence.end());
        for (std::size_t k = 0; k < sentence.size(); ++k) {
            if (k > 0 && sentence[k].same_place(sentence[k - 1])) continue;
            links.source.push_back(sentence[k].source);
            links.target.push_back(sentence[k].target);
            links.sure.push_back(sentence[k].sure);
        }
        links.end_sentence();
    }
    return links;
}

std::string format_links(std::span<const std::uint64_t> offsets, std::span<const Position> source,
                         std::span<const Position> target) {
    std::string text;
    text.reserve(source.size() * 6 + offsets.size());
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
        listen_at<256>(s);
        for (std::size_t k = offsets[s]; k < offsets[s + 1]; ++k) {
            if (k > offsets[s]) text += ' ';
            text += std::to_string(source[k]);
            text += '-';
            text += std::to_string(target[k]);
        }
        text += '\n';
    }
    return text;
}

Extents find_extents(std::span<const std::uint64_t> offsets, std::span<const Position> source,
                     std::span<const Position> target, const Text& source_text, const Text& target_text) {
    if (offsets.size() != source_text.size() + 1 || offsets.size() != target_text.size() + 1) {
        throw Error("the alignment and the bitext have unequal numbers of sentences");
    }
    Extents found;
    for (auto* side : {&found.source_first, &found.source_last}) side->assign(source_text.tokens().size(), no_position);
    for (auto* side : {&found.target_first, &found.target_last}) side->assign(target_text.tokens().size(), no_position);
    const auto widen = [](Position& first, Position& last, Position with) {
        first = std::min(first, with);
        last = last == no_position ? with : std::max(last, with);
    };
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
        listen_at<256>(s);
        const std::size_t source_begin = source_text.offsets()[s], target_begin = target_text.offsets()[s];
        for (std::size_t k = offsets[s]; k < offsets[s + 1]; ++k) {
            if (source[k] >= source_text[s].size() || target[k] >= target_text[s].size()) {
                throw Error("sentence " + std::to_string(s + 1) + ": link " + std::to_string(source[k]) + "-" +
                            std::to_string(target[k]) + " is outside the sentence pair");
            }
            const std::size_t i = source_begin + source[k], j = target_begin + target[k];
            widen(found.source_first[i], found.source_last[i], target[k]);
            widen(found.target_first[j], found.target_last[j], source[k]);
        }
    }
    return found;
}

}  // namespace pentaglot
