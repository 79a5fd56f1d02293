#include "rules/induction.hpp"

#include <limits>
#include <utility>

#include "base/listening.hpp"

namespace pentaglot {

void Induction::add_bins(const Quantity& quantity, BinSet bins) {
    bins.check();
    quantities_.push_back(quantity);
    bins_.push_back(std::move(bins));
}

void Induction::add_conjunction(std::vector<std::uint32_t> sets, std::span<const std::uint32_t> bins,
                                std::span<const FeatureId> ids) {
    conjunctions_.emplace_back(std::move(sets), bins, ids, bins_);
}

void Induction::apply(RuleTable& table, const RuleSurroundings& surroundings) const {
    std::vector<std::vector<float>> values;
    RuleQuantities quantities(table, surroundings);
    for (const Quantity& each : quantities_) values.push_back(quantities.of(each));
    std::vector<TemplateReader> readers;
    for (const WordFeatures& each : words_) readers.push_back(each.reader());
    std::vector<std::uint32_t> bins(bins_.size(), BinSet::none);
    std::vector<float> binned(bins_.size(), std::numeric_limits<float>::quiet_NaN());  // the values of these bins
    std::vector<SparseFeatures> shared(words_.size());                                 // by all rules of a pattern
    SparseFeatures found;
    found.reserve(table.rules(), table.rules() * (bins_.size() + words_.size()));
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        listen_at<64>(pattern);
        for (std::size_t at = 0; at < words_.size(); ++at) {
            const std::size_t first = table.rule_offsets[pattern];
            if (!words_[at].of_source() || first == table.rule_offsets[pattern + 1]) continue;
            shared[at] = {};
            shared[at].add_row();
            words_[at].fire(readers[at], table, pattern, first, shared[at]);
        }
        for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule) {
            found.add_row();
            for (std::size_t set = 0; set < bins_.size(); ++set) {
                const float value = values[set][rule];
                if (value != binned[set]) bins[set] = bins_[set].bin(value);  // rules of a pattern are often alike
                binned[set] = value;
                bins_[set].fire(value, bins[set], found);
            }
            for (const BinConjunction& each : conjunctions_) each.fire(bins, found);
            for (std::size_t at = 0; at < words_.size(); ++at) {
                if (words_[at].of_source()) {
                    found.add_row_of(shared[at], 0);
                } else {
                    words_[at].fire(readers[at], table, pattern, rule, found);
                }
            }
        }
    }
    table.sparse.append(std::move(found));
}

}  // namespace pentaglot
