#include "rules/rule_bytes.hpp"

#include <algorithm>

namespace pentaglot {

namespace {

// A symbol as a number: 0 is the end mark, then come gaps, then words.
constexpr std::uint32_t first_gap = 1, first_word_value = 1 + max_symbol_gaps;

// One byte below `two_bytes`, two bytes below `four_bytes`, and so on; the first byte tells.
constexpr std::uint32_t two_bytes = 0xC0, four_bytes = two_bytes + 0x3000, five_bytes = 0x0F000000;

void append_value_of(std::uint32_t value, ByteBuffer& bytes) {
    const auto push = [&](std::uint32_t byte) { bytes.push_back(static_cast<std::uint8_t>(byte & 0xFFU)); };
    if (value < two_bytes) {
        push(value);
    } else if (value < four_bytes) {
        push(0xC0 + ((value - two_bytes) >> 8));
        push(value - two_bytes);
    } else {
        push(value < five_bytes ? 0xF0 | (value >> 24) : 0xFF);
        if (value >= five_bytes) push(value >> 24);
        push(value >> 16);
        push(value >> 8);
        push(value);
    }
}

std::size_t width(std::uint8_t first) {
    return first < 0xC0 ? 1 : first < 0xF0 ? 2 : first < 0xFF ? 4 : 5;
}

[[noreturn]] void damaged() {
    throw Damage("a rule is damaged: one of its sides does not end");
}

}  // namespace

void append_side(std::span<const Symbol> symbols, ByteBuffer& bytes) {
    for (const Symbol symbol : symbols) {
        if (is_tail(symbol) && tail_of(symbol) >= max_symbol_gaps) throw Error("a rule has too many gaps");
        append_value_of(is_tail(symbol) ? first_gap + static_cast<std::uint32_t>(tail_of(symbol))
                                        : first_word_value + static_cast<std::uint32_t>(symbol),
                        bytes);
    }
    bytes.push_back(0);
}

std::size_t side_size(Bytes bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        if (bytes[at] == 0) return at + 1;
        at += width(bytes[at]);
    }
    damaged();
}

std::size_t read_side(Bytes bytes, std::vector<Symbol>& symbols) {
    symbols.clear();
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::uint8_t first = bytes[at];
        if (first == 0) return at + 1;
        const std::size_t size = width(first);
        if (at + size > bytes.size()) break;
        std::uint32_t value = first;
        if (size == 2) value = two_bytes + ((first - 0xC0U) << 8 | bytes[at + 1]);
        if (size >= 4) {
            value = size == 4 ? first & 0x0FU : bytes[at + 1];
            for (std::size_t i = size - 3; i < size; ++i) value = value << 8 | bytes[at + i];
        }
        if (value >= first_word_value + sentence_words)
            throw Damage("a rule is damaged: one of its words has an invalid id");
        symbols.push_back(value < first_word_value ? tail_symbol(value - first_gap)
                                                   : static_cast<Symbol>(value - first_word_value));
        at += size;
    }
    damaged();
}

void append_number(std::uint64_t number, ByteBuffer& bytes) {
    while (number >= 0x80) {
        bytes.push_back(static_cast<std::uint8_t>(number | 0x80U));
        number >>= 7;
    }
    bytes.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t ByteReader::take_number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint8_t byte = take(1)[0];
        number |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return number;
    }
    throw Damage("sorted rules are damaged: a number does not end");
}

void append_links(std::span<const RuleLink> links, ByteBuffer& bytes) {
    append_number(links.size(), bytes);
    for (const RuleLink link : links) {
        bytes.push_back(link.source);
        bytes.push_back(link.target);
    }
}

void read_links(ByteReader& bytes, std::vector<RuleLink>& links) {
    links.clear();
    const std::uint64_t size = bytes.take_number();
    if (size > bytes.rest().size() / 2) throw Damage("the links of a rule are damaged");
    for (std::uint64_t at = 0; at < size; ++at) {
        const auto pair = bytes.take(2);
        links.push_back({pair[0], pair[1]});
    }
}

int compare(Bytes one, Bytes other) {
    const std::size_t common = std::min(one.size(), other.size());
    // An empty view may have no address, which memcmp must not be given.
    const int order = common == 0 ? 0 : std::memcmp(one.data(), other.data(), common);
    return order != 0 ? order : one.size() < other.size() ? -1 : one.size() > other.size() ? 1 : 0;
}

}  // namespace pentaglot
