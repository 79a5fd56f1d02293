#include "lm/counts.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot::lm {

namespace {

constexpr std::size_t positions_per_shard = 1 << 16;

// Reads the words before a position of the text, backwards.
class Backwards {
  public:
    Backwards(std::span<const WordId> tokens, std::uint64_t position) : tokens_(tokens), at_(position) {}

    WordId next() {
        if (at_ == 0 || tokens_[at_ - 1] == SpecialWord::end) {
            at_ = 0;
            return SpecialWord::start;
        }
        return tokens_[--at_];
    }

  private:
    std::span<const WordId> tokens_;
    std::uint64_t at_;
};

struct Occurrence {
    std::uint64_t key;  // some words before it, packed, the nearest in the highest bits
    std::uint32_t position;
};

class RunSorter {
  public:
    RunSorter(std::span<const WordId> tokens, std::size_t vocabulary_size, unsigned order)
        : tokens_(tokens),
          order_(order),
          bits_(std::max(2U, static_cast<unsigned>(std::bit_width(vocabulary_size)))),
          words_per_key_(std::clamp(64 / bits_, 1U, std::max(1U, order - 1))),
          begins_(vocabulary_size + 1, 0) {
        for (const WordId word : tokens) {
            if (word >= vocabulary_size || word == SpecialWord::start || word == SpecialWord::null) {
                throw Error("the text has a word id that its vocabulary lacks");
            }
            ++begins_[word + 1];
        }
        for (std::size_t word = 0; word < vocabulary_size; ++word) begins_[word + 1] += begins_[word];
        occurrences_.resize(tokens.size());
        std::vector<std::uint64_t> next(begins_.begin(), begins_.end() - 1);
        for (std::size_t position = 0; position < tokens.size(); ++position) {
            listen_at(position);
            occurrences_[next[tokens[position]]++] = {key(position, 1), static_cast<std::uint32_t>(position)};
        }
        cut();
    }

    std::size_t shards() const { return cuts_.size() - 1; }

    // Sorts one shard and appends its records to `out`.
    void run(std::size_t shard, std::vector<std::uint32_t>& out) {
        for (std::size_t word = cuts_[shard]; word < cuts_[shard + 1]; ++word) {
            if (begins_[word] == begins_[word + 1]) continue;
            sort_range(begins_[word], begins_[word + 1]);
            emit(begins_[word], begins_[word + 1], out);
        }
    }

  private:
    // Words number first .. first + words_per_key_ - 1 before the position.
    std::uint64_t key(std::uint64_t position, unsigned first) const {
        Backwards words(tokens_, position);
        for (unsigned i = 1; i < first; ++i) words.next();
        std::uint64_t packed = 0;
        for (unsigned i = 0; i < words_per_key_; ++i) {
            packed = packed << bits_ | (first + i < order_ ? words.next() : 0);
        }
        return packed;
    }

    void sort_range(std::uint64_t begin, std::uint64_t end) {
        struct Pending {
            std::uint64_t begin, end;
            unsigned first;
        };
        std::vector<Pending> pending{{begin, end, 1}};
        while (!pending.empty()) {
            const Pending range = pending.back();
            pending.pop_back();
            const auto data = occurrences_.begin();
            const auto from = data + static_cast<std::ptrdiff_t>(range.begin);
            const auto to = data + static_cast<std::ptrdiff_t>(range.end);
            std::size_t compared = 0;
            std::sort(from, to, [&compared](const Occurrence& a, const Occurrence& b) {
                listen_at(++compared);
                return a.key < b.key;
            });
            const unsigned following = range.first + words_per_key_;
            if (following >= order_) continue;
            for (auto group = from; group != to;) {
                auto stop = group + 1;
                while (stop != to && stop->key == group->key) ++stop;
                if (stop - group > 1) {
                    for (auto each = group; each != stop; ++each) each->key = key(each->position, following);
                    pending.push_back(
                        {static_cast<std::uint64_t>(group - data), static_cast<std::uint64_t>(stop - data), following});
                }
                group = stop;
            }
        }
    }

    void emit(std::uint64_t begin, std::uint64_t end, std::vector<std::uint32_t>& out) {
        std::uint32_t words[16];
        for (std::uint64_t i = begin; i < end; ++i) {
            listen_at(i);
            Backwards before(tokens_, occurrences_[i].position);
            words[0] = tokens_[occurrences_[i].position];
            for (unsigned n = 1; n < order_; ++n) words[n] = before.next();
            const std::size_t size = record_size(order_);
            if (i > begin && std::equal(words, words + order_, out.end() - static_cast<std::ptrdiff_t>(size))) {
                std::uint32_t* count = out.data() + out.size() - 2;
                if (++count[0] == 0) ++count[1];
                continue;
            }
            words[order_] = 1;
            words[order_ + 1] = 0;
            out.insert(out.end(), words, words + size);
        }
    }

