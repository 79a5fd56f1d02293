#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace pentaglot {

// Contiguous rows of equal width in bytes; they may move when rows are added. The width is a multiple of 8, and so are
// the addresses. A new row is uninitialised.
class Rows {
  public:
    explicit Rows(std::size_t width) : width_(width) {}

    std::uint32_t add() {
        if (count_ == room_) grow();
        return count_++;
    }
    std::byte* at(std::size_t row) { return bytes_.get() + row * width_; }
    const std::byte* at(std::size_t row) const { return bytes_.get() + row * width_; }

  private:
    void grow() {
        const std::size_t room = std::max<std::size_t>(64, 2 * room_);
        auto larger = std::make_unique_for_overwrite<std::byte[]>(room * width_);
        if (count_ > 0) std::memcpy(larger.get(), bytes_.get(), count_ * width_);
        bytes_ = std::move(larger);
        room_ = room;
    }

    std::size_t width_;
    std::uint32_t count_ = 0;
    std::size_t room_ = 0;
    std::unique_ptr<std::byte[]> bytes_;
};

// Rows that are taken and given back. Bytes that were never written are 0.
class RowPool {
  public:
    explicit RowPool(std::size_t width) : rows_(width), width_(width) {}

    std::uint32_t take() {
        if (free_.empty()) {
            const std::uint32_t row = rows_.add();
            std::memset(rows_.at(row), 0, width_);
            return row;
        }
        const std::uint32_t row = free_.back();
        free_.pop_back();
        return row;
    }
    void give_back(std::uint32_t row) { free_.push_back(row); }
    std::byte* at(std::size_t row) { return rows_.at(row); }

  private:
    Rows rows_;
    std::size_t width_;
    std::vector<std::uint32_t> free_;
};

}  // namespace pentaglot
