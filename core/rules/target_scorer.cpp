#include "rules/target_scorer.hpp"

#include <algorithm>
#include <cmath>

#include "base/listening.hpp"
#include "rules/reading.hpp"

namespace pentaglot {

TargetScorer::TargetScorer(std::span<const Bytes> runs, const LexicalView& lexicon, bool reordering)
    : merger_(runs), lexicon_(lexicon), reordering_(reordering) {}

bool TargetScorer::next(std::size_t bytes, TablePart& part) {
    if (finished_) return false;
    Record record;
    std::size_t records = 0;
    while (rows_.bytes() < bytes) {
        if (!merger_.next(record)) {
            end_target();
            finished_ = true;
            break;
        }
        listen_at<1024>(++records);
        ByteReader reader(record.key);
        const Bytes target = reader.take_side(), source = reader.take_side(), links = reader.rest();
        if (const int order = compare(target, target_); order != 0) {
            if (order < 0) throw Damage("sorted rules are damaged: they are out of order");
            end_target();
            target_.assign(target.begin(), target.end());
            read_side(target, target_symbols_);
        }
        if (!in_rule_ || compare(source, Bytes(sources_).subspan(pending_.back().begin)) != 0) {
            end_rule();
            begin_rule(source);
        }
        const CountedRule counted = CountedRule::read(record.payload, reordering_);
        if (in_linking_ && compare(links, linking_) == 0) {
            linked_.add(counted);
        } else {
            end_linking();
            linking_.assign(links.begin(), links.end());
            linked_ = counted;
            in_linking_ = true;
        }
    }
    part.run = rows_.finish();
    part.targets = targets_.take();
    part.linkings = linkings_.take();
    return true;
}

void TargetScorer::begin_rule(Bytes source) {
    pending_.push_back({sources_.size(), source.size(), {}, 0, 0, 0});
    sources_.insert(sources_.end(), source.begin(), source.end());
    read_side(source, source_symbols_);
    in_rule_ = true;
    most_linked_ = 0;
}

void TargetScorer::end_linking() {
    if (!in_linking_) return;
    in_linking_ = false;
    ByteReader reader{Bytes(linking_)};
    read_links(reader, links_);
    for (const RuleLink link : links_) {
        if (link.source >= source_symbols_.size() || link.target >= target_symbols_.size())
            throw Damage("sorted rules are damaged: a link points outside its rule");
    }
    Pending& rule = pending_.back();
    const float of_target = lexical_weight(lexicon_, source_symbols_, target_symbols_, links_, true);
    const float of_source = lexical_weight(lexicon_, source_symbols_, target_symbols_, links_, false);
    const bool first = most_linked_ == 0;
    rule.lexical_target = first ? of_target : std::max(rule.lexical_target, of_target);
    rule.lexical_source = first ? of_source : std::max(rule.lexical_source, of_source);
    // The links that were seen most often; of equals those that are smallest.
    if (linked_.linked > most_linked_) {
        most_linked_ = linked_.linked;
        rule.linking = linkings_.place(linking_);
    }
    if (first) {
        rule.counted = linked_;
    } else {
        rule.counted.add(linked_);
    }
}

void TargetScorer::end_rule() {
    if (!in_rule_) return;
    end_linking();
    in_rule_ = false;
}

void TargetScorer::end_target() {
    end_rule();
    if (pending_.empty()) return;
    double total = 0;
    for (const Pending& rule : pending_) total += rule.counted.count;
    const std::uint32_t place = targets_.add(target_);
    TableRow row;
    row.has_reordering = reordering_;
    for (const Pending& rule : pending_) {
        row.count = rule.counted.count;
        row.linking = rule.linking;
        row.columns = {static_cast<float>(std::log(rule.counted.count / total)), rule.lexical_target,
                       rule.lexical_source, rule.counted.several ? 0.0F : 1.0F};
        if (reordering_) {
            const auto as_floats = [](const std::array<std::uint32_t, 3>& seen) {
                return std::array{static_cast<float>(seen[0]), static_cast<float>(seen[1]),
                                  static_cast<float>(seen[2])};
            };
            const auto chances = orientation_chances(as_floats(rule.counted.before), as_floats(rule.counted.after));
            std::copy_n(chances.before.begin(), 3, row.reordering.begin());
            std::copy_n(chances.after.begin(), 3, row.reordering.begin() + 3);
        }
        const auto source = Bytes(sources_).subspan(rule.begin, rule.size);
        key_.assign(source.begin(), source.end());
        append_place(place, key_);
        payload_.clear();
        row.append(payload_);
        rows_.add(key_, payload_);
    }
    pending_.clear();
    sources_.clear();
}

}  // namespace pentaglot
