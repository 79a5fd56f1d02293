#include "search/span_filter.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

SpanFilter::SpanFilter(std::size_t nodes, std::vector<std::uint8_t> allowed,
                       std::optional<std::vector<SpanLabel>> labels)
    : nodes_(nodes), allowed_(std::move(allowed)), labels_(std::move(labels)) {
    if (!allowed_.empty() && allowed_.size() != nodes * nodes)
        throw Error("a map of spans needs a row and a column for each of the " + std::to_string(nodes) + " nodes");
    if (!labels_) return;
    for (const SpanLabel& each : *labels_) {
        if (each.from >= each.to || each.to >= nodes) {
            throw Error("the input has a label from node " + std::to_string(each.from) + " to node " +
                        std::to_string(each.to) + "; spans lead forward and stay inside");
        }
        if (each.label >= RuleTable::most_labels)
            throw Error("a label is a number below " + std::to_string(RuleTable::most_labels));
    }
    std::sort(labels_->begin(), labels_->end());
}

bool SpanFilter::has_label(const SpanLabel& wanted) const {
    return std::binary_search(labels_->begin(), labels_->end(), wanted);
}

}  // namespace pentaglot
