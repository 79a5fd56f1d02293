#include "index/search.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"

namespace pentaglot {

namespace {

// Matches of all chunks around one occurrence of the rarest, by trying each chunk at each place of its sentence that
// the chunks chosen so far leave to it: first those to the right, then those to the left.
class Matcher {
  public:
    Matcher(std::span<const WordId> sentence, std::vector<std::span<const PatternSymbol>> chunks, std::size_t rarest,
            const GrammarLimits& limits)
        : sentence_(sentence), chunks_(std::move(chunks)), rarest_(rarest), limits_(limits), places_(chunks_.size()) {
        for (std::size_t k = rarest; k < chunks_.size(); ++k) order_.push_back(k);
        for (std::size_t k = rarest; k-- > 0;) order_.push_back(k);
    }

    void set_sentence(std::span<const WordId> sentence) { sentence_ = sentence; }

    // Calls found(places) for every match with the rarest chunk at `place`, until it returns false.
    template <typename Found>
    bool match(std::size_t place, const Found& found) {
        places_[rarest_] = place;
        if (order_.size() == 1) return chunks_[rarest_].size() > limits_.max_span || found(places_);
        std::size_t depth = 1;
        places_[order_[1]] = first_place(1);
        while (depth > 0) {
            const std::size_t k = order_[depth];
            if (places_[k] + chunks_[k].size() > last_end(depth)) {  // no place left: back to the chunk before
                if (--depth > 0) ++places_[order_[depth]];
                continue;
            }
            if (!chunk_at(k, places_[k])) {
                ++places_[k];
            } else if (depth + 1 < order_.size()) {
                ++depth;
                places_[order_[depth]] = first_place(depth);
            } else {
                if (!found(places_)) return false;
                ++places_[k];
            }
        }
        return true;
    }

  private:
    bool chunk_at(std::size_t k, std::size_t place) const {
        return std::equal(chunks_[k].begin(), chunks_[k].end(), sentence_.begin() + static_cast<std::ptrdiff_t>(place));
    }

    // The least place of the chunk at this depth, given those above it.
    std::size_t first_place(std::size_t depth) const {
        const std::size_t k = order_[depth];
        if (k > rarest_) return places_[k - 1] + chunks_[k - 1].size() + limits_.min_gap;
        const std::size_t end = places_.back() + chunks_.back().size();
        return end > limits_.max_span ? end - limits_.max_span : 0;
    }

    // Where the chunk at this depth must end at the latest.
    std::size_t last_end(std::size_t depth) const {
        const std::size_t k = order_[depth];
        if (k > rarest_) return std::min(sentence_.size(), places_[rarest_] + limits_.max_span);
        return places_[k + 1] < limits_.min_gap ? 0 : places_[k + 1] - limits_.min_gap;
    }

    std::span<const WordId> sentence_;
    std::vector<std::span<const PatternSymbol>> chunks_;
    std::size_t rarest_;
    GrammarLimits limits_;
    std::vector<std::size_t> places_, order_;
};

}  // namespace

SearchResult search(const SourceIndex& index, std::span<const PatternSymbol> pattern, const GrammarLimits& limits,
                    std::size_t most) {
    limits.validate();
    const auto chunks = chunks_of(pattern);
    const auto width = static_cast<std::uint32_t>(chunks.size());
    SuffixRange fewest;
    std::size_t rarest = 0;
    for (std::size_t k = 0; k < chunks.size(); ++k) {
        const SuffixRange range = index.find(chunks[k]);
        if (k == 0 || range.size() < fewest.size()) {
            fewest = range;
            rarest = k;
        }
    }
    SearchResult result;
    std::vector<std::uint32_t> tuples;
    const Occurrences seeds = sorted_occurrences(index, fewest);
    Matcher matcher({}, chunks, rarest, limits);
    for (const auto position : seeds.positions()) {
        const std::size_t number = index.sentences()[position];
        if (number >= index.text().size()) throw Error("the sentence marks do not belong to this text");
        const std::size_t begin = index.text().offsets()[number];
        if (position < begin || position - begin + chunks[rarest].size() > index.text()[number].size()) {
            throw Error("the suffix array or the sentence marks are damaged");
        }
        matcher.set_sentence(index.text()[number]);
        result.complete = matcher.match(position - begin, [&](const std::vector<std::size_t>& places) {
            if (most > 0 && tuples.size() / width == most) return false;
            for (const std::size_t place : places) tuples.push_back(static_cast<std::uint32_t>(begin + place));
            return true;
        });
        if (!result.complete) break;
    }
    sort_tuples(tuples, width);
    result.occurrences = {std::move(tuples), width};
    return result;
}

}  // namespace pentaglot
