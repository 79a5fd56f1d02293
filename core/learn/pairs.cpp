#include "learn/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/random.hpp"
#include "learn/losses.hpp"

namespace pentaglot {

namespace {

// The draws of one sentence.
Random dice_of(std::uint64_t seed, std::size_t sentence) {
    Random dice(seed ^ (std::uint64_t{sentence} * 0xD1342543DE82EF95ULL));
    dice.next();
    return dice;
}

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
        Random dice = dice_of(seed, sentence);
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

}  // namespace pentaglot
