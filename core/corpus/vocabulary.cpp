#include "corpus/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/utf8.hpp"
#include "corpus/word_hash.hpp"

namespace pentaglot {

namespace {

constexpr std::array<std::string_view, SpecialWord::first_word> special_names = {"<unk>", "<s>", "</s>", "<null>"};

// Puts word number `index` into the first free slot of its probe sequence.
void place(std::vector<std::uint32_t>& slots, std::uint64_t hash, std::size_t index) {
    const std::size_t mask = slots.size() - 1;
    std::size_t slot = hash & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::uint32_t>(index + 1);
}

void append(Vocabulary::Flat& flat, std::string_view word) {
    flat.bytes.insert(flat.bytes.end(), word.begin(), word.end());
    flat.offsets.push_back(flat.bytes.size());
}

WordTable view(const Vocabulary::Flat& flat) {
    return {flat.bytes, flat.offsets, flat.slots};
}

// Makes a new hash table that is at most half full, even with `expected` words.
void rebuild_slots(Vocabulary::Flat& flat, std::size_t expected = 0) {
    const WordTable words = view(flat);
    flat.slots.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * std::max(words.size(), expected))), 0);
    for (std::size_t index = 0; index < words.size(); ++index) place(flat.slots, hash_of(words.word(index)), index);
}

}  // namespace

std::string_view WordTable::word(std::size_t index) const {
    return {bytes.data() + offsets[index], static_cast<std::size_t>(offsets[index + 1] - offsets[index])};
}

std::size_t WordTable::find(std::string_view wanted, std::uint64_t hash) const {
    if (slots.empty()) return size();
    const std::size_t mask = slots.size() - 1;
    // In a damaged table without free slots, a search must not go through all of it; a good one is half free.
    constexpr std::size_t longest_search = 1 << 12;
    for (std::size_t probe = 0; probe < std::min(slots.size(), longest_search); ++probe) {
        const std::uint32_t slot = slots[(hash + probe) & mask];
        if (slot == 0) break;
        if (word(slot - 1) == wanted) return slot - 1;
    }
    return size();
}

void WordTable::validate() const {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != bytes.size() ||
        !std::is_sorted(offsets.begin(), offsets.end())) {
        throw Error("the vocabulary's word offsets do not fit its spellings");
    }
    if (size() >= std::numeric_limits<WordId>::max() - SpecialWord::first_word)
        throw Error("the vocabulary has too many words");
    // Word by word: a character may not be cut in two either.
    const bool spelt = std::none_of(offsets.begin(), offsets.end(), [&](std::uint64_t offset) {
        return offset < bytes.size() && (static_cast<unsigned char>(bytes[offset]) & 0xC0U) == 0x80;
    });
    if (!spelt || !is_utf8({bytes.data(), bytes.size()})) throw Error("the vocabulary's spellings are not valid UTF-8");
    if (!std::has_single_bit(slots.size()) || slots.size() < size() ||
        std::any_of(slots.begin(), slots.end(), [&](std::uint32_t slot) { return slot > size(); })) {
        throw Error("the vocabulary's hash table does not fit its words");
    }
}

Vocabulary::Vocabulary() {
    added_arrays_.offsets.push_back(0);
    grow_slots();
}

Vocabulary::Vocabulary(WordTable stored, std::shared_ptr<const void> owner) : Vocabulary() {
    stored.validate();
    stored_ = stored;
    owner_ = std::move(owner);
}

void Vocabulary::grow_slots() {
    rebuild_slots(added_arrays_);
    added_ = view(added_arrays_);
}

void Vocabulary::reserve(std::size_t words) {
    if (2 * words <= added_arrays_.slots.size()) return;
    added_arrays_.offsets.reserve(words + 1);
    rebuild_slots(added_arrays_, words);
    added_ = view(added_arrays_);
}

WordId Vocabulary::find(std::string_view word) const {
    return find_hashed(word, hash_of(word));
}

WordId Vocabulary::find_hashed(std::string_view word, std::uint64_t hash) const {
    const std::size_t stored = stored_.find(word, hash);
    if (stored < stored_.size()) return static_cast<WordId>(SpecialWord::first_word + stored);
    const std::size_t added = added_.find(word, hash);
    if (added < added_.size()) return static_cast<WordId>(SpecialWord::first_word + stored_.size() + added);
    return SpecialWord::unknown;
}

