#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "rules/key_table.hpp"
#include "rules/rule_bytes.hpp"

namespace pentaglot {

// On its way into a table, a rule is a row: its key is the source side and the place of the target side in the pool
// (four bytes, most significant first), its payload what follows here.
struct TableRow {
    double count = 0;
    std::uint32_t linking = 0;   // place of its links in their pool
    std::vector<float> columns;  // features, and whatever else a table has for each rule
    bool has_reordering = false;
    std::array<float, 6> reordering{};

    void append(ByteBuffer& bytes) const;
    // A row with this number of columns.
    void read(Bytes bytes, std::size_t width);
};

void append_place(std::uint32_t place, ByteBuffer& bytes);
std::uint32_t read_place(Bytes bytes);

// Byte strings one after the other; a string is known by where it begins.
class BytePool {
  public:
    // Adds a string and says where it begins. Throws Error if the pool would be too long for 32-bit places.
    std::uint32_t add(Bytes bytes) {
        const std::uint64_t place = given_ + waiting_.size();
        if (place + bytes.size() > UINT32_MAX) throw Error("the table is too large: its target sides exceed 4 GiB");
        waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
        return static_cast<std::uint32_t>(place);
    }
    // What was added since the last time.
    ByteBuffer take() {
        given_ += waiting_.size();
        return std::exchange(waiting_, {});
    }

  private:
    ByteBuffer waiting_;
    std::uint64_t given_ = 0;
};

// Links of rules; equal ones are kept once.
class LinkingPool {
  public:
    std::uint32_t place(Bytes links) {
        const std::uint32_t number = known_.number(links);
        if (number == places_.size()) places_.push_back(pool_.add(links));
        return places_[number];
    }
    ByteBuffer take() { return pool_.take(); }

  private:
    KeyTable known_;
    std::vector<std::uint32_t> places_;
    BytePool pool_;
};

// The result of one step of making a table: a sorted run of rows, and what was added to the pools.
struct TablePart {
    ByteBuffer run, targets, linkings;
};

}  // namespace pentaglot
