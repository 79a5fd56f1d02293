#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lm/ngrams.hpp"
#include "lm/tables.hpp"

namespace pentaglot::lm {

// Finds n-grams of one level while the level grows.
class NGramIndex {
  public:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    std::uint32_t find(const Level& level, std::uint32_t parent, WordId word) const {
        if (slots_.empty()) return none;
        for (std::size_t slot = home(parent, word);; slot = (slot + 1) & (slots_.size() - 1)) {
            const std::uint32_t place = slots_[slot];
            if (place == none || (level.word[place] == word && level.parent[place] == parent)) return place;
        }
    }

    // Takes in the last n-gram of the level, which must be new.
    void add_last(const Level& level) {
        if (3 * level.size() > 2 * slots_.size()) {
            slots_.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * level.size())), none);
            for (std::size_t i = 0; i + 1 < level.size(); ++i) place(level, i);
        }
        place(level, level.size() - 1);
    }

  private:
    std::size_t home(std::uint32_t parent, WordId word) const {
        return home_slot(extend_hash(extend_hash(0, parent), word), slots_.size());
    }
    void place(const Level& level, std::size_t i) {
        std::size_t slot = home(level.parent[i], level.word[i]);
        while (slots_[slot] != none) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = static_cast<std::uint32_t>(i);
    }

    std::vector<std::uint32_t> slots_;  // a power of two of them, at most two thirds used
};

}  // namespace pentaglot::lm
