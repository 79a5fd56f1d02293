#include "index/lexical_table.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

// A source and a target word that are linked once, and how much that counts.
struct WordPair {
    WordId source, target;
    float weight;
};

// Every link, and a link to the null word for each word without one.
template <typename Add>
void for_each_pair(const AlignedText& text, std::size_t number, const Add& add) {
    const auto source = text.source()[number], target = text.target()[number];
    for (const auto& link : text.links(number)) add(source[link.source], target[link.target]);
    const auto source_first = text.source_first(number), target_first = text.target_first(number);
    for (std::size_t at = 0; at < source.size(); ++at) {
        if (source_first[at] == unaligned) add(source[at], SpecialWord::null);
    }
    for (std::size_t at = 0; at < target.size(); ++at) {
        if (target_first[at] == unaligned) add(SpecialWord::null, target[at]);
    }
}

// A stable sort by word. Ids are small numbers, so a counting sort will do.
void sort_by_word(std::vector<WordPair>& pairs, WordId WordPair::* word, std::vector<WordPair>& scratch) {
    std::vector<std::size_t> next;
    for (const WordPair& pair : pairs) {
        const std::size_t place = std::size_t{pair.*word} + 1;
        if (place >= next.size()) next.resize(place + 1);
        ++next[place];
    }
    for (std::size_t at = 1; at < next.size(); ++at) next[at] += next[at - 1];
    scratch.resize(pairs.size());
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        listen_at(at);
        scratch[next[pairs[at].*word]++] = pairs[at];
    }
    pairs.swap(scratch);
}

// All pairs of the text by source and target word. Equal ones stay in the order of the text, so that their weights are
// always added up the same way.
std::vector<WordPair> sorted_pairs(const AlignedText& text, std::span<const float> weights) {
    std::vector<WordPair> pairs, scratch;
    pairs.reserve(text.source().words() + text.target().words());
    for (std::size_t number = 0; number < text.source().size(); ++number) {
        listen_at<256>(number);
        const float weight = weights.empty() ? 1.0F : weights[number];
        for_each_pair(text, number, [&](WordId source, WordId target) { pairs.push_back({source, target, weight}); });
    }
    sort_by_word(pairs, &WordPair::target, scratch);
    sort_by_word(pairs, &WordPair::source, scratch);
    return pairs;
}

}  // namespace

LexicalTable count_words(const AlignedText& text, std::span<const float> weights) {
    if (!weights.empty() && weights.size() != text.source().size()) throw Error("every sentence pair needs its weight");
    LexicalTable table;
    std::vector<double> counts;
    const auto total = [](std::vector<double>& totals, WordId word) -> double& {
        if (word >= totals.size()) totals.resize(std::size_t{word} + 1);
        return totals[word];
    };
    const std::vector<WordPair> pairs = sorted_pairs(text, weights);
    for (std::size_t at = 0; at < pairs.size();) {
        listen_at(counts.size());
        const auto [source, target, _] = pairs[at];
        double count = 0;
        for (; at < pairs.size() && pairs[at].source == source && pairs[at].target == target; ++at) {
            count += static_cast<double>(pairs[at].weight);
        }
        table.offsets.resize(std::size_t{source} + 1, counts.size());
        table.targets.push_back(target);
        counts.push_back(count);
        total(table.source_totals, source) += count;
        total(table.target_totals, target) += count;
    }
    table.offsets.push_back(counts.size());
    for (std::size_t source = 0; source + 1 < table.offsets.size(); ++source) {
        for (std::size_t at = table.offsets[source]; at < table.offsets[source + 1]; ++at) {
            table.counts.push_back(static_cast<float>(counts[at]));
            table.target_given_source.push_back(static_cast<float>(counts[at] / table.source_totals[source]));
            table.source_given_target.push_back(
                static_cast<float>(counts[at] / table.target_totals[table.targets[at]]));
        }
    }
    return table;
}

LexicalView::LexicalView(std::span<const std::uint64_t> offsets, std::span<const WordId> targets,
                         std::span<const float> target_given_source, std::span<const float> source_given_target,
                         std::span<const float> counts, std::span<const double> source_totals,
                         std::span<const double> target_totals)
    : offsets_(offsets),
      targets_(targets),
      target_given_source_(target_given_source),
      source_given_target_(source_given_target),
      counts_(counts),
      source_totals_(source_totals),
      target_totals_(target_totals) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != targets.size() ||
        !std::is_sorted(offsets.begin(), offsets.end()) || target_given_source.size() != targets.size() ||
        source_given_target.size() != targets.size() || counts.size() != targets.size()) {
        throw Error("the arrays of the lexical table contradict each other");
    }
}

LexicalView LexicalView::together_with(const LexicalView& added) const {
    LexicalView both = *this;
    both.added_ = &added;
    return both;
}

std::span<const WordId> LexicalView::targets(WordId source) const {
    if (std::size_t{source} + 1 >= offsets_.size()) return {};
    return targets_.subspan(offsets_[source], offsets_[source + 1] - offsets_[source]);
}

std::size_t LexicalView::place(WordId source, WordId target) const {
    const auto row = targets(source);
    const auto found = std::lower_bound(row.begin(), row.end(), target);
    if (found == row.end() || *found != target) return none;
    return offsets_[source] + static_cast<std::size_t>(found - row.begin());
}

LexicalView::Entry LexicalView::find(WordId source, WordId target) const {
    const std::size_t at = place(source, target);
    Entry entry;
    if (at != none) entry = {target_given_source_[at], source_given_target_[at]};
    if (added_ == nullptr) return entry;
    // Only the chances of words in the added text have changed.
    const double of_source = added_->source_total(source), of_target = added_->target_total(target);
    if (of_source == 0 && of_target == 0) return entry;
    const double both = count(at) + added_->count(added_->place(source, target));
    if (of_source > 0) entry.target_given_source = static_cast<float>(both / (source_total(source) + of_source));
    if (of_target > 0) entry.source_given_target = static_cast<float>(both / (target_total(target) + of_target));
    return entry;
}

}  // namespace pentaglot
