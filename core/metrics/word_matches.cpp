#include "metrics/word_matches.hpp"

#include <algorithm>
#include <compare>
#include <cstdlib>
#include <tuple>

#include "base/listening.hpp"

namespace pentaglot {
namespace {

constexpr std::size_t most_choices = 50, most_steps = 50'000'000, most_pairs = 1'000'000;
constexpr std::size_t least_letters = 4, most_letters = 100;

// Insertions, deletions and substitutions of letters.
std::size_t edits(std::span<const char32_t> one, std::span<const char32_t> other, std::vector<std::size_t>& row) {
    row.resize(other.size() + 1);
    for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < one.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < other.size(); ++j) {
            const std::size_t replaced = diagonal + (one[i] != other[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

}  // namespace

// The places of equal free words on both sides.
struct WordMatches::Group {
    std::vector<std::uint32_t> words, reference;
    std::size_t least() const { return std::min(words.size(), reference.size()); }
};

// What makes one choice of links better than another.
struct WordMatches::Rank {
    std::uint64_t crossings = 0;
    std::uint64_t lonely = 0;  // sides of links without an adjacent link
    std::uint64_t distance = 0;

    auto operator<=>(const Rank&) const = default;
};

// A way to go on from a choice: link the next word to one of its group's reference words, or to none.
struct WordMatches::Step {
    Rank rank;
    std::uint32_t choice, at;
};

// The links chosen so far, up to some word. Within a group they never cross: uncrossing two of them never adds a
// crossing with a third.
struct WordMatches::Choice {
    Rank rank;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
    std::vector<std::uint32_t> taken;  // reference words, sorted
    struct Done {
        std::uint32_t linked = 0, skipped = 0;  // words of a group,
        std::uint32_t used = 0;                 // and its reference words that are linked or passed over
    };
    std::vector<Done> done;  // by group

    void take(const Step& step, std::uint32_t word, std::uint32_t which, const Group& group) {
        rank = step.rank;
        if (step.at == none) {
            ++done[which].skipped;
            return;
        }
        const std::uint32_t reference = group.reference[step.at];
        links.emplace_back(word, reference);
        taken.insert(std::upper_bound(taken.begin(), taken.end(), reference), reference);
        ++done[which].linked;
        done[which].used = step.at + 1;
    }
};

void WordMatches::assign(std::size_t words, std::size_t reference_words) {
    links_.assign(words, none);
    reference_links_.assign(reference_words, none);
    count_ = 0;
}

void WordMatches::link(std::uint32_t word, std::uint32_t reference) {
    links_[word] = reference;
    reference_links_[reference] = word;
    ++count_;
}

void WordMatches::link_equal(std::span<const std::uint32_t> words, std::span<const std::uint32_t> reference) {
    std::uint32_t most = 0;
    for (const auto side : {words, reference}) {
        for (const std::uint32_t number : side) most = std::max(most, number + 1);
    }
    std::vector<Group> groups(most);
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        if (links_[i] == none) groups[words[i]].words.push_back(i);
    }
    for (std::uint32_t j = 0; j < reference.size(); ++j) {
        if (reference_links_[j] == none) groups[reference[j]].reference.push_back(j);
    }
    std::vector<Group> open;
    for (Group& group : groups) {
        if (group.least() == 0) continue;
        if (group.words.size() != group.reference.size()) {
            open.push_back(std::move(group));
            continue;
        }
        for (std::size_t at = 0; at < group.words.size(); ++at) link(group.words[at], group.reference[at]);
    }
    if (!open.empty()) choose(open);
}

// For every place in the reference, how many existing links a link from this word to it would cross.
std::vector<std::uint64_t> WordMatches::crossed_by(std::uint32_t word) const {
    const std::size_t size = reference_links_.size();
    std::vector<std::uint64_t> found(size, 0);
    std::uint64_t after = 0, before = 0;
    for (std::size_t j = 0; j < size; ++j) {
        found[j] += after;
        if (reference_links_[j] != none && reference_links_[j] > word) ++after;
    }
    for (std::size_t j = size; j-- > 0;) {
        found[j] += before;
        if (reference_links_[j] != none && reference_links_[j] < word) ++before;
    }
    return found;
}

void WordMatches::foresee(const Choice& choice, std::uint32_t number, std::uint32_t word, std::uint32_t which,
                          const Group& group, std::span<const std::uint64_t> crossed, std::vector<Step>& steps) const {
    const Choice::Done done = choice.done[which];
    const std::size_t wanted = group.least() - done.linked;  // links still to be made
    if (group.words.size() - done.linked - done.skipped > wanted) steps.push_back({choice.rank, number, none});
    if (wanted == 0) return;
    for (std::size_t at = done.used; at + wanted <= group.reference.size(); ++at) {
        const std::uint32_t j = group.reference[at];
        const auto above = choice.taken.end() - std::upper_bound(choice.taken.begin(), choice.taken.end(), j);
        const bool chosen_before = !choice.links.empty() && choice.links.back() == std::pair{word - 1, j - 1};
        const bool follows = word > 0 && j > 0 && (chosen_before || links_[word - 1] == j - 1);
        const bool leads = word + std::size_t{1} < links_.size() && links_[word + 1] == j + 1;
        const auto here = static_cast<std::int64_t>(word * reference_links_.size());
        const auto there = static_cast<std::int64_t>(j * links_.size());
        Rank rank = choice.rank;
        rank.crossings += crossed[j] + static_cast<std::uint64_t>(above);
        rank.lonely += 2U - follows - leads;
        rank.distance += static_cast<std::uint64_t>(std::abs(here - there));
        steps.push_back({rank, number, static_cast<std::uint32_t>(at)});
    }
}

void WordMatches::choose(const std::vector<Group>& groups) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> words;  // with their groups
    std::size_t cost = 1;
    for (std::uint32_t which = 0; which < groups.size(); ++which) {
        for (const std::uint32_t word : groups[which].words) words.emplace_back(word, which);
        cost += groups[which].words.size() + groups[which].reference.size();
    }
    std::sort(words.begin(), words.end());
    const std::size_t beam = std::clamp<std::size_t>(most_steps / (words.size() * cost), 1, most_choices);
    std::vector<Choice> choices(1), next;
    choices[0].done.resize(groups.size());
    std::vector<Step> steps;
    for (const auto& [word, which] : words) {
        listen();
        const std::vector<std::uint64_t> crossed = crossed_by(word);
        steps.clear();
        for (std::uint32_t number = 0; number < choices.size(); ++number)
            foresee(choices[number], number, word, which, groups[which], crossed, steps);
        std::stable_sort(steps.begin(), steps.end(),
                         [](const Step& one, const Step& other) { return one.rank < other.rank; });
        if (steps.size() > beam) steps.resize(beam);
        next.clear();
        for (const Step& step : steps) {
            next.push_back(choices[step.choice]);
            next.back().take(step, word, which, groups[which]);
        }
        choices.swap(next);
    }
    for (const auto& [word, reference] : choices[0].links) link(word, reference);
}

void WordMatches::link_similar(const CutText& text, const CutText& reference, double least) {
    struct Pair {
        double share;
        std::uint64_t crossings;
        std::uint32_t word, reference;
        auto rank() const { return std::tuple(-share, crossings, word, reference); }
    };
    if (text.size() * reference.size() > most_pairs) return;
    std::vector<Pair> pairs;
    std::vector<std::size_t> row;
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        listen();
        const auto word = text.word(i);
        if (links_[i] != none || word.size() < least_letters || word.size() > most_letters) continue;
        const std::vector<std::uint64_t> crossed = crossed_by(i);
        for (std::uint32_t j = 0; j < reference.size(); ++j) {
            const auto other = reference.word(j);
            if (reference_links_[j] != none || other.size() < least_letters || other.size() > most_letters) continue;
            const auto longer = static_cast<double>(std::max(word.size(), other.size()));
            if (static_cast<double>(std::min(word.size(), other.size())) < least * longer) continue;
            const double share = 1 - static_cast<double>(edits(word, other, row)) / longer;
            if (share >= least) pairs.push_back({share, crossed[j], i, j});
        }
    }
    std::sort(pairs.begin(), pairs.end(), [](const Pair& one, const Pair& other) { return one.rank() < other.rank(); });
    for (const Pair& pair : pairs) {
        if (links_[pair.word] == none && reference_links_[pair.reference] == none) link(pair.word, pair.reference);
    }
}

std::size_t WordMatches::chunks() const {
    std::size_t found = 0;
    std::uint32_t before = none;  // the link of the word before
    for (const std::uint32_t now : links_) {
        if (now != none && (before == none || now != before + 1)) ++found;
        before = now;
    }
    return found;
}

}  // namespace pentaglot
