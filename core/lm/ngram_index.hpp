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
        return slots_.empty() ? none : slots_[slot_of(parent, word)].place;
    }

    // Prefetches the memory that find() and add() will need.
    void prefetch(std::uint32_t parent, WordId word) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[home(parent, word)]);
    }

    // Makes room for this many n-grams in all.
    void reserve(std::size_t count) {
        if (3 * count > 2 * slots_.size()) resize(std::bit_ceil(3 * count / 2 + 1));
    }

    // Adds an n-gram; false if it is here already.
    bool add(std::uint32_t parent, WordId word, std::uint32_t place) {
        if (3 * (used_ + 1) > 2 * slots_.size()) resize(std::max<std::size_t>(16, 2 * slots_.size()));
        Entry& entry = slots_[slot_of(parent, word)];
        if (entry.place != none) return false;
        entry = {parent, word, place};
        ++used_;
        return true;
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
    // The slot of an n-gram, or the free one where it would be.
    std::size_t slot_of(std::uint32_t parent, WordId word) const {
        std::size_t slot = home(parent, word);
        while (slots_[slot].place != none && (slots_[slot].word != word || slots_[slot].parent != parent))
            slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }
    void resize(std::size_t size) {
        const std::vector<Entry> old = std::move(slots_);
        slots_.assign(size, {0, 0, none});
        for (const Entry& entry : old) {
            if (entry.place != none) slots_[slot_of(entry.parent, entry.word)] = entry;
        }
    }

    std::vector<Entry> slots_;  // a power of two of them, at most two thirds used
    std::size_t used_ = 0;
};

}  // namespace pentaglot::lm
