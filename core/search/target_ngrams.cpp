#include "search/target_ngrams.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::uint32_t most_numbers = 1U << 30U;

Bytes bytes_of(std::span<const std::int32_t> words) {
    return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()};
}

}  // namespace

TargetNgrams::TargetNgrams(std::uint32_t order, std::vector<std::uint32_t> numbers,
                           std::span<const std::uint64_t> offsets, std::span<const std::int32_t> words,
                           std::span<const FeatureId> ids)
    : order_(order), numbers_(std::move(numbers)), ids_(ids.begin(), ids.end()) {
    if (order < 2 || order > longest) throw Error("n-grams across rules have two to four words");
    if (offsets.size() != ids.size() + 1 || offsets.front() != 0 || offsets.back() != words.size())
        throw Error("every n-gram needs its words");
    std::uint32_t largest = end;
    for (const std::uint32_t each : numbers_) largest = std::max(largest, each);
    for (const std::int32_t each : words) {
        if (each <= 0) throw Error("an n-gram has a word that does not exist");
        largest = std::max(largest, static_cast<std::uint32_t>(each));
    }
    if (largest >= most_numbers) throw Error("a word of n-grams has a number that is too large");
    places_.assign(largest + std::size_t{1}, 0);
    for (std::size_t at = 0; at < ids.size(); ++at) {
        listen_at(at);
        if (offsets[at + 1] > words.size() || offsets[at] + 2 > offsets[at + 1] || offsets[at] + order < offsets[at + 1])
            throw Error("an n-gram has too few or too many words");
        const auto own = words.subspan(offsets[at], offsets[at + 1] - offsets[at]);
        for (std::size_t place = 0; place < own.size(); ++place) {
            auto& seen = places_[static_cast<std::size_t>(own[place])];
            seen = static_cast<std::uint8_t>(seen | (place + 1 < own.size() ? 1U : 0U) | (place > 0 ? 2U : 0U));
        }
        if (keys_.number(bytes_of(own)) != at) throw Error("two features are the same n-gram");
    }
}

FeatureId TargetNgrams::find(std::span<const std::int32_t> words) const {
    const std::uint32_t number = keys_.find(bytes_of(words));
    return number == KeyTable::none ? none : ids_[number];
}

}  // namespace pentaglot
