#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "index/limits.hpp"
#include "index/occurrences.hpp"

namespace pentaglot {

// Occurrences of patterns, kept from one sentence to the next; when a budget of bytes is used up, the least recently
// used are dropped first. For one index and one set of limits. May be used by many threads: what it holds depends on
// their timing, but results do not, since an entry is what would be found without it.
class PatternCache {
  public:
    explicit PatternCache(std::size_t bytes);

    std::optional<Occurrences> find(std::span<const PatternSymbol> pattern);
    void insert(std::span<const PatternSymbol> pattern, const Occurrences& occurrences);
    // Bytes held now, by entries and their bookkeeping.
    std::size_t bytes() const;

  private:
    using Key = std::vector<PatternSymbol>;
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    struct Entry {
        Key key;
        Occurrences occurrences;
        std::size_t bytes;
    };
    struct Shard {
        mutable std::mutex mutex;
        std::list<Entry> entries;  // most recently used first
        std::unordered_map<Key, std::list<Entry>::iterator, Hash> places;
        std::size_t bytes = 0;
    };

    Shard& shard_of(const Key& key) { return shards_[Hash{}(key) % shards_.size()]; }

    std::size_t budget_;  // of each shard
    std::array<Shard, 8> shards_;
};

}  // namespace pentaglot
