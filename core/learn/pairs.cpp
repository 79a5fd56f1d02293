#include "learn/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "learn/losses.hpp"

namespace pentaglot {

namespace {

// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every machine.
class Dice {
  public:
    Dice(std::uint64_t seed, std::uint64_t stream) : state_(seed ^ (stream * 0xD1342543DE82EF95ULL)) { next(); }
    std::size_t below(std::size_t size) {
        // The high half of a product: even enough for sizes far below 2^32.
        return static_cast<std::size_t>(((next() >> 32) * static_cast<std::uint64_t>(size)) >> 32);
    }

  private:
    std::uint64_t next() {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
        return mixed ^ (mixed >> 31);
    }
    std::uint64_t state_;
};

struct Drawn {
    std::size_t better, worse;
    double gap;
    std::size_t draw;
};

bool same_features(const CandidateLists& lists, std::size_t one, std::size_t other) {
    return std::ranges::equal(lists.features.ids_of(one), lists.features.ids_of(other)) &&
           std::ranges::equal(lists.features.values_of(one), lists.features.values_of(other));
}

}  // namespace

Pairs draw_pairs(const CandidateLists& lists, std::span<const double> costs, const PairSettings& settings,
                 std::uint64_t seed) {
    check_costs(lists, costs);
    constexpr std::size_t most = 10'000'000;
    if (settings.samples > most) throw Error("too many pairs are drawn for one sentence");
    Pairs pairs;
    std::vector<Drawn> drawn;
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        const std::size_t begin = lists.sentences[sentence], size = lists.sentences[sentence + 1] - begin;
        if (size < 2) continue;
        if (size >= (std::size_t{1} << 31)) throw Error("a sentence has too many candidates");
        Dice dice(seed, sentence);
        drawn.clear();
        // If they are not sorted by gap, the first ones are as good as any.
        const std::size_t enough = settings.largest ? settings.samples : settings.kept;
        for (std::size_t draw = 0; draw < settings.samples && drawn.size() < enough; ++draw) {
            listen_at<4096>(draw);
            const std::size_t one = begin + dice.below(size), other = begin + dice.below(size);
            const double gap = std::abs(costs[one] - costs[other]);
            if (!(gap > settings.gap) || same_features(lists, one, other)) continue;
            drawn.push_back(costs[one] < costs[other] ? Drawn{one, other, gap, draw} : Drawn{other, one, gap, draw});
        }
        const std::size_t kept = std::min(drawn.size(), settings.kept);
        if (settings.largest) {
            std::ranges::partial_sort(drawn, drawn.begin() + static_cast<std::ptrdiff_t>(kept),
                                      [](const Drawn& one, const Drawn& other) {
                                          return one.gap != other.gap ? one.gap > other.gap : one.draw < other.draw;
                                      });
        }
        drawn.resize(kept);
        for (const Drawn& each : drawn) {
            pairs.better.push_back(each.better);
            pairs.worse.push_back(each.worse);
        }
    }
    return pairs;
}

double pair_loss(std::span<const double> scores, std::span<const std::uint64_t> better,
                 std::span<const std::uint64_t> worse, std::span<double> slopes) {
    if (better.size() != worse.size()) throw Error("every pair needs a better and a worse candidate");
    double total = 0.0;
    for (std::size_t pair = 0; pair < better.size(); ++pair) {
        listen_at<4096>(pair);
        if (better[pair] >= scores.size() || worse[pair] >= scores.size()) throw Error("there is no such candidate");
        const double margin = scores[better[pair]] - scores[worse[pair]];
        // Whichever sign the margin has, only small numbers are exponentiated.
        const double small = std::exp(-std::abs(margin));
        total += std::log1p(small) + std::max(0.0, -margin);
        const double wrong = margin > 0.0 ? small / (1.0 + small) : 1.0 / (1.0 + small);
        slopes[better[pair]] -= wrong;
        slopes[worse[pair]] += wrong;
    }
    return total;
}

}  // namespace pentaglot
