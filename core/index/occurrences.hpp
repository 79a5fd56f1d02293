#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "index/source_index.hpp"

namespace pentaglot {

// Where a pattern occurs: for each occurrence the text positions at which its chunks begin, sorted. The numbers are
// stored flat, `chunks` of them for each occurrence; they are owned, shared, or views of a mapped file, and copying is
// cheap.
class Occurrences {
  public:
    Occurrences() = default;
    Occurrences(std::vector<std::uint32_t> positions, std::uint32_t chunks)
        : chunks_(chunks), owner_(std::make_shared<const std::vector<std::uint32_t>>(std::move(positions))) {
        positions_ = *owner_;
    }
    // A view of numbers that live longer than this.
    static Occurrences view(std::span<const std::uint32_t> positions, std::uint32_t chunks) {
        Occurrences viewed;
        viewed.chunks_ = chunks;
        viewed.positions_ = positions;
        return viewed;
    }

    std::size_t size() const { return chunks_ == 0 ? 0 : positions_.size() / chunks_; }
    bool empty() const { return positions_.empty(); }
    std::uint32_t chunks() const { return chunks_; }
    // Views must not outlive this: asking a temporary for one does not compile.
    std::span<const std::uint32_t> operator[](std::size_t occurrence) const& {
        return positions_.subspan(occurrence * chunks_, chunks_);
    }
    std::span<const std::uint32_t> operator[](std::size_t occurrence) const&& = delete;
    std::span<const std::uint32_t> positions() const& { return positions_; }
    std::span<const std::uint32_t> positions() const&& = delete;
    // Memory that this holds (alone or shared); nothing for views.
    std::size_t bytes() const { return owner_ ? owner_->capacity() * sizeof(std::uint32_t) : 0; }

  private:
    std::uint32_t chunks_ = 0;
    std::span<const std::uint32_t> positions_;
    std::shared_ptr<const std::vector<std::uint32_t>> owner_;
};

// The positions of a suffix range in text order (Lopez 2008, SORT_MATCHINGS). Throws Damage if one is not in the text.
Occurrences sorted_occurrences(const SourceIndex& index, SuffixRange range);

// Sorts a flat list of tuples of `width` numbers.
void sort_tuples(std::vector<std::uint32_t>& flat, std::uint32_t width);

// Which of `count` occurrences a sample of `size` takes: all, or floor(t * count / size) for t = 0, 1, ... (Lopez 2008,
// §3.3.4): the same ones every time, spread evenly. Size 0 means all.
std::vector<std::uint32_t> sample_evenly(std::size_t count, std::size_t size);

}  // namespace pentaglot
