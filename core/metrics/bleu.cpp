#include "metrics/bleu.hpp"

namespace pentaglot {

void BleuReferences::assign(std::span<const std::string_view> references) {
    // Every word has a byte and a separator, so this bounds the words without splitting twice.
    std::size_t bound = 0;
    for (const std::string_view text : references) bound += text.size() / 2 + 1;
    ngrams_.assign(bleu_order, bound);
    words_.assign(bound);
    lengths_.clear();
    for (const std::string_view text : references) {
        split_words(text, parts_);
        ids_.clear();
        for (const std::string_view word : parts_) ids_.push_back(words_.add(word));
        ngrams_.add(ids_);
        lengths_.push_back(parts_.size());
    }
}

BleuStatistics BleuReferences::statistics(std::string_view hypothesis, bool shortest) {
    split_words(hypothesis, parts_);
    ids_.clear();
    for (const std::string_view word : parts_) ids_.push_back(words_.find(word));
    BleuStatistics row{};
    ngrams_.match(ids_, std::span(row).subspan(2, bleu_order));
    const std::size_t length = ids_.size();
    const auto distance = [&](std::size_t other) {
        if (shortest) return std::size_t{0};  // all count as equally near, and the shortest wins
        return other > length ? other - length : length - other;
    };
    std::size_t nearest = lengths_.empty() ? 0 : lengths_.front();
    for (const std::size_t other : lengths_) {
        if (distance(other) < distance(nearest) || (distance(other) == distance(nearest) && other < nearest))
            nearest = other;
    }
    row[0] = static_cast<double>(length);
    row[1] = static_cast<double>(nearest);
    for (std::size_t order = 0; order < bleu_order; ++order)
        row[2 + bleu_order + order] = length > order ? static_cast<double>(length - order) : 0.0;
    return row;
}

}  // namespace pentaglot
