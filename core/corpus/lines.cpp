#include "corpus/lines.hpp"

#include <algorithm>
#include <cstddef>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace pentaglot {

SpeltLines spelt_lines(const Vocabulary& vocabulary, std::span<const std::uint64_t> offsets,
                       std::span<const WordId> words, WordId first_other, std::span<const std::string_view> others) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != words.size() || !std::ranges::is_sorted(offsets))
        throw Error("the offsets of lines do not fit their words");
    SpeltLines lines;
    lines.bytes.reserve(8 * words.size());
    for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
        for (std::size_t at = offsets[line]; at < offsets[line + 1]; ++at) {
            const bool other = words[at] >= first_other;
            const std::size_t place = other ? words[at] - first_other : 0;
            if (other && place >= others.size()) throw Error("a word id is out of range");
            const std::string_view word = other ? others[place] : vocabulary.word(words[at]);
            if (at > offsets[line]) lines.bytes.push_back(' ');
            lines.bytes.insert(lines.bytes.end(), word.begin(), word.end());
        }
        // A space is never part of another character, so a line is valid if and only if all its words are.
        const std::size_t begin = lines.offsets.back();
        if (!is_utf8({reinterpret_cast<const char*>(lines.bytes.data()) + begin, lines.bytes.size() - begin}))
            throw Error("a word is not valid UTF-8");
        lines.offsets.push_back(lines.bytes.size());
    }
    return lines;
}

}  // namespace pentaglot
