#include "index/precomputation.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "index/sequence_trie.hpp"

namespace pentaglot {

namespace {

constexpr std::uint32_t none = Precomputed::none;

struct Found {
    std::uint32_t position, number, length;
    std::uint32_t next = 0;  // the first one in its sentence that is a gap away
};

// Lists being counted, then filled, by shards of the text: where each shard writes follows from the counts of all.
template <std::size_t width>
class ShardedLists {
  public:
    ShardedLists(std::size_t lists, std::size_t shards) : next_(shards, std::vector<std::uint64_t>(lists)) {}

    // What one shard counts or fills with.
    template <bool filling>
    struct Writer {
        std::uint64_t* next;
        std::uint32_t* positions;

        template <typename... Positions>
        void add(std::size_t list, Positions... each) const {
            static_assert(sizeof...(Positions) == width);
            const std::uint64_t place = next[list]++;
            if constexpr (filling) {
                std::uint32_t* at = positions + place * width;
                ((*at++ = each), ...);
            }
        }
    };
    template <bool filling>
    Writer<filling> writer(std::size_t shard) {
        return {next_[shard].data(), lists_.positions.data()};
    }

    void start_filling() {
        const std::size_t count = next_.front().size();
        lists_.offsets.resize(count + 1);
        std::uint64_t total = 0;
        for (std::size_t list = 0; list < count; ++list) {
            lists_.offsets[list] = total;
            for (auto& shard : next_) total += std::exchange(shard[list], total);
        }
        lists_.offsets[count] = total;
        lists_.positions.resize(total * width);
    }

    Lists take() { return std::move(lists_); }

  private:
    std::vector<std::vector<std::uint64_t>> next_;
    Lists lists_;
};

class Collector {
  public:
    Collector(const SourceIndex& index, const FrequentSequences& frequent, const PrecomputationSettings& settings,
              std::size_t shards)
        : index_(index),
          settings_(settings),
          trie_(index, frequent),
          count_(frequent.length.size()),
          super_count_(super_frequent(frequent.length, settings.super_frequent).size()),
          super_(numbers_among(super_frequent(frequent.length, settings.super_frequent), count_)),
          words(count_, shards),
          pairs(count_ * count_, shards),
          triples(2 * super_count_ * super_count_ * count_, shards) {}

    template <bool filling>
    void run(std::size_t shard, std::size_t first, std::size_t last) {
        const auto word_writer = words.writer<filling>(shard);
        const auto pair_writer = pairs.writer<filling>(shard);
        const auto triple_writer = triples.writer<filling>(shard);
        std::vector<Found> found;
        for (std::size_t number = first; number < last; ++number) {
            find(number, found);
            for (const Found& each : found) {
                listen_at<256>(each.position);
                word_writer.add(each.number, each.position);
                partners(found, each, pair_writer, triple_writer);
            }
        }
    }

  private:
    // The frequent sequences of a sentence, in order.
    void find(std::size_t number, std::vector<Found>& found) const {
        const auto sentence = index_.text()[number];
        const auto begin = static_cast<std::uint32_t>(index_.text().offsets()[number]);
        found.clear();
        for (std::uint32_t at = 0; at < sentence.size(); ++at) {
            const auto rest = sentence.subspan(at, std::min<std::size_t>(settings_.max_length, sentence.size() - at));
            trie_.visit(rest, [&](std::uint32_t frequent, std::uint32_t length) {
                found.push_back({begin + at, frequent, length});
            });
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
            const std::uint32_t after = found[i].position + found[i].length + settings_.min_gap;
            std::size_t next = i + 1;
            while (next < found.size() && found[next].position < after) ++next;
            found[i].next = static_cast<std::uint32_t>(next);
        }
    }

    // All that follow `u` at the distance of a gap, within reach.
    template <typename PairWriter, typename TripleWriter>
    void partners(const std::vector<Found>& found, const Found u, const PairWriter& pair_writer,
                  const TripleWriter& triple_writer) const {
        const std::uint32_t* const super = super_.data();
        const std::size_t count = count_, super_count = super_count_, size = found.size(), super_u = super[u.number];
        const std::uint32_t reach = u.position + settings_.max_span;  // where the reach ends
        for (std::size_t j = u.next; j < size; ++j) {
            const Found v = found[j];
            if (v.position >= reach) break;
            if (v.position + v.length > reach) continue;
            pair_writer.add(u.number * count + v.number, u.position, v.position);
            const std::size_t super_v = super[v.number];
            if (super_v == none) continue;
            for (std::size_t k = v.next; k < size; ++k) {
                const Found w = found[k];
                if (w.position >= reach) break;
                if (w.position + w.length > reach) continue;
                const std::size_t super_w = super[w.number];
                std::size_t list;
                if (super_u != none) {
                    list = (super_u * super_count + super_v) * count + w.number;
                } else if (super_w != none) {
                    list =
                        super_count * super_count * count + (u.number * super_count + super_v) * super_count + super_w;
                } else {
                    continue;
                }
                triple_writer.add(list, u.position, v.position, w.position);
            }
        }
    }

    const SourceIndex& index_;
    const PrecomputationSettings& settings_;
    SequenceTrie trie_;
    std::size_t count_, super_count_;
    std::vector<std::uint32_t> super_;

  public:
    ShardedLists<1> words;
    ShardedLists<2> pairs;
    ShardedLists<3> triples;
};

}  // namespace

Precomputation precompute(const SourceIndex& index, std::span<const std::uint32_t> common_prefixes,
                          const PrecomputationSettings& settings, unsigned threads, const Poll& poll) {
    if (settings.min_gap == 0) throw Error("a gap must cover at least one word");
    Precomputation result;
    result.settings = settings;
    result.frequent = frequent_sequences(index, common_prefixes, settings.frequent, settings.max_length);
    const std::size_t shards = std::clamp<std::size_t>(index.tokens().size() / 500'000, 1, 8);
    Collector collector(index, result.frequent, settings, shards);
    const std::size_t sentences = index.text().size();
    const auto over_shards = [&](const auto& work) {
        parallel_for(
            shards, threads,
            [&](std::size_t shard, unsigned) {
                work(shard, sentences * shard / shards, sentences * (shard + 1) / shards);
            },
            poll);
    };
    over_shards([&](auto shard, auto first, auto last) { collector.run<false>(shard, first, last); });
    collector.words.start_filling();
    collector.pairs.start_filling();
    collector.triples.start_filling();
    over_shards([&](auto shard, auto first, auto last) { collector.run<true>(shard, first, last); });
    result.words = collector.words.take();
    result.pairs = collector.pairs.take();
    result.triples = collector.triples.take();
    return result;
}

}  // namespace pentaglot
