#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lm/ngrams.hpp"
#include "lm/tables.hpp"

namespace pentaglot::lm {

// Finds n-grams of one level while the level grows. Slots hold the whole key, so that a search touches one place in
// memory.
class NGramIndex {
  public:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    std::uint32_t find(std::uint32_t parent, WordId word) const {
        if (slots_.empty()) return none;
        for (std::size_t slot = home(parent, word);; slot = (slot + 1) & (slots_.size() - 1)) {
            const Entry& entry = slots_[slot];
            if (entry.place == none || (entry.word == word && entry.parent == parent)) return entry.place;
        }
    }

    // Takes in an n-gram that is not here yet.
    void add(std::uint32_t parent, WordId word, std::uint32_t place) {
        if (3 * (used_ + 1) > 2 * slots_.size()) grow();
        put({parent, word, place});
        ++used_;
    }

  private:
    struct Entry {
        std::uint32_t parent;
        WordId word;
        std::uint32_t place;
    };

    std::size_t home(std::uint32_t parent, WordId word) const {
        return home_slot(extend_hash(extend_hash(0, parent), word), slots_.size());
    }
    void put(const Entry& entry) {
        std::size_t slot = home(entry.parent, entry.word);
        while (slots_[slot].place != none) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = entry;
    }
    void grow() {
        const std::vector<Entry> old = std::move(slots_);
        slots_.assign(std::max<std::size_t>(16, 2 * old.size()), {0, 0, none});
        for (const Entry& entry : old) {
            if (entry.place != none) put(entry);
        }
    }

    std::vector<Entry> slots_;  // a power of two of them, at most two thirds used
    std::size_t used_ = 0;
};

}  // namespace pentaglot::lm
