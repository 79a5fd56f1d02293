#include "search/target_ngrams.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

TargetNgrams::TargetNgrams(std::uint32_t order, std::vector<std::uint32_t> numbers,
                           std::span<const std::uint64_t> offsets, std::span<const std::int32_t> words,
                           std::span<const FeatureId> ids)
    : order_(order), bits_(64 / std::max(order, 2U)), numbers_(std::move(numbers)) {
    if (order < 2 || order > longest) throw Error("n-grams across rules have two to four words");
    if (offsets.size() != ids.size() + 1 || offsets.front() != 0 || offsets.back() != words.size())
        throw Error("every n-gram needs its words");
    std::uint32_t largest = end;
    for (const std::uint32_t each : numbers_) largest = std::max(largest, each);
    for (const std::int32_t each : words) {
        if (each <= 0) throw Error("an n-gram has a word that does not exist");
        largest = std::max(largest, static_cast<std::uint32_t>(each));
    }
    if (largest >= std::uint64_t{1} << std::min(bits_, 31U))
        throw Error("there are too many different words in n-grams of " + std::to_string(order) + " words");
    places_.assign(largest + std::size_t{1}, 0);
    const auto size = std::bit_ceil(std::max<std::size_t>(16, 2 * ids.size()));
    shift_ = static_cast<std::uint32_t>(64 - std::countr_zero(size));
    slots_.resize(size);
    for (std::size_t at = 0; at < ids.size(); ++at) {
        listen_at(at);
        if (offsets[at + 1] > words.size() || offsets[at] + 2 > offsets[at + 1] ||
            offsets[at] + order < offsets[at + 1])
            throw Error("an n-gram has too few or too many words");
        const auto own = words.subspan(offsets[at], offsets[at + 1] - offsets[at]);
        std::uint64_t key = 0;
        for (std::size_t place = 0; place < own.size(); ++place) {
            auto& seen = places_[static_cast<std::size_t>(own[place])];
            seen = static_cast<std::uint8_t>(seen | (place + 1 < own.size() ? 1U : 0U) | (place > 0 ? 2U : 0U));
            key = extended(key, own[place], own.size() - 1 - place);
        }
        std::size_t free = slot(key);
        for (; slots_[free].key != 0; free = (free + 1) & (size - 1)) {
            if (slots_[free].key == key) throw Error("two features are the same n-gram");
        }
        slots_[free] = {key, ids[at]};
    }
}

}  // namespace pentaglot
