#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace pentaglot {

using WordId = std::uint32_t;

// The ids below `first_word` have no spelling: a text that holds the characters "<s>" gets an ordinary id for them.
struct SpecialWord {
    static constexpr WordId unknown = 0;
    static constexpr WordId start = 1;  // before the first word of a sentence
    static constexpr WordId end = 2;    // after the last word of a sentence
    static constexpr WordId null = 3;   // the empty word of alignments
    static constexpr WordId first_word = 4;
};

// Spellings in id order and an open-addressing hash table over them, as three flat arrays that can be mapped from disk.
struct WordTable {
    std::span<const char> bytes;
    std::span<const std::uint64_t> offsets;  // number of words + 1
    std::span<const std::uint32_t> slots;    // a power of two of them; 0 is free, n is the word n - 1 of this table

    std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
    std::string_view word(std::size_t index) const;
    // Index of the word, or size() if it is not here.
    std::size_t find(std::string_view word, std::uint64_t hash) const;
    // Prefetch the memory that find() will need: first the slot, then what the slot points to.
    void prefetch_slot(std::uint64_t hash) const {
        if (!slots.empty()) __builtin_prefetch(&slots[hash & (slots.size() - 1)]);
    }
    void prefetch_word(std::uint64_t hash) const {
        if (slots.empty()) return;
        const std::uint32_t slot = slots[hash & (slots.size() - 1)];
        if (slot != 0) __builtin_prefetch(&offsets[slot - 1]);
    }
    // Throws Error if the arrays contradict each other.
    void validate() const;
};

// A two-way map between words and 32-bit ids. The first part may be mapped from disk; words added later live in memory.
// Lookups may run on many threads; add() must not run beside anything else.
class Vocabulary {
  public:
    Vocabulary();
    // Keeps `owner` alive as long as the table's arrays are used.
    Vocabulary(WordTable stored, std::shared_ptr<const void> owner);
    // Moving keeps the arrays where they are, so the views into them stay valid; those of a copy would not.
    Vocabulary(Vocabulary&&) = default;
    Vocabulary& operator=(Vocabulary&&) = default;
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;

    // Number of ids, special ones included.
    std::size_t size() const { return SpecialWord::first_word + stored_.size() + added_.size(); }
    // The word's id; SpecialWord::unknown if it has none.
    WordId find(std::string_view word) const;
    // The word's id, a new one if it has none yet.
    WordId add(std::string_view word);
    // The ids of many words, new ones for those that have none yet (unless `closed`); appended to `ids`. Faster than
    // one by one, since memory is prefetched.
    void add_all(std::span<const std::string_view> words, bool closed, std::vector<WordId>& ids);
    // Makes room for this many words to be added, if their number is known.
    void reserve(std::size_t words);
    // The spelling of an id; throws Error for an id that is out of range. Special ids give "<unk>", "<s>", "</s>",
    // "<null>". The view is valid until the next add().
    std::string_view word(WordId id) const;

    // All words, as one table of flat arrays that another Vocabulary can be made from.
    struct Flat {
        std::vector<char> bytes;
        std::vector<std::uint64_t> offsets;
        std::vector<std::uint32_t> slots;
    };
    Flat flatten() const;

    // The same words renumbered from the most frequent to the rarest, ties by spelling; `counts` is indexed by id, and
    // words with count zero are dropped. `new_ids` receives for each old id the new one (unknown if dropped).
    Vocabulary by_frequency(std::span<const std::uint64_t> counts, std::vector<WordId>& new_ids) const;

  private:
    WordId find_hashed(std::string_view word, std::uint64_t hash) const;
    WordId add_hashed(std::string_view word, std::uint64_t hash);
    void grow_slots();

    WordTable stored_;
    std::shared_ptr<const void> owner_;
    Flat added_arrays_;
    WordTable added_;
    std::vector<std::uint64_t> hashes_;  // scratch of add_all()
};

}  // namespace pentaglot
