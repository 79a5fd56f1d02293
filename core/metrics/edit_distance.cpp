#include "metrics/edit_distance.hpp"

#include "base/listening.hpp"

namespace pentaglot {

std::size_t EditDistance::of(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other,
                             std::size_t distinct) {
    if (one.empty()) return other.size();
    const std::size_t blocks = (one.size() + 63) / 64;
    places_.assign(distinct * blocks, 0);
    for (std::size_t at = 0; at < one.size(); ++at)
        places_[one[at] * blocks + at / 64] |= std::uint64_t{1} << (at % 64);
    blocks_.assign(blocks, {~std::uint64_t{0}, 0});
    const unsigned last = (one.size() - 1) % 64;
    std::size_t distance = one.size();
    for (std::size_t step = 0; step < other.size(); ++step) {
        listen_at<1024>(step);
        const std::uint64_t* const places = other[step] < distinct ? places_.data() + other[step] * blocks : nullptr;
        std::uint64_t grown = 1, shrunk = 0;  // from the block before: one more number is one edit more
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
        distance = distance + grown - shrunk;
    }
    return distance;
}

}  // namespace pentaglot
