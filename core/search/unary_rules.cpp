#include "search/unary_rules.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace pentaglot {

namespace {

using Relabelling = UnaryRules::Relabelling;

bool made_by(std::span<const Relabelling> steps, std::uint32_t label) {
    return std::any_of(steps.begin(), steps.end(), [&](const Relabelling& step) { return step.to == label; });
}

// Each label that these relabellings make is made from another such label, so going back from any of them ends in a
// cycle.
[[noreturn]] void refuse(std::span<const Relabelling> steps) {
    std::vector<std::uint32_t> way{steps.front().to};
    for (;;) {
        const auto step = std::find_if(steps.begin(), steps.end(), [&](const Relabelling& each) {
            return each.to == way.back() && made_by(steps, each.from);
        });
        const auto met = std::find(way.begin(), way.end(), step->from);
        if (met == way.end()) {
            way.push_back(step->from);
            continue;
        }
        std::string cycle = std::to_string(step->from);
        for (auto at = way.end(); at != met;) cycle += " to " + std::to_string(*--at);
        throw Error("the source side of pattern " + std::to_string(step->pattern) +
                    " is a single gap, and such rules would turn one label into another for ever: from " + cycle);
    }
}

}  // namespace

UnaryRules::UnaryRules(const RuleTable& table) {
    std::vector<Relabelling> left;
    for (std::uint32_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const auto source = table.source(pattern);
        if (source.size() == 1 && is_tail(source.front()))
            left.push_back({pattern, table.labels_of_gaps(pattern).front(), table.left_labels[pattern]});
    }
    std::stable_sort(left.begin(), left.end(),
                     [](const Relabelling& one, const Relabelling& other) { return one.to < other.to; });
    while (!left.empty()) {
        // The first label all of whose parts are settled.
        const auto ready = std::find_if(left.begin(), left.end(), [&](const Relabelling& step) {
            return std::none_of(left.begin(), left.end(), [&](const Relabelling& each) {
                return each.to == step.to && made_by(left, each.from);
            });
        });
        if (ready == left.end()) refuse(left);
        const std::uint32_t label = ready->to;
        made_.push_back(label);
        const auto others =
            std::stable_partition(left.begin(), left.end(), [&](const Relabelling& step) { return step.to == label; });
        steps_.insert(steps_.end(), left.begin(), others);
        left.erase(left.begin(), others);
    }
}

std::uint32_t UnaryRules::rank(std::uint32_t label) const {
    const auto place = std::find(made_.begin(), made_.end(), label);
    return place == made_.end() ? 0 : static_cast<std::uint32_t>(place - made_.begin()) + 1;
}

}  // namespace pentaglot
