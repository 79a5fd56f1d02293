#include "metrics/ter.hpp"

#include <algorithm>

namespace pentaglot {

void TerReferences::assign(std::span<const std::string_view> references) {
    texts_.clear();
    std::size_t bound = 0;
    for (const std::string_view text : references) {
        texts_.push_back(tokenize_tercom(text, options_));
        // sacrebleu separates the punctuation of references twice, which parts more of it ("..5").
        if (options_.normalized) texts_.back() = tokenize_tercom(texts_.back(), options_);
        bound += texts_.back().size() / 2 + 1;
    }
    numbers_.assign(bound);
    references_.resize(references.size());
    for (std::size_t which = 0; which < texts_.size(); ++which) {
        split_words(texts_[which], words_);
        references_[which].clear();
        for (const std::string_view word : words_) references_[which].push_back(numbers_.add(word));
    }
}

void TerReferences::statistics(std::string_view hypothesis, std::span<double> row) {
    const std::string text = tokenize_tercom(hypothesis, options_);
    split_words(text, words_);
    ids_.clear();
    for (const std::string_view word : words_) ids_.push_back(numbers_.find(word));
    std::size_t fewest = SIZE_MAX, words = 0;
    for (const auto& reference : references_) {
        fewest = std::min(fewest, edits_.count(ids_, reference));
        words += reference.size();
    }
    row[0] = static_cast<double>(fewest) * static_cast<double>(references_.size());
    row[1] = static_cast<double>(words);
}

}  // namespace pentaglot