    void cut() {
        cuts_.push_back(0);
        std::uint64_t begin = 0;
        for (std::size_t word = 0; word + 1 < begins_.size(); ++word) {
            if (begins_[word + 1] - begin < positions_per_shard) continue;
            cuts_.push_back(word + 1);
            begin = begins_[word + 1];
        }
        if (cuts_.back() != begins_.size() - 1) cuts_.push_back(begins_.size() - 1);
    }

    std::span<const WordId> tokens_;
    unsigned order_;
    unsigned bits_;
    unsigned words_per_key_;
    std::vector<std::uint64_t> begins_;  // of the occurrences of each word
    std::vector<Occurrence> occurrences_;
    std::vector<std::size_t> cuts_;  // word ids
};

// The first record of the run whose last word is not below `word`.
const std::uint32_t* find_word(Run run, unsigned order, WordId word) {
    const std::size_t size = record_size(order);
    std::size_t low = 0;
    std::size_t high = run.size() / size;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (run[middle * size] < word) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return run.data() + low * size;
}

}  // namespace

std::vector<std::uint32_t> count_ngrams(const Text& text, std::size_t vocabulary_size, unsigned order, unsigned threads,
                                        const Poll& poll) {
    if (text.tokens().size() >= std::numeric_limits<std::uint32_t>::max())
        throw Error("the text is too long for one run");
    RunSorter sorter(text.tokens(), vocabulary_size, order);
    std::vector<std::vector<std::uint32_t>> parts(sorter.shards());
    parallel_for(sorter.shards(), threads, [&](std::size_t shard, unsigned) { sorter.run(shard, parts[shard]); }, poll);
    std::size_t total = 0;
    for (const auto& part : parts) total += part.size();
    std::vector<std::uint32_t> run;
    run.reserve(total);
    for (auto& part : parts) {
        run.insert(run.end(), part.begin(), part.end());
        part = {};
    }
    return run;
}

MergedRuns::MergedRuns(std::span<const Run> runs, unsigned order, WordId first, WordId last) : order_(order) {
    for (const Run run : runs) {
        const Cursor cursor{find_word(run, order, first), find_word(run, order, last)};
        if (cursor.at < cursor.end) heap_.push_back(cursor);  // in a run out of order the end may come first
    }
    std::make_heap(heap_.begin(), heap_.end(), [this](const Cursor& a, const Cursor& b) { return later(a, b); });
}

bool MergedRuns::later(const Cursor& one, const Cursor& other) const {
    return std::lexicographical_compare(other.at, other.at + order_, one.at, one.at + order_);
}

bool MergedRuns::next(const std::uint32_t*& words, std::uint64_t& count) {
    if (heap_.empty()) return false;
    const auto compare = [this](const Cursor& a, const Cursor& b) { return later(a, b); };
    words = heap_.front().at;
    count = 0;
    if (heap_.size() == 1) {
        count = record_count(words, order_);
        heap_.front().at += record_size(order_);
        if (heap_.front().at == heap_.front().end) heap_.pop_back();
        return true;
    }
    while (!heap_.empty() && std::equal(words, words + order_, heap_.front().at)) {
        std::pop_heap(heap_.begin(), heap_.end(), compare);
        Cursor& cursor = heap_.back();
        count += record_count(cursor.at, order_);
        cursor.at += record_size(order_);
        if (cursor.at == cursor.end) {
            heap_.pop_back();
        } else {
            std::push_heap(heap_.begin(), heap_.end(), compare);
        }
    }
    return true;
}

std::vector<WordId> cut_runs(std::span<const Run> runs, unsigned order, std::size_t vocabulary_size,
                             std::size_t parts) {
    std::vector<WordId> cuts{0};
    const auto largest = std::max_element(runs.begin(), runs.end(), [](Run a, Run b) { return a.size() < b.size(); });
    if (largest != runs.end()) {
        const std::size_t records = largest->size() / record_size(order);
        for (std::size_t part = 1; part < parts; ++part) {
            const std::size_t record = records * part / parts;
            if (record >= records) break;
            const WordId word = (*largest)[record * record_size(order)];
            if (word > cuts.back()) cuts.push_back(word);
        }
    }
    if (cuts.back() != vocabulary_size) cuts.push_back(static_cast<WordId>(vocabulary_size));
    return cuts;
}

}  // namespace pentaglot::lm
