#include "rules/word_choice_learner.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/parallel.hpp"
#include "rules/grouped_regression.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t words_a_shard = 64;

// For each word the sentences that have it, in order, each once.
struct Postings {
    std::vector<std::uint64_t> begins;
    std::vector<std::uint32_t> sentences;

    std::span<const std::uint32_t> of(std::size_t word) const {
        return std::span(sentences).subspan(begins[word], begins[word + 1] - begins[word]);
    }
};

// Calls take(sentence, word) for each distinct word of each sentence.
template <typename Take>
void for_distinct(const Text& text, std::size_t words, const Take& take) {
    std::vector<std::uint32_t> seen(words, 0);
    for (std::size_t s = 0; s < text.size(); ++s) {
        listen_at<1024>(s);
        for (const WordId word : text[s]) {
            if (word < SpecialWord::first_word || seen[word] == s + 1) continue;
            seen[word] = static_cast<std::uint32_t>(s + 1);
            take(static_cast<std::uint32_t>(s), word);
        }
    }
}

Postings find_postings(const Text& text, std::size_t words, const char* side) {
    for (const WordId word : text.tokens()) {
        if (word >= words) throw Error(std::string("the ") + side + " text has a word id beyond its vocabulary");
    }
    Postings found;
    found.begins.assign(words + 1, 0);
    for_distinct(text, words, [&](std::uint32_t, WordId word) { ++found.begins[word + 1]; });
    for (std::size_t w = 0; w < words; ++w) found.begins[w + 1] += found.begins[w];
    found.sentences.resize(found.begins.back());
    std::vector<std::uint64_t> next(found.begins.begin(), found.begins.end() - 1);
    for_distinct(text, words, [&](std::uint32_t s, WordId word) { found.sentences[next[word]++] = s; });
    return found;
}

// Twice the logarithm of how much likelier the counts are if two words depend on each other.
double association(double both, double one, double other, double all) {
    const auto term = [](double seen, double expected) { return seen > 0 ? seen * std::log(seen / expected) : 0.0; };
    const double without_one = all - one, without_other = all - other;
    return 2 * (term(both, one * other / all) + term(one - both, one * without_other / all) +
                term(other - both, without_one * other / all) +
                term(all - one - other + both, without_one * without_other / all));
}

struct Clue {
    double strength;
    WordId word;
};

// What one thread needs again and again.
struct Scratch {
    std::vector<std::uint32_t> together;  // by source word: sentences shared with the target word
    std::vector<std::uint64_t> stamps;    // by source word: the last sentence that was counted
    std::vector<WordId> met;
    // Sentences that have clues; for each sentence of the text its number among these, from 1 on; where the clues of
    // each begin in `present`.
    std::vector<std::uint32_t> sentences, numbers, begins;
    std::vector<std::uint8_t> present;
    std::vector<std::uint8_t> labels;                            // by number from 0 on
    std::unordered_map<std::string_view, std::uint32_t> groups;  // by clues
    std::vector<Clue> clues;
    GroupedRegression problem;

    Scratch(std::size_t source_words, std::size_t all)
        : together(source_words, 0), stamps(source_words, 0), numbers(all, 0) {}
};

class Learner {
  public:
    Learner(const Text& source, const Text& target, std::size_t source_words, std::size_t target_words,
            const WordChoiceOptions& options)
        : source_(source),
          options_(options),
          sources_(find_postings(source, source_words, "source")),
          targets_(find_postings(target, target_words, "target")) {}

    std::size_t sentences() const { return source_.size(); }
    double prior(WordId target) const {
        const double with = static_cast<double>(targets_.of(target).size()), all = static_cast<double>(source_.size());
        return std::log((with + 0.5) / (all - with + 0.5));
    }

    // Leaves the clues of a target word in `at.clues`, and their weights in `at.problem`.
    void solve(WordId target, Scratch& at) const {
        find_clues(target, at);
        gather(target, at);
        at.problem.penalty = options_.penalty;
        at.problem.weights.assign(1 + at.clues.size(), 0.0);
        at.problem.weights[0] = prior(target);
        solve_regression(at.problem, options_.rounds);
    }

  private:
    void find_clues(WordId target, Scratch& at) const {
        at.met.clear();
        at.clues.clear();
        const auto with = targets_.of(target);
        for (const std::uint32_t s : with) {
            const std::uint64_t stamp = std::uint64_t{target} << 32U | s;
            for (const WordId word : source_[s]) {
                if (word < SpecialWord::first_word || at.stamps[word] == stamp) continue;
                at.stamps[word] = stamp;
                if (at.together[word]++ == 0) at.met.push_back(word);
            }
        }
        const double all = static_cast<double>(source_.size()), other = static_cast<double>(with.size());
        for (const WordId word : at.met) {
            const std::uint32_t both = std::exchange(at.together[word], 0);
            const double one = static_cast<double>(sources_.of(word).size());
            if (both < options_.least_together || both * all <= one * other) continue;
            const double strength = association(both, one, other, all);
            if (strength >= options_.least_association) at.clues.push_back({strength, word});
        }
        std::ranges::sort(at.clues, [](const Clue& a, const Clue& b) {
            return a.strength > b.strength || (a.strength == b.strength && a.word < b.word);
        });
        if (at.clues.size() > options_.most_clues) at.clues.resize(options_.most_clues);
    }

