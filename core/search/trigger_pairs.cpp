#include "search/trigger_pairs.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

TriggerPairs::TriggerPairs(std::vector<std::uint32_t> numbers, std::span<const std::uint32_t> firsts,
                           std::span<const std::uint32_t> seconds, std::span<const FeatureId> ids)
    : numbers_(std::move(numbers)) {
    if (firsts.size() != ids.size() || seconds.size() != ids.size()) throw Error("every trigger needs its two words");
    if (std::ranges::any_of(numbers_, [](std::uint32_t each) { return each > most_words; }))
        throw Error("a trigger has a word that does not exist");
    for (std::size_t at = 0; at < ids.size(); ++at) {
        listen_at(at);
        for (const std::uint32_t word : {firsts[at], seconds[at]}) {
            if (word == 0 || word > most_words) throw Error("a trigger has a word that does not exist");
        }
        if (!ids_.emplace(firsts[at] << 16U | seconds[at], ids[at]).second)
            throw Error("two features are the same trigger");
        triggers_.resize(std::max<std::size_t>(triggers_.size(), firsts[at] + std::size_t{1}), 0);
        triggers_[firsts[at]] = 1;
    }
}

}  // namespace pentaglot
