#include "align/stems.hpp"

#include <numeric>
#include <unordered_map>

#include "base/error.hpp"

namespace pentaglot {

namespace {

bool begins_letter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// Han characters have three bytes in UTF-8, of which the first is one of these (U+4000 to U+9FFF).
bool begins_sign(char byte) {
    const auto first = static_cast<unsigned char>(byte);
    return first >= 0xE4 && first <= 0xE9;
}

}  // namespace

std::string_view stem_of(std::string_view spelling, std::size_t letters) {
    if (spelling.empty() || (spelling.front() >= '0' && spelling.front() <= '9')) return spelling;
    std::size_t seen = 0, at = 0;
    for (; at < spelling.size(); ++at) {
        if (!begins_letter(spelling[at])) continue;
        if (seen >= letters) break;
        seen += begins_sign(spelling[at]) ? letters_a_sign : 1;
    }
    return spelling.substr(0, at);
}

Stems find_stems(const Spellings& spellings, std::span<const double> frequencies, std::size_t letters) {
    const std::size_t words = frequencies.size();
    if (letters > 0 && spellings.size() < words) throw Error("there are fewer spellings than words");
    Stems found;
    found.of.resize(words);
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    std::uint32_t next = 0;
    for (std::size_t word = 0; word < words; ++word) {
        const std::string_view stem = letters > 0 ? stem_of(spellings[word], letters) : std::string_view();
        if (stem.empty()) {  // nothing to compare: a stem of its own
            found.of[word] = next++;
            continue;
        }
        const auto [place, fresh] = numbers.try_emplace(stem, next);
        next += fresh ? 1 : 0;
        found.of[word] = place->second;
    }
    found.begins.assign(next + 1, 0);
    std::vector<double> totals(next, 0.0);
    for (std::size_t word = 0; word < words; ++word) {
        ++found.begins[found.of[word] + 1];
        totals[found.of[word]] += frequencies[word];
    }
    std::partial_sum(found.begins.begin(), found.begins.end(), found.begins.begin());
    std::vector<std::size_t> places(found.begins.begin(), found.begins.end() - 1);
    found.words.resize(words);
    found.shares.resize(words);
    for (std::size_t word = 0; word < words; ++word) {
        found.words[places[found.of[word]]++] = static_cast<WordId>(word);
        const double total = totals[found.of[word]];
        found.shares[word] = total > 0 ? frequencies[word] / total : 0;
    }
    return found;
}

}  // namespace pentaglot
