#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/checksum.hpp"
#include "rules/rule_bytes.hpp"

namespace pentaglot {

// Numbers byte strings in the order in which they first come.
class KeyTable {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;

    // The number of a key, or none.
    std::uint32_t find(Bytes key) const {
        if (slots_.empty()) return none;
        const std::size_t at = slot(key, hash_of(key));
        return slots_[at] == 0 ? none : slots_[at] - 1;
    }
    // The number of a key, a new one if it has none.
    std::uint32_t number(Bytes key) {
        const std::uint64_t hash = hash_of(key);
        if (2 * (places_.size() + 1) > slots_.size()) grow();
        const std::size_t at = slot(key, hash);
        if (slots_[at] != 0) return slots_[at] - 1;
        places_.push_back({hash, bytes_.size(), key.size()});
        bytes_.insert(bytes_.end(), key.begin(), key.end());
        slots_[at] = static_cast<std::uint32_t>(places_.size());
        return slots_[at] - 1;
    }

    std::size_t size() const { return places_.size(); }
    Bytes key(std::uint32_t number) const { return {bytes_.data() + places_[number].begin, places_[number].size}; }
    std::size_t bytes() const {
        return bytes_.size() + places_.size() * sizeof(Place) + slots_.size() * sizeof(slots_[0]);
    }
    void clear() {
        bytes_.clear();
        places_.clear();
        std::fill(slots_.begin(), slots_.end(), 0U);
    }

  private:
    struct Place {
        std::uint64_t hash, begin, size;
    };

    // checksum() is made for long strings. Keys of one or two symbols have a hash that no other of their size has.
    static bool is_short(Bytes key) {
        return key.size() == sizeof(std::uint32_t) || key.size() == sizeof(std::uint64_t);
    }
    static std::uint64_t hash_of(Bytes key) {
        if (!is_short(key)) return checksum(std::as_bytes(key));
        std::uint32_t first, last;
        std::memcpy(&first, key.data(), sizeof first);
        std::memcpy(&last, key.data() + key.size() - sizeof last, sizeof last);
        const std::uint64_t mixed = (std::uint64_t{first ^ last} << 32 | last) * 0x9E3779B97F4A7C15ULL;
        return mixed ^ mixed >> 32;
    }

    // Where a key is, or where it would be.
    std::size_t slot(Bytes key, std::uint64_t hash) const {
        std::size_t at = hash & (slots_.size() - 1);
        for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
            const Place& place = places_[slots_[at] - 1];
            if (place.hash != hash || place.size != key.size()) continue;
            if (is_short(key) || std::memcmp(key.data(), &bytes_[place.begin], key.size()) == 0) break;
        }
        return at;
    }

    void grow() {
        slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), 0);
        for (std::size_t number = 0; number < places_.size(); ++number) {
            std::size_t at = places_[number].hash & (slots_.size() - 1);
            while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = static_cast<std::uint32_t>(number + 1);
        }
    }

    ByteBuffer bytes_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> slots_;  // number + 1; 0 is free
};

}  // namespace pentaglot