    // Finds the sentences that have clues, and makes groups of them.
    void gather(WordId target, Scratch& at) const {
        at.sentences.clear();
        at.begins.assign(1, 0);
        const auto& clues = at.clues;
        for (const Clue& clue : clues) {
            for (const std::uint32_t s : sources_.of(clue.word)) {
                if (at.numbers[s] == 0) {
                    at.sentences.push_back(s);
                    at.numbers[s] = static_cast<std::uint32_t>(at.sentences.size());
                    at.begins.push_back(0);
                }
                ++at.begins[at.numbers[s]];
            }
        }
        for (std::size_t i = 0; i < at.sentences.size(); ++i) at.begins[i + 1] += at.begins[i];
        at.present.resize(at.begins.back());
        for (std::size_t c = clues.size(); c-- > 0;) {  // the clues of a sentence are filled from their end
            for (const std::uint32_t s : sources_.of(clues[c].word))
                at.present[--at.begins[at.numbers[s]]] = static_cast<std::uint8_t>(c);
        }
        at.labels.assign(at.sentences.size(), 0);
        double with_none = 0;
        for (const std::uint32_t s : targets_.of(target)) {
            if (at.numbers[s] != 0)
                at.labels[at.numbers[s] - 1] = 1;
            else
                ++with_none;
        }
        for (const std::uint32_t s : at.sentences) at.numbers[s] = 0;
        at.problem.clear_groups();
        at.problem.add_group({}, static_cast<double>(source_.size() - at.sentences.size()), with_none);
        group(at);
    }

    static void group(Scratch& at) {
        at.groups.clear();
        at.begins.push_back(static_cast<std::uint32_t>(at.present.size()));
        for (std::size_t i = 0; i < at.sentences.size(); ++i) {
            // Of number i + 1, whose entry now says where its clues begin.
            const auto having = std::span(at.present).subspan(at.begins[i + 1], at.begins[i + 2] - at.begins[i + 1]);
            const std::string_view key(reinterpret_cast<const char*>(having.data()), having.size());
            const auto [place, fresh] = at.groups.try_emplace(key, static_cast<std::uint32_t>(at.problem.sizes.size()));
            if (fresh) at.problem.add_group(having, 0, 0);
            ++at.problem.sizes[place->second];
            at.problem.labelled[place->second] += at.labels[i];
        }
    }

    const Text& source_;
    const WordChoiceOptions& options_;
    Postings sources_, targets_;
};

struct Found {
    WordId source, target;
    float weight;
};

}  // namespace

LearntWordChoice learn_word_choice(const Text& source, const Text& target, std::size_t source_words,
                                   std::size_t target_words, const WordChoiceOptions& options, unsigned threads) {
    if (source.size() != target.size()) throw Error("the two texts have unequal numbers of sentences");
    if (source.size() >= UINT32_MAX || !(options.penalty > 0) || options.most_clues > 255)
        throw Error(
            "word choice needs a positive penalty, at most 255 clues for a word and fewer than 2^32 - 1 sentences");
    const Learner learner(source, target, source_words, target_words, options);
    LearntWordChoice made;
    made.biases.assign(target_words, 0.0F);
    made.priors.assign(target_words, 0.0F);
    const std::size_t shards = (target_words + words_a_shard - 1) / words_a_shard;
    std::vector<std::vector<Found>> found(shards);
    std::vector<std::vector<Scratch>> scratch(usable_threads(threads));
    parallel_for(shards, threads, [&](std::size_t shard, unsigned worker) {
        if (scratch[worker].empty()) scratch[worker].emplace_back(source_words, learner.sentences());
        Scratch& at = scratch[worker].front();
        const std::size_t end = std::min(target_words, (shard + 1) * words_a_shard);
        for (std::size_t word = shard * words_a_shard; word < end; ++word) {
            if (word < SpecialWord::first_word) continue;
            const auto id = static_cast<WordId>(word);
            learner.solve(id, at);
            const GroupedRegression& solved = at.problem;
            made.biases[word] = static_cast<float>(solved.weights[0]);
            made.priors[word] = static_cast<float>(learner.prior(id));
            for (std::size_t c = 0; c < at.clues.size(); ++c)
                found[shard].push_back({at.clues[c].word, id, static_cast<float>(solved.weights[1 + c])});
        }
    });
    made.rows.assign(source_words + 1, 0);
    for (const auto& each : found)
        for (const Found& clue : each) ++made.rows[clue.source + 1];
    for (std::size_t word = 0; word < source_words; ++word) made.rows[word + 1] += made.rows[word];
    made.targets.resize(made.rows.back());
    made.weights.resize(made.rows.back());
    std::vector<std::uint64_t> next(made.rows.begin(), made.rows.end() - 1);
    for (const auto& each : found) {
        for (const Found& clue : each) {
            made.targets[next[clue.source]] = clue.target;
            made.weights[next[clue.source]++] = clue.weight;
        }
    }
    return made;
}

}  // namespace pentaglot
