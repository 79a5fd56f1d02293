#include "index/search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

// Finds all chunks around one occurrence of the rarest, by trying each form of each chunk at each place of the sentence
// that the chunks chosen so far leave for it: first those to the right, then those to the left.
class Matcher {
  public:
    struct Choice {
        std::size_t place = 0, form = 0;
    };

    Matcher(std::span<const ChunkForms> chunks, std::size_t rarest, const GrammarLimits& limits)
        : chunks_(chunks), rarest_(rarest), limits_(limits), choices_(chunks.size()) {
        for (std::size_t k = rarest; k < chunks.size(); ++k) order_.push_back(k);
        for (std::size_t k = rarest; k-- > 0;) order_.push_back(k);
        for (const auto& forms : chunks) {
            std::size_t least = forms[0].size();
            for (const auto& form : forms) least = std::min(least, form.size());
            shortest_.push_back(least);
        }
    }

    void set_sentence(std::span<const WordId> sentence) { sentence_ = sentence; }
    std::size_t begin(std::size_t k) const { return choices_[k].place; }
    std::size_t end(std::size_t k) const { return choices_[k].place + chunks_[k][choices_[k].form].size(); }

    // Calls found() for every match with the rarest chunk as chosen, until it returns false.
    template <typename Found>
    bool match(const Choice& chosen, const Found& found) {
        choices_[rarest_] = chosen;
        if (order_.size() == 1) return end(rarest_) - begin(rarest_) > limits_.max_span || found();
        std::size_t depth = 1;
        choices_[order_[1]] = {first_place(1), 0};
        while (depth > 0) {
            const std::size_t k = order_[depth];
            const std::size_t last = last_end(depth);
            if (begin(k) + shortest_[k] > last) {  // no place left: back to the chunk before
                if (--depth > 0) go_on(order_[depth]);
            } else if (!matches(k, last)) {
                go_on(k);
            } else if (depth + 1 < order_.size()) {
                ++depth;
                choices_[order_[depth]] = {first_place(depth), 0};
            } else {
                if (!found()) return false;
                go_on(k);
            }
        }
        return true;
    }

  private:
    void go_on(std::size_t k) {
        if (++choices_[k].form < chunks_[k].size()) return;
        choices_[k] = {choices_[k].place + 1, 0};
    }

    bool matches(std::size_t k, std::size_t last) const {
        const auto& form = chunks_[k][choices_[k].form];
        return end(k) <= last &&
               std::equal(form.begin(), form.end(), sentence_.begin() + static_cast<std::ptrdiff_t>(begin(k)));
    }

    // The least place of the chunk at this depth, given those above it.
    std::size_t first_place(std::size_t depth) const {
        const std::size_t k = order_[depth];
        if (k > rarest_) return end(k - 1) + limits_.min_gap;
        const std::size_t last = end(chunks_.size() - 1);
        return last > limits_.max_span ? last - limits_.max_span : 0;
    }

    // Where the chunk at this depth must end at the latest.
    std::size_t last_end(std::size_t depth) const {
        const std::size_t k = order_[depth];
        if (k > rarest_) return std::min(sentence_.size(), begin(rarest_) + limits_.max_span);
        return begin(k + 1) < limits_.min_gap ? 0 : begin(k + 1) - limits_.min_gap;
    }

    std::span<const WordId> sentence_;
    std::span<const ChunkForms> chunks_;
    std::size_t rarest_;
    GrammarLimits limits_;
    std::vector<Choice> choices_;
    std::vector<std::size_t> order_, shortest_;
};

struct Seeds {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // position and form, in text order
    std::size_t rarest = 0;
};

Seeds seeds_of(const SourceIndex& index, std::span<const ChunkForms> chunks) {
    Seeds seeds;
    std::vector<SuffixRange> fewest;
    std::size_t least = 0;
    for (std::size_t k = 0; k < chunks.size(); ++k) {
        std::vector<SuffixRange> ranges;
        std::size_t size = 0;
        for (const auto& form : chunks[k]) {
            if (form.empty()) throw Error("a part of a pattern has no words");
            ranges.push_back(index.find(form));
            size += ranges.back().size();
        }
        if (k == 0 || size < least) {
            least = size;
            fewest = std::move(ranges);
            seeds.rarest = k;
        }
    }
    seeds.places.reserve(least);
    for (std::uint32_t form = 0; form < fewest.size(); ++form) {
        const Occurrences sorted = sorted_occurrences(index, fewest[form]);
        for (const auto position : sorted.positions()) seeds.places.emplace_back(position, form);
    }
    if (fewest.size() > 1) std::sort(seeds.places.begin(), seeds.places.end());
    return seeds;
}

}  // namespace

SearchResult search_forms(const SourceIndex& index, std::span<const ChunkForms> chunks, const GrammarLimits& limits,
                          std::size_t most) {
    limits.validate();
    if (chunks.empty()) throw Error("a pattern has no words");
    const auto width = static_cast<std::uint32_t>(2 * chunks.size());
    SearchResult result;
    std::vector<std::uint32_t> tuples;
    const Seeds seeds = seeds_of(index, chunks);
    if (seeds.places.empty()) return {{std::move(tuples), width}, true};
    Matcher matcher(chunks, seeds.rarest, limits);
    std::size_t seen = 0;
    for (const auto& [position, form] : seeds.places) {
        listen_at<4096>(seen++);
        const std::size_t number = index.sentences()[position];
        if (number >= index.text().size()) throw Damage("the sentence marks do not belong to this text");
        const std::size_t begin = index.text().offsets()[number];
        if (position < begin || position - begin + chunks[seeds.rarest][form].size() > index.text()[number].size()) {
            throw Damage("the suffix array or the sentence marks are damaged");
        }
        matcher.set_sentence(index.text()[number]);
        result.complete = matcher.match({position - begin, form}, [&] {
            if (most > 0 && tuples.size() / width == most) return false;
            listen_at<4096>(tuples.size() / width);
            for (std::size_t k = 0; k < chunks.size(); ++k) {
                tuples.push_back(static_cast<std::uint32_t>(begin + matcher.begin(k)));
                tuples.push_back(static_cast<std::uint32_t>(begin + matcher.end(k)));
            }
            return true;
        });
        if (!result.complete) break;
    }
    sort_tuples(tuples, width);
    result.occurrences = {std::move(tuples), width};
    return result;
}

SearchResult search(const SourceIndex& index, std::span<const PatternSymbol> pattern, const GrammarLimits& limits,
                    std::size_t most) {
    std::vector<ChunkForms> chunks;
    for (const auto& chunk : chunks_of(pattern)) chunks.push_back({chunk});
    SearchResult result = search_forms(index, chunks, limits, most);
    const auto ranges = result.occurrences.positions();
    std::vector<std::uint32_t> begins;
    for (std::size_t at = 0; at < ranges.size(); at += 2) begins.push_back(ranges[at]);
    return {{std::move(begins), static_cast<std::uint32_t>(chunks.size())}, result.complete};
}

}  // namespace pentaglot
