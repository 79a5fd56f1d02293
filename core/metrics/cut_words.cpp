#include "metrics/cut_words.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "metrics/characters.hpp"

namespace pentaglot {

void CutText::read(std::string_view text, bool cut) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max() / 4) throw Error("a text is too long to be compared");
    characters.clear();
    offsets.clear();
    bool inside = false;
    const auto begin_word = [&] {
        if (!offsets.empty()) characters.push_back(U' ');
        offsets.push_back(static_cast<std::uint32_t>(characters.size()));
    };
    CharacterReader reader(text);
    char32_t before = 0;
    for (char32_t now = reader.next(), after = 0; now != CharacterReader::end; before = now, now = after) {
        after = reader.next();
        if (is_ignored(now)) {
            now = before;
            continue;
        }
        if (is_space(now)) {
            inside = false;
            continue;
        }
        const bool alone = cut && stands_alone(before, now, after);
        if (!inside || alone) begin_word();
        characters.push_back(now);
        inside = !alone;
    }
}

std::span<const char32_t> CutText::word(std::size_t number) const {
    const std::size_t begin = offsets[number];
    const std::size_t end = number + 1 < offsets.size() ? offsets[number + 1] - std::size_t{1} : characters.size();
    return std::span(characters).subspan(begin, end - begin);
}

std::uint32_t WordNumbering::assign(const CutText& one, const CutText& other, std::vector<std::uint32_t>& one_numbers,
                                    std::vector<std::uint32_t>& other_numbers) {
    spellings_.clear();
    const CutText* const texts[] = {&one, &other};
    std::vector<std::uint32_t>* const numbers[] = {&one_numbers, &other_numbers};
    for (std::uint32_t which = 0; which < 2; ++which) {
        numbers[which]->assign(texts[which]->size(), 0);
        for (std::uint32_t word = 0; word < texts[which]->size(); ++word) spellings_.emplace_back(which, word);
    }
    const auto spelling = [&](const auto& at) { return texts[at.first]->word(at.second); };
    std::sort(spellings_.begin(), spellings_.end(), [&](const auto& a, const auto& b) {
        const auto first = spelling(a), second = spelling(b);
        return std::lexicographical_compare(first.begin(), first.end(), second.begin(), second.end());
    });
    std::uint32_t distinct = 0;
    for (std::size_t at = 0; at < spellings_.size(); ++at) {
        if (at > 0) {
            const auto a = spelling(spellings_[at - 1]), b = spelling(spellings_[at]);
            if (!std::equal(a.begin(), a.end(), b.begin(), b.end())) ++distinct;
        }
        (*numbers[spellings_[at].first])[spellings_[at].second] = distinct;
    }
    return distinct + 1;
}

}  // namespace pentaglot
