#include "search/constraint.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace pentaglot {

TargetConstraint::TargetConstraint(std::vector<std::vector<Symbol>> words, bool open_end)
    : end_(static_cast<std::uint32_t>(words.size())), open_end_(open_end), words_(std::move(words)) {
    if (words_.size() >= UINT16_MAX) throw Error("a translation can be constrained to at most 65,534 words");
    for (std::uint32_t place = 0; place < end_; ++place) {
        auto& choice = words_[place];
        std::sort(choice.begin(), choice.end());
        choice.erase(std::unique(choice.begin(), choice.end()), choice.end());
        for (const Symbol word : choice) by_word_[word].push_back(place);
    }
    if (!open_end) return;
    for (auto& [word, places] : by_word_) places.push_back(end_);
    elsewhere_.push_back(end_);
}

std::uint32_t TargetConstraint::after(std::uint32_t place, Symbol word) const {
    if (place == end_) return open_end_ ? end_ : nowhere;
    return std::binary_search(words_[place].begin(), words_[place].end(), word) ? place + 1 : nowhere;
}

}  // namespace pentaglot
