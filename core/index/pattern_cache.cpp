#include "index/pattern_cache.hpp"

#include "base/checksum.hpp"

namespace pentaglot {

namespace {

// What an entry costs besides its occurrences: list and table nodes, two copies of the key, allocation headers.
constexpr std::size_t entry_overhead = 256;

}  // namespace

PatternCache::PatternCache(std::size_t bytes) : budget_(bytes / 8) {}

std::size_t PatternCache::Hash::operator()(const Key& key) const {
    return checksum(std::as_bytes(std::span(key)));
}

std::optional<Occurrences> PatternCache::find(std::span<const PatternSymbol> pattern) {
    const Key key(pattern.begin(), pattern.end());
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    const auto place = shard.places.find(key);
    if (place == shard.places.end()) return std::nullopt;
    shard.entries.splice(shard.entries.begin(), shard.entries, place->second);
    return place->second->occurrences;
}

void PatternCache::insert(std::span<const PatternSymbol> pattern, const Occurrences& occurrences) {
    const Key key(pattern.begin(), pattern.end());
    const std::size_t bytes = occurrences.bytes() + entry_overhead + 2 * key.size() * sizeof(PatternSymbol);
    if (bytes > budget_) return;
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    if (shard.places.contains(key)) return;
    while (shard.bytes + bytes > budget_) {
        shard.bytes -= shard.entries.back().bytes;
        shard.places.erase(shard.entries.back().key);
        shard.entries.pop_back();
    }
    shard.entries.push_front({key, occurrences, bytes});
    shard.places.emplace(key, shard.entries.begin());
    shard.bytes += bytes;
}

std::size_t PatternCache::bytes() const {
    std::size_t total = 0;
    for (const Shard& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        total += shard.bytes;
    }
    return total;
}

}  // namespace pentaglot