WordId Vocabulary::add(std::string_view word) {
    return add_hashed(word, hash_of(word));
}

WordId Vocabulary::add_hashed(std::string_view word, std::uint64_t hash) {
    const WordId known = find_hashed(word, hash);
    if (known != SpecialWord::unknown) return known;
    if (size() >= std::numeric_limits<WordId>::max() - 1) throw Error("the vocabulary is full: it has 2^32 words");
    const auto id = static_cast<WordId>(size());
    const std::string copy(word);  // `word` may be a view of our own bytes
    append(added_arrays_, copy);
    const std::size_t count = added_arrays_.offsets.size() - 1;
    if (2 * count > added_arrays_.slots.size()) {
        rebuild_slots(added_arrays_);
    } else {
        place(added_arrays_.slots, hash, count - 1);
    }
    added_ = view(added_arrays_);
    return id;
}

void Vocabulary::add_all(std::span<const std::string_view> words, bool closed, std::vector<WordId>& ids) {
    hashes_.clear();
    for (const std::string_view word : words) {
        const std::uint64_t hash = hash_of(word);
        for (const WordTable* table : {&stored_, &added_}) table->prefetch_slot(hash);
        hashes_.push_back(hash);
    }
    for (const std::uint64_t hash : hashes_) {
        for (const WordTable* table : {&stored_, &added_}) table->prefetch_word(hash);
    }
    for (std::size_t at = 0; at < words.size(); ++at) {
        ids.push_back(closed ? find_hashed(words[at], hashes_[at]) : add_hashed(words[at], hashes_[at]));
    }
}

std::string_view Vocabulary::word(WordId id) const {
    if (id < SpecialWord::first_word) return special_names[id];
    std::size_t index = id - SpecialWord::first_word;
    if (index < stored_.size()) return stored_.word(index);
    index -= stored_.size();
    if (index < added_.size()) return added_.word(index);
    throw Error("word id " + std::to_string(id) + " is out of range: the vocabulary has " + std::to_string(size()) +
                " ids");
}

Vocabulary::Flat Vocabulary::flatten() const {
    Flat flat;
    flat.offsets.push_back(0);
    for (const WordTable* table : {&stored_, &added_}) {
        for (std::size_t index = 0; index < table->size(); ++index) append(flat, table->word(index));
    }
    rebuild_slots(flat);
    return flat;
}

Vocabulary Vocabulary::by_frequency(std::span<const std::uint64_t> counts, std::vector<WordId>& new_ids) const {
    if (counts.size() != size()) throw Error("by_frequency needs one count for each id of the vocabulary");
    // Most words are rare, so most comparisons are ties of count: the first eight bytes as a number settle nearly all
    // of those.
    struct Key {
        std::uint64_t count, prefix;
        WordId id;
    };
    std::vector<Key> order;
    for (WordId id = SpecialWord::first_word; id < size(); ++id) {
        if (counts[id] == 0) continue;
        const std::string_view spelt = word(id);
        std::uint64_t prefix = 0;
        for (std::size_t at = 0; at < 8; ++at) {
            prefix = (prefix << 8U) | (at < spelt.size() ? static_cast<unsigned char>(spelt[at]) : 0U);
        }
        order.push_back({counts[id], prefix, id});
    }
    std::size_t compared = 0;
    std::sort(order.begin(), order.end(), [&](const Key& left, const Key& right) {
        listen_at(++compared);
        if (left.count != right.count) return left.count > right.count;
        return left.prefix != right.prefix ? left.prefix < right.prefix : word(left.id) < word(right.id);
    });
    new_ids.assign(size(), SpecialWord::unknown);
    for (WordId id = 0; id < SpecialWord::first_word; ++id) new_ids[id] = id;
    Vocabulary sorted;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        listen_at(rank);
        append(sorted.added_arrays_, word(order[rank].id));
        new_ids[order[rank].id] = static_cast<WordId>(SpecialWord::first_word + rank);
    }
    sorted.grow_slots();
    return sorted;
}

}  // namespace pentaglot
