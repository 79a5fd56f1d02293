#include "align/classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace pentaglot {

namespace {

struct Neighbour {
    WordId word;
    std::uint32_t count;
};

// For each word its left or right neighbours with counts. The end of a sentence is a word like others, and stays in
// class 0.
struct Neighbours {
    std::vector<std::size_t> begins;
    std::vector<Neighbour> list;
};

using Bigram = std::pair<WordId, WordId>;

Neighbours group(std::vector<Bigram>& bigrams, std::size_t words) {
    std::sort(bigrams.begin(), bigrams.end());
    Neighbours found;
    found.begins.assign(words + 1, 0);
    for (std::size_t at = 0; at < bigrams.size();) {
        std::size_t end = at;
        while (end < bigrams.size() && bigrams[end] == bigrams[at]) ++end;
        found.list.push_back({bigrams[at].second, static_cast<std::uint32_t>(end - at)});
        ++found.begins[bigrams[at].first + 1];
        at = end;
    }
    for (std::size_t w = 0; w < words; ++w) found.begins[w + 1] += found.begins[w];
    return found;
}

class Exchange {
  public:
    Exchange(const Text& text, std::size_t words, std::size_t classes)
        : classes_(classes),
          class_of_(words, 0),
          frequency_(words, 0),
          pairs_(classes * classes, 0),
          left_(classes, 0),
          right_(classes, 0),
          before_(classes, 0),
          after_(classes, 0),
          small_(std::size_t{1} << 16, 0.0) {
        for (std::size_t n = 1; n < small_.size(); ++n) {
            small_[n] = static_cast<double>(n) * std::log(static_cast<double>(n));
        }
        std::vector<Bigram> forward, backward;
        WordId last = SpecialWord::end;
        for (const WordId word : text.tokens()) {
            if (word >= words) throw Error("the text has a word id beyond its vocabulary");
            forward.emplace_back(last, word);
            backward.emplace_back(word, last);
            ++frequency_[word];
            last = word;
        }
        followers_ = group(forward, words);
        predecessors_ = group(backward, words);
        for (std::size_t word = SpecialWord::first_word; word < words; ++word) {
            if (frequency_[word] > 0) order_.push_back(static_cast<WordId>(word));
        }
        std::stable_sort(order_.begin(), order_.end(),
                         [&](WordId a, WordId b) { return frequency_[a] > frequency_[b]; });
        for (std::size_t k = 0; k < order_.size(); ++k) {
            class_of_[order_[k]] = static_cast<std::uint16_t>(1 + k % (classes - 1));
        }
        for (const auto& [from, to] : forward) add(class_of_[from], class_of_[to], 1);
    }

    // Moves every word to its best class; returns how many moved.
    std::size_t round(const Poll& poll) {
        std::size_t moved = 0;
        for (std::size_t k = 0; k < order_.size(); ++k) {
            if (k % 4096 == 0 && poll) poll();
            const WordId word = order_[k];
            const std::uint16_t was = class_of_[word];
            take_out(word, was);
            std::size_t best = was;
            double best_gain = -std::numeric_limits<double>::infinity();
            for (std::size_t candidate = 1; candidate < classes_; ++candidate) {
                const double gain = gain_of(word, candidate);
                if (gain > best_gain + 1e-9 || (candidate == was && gain >= best_gain)) {
                    best_gain = std::max(gain, best_gain);
                    best = candidate;
                }
            }
            put_in(word, static_cast<std::uint16_t>(best));
            moved += best != was;
        }
        return moved;
    }

    std::vector<std::uint16_t> classes() && { return std::move(class_of_); }

  private:
    double n_log_n(std::int64_t n) const {
        if (static_cast<std::size_t>(n) < small_.size()) return small_[static_cast<std::size_t>(n)];
        return static_cast<double>(n) * std::log(static_cast<double>(n));
    }

    void add(std::size_t from, std::size_t to, std::int64_t count) {
        pairs_[from * classes_ + to] += count;
        left_[from] += count;
        right_[to] += count;
    }

    // Counts the word's neighbours by class (not its own repetitions), and takes its bigrams out of the tables.
    void take_out(WordId word, std::size_t from) {
        touched_before_.clear();
        touched_after_.clear();
        self_ = 0;
        for (std::size_t at = followers_.begins[word]; at < followers_.begins[word + 1]; ++at) {
            const auto& [other, count] = followers_.list[at];
            if (other == word) {
                self_ += count;
                continue;
            }
            const std::size_t c = class_of_[other];
            if (after_[c] == 0) touched_after_.push_back(c);
            after_[c] += count;
        }
        for (std::size_t at = predecessors_.begins[word]; at < predecessors_.begins[word + 1]; ++at) {
            const auto& [other, count] = predecessors_.list[at];
            if (other == word) continue;
            const std::size_t c = class_of_[other];
            if (before_[c] == 0) touched_before_.push_back(c);
            before_[c] += count;
        }
        change(word, from, -1);
    }

    void put_in(WordId word, std::uint16_t to) {
        change(word, to, 1);
        class_of_[word] = to;
        for (const std::size_t c : touched_before_) before_[c] = 0;
        for (const std::size_t c : touched_after_) after_[c] = 0;
    }

    void change(WordId, std::size_t at, std::int64_t sign) {
        for (const std::size_t c : touched_after_) add(at, c, sign * after_[c]);
        for (const std::size_t c : touched_before_) add(c, at, sign * before_[c]);
        add(at, at, sign * self_);
    }

    // The log-likelihood that the word adds in a class, apart from what is the same for all classes.
    double gain_of(WordId word, std::size_t to) const {
        double gain = 0;
        const auto change = [&](std::size_t from, std::size_t into, std::int64_t count) {
            const std::int64_t now = pairs_[from * classes_ + into];
            gain += n_log_n(now + count) - n_log_n(now);
        };
        for (const std::size_t c : touched_after_) {
            if (c != to) change(to, c, after_[c]);
        }
        for (const std::size_t c : touched_before_) {
            if (c != to) change(c, to, before_[c]);
        }
        change(to, to, after_[to] + before_[to] + self_);
        const auto frequency = static_cast<std::int64_t>(frequency_[word]);
        gain -= n_log_n(left_[to] + frequency) - n_log_n(left_[to]);
        gain -= n_log_n(right_[to] + frequency) - n_log_n(right_[to]);
        return gain;
    }

    std::size_t classes_;
    std::vector<std::uint16_t> class_of_;
    std::vector<std::uint64_t> frequency_;
    Neighbours followers_, predecessors_;
    std::vector<WordId> order_;
    std::vector<std::int64_t> pairs_, left_, right_;  // class bigrams and their sums
    std::vector<std::int64_t> before_, after_;        // of the word that is taken out, by class
    std::vector<std::size_t> touched_before_, touched_after_;
    std::int64_t self_ = 0;
    std::vector<double> small_;  // n log n, which is asked for more often than anything else
};

}  // namespace

std::vector<std::uint16_t> exchange_classes(const Text& text, std::size_t words, std::size_t classes, unsigned rounds,
                                            const Poll& poll) {
    if (classes < 2 || classes > 1000) throw Error("the number of word classes must be from 2 to 1000");
    if (words > std::numeric_limits<WordId>::max()) throw Error("there are too many words to be put into classes");
    Exchange exchange(text, std::max<std::size_t>(words, SpecialWord::first_word), classes);
    for (unsigned k = 0; k < rounds; ++k) {
        if (exchange.round(poll) == 0) break;
    }
    return std::move(exchange).classes();
}

}  // namespace pentaglot
