#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// How rules are written as bytes, in tables and in the files that are sorted to make them.

// The gaps that fit into this form; extraction makes at most max_gaps.
constexpr std::uint32_t max_symbol_gaps = 7;

using Bytes = std::span<const std::uint8_t>;
using ByteBuffer = std::vector<std::uint8_t>;

// Appends one side of a rule, closed by an end mark. Compared as unsigned bytes, sides are in the order of their
// symbols: a side comes before its continuations, gaps before words, frequent words (with small ids, in few bytes)
// before rare ones.
void append_side(std::span<const Symbol> symbols, ByteBuffer& bytes);

// The number of bytes of the side that `bytes` begin with, its end mark included. Throws Error if there is none.
std::size_t side_size(Bytes bytes);

// Reads the side that `bytes` begin with into `symbols`, and says how many bytes it took.
std::size_t read_side(Bytes bytes, std::vector<Symbol>& symbols);

// A number in as few bytes as it needs.
void append_number(std::uint64_t number, ByteBuffer& bytes);

// Reads bytes from the front; throws Error where they end too early.
class ByteReader {
  public:
    explicit ByteReader(Bytes bytes) : rest_(bytes) {}

    bool empty() const { return rest_.empty(); }
    Bytes rest() const { return rest_; }
    Bytes take(std::size_t size) {
        if (size > rest_.size()) throw Damage("sorted rules are damaged: a record is cut short");
        const Bytes taken = rest_.first(size);
        rest_ = rest_.subspan(size);
        return taken;
    }
    Bytes take_side() { return take(side_size(rest_)); }
    std::uint64_t take_number();
    template <typename T>
    T take_value() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }

  private:
    Bytes rest_;
};

template <typename T>
void append_value(T value, ByteBuffer& bytes) {
    const auto begin = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

// The links inside a rule: their number, and two bytes for each.
void append_links(std::span<const RuleLink> links, ByteBuffer& bytes);
void read_links(ByteReader& bytes, std::vector<RuleLink>& links);

// Below, equal to or above 0, by unsigned bytes; a beginning comes before its continuations.
int compare(Bytes one, Bytes other);

}  // namespace pentaglot
