#include "rules/word_templates.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

void WordTemplate::check() const {
    if (order < 1 || order > longest) throw Error("n-grams of rules have one to seven words");
}

void WordCounter::add(const RuleTable& table) {
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        listen_at<64>(pattern);
        for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule) {
            reader_.read(table, pattern, rule, [&](std::span<const std::int32_t> key) {
                const std::uint32_t number = keys_.number(bytes_of(key));
                if (number == counts_.size()) counts_.push_back(0);
                ++counts_[number];
            });
        }
    }
}

WordCounter::Counted WordCounter::counted(std::uint64_t least, std::size_t most) const {
    std::vector<std::uint32_t> order(counts_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::erase_if(order, [&](std::uint32_t each) { return counts_[each] < least; });
    std::sort(order.begin(), order.end(), [&](std::uint32_t one, std::uint32_t other) {
        if (counts_[one] != counts_[other]) return counts_[one] > counts_[other];
        return std::ranges::lexicographical_compare(key(one), key(other));
    });
    if (most != 0 && order.size() > most) order.resize(most);
    Counted found;
    for (const std::uint32_t each : order) {
        const auto words = key(each);
        found.symbols.insert(found.symbols.end(), words.begin(), words.end());
        found.offsets.push_back(found.symbols.size());
        found.counts.push_back(counts_[each]);
        listen_at(found.counts.size());
    }
    return found;
}

WordFeatures::WordFeatures(WordTemplate made, std::span<const std::uint64_t> offsets,
                           std::span<const std::int32_t> symbols, std::span<const FeatureId> ids)
    : template_(std::move(made)), ids_(ids.begin(), ids.end()), ends_(std::bit_ceil(slots_each * (ids.size() + 1))) {
    template_.check();
    if (offsets.size() != ids.size() + 1 || offsets.front() != 0 || offsets.back() != symbols.size())
        throw Error("every feature of words needs its words");
    for (std::size_t at = 0; at < ids.size(); ++at) {
        if (offsets[at + 1] <= offsets[at] || offsets[at + 1] > symbols.size())
            throw Error("a feature of words has no words");
        const std::uint32_t number =
            keys_.number(bytes_of(symbols.subspan(offsets[at], offsets[at + 1] - offsets[at])));
        if (number != at) throw Error("two features have the same words");
        ends_[slot(symbols.subspan(offsets[at], offsets[at + 1] - offsets[at]))] = true;
        listen_at(at);
    }
}

void WordFeatures::fire(TemplateReader& reader, const RuleTable& table, std::size_t pattern, std::size_t rule,
                        SparseFeatures& found) const {
    reader.read(table, pattern, rule, [&](std::span<const std::int32_t> key) {
        if (ends_[slot(key)]) look_up(key, found);
    });
}

void WordFeatures::look_up(std::span<const std::int32_t> key, SparseFeatures& found) const {
    const std::uint32_t number = keys_.find(bytes_of(key));
    if (number != KeyTable::none) found.add(ids_[number], 1);
}

}  // namespace pentaglot
