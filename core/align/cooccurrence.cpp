#include "align/cooccurrence.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::uint64_t places_a_shard = 1 << 13;
constexpr std::uint64_t pairs_a_run = 1 << 16;

struct Occurrence {
    std::uint32_t sentence;
    std::uint32_t position;
};

// For each source word its places, by a counting sort.
struct Occurrences {
    std::vector<std::uint64_t> begins;
    std::vector<Occurrence> places;
};

Occurrences find_occurrences(const Text& source, std::size_t words, std::span<const std::uint64_t> begins) {
    Occurrences found;
    found.begins.assign(words + 1, 0);
    for (std::size_t s = 0; s < source.size(); ++s) {
        if (begins[s + 1] == begins[s]) continue;
        for (const WordId word : source[s]) ++found.begins[word + 1];
    }
    for (std::size_t w = 0; w < words; ++w) found.begins[w + 1] += found.begins[w];
    found.places.resize(found.begins.back());
    std::vector<std::uint64_t> next(found.begins.begin(), found.begins.end() - 1);
    for (std::size_t s = 0; s < source.size(); ++s) {
        if (begins[s + 1] == begins[s]) continue;
        listen_at<256>(s);
        const auto sentence = source[s];
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            found.places[next[sentence[i]]++] = {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)};
        }
    }
    return found;
}

// The distinct target words that meet one source word: marks them with `mark` in `stamps`, lists them in `distinct`.
void collect(std::span<const Occurrence> places, const Text& target, std::span<const WordId> known, std::uint32_t mark,
             std::vector<std::uint32_t>& stamps, std::vector<WordId>& distinct) {
    distinct.assign(known.begin(), known.end());
    for (const WordId word : known) stamps[word] = mark;
    for (const Occurrence& place : places) {
        listen_at<256>(place.sentence);
        for (const WordId word : target[place.sentence]) {
            if (stamps[word] == mark) continue;
            stamps[word] = mark;
            distinct.push_back(word);
        }
    }
}

void check_ids(const Text& text, std::size_t words, const char* side) {
    if (words > std::numeric_limits<WordId>::max()) throw Error("there are too many words for one alignment");
    for (const WordId word : text.tokens()) {
        if (word >= words) throw Error(std::string("the ") + side + " text has a word id beyond its vocabulary");
    }
    if (text.size() >= std::numeric_limits<std::uint32_t>::max()) throw Error("too many sentences for one alignment");
}

}  // namespace

CoOccurrence::CoOccurrence(const Text& source, const Text& target, std::size_t source_words, std::size_t target_words,
                           std::size_t longest, const WordPairs& known, unsigned threads, const Poll& poll)
    : target_words_(target_words), begins_(source.size() + 1, 0), runs_{0} {
    if (source.size() != target.size()) throw Error("the two texts have unequal numbers of sentences");
    check_ids(source, source_words, "source");
    check_ids(target, target_words, "target");
    std::uint64_t work = 0;
    for (std::size_t s = 0; s < source.size(); ++s) {
        const std::size_t rows = source[s].size(), columns = target[s].size();
        const bool used = rows <= longest && columns <= longest;
        begins_[s + 1] = begins_[s] + (used ? rows * columns : 0);
        work += 64 + (begins_[s + 1] - begins_[s]);
        if (work >= pairs_a_run || s + 1 == source.size()) {
            runs_.push_back(s + 1);
            work = 0;
        }
    }
    const Occurrences occurrences = find_occurrences(source, source_words, begins_);
    const auto places_of = [&](std::size_t word) {
        return std::span(occurrences.places)
            .subspan(occurrences.begins[word], occurrences.begins[word + 1] - occurrences.begins[word]);
    };
    const auto known_of = [&](std::size_t word) {
        if (word >= known.source_words()) return std::span<const WordId>{};
        return std::span(known.columns).subspan(known.rows[word], known.rows[word + 1] - known.rows[word]);
    };
    // The work for a word grows with the number of its places, and a few words have most of them.
    std::vector<std::size_t> shards{0};
    for (std::size_t word = 0, from = 0; word < source_words; ++word) {
        if (occurrences.begins[word + 1] - occurrences.begins[from] < places_a_shard && word + 1 < source_words)
            continue;
        shards.push_back(from = word + 1);
    }
    struct Scratch {
        std::vector<std::uint32_t> stamps;
        std::vector<std::uint32_t> cell;
        std::vector<WordId> distinct;
    };
    std::vector<Scratch> scratch(usable_threads(threads));
    const auto for_words = [&](const auto& job) {
        for (Scratch& each : scratch) each.stamps.clear();
        parallel_for(
            shards.size() - 1, threads,
            [&](std::size_t shard, unsigned worker) {
                Scratch& mine = scratch[worker];
                mine.stamps.resize(target_words, std::numeric_limits<std::uint32_t>::max());
                mine.cell.resize(target_words);
                for (std::size_t word = shards[shard]; word < shards[shard + 1]; ++word) {
                    collect(places_of(word), target, known_of(word), static_cast<std::uint32_t>(word), mine.stamps,
                            mine.distinct);
                    job(word, mine);
                }
            },
            poll);
    };
    pairs_.rows.assign(source_words + 1, 0);
    for_words([&](std::size_t word, Scratch& mine) { pairs_.rows[word + 1] = mine.distinct.size(); });
    for (std::size_t word = 0; word < source_words; ++word) pairs_.rows[word + 1] += pairs_.rows[word];
    if (pairs_.rows.back() >= std::numeric_limits<std::uint32_t>::max()) {
        throw Error("the corpus has more than 4 billion different word pairs; align it in parts");
    }
    pairs_.columns.resize(pairs_.rows.back());
    cells_ = LargeArray<std::uint32_t>(begins_.back());  // every word fills those of its places
    for_words([&](std::size_t word, Scratch& mine) {
        std::sort(mine.distinct.begin(), mine.distinct.end());
        const auto first = static_cast<std::uint32_t>(pairs_.rows[word]);
        for (std::size_t k = 0; k < mine.distinct.size(); ++k) {
            pairs_.columns[first + k] = mine.distinct[k];
            mine.cell[mine.distinct[k]] = first + static_cast<std::uint32_t>(k);
        }
        for (const Occurrence& place : places_of(word)) {
            listen_at<256>(place.sentence);
            const auto sentence = target[place.sentence];
            std::uint32_t* cells = cells_.begin() + begins_[place.sentence] + place.position * sentence.size();
            for (std::size_t j = 0; j < sentence.size(); ++j) cells[j] = mine.cell[sentence[j]];
        }
    });
}

}  // namespace pentaglot
