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

// The regression of one target word. Sentences that have the same clues are one group.
struct Regression {
    std::vector<Clue> clues;
    std::vector<std::uint32_t> begins{0};  // for each group its first place in `present`; one more at the end
    std::vector<std::uint8_t> present;     // numbers of the clues that it has, ascending
    std::vector<double> sizes, labelled;   // its sentences, and how many of them have the target word
    double penalty = 1;
    std::vector<double> weights;  // the bias, then one for each clue

    void clear_groups() {
        begins.resize(1);
        present.clear();
        sizes.clear();
        labelled.clear();
    }
    void add_group(std::span<const std::uint8_t> having, double sentences, double with) {
        present.insert(present.end(), having.begin(), having.end());
        begins.push_back(static_cast<std::uint32_t>(present.size()));
        sizes.push_back(sentences);
        labelled.push_back(with);
    }
};

// Solves it by Newton's method.
class Newton {
  public:
    explicit Newton(Regression& problem) : at_(problem), size_(problem.weights.size()) {}

    void solve(std::uint32_t rounds) {
        double value = evaluate(at_.weights);
        for (std::uint32_t round = 0; round < rounds; ++round) {
            listen();
            differentiate();
            const double slope = find_direction();
            if (-slope < near_enough) return;
            tried_.resize(size_);
            double step = 1, found = value;
            for (; step > shortest_step; step /= 2) {
                for (std::size_t k = 0; k < size_; ++k) tried_[k] = at_.weights[k] + step * direction_[k];
                found = evaluate(tried_);
                if (found <= value + 1e-4 * step * slope) break;
            }
            if (found >= value) return;
            value = found;
            at_.weights = tried_;
        }
    }

  private:
    static constexpr double near_enough = 1e-6, shortest_step = 1e-4;

    // The loss; leaves the chance of the target word in each group in chances_.
    double evaluate(std::span<const double> weights) {
        double total = 0;
        for (std::size_t k = 1; k < size_; ++k) total += at_.penalty / 2 * weights[k] * weights[k];
        chances_.resize(at_.sizes.size());
        for (std::size_t i = 0; i < at_.sizes.size(); ++i) {
            double odds = weights[0];
            for (std::size_t j = at_.begins[i]; j < at_.begins[i + 1]; ++j) odds += weights[1 + at_.present[j]];
            const double small = std::exp(-std::abs(odds));
            chances_[i] = odds > 0 ? 1 / (1 + small) : small / (1 + small);
            total += at_.sizes[i] * (std::max(odds, 0.0) + std::log1p(small)) - at_.labelled[i] * odds;
        }
        return total;
    }

    void differentiate() {
        slopes_.assign(size_, 0.0);
        curves_.assign(size_ * size_, 0.0);
        curves_[0] = least_curve;
        for (std::size_t k = 1; k < size_; ++k) {
            slopes_[k] = at_.penalty * at_.weights[k];
            curves_[k * size_ + k] = at_.penalty;
        }
        for (std::size_t i = 0; i < at_.sizes.size(); ++i) {
            const double slope = at_.sizes[i] * chances_[i] - at_.labelled[i];
            const double curve = at_.sizes[i] * chances_[i] * (1 - chances_[i]);
            slopes_[0] += slope;
            curves_[0] += curve;
            for (std::size_t j = at_.begins[i]; j < at_.begins[i + 1]; ++j) {
                const std::size_t row = 1 + std::size_t{at_.present[j]};
                slopes_[row] += slope;
                curves_[row * size_] += curve;
                // In ascending order, so that only one half of the matrix is filled.
                for (std::size_t before = at_.begins[i]; before <= j; ++before)
                    curves_[row * size_ + 1 + at_.present[before]] += curve;
            }
        }
    }

    // Solves curves * direction = -slopes by Cholesky's method; returns how the loss changes in this direction.
    double find_direction() {
        direction_.resize(size_);
        for (std::size_t row = 0; row < size_; ++row) {
            double* const own = &curves_[row * size_];
            for (std::size_t column = 0; column <= row; ++column) {
                const double* const other = &curves_[column * size_];
                double sum = own[column];
                for (std::size_t k = 0; k < column; ++k) sum -= own[k] * other[k];
                own[column] = column < row ? sum / other[column] : std::sqrt(std::max(sum, least_curve));
            }
            double sum = -slopes_[row];
            for (std::size_t k = 0; k < row; ++k) sum -= own[k] * direction_[k];
            direction_[row] = sum / own[row];
        }
        double slope = 0;
        for (std::size_t row = size_; row-- > 0;) {
            double sum = direction_[row];
            for (std::size_t k = row + 1; k < size_; ++k) sum -= curves_[k * size_ + row] * direction_[k];
            direction_[row] = sum / curves_[row * size_ + row];
            slope += direction_[row] * slopes_[row];
        }
        return slope;
    }

    static constexpr double least_curve = 1e-6;

    Regression& at_;
    std::size_t size_;
    std::vector<double> chances_, slopes_, curves_, direction_, tried_;
};

// What one thread needs again and again.
struct Scratch {
    std::vector<std::uint32_t> together;  // by source word: sentences shared with the target word
    std::vector<std::uint64_t> stamps;    // by source word: the last sentence that was counted
    std::vector<WordId> met;
    // Sentences that have clues; for each sentence of the text its number among them, from 1 on; where the clues of
    // each of them begin, and those.
    std::vector<std::uint32_t> sentences, numbers, begins;
    std::vector<std::uint8_t> present;
    std::vector<std::uint8_t> labels;                            // by number from 0 on
    std::unordered_map<std::string_view, std::uint32_t> groups;  // by clues
    Regression problem;

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

    // Leaves the clues of a target word and their weights in `at.problem`.
    void solve(WordId target, Scratch& at) const {
        find_clues(target, at);
        gather(target, at);
        at.problem.penalty = options_.penalty;
        at.problem.weights.assign(1 + at.problem.clues.size(), 0.0);
        at.problem.weights[0] = prior(target);
        Newton(at.problem).solve(options_.rounds);
    }

  private:
    void find_clues(WordId target, Scratch& at) const {
        at.met.clear();
        at.problem.clues.clear();
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
            if (strength >= options_.least_association) at.problem.clues.push_back({strength, word});
        }
        std::ranges::sort(at.problem.clues, [](const Clue& a, const Clue& b) {
            return a.strength > b.strength || (a.strength == b.strength && a.word < b.word);
        });
        if (at.problem.clues.size() > options_.most_clues) at.problem.clues.resize(options_.most_clues);
    }

    // Finds the sentences that have clues, and makes groups of them.
    void gather(WordId target, Scratch& at) const {
        at.sentences.clear();
        at.begins.assign(1, 0);
        const auto& clues = at.problem.clues;
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
            // That of number i + 1, which has come to lie where its clues begin.
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
        throw Error("word choice needs a positive penalty and fewer sentences");
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
            const Regression& solved = at.problem;
            made.biases[word] = static_cast<float>(solved.weights[0]);
            made.priors[word] = static_cast<float>(learner.prior(id));
            for (std::size_t c = 0; c < solved.clues.size(); ++c)
                found[shard].push_back({solved.clues[c].word, id, static_cast<float>(solved.weights[1 + c])});
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
