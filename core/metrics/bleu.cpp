#include "metrics/bleu.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "base/error.hpp"

namespace pentaglot {

namespace {

// The number of bytes of the white space that begins at `at`, 0 if there is none: the characters at which Python's
// str.split() parts words, as sacrebleu does.
std::size_t space_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t offset) {
        return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0U;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return first == ' ' || (first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x1F);
    if (first == 0xC2) return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;
    if (first == 0xE1) return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
    if (first == 0xE3) return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    if (first != 0xE2) return 0;
    const unsigned last = byte(2);
    const bool general =
        byte(1) == 0x80 && ((last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF);
    return general || (byte(1) == 0x81 && last == 0x9F) ? 3 : 0;
}

std::size_t mixed(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(key ^ (key >> 29));
}

std::size_t table_size(std::size_t entries) {
    return std::bit_ceil(2 * entries + 2);
}

}  // namespace

void BleuReferences::split(std::string_view text) {
    parts_.clear();
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t space = space_at(text, at);
        if (space == 0) {
            ++at;
            continue;
        }
        if (at > begin) parts_.push_back(text.substr(begin, at - begin));
        at += space;
        begin = at;
    }
    if (text.size() > begin) parts_.push_back(text.substr(begin));
}

std::size_t BleuReferences::word_slot(std::string_view word) const {
    const std::size_t mask = words_.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(word)&mask;
    while (words_[slot].id != 0 && words_[slot].spelling != word) slot = (slot + 1) & mask;
    return slot;
}

std::size_t BleuReferences::child_slot(std::uint32_t node, std::uint32_t word) const {
    const std::uint64_t key = std::uint64_t{node} << 32 | word;
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = mixed(key) & mask;
    while (slots_[slot].child != 0 && slots_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
}

BleuReferences::Node& BleuReferences::fresh(std::uint32_t node) {
    Node& found = nodes_[node];
    if (found.stamp != stamp_) {
        found.stamp = stamp_;
        found.seen = 0;
    }
    return found;
}

void BleuReferences::count_reference() {
    ++stamp_;
    ids_.clear();
    for (const std::string_view word : parts_) {
        Word& entry = words_[word_slot(word)];
        if (entry.id == 0) entry = {word, ++distinct_words_};
        ids_.push_back(entry.id);
    }
    for (std::size_t begin = 0; begin < ids_.size(); ++begin) {
        std::uint32_t node = 0;
        for (std::size_t at = begin; at < std::min(begin + bleu_order, ids_.size()); ++at) {
            Slot& slot = slots_[child_slot(node, ids_[at])];
            if (slot.child == 0) {
                slot = {std::uint64_t{node} << 32 | ids_[at], static_cast<std::uint32_t>(nodes_.size())};
                nodes_.emplace_back();
            }
            node = slot.child;
            Node& found = fresh(node);
            found.most = std::max(found.most, ++found.seen);
        }
    }
}

void BleuReferences::assign(std::span<const std::string_view> references) {
    // Every word has a byte and a separator, so this bounds the words without splitting twice.
    std::size_t bound = 0;
    for (const std::string_view text : references) bound += text.size() / 2 + 1;
    if (bound > std::numeric_limits<std::uint32_t>::max() / (2 * bleu_order)) throw Error("a reference is too long");
    lengths_.clear();
    distinct_words_ = 0;
    words_.assign(table_size(bound), {});
    slots_.assign(table_size(bleu_order * bound), {});
    nodes_.assign(1, {});
    for (const std::string_view text : references) {
        split(text);
        count_reference();
        lengths_.push_back(parts_.size());
    }
}

BleuStatistics BleuReferences::statistics(std::string_view hypothesis, bool shortest) {
    split(hypothesis);
    ++stamp_;
    ids_.clear();
    for (const std::string_view word : parts_) ids_.push_back(words_[word_slot(word)].id);
    BleuStatistics row{};
    for (std::size_t begin = 0; begin < ids_.size(); ++begin) {
        std::uint32_t node = 0;
        for (std::size_t order = 0; order < bleu_order && begin + order < ids_.size(); ++order) {
            if (ids_[begin + order] == 0) break;
            node = slots_[child_slot(node, ids_[begin + order])].child;
            if (node == 0) break;
            Node& found = fresh(node);
            if (++found.seen <= found.most) row[2 + order] += 1.0;
        }
    }
    const std::size_t length = ids_.size();
    const auto distance = [&](std::size_t other) {
        if (shortest) return std::size_t{0};  // all the same: the smaller wins
        return other > length ? other - length : length - other;
    };
    std::size_t nearest = lengths_.empty() ? 0 : lengths_.front();
    for (const std::size_t other : lengths_) {
        if (distance(other) < distance(nearest) || (distance(other) == distance(nearest) && other < nearest))
            nearest = other;
    }
    row[0] = static_cast<double>(length);
    row[1] = static_cast<double>(nearest);
    for (std::size_t order = 0; order < bleu_order; ++order)
        row[2 + bleu_order + order] = length > order ? static_cast<double>(length - order) : 0.0;
    return row;
}

}  // namespace pentaglot
