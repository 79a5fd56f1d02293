#include "metrics/edit_distance.hpp"

#include <algorithm>

#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t most_rows = 1024;  // of the table at once: its places take so much space for every number

}  // namespace

std::size_t EditDistance::of(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other,
                             std::size_t distinct) {
    steps_.assign(other.size(), {1, 0});  // above the first row: one more number is one edit more
    for (std::size_t begin = 0; begin < one.size(); begin += most_rows)
        go_on(one.subspan(begin, std::min(most_rows, one.size() - begin)), other, distinct);
    std::size_t distance = one.size();
    for (const Step step : steps_) distance = distance + step.grows - step.shrinks;
    return distance;
}

void EditDistance::go_on(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> other,
                         std::size_t distinct) {
    const std::size_t blocks = (rows.size() + 63) / 64;
    places_.assign(distinct * blocks, 0);
    for (std::size_t at = 0; at < rows.size(); ++at)
        places_[rows[at] * blocks + at / 64] |= std::uint64_t{1} << (at % 64);
    blocks_.assign(blocks, {~std::uint64_t{0}, 0});
    const unsigned last = (rows.size() - 1) % 64;
    for (std::size_t at = 0; at < other.size(); ++at) {
        listen_at<1024>(at);
        const std::uint64_t* const places = other[at] < distinct ? places_.data() + other[at] * blocks : nullptr;
        std::uint64_t grown = steps_[at].grows, shrunk = steps_[at].shrinks;  // from the block before
        for (std::size_t number = 0; number < blocks; ++number) {
            Block& block = blocks_[number];
            const std::uint64_t equal = places == nullptr ? 0 : places[number];
            const std::uint64_t vertical = equal | block.less, here = equal | shrunk;
            const std::uint64_t diagonal = (((here & block.more) + block.more) ^ block.more) | here;
            const std::uint64_t grows = block.less | ~(diagonal | block.more), shrinks = block.more & diagonal;
            const unsigned end = number + 1 == blocks ? last : 63;
            const std::uint64_t grows_below = grows << 1 | grown, shrinks_below = shrinks << 1 | shrunk;
            grown = grows >> end & 1;
            shrunk = shrinks >> end & 1;
            block = {shrinks_below | ~(vertical | grows_below), grows_below & vertical};
        }
        steps_[at] = {static_cast<std::uint8_t>(grown), static_cast<std::uint8_t>(shrunk)};
    }
}

}  // namespace pentaglot
