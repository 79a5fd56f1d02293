#include "order/sentence_units.hpp"

namespace pentaglot {

SentenceUnits units_of(std::size_t words, std::span<const Block> blocks) {
    SentenceUnits units;
    std::size_t next = 0;
    const auto add_loose = [&](std::size_t end) {
        for (; next < end; ++next) {
            units.begins.push_back(static_cast<Position>(next));
            units.loose.push_back(1);
        }
    };
    for (const Block& block : blocks) {
        add_loose(block.begin);
        units.begins.push_back(block.begin);
        units.loose.push_back(0);
        units.ranks.push_back(block.rank);
        next = block.end;
    }
    add_loose(words);
    units.begins.push_back(static_cast<Position>(words));
    return units;
}

SentenceUnits units_of(std::span<const Position> ranks) {
    SentenceUnits units;
    units.ranks.assign(ranks.begin(), ranks.end());
    units.loose.assign(ranks.size(), 0);
    for (std::size_t i = 0; i <= ranks.size(); ++i) units.begins.push_back(static_cast<Position>(i));
    return units;
}

}  // namespace pentaglot
