#include "rules/collector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/checksum.hpp"
#include "base/damage.hpp"
#include "base/error.hpp"
#include "base/listening.hpp"
#include "index/context_sample.hpp"

namespace pentaglot {

namespace {

// Counts of rules are sums of the weights of sentence pairs, and must stay finite.
constexpr double largest_weight = 1e30;

}  // namespace

// The patterns of one sentence in all parts. A pattern is a node of the tree of the first part that has it; `same` says
// which node it is in a later part.
struct RuleCollector::Search {
    std::span<const CollectedPart> parts;
    std::vector<std::vector<std::uint32_t>> same;                  // [part][node of an earlier part]
    std::vector<std::vector<std::uint8_t>> done;                   // [part][node]
    std::vector<std::vector<std::vector<std::uint32_t>>> samples;  // [part][core pattern]
    std::vector<ContextSimilarity> similarities;                   // one for each part, if samples are chosen by it
    std::vector<Symbol> source;

    Search(std::span<const WordId> sentence, std::span<const CollectedPart> all, bool by_context)
        : parts(all), same(all.size()), done(all.size()), samples(all.size()) {
        for (std::size_t part = 0; part < parts.size(); ++part) {
            done[part].resize(parts[part].patterns.nodes().size());
            samples[part].resize(parts[part].patterns.nodes().size());
            if (by_context) similarities.emplace_back(parts[part].index, sentence);
        }
    }

    // Finds the nodes of part `first` in the trees of later parts, whose parents come before their children.
    void match(std::size_t first) {
        const auto nodes = parts[first].patterns.nodes();
        for (std::size_t part = first + 1; part < parts.size(); ++part) {
            const SentencePatterns& patterns = parts[part].patterns;
            auto& found = same[part];
            found.assign(nodes.size(), SentencePatterns::none);
            if (!patterns.nodes().empty() && !nodes.empty()) found[0] = 0;
            for (std::size_t node = 1; node < nodes.size(); ++node) {
                const std::uint32_t parent = found[nodes[node].parent];
                if (parent != SentencePatterns::none) found[node] = patterns.child(parent, nodes[node].symbol);
            }
        }
    }

    const std::vector<std::uint32_t>& sample(std::size_t part, std::uint32_t core, const CollectOptions& options) {
        auto& taken = samples[part][core];
        if (!taken.empty()) return taken;
        const CollectedPart& from = parts[part];
        taken = similarities.empty()
                    ? from.patterns.sample(from.index, core, options.sample)
                    : sample_similar(from.index, from.patterns, core, options.sample, options.pool, similarities[part]);
        return taken;
    }
};

RuleCollector::RuleCollector(const LexicalView& lexicon, const RuleFeatures& features, const CollectOptions& options)
    : lexicon_(lexicon), features_(features), options_(options) {
    if (options.limits.max_target_span > 250) throw Error("the target side of a rule may cover at most 250 words");
}

void RuleCollector::collect(std::span<const WordId> sentence, std::span<const CollectedPart> parts, RuleTable& table) {
    if (table.feature_ids.empty()) {
        table.feature_ids = {features_.translation,    features_.coherence, features_.lexical_target,
                             features_.lexical_source, features_.seen_once, features_.rules,
                             features_.words};
        table.features.resize(RuleFeatures::count);
    }
    Search search(sentence, parts, options_.pool > 0);
    for (std::size_t first = 0; first < parts.size(); ++first) {
        search.match(first);
        const auto nodes = parts[first].patterns.nodes();
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            if (nodes[node].chunks == 0 || (!options_.edge_gaps && !nodes[node].is_core())) continue;
            if (nodes[node].active && search.done[first][node] == 0) collect_pattern(search, first, node, table);
        }
    }
}

// Collects the rules of a pattern from the first part that has it and from all later ones.
void RuleCollector::collect_pattern(Search& search, std::size_t first, std::uint32_t number, RuleTable& table) {
    const auto parts = search.parts;
    search.source.clear();
    std::size_t gaps = 0;
    for (const auto symbol : parts[first].patterns.symbols(number)) {
        search.source.push_back(symbol == gap_symbol ? tail_symbol(gaps++) : static_cast<Symbol>(symbol));
    }
    std::size_t attempts = 0;
    std::uint64_t occurrences = 0;
    for (std::size_t part = first; part < parts.size(); ++part) {
        const std::uint32_t there = part == first ? number : search.same[part][number];
        if (there == SentencePatterns::none || !parts[part].patterns.nodes()[there].active) continue;
        const PatternNode& node = parts[part].patterns.nodes()[there];
        search.done[part][there] = 1;
        const auto& sample = search.sample(part, node.core, options_);
        if (attempts == 0) begin_pattern(search.source, sample.size() / node.chunks);
        part_ = &parts[part];
        for (std::size_t at = 0; at < sample.size(); at += node.chunks) {
            if (at % 256 == 0) check_cancelled(options_.cancellation);
            listen_at<1024>(at);
            try_occurrence(std::span(sample).subspan(at, node.chunks), node.starts_with_gap, node.ends_with_gap);
        }
        attempts += sample.size() / node.chunks;
        occurrences += parts[part].patterns.count(node.core);
    }
    if (successes_ > 0) finish_pattern(occurrences, static_cast<std::uint32_t>(attempts), table);
}

void RuleCollector::begin_pattern(std::span<const Symbol> source, std::size_t occurrences) {
    source_ = source;
    chunk_lengths_.clear();
    bool inside = false;
    for (const Symbol symbol : source) {
        if (!is_tail(symbol) && !inside) chunk_lengths_.push_back(0);
        inside = !is_tail(symbol);
        if (inside) ++chunk_lengths_.back();
    }
    successes_ = 0;
    tried_ = translated_ = 0;
    symbols_.clear();
    links_.clear();
    linkings_.clear();
    targets_.clear();
    sightings_.clear();
    slots_.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * occurrences)), none);
}

void RuleCollector::try_occurrence(std::span<const std::uint32_t> starts, bool left_gap, bool right_gap) {
    const SourceIndex& index = part_->index;
    if (starts.back() >= index.tokens().size()) damaged("the index is damaged: an occurrence lies outside the text");
    const std::size_t sentence = index.sentences()[starts.front()];
    if (sentence >= aligned().source().size()) damaged("the index is damaged: an occurrence is in no sentence");
    weight_ = sentence < part_->weights.size() ? part_->weights[sentence] : 1.0;
    if (!(weight_ > 0 && weight_ < largest_weight))
        damaged("the index is damaged: the weight of a sentence pair is not a positive number");
    tried_ += weight_;
    const auto begin = static_cast<std::uint32_t>(aligned().source().offsets()[sentence]);
    const std::size_t size = aligned().source()[sentence].size();
    if (size >= unaligned || aligned().target()[sentence].size() >= unaligned) return;  // links are not kept that far
    chunks_.clear();
    std::size_t free = 0;  // where the next chunk may begin
    for (std::size_t chunk = 0; chunk < starts.size(); ++chunk) {
        const std::size_t at = starts[chunk] - begin;  // wraps around to a huge number if it lies before the sentence
        if (at < free || at + chunk_lengths_[chunk] > size)
            damaged("the index is damaged: an occurrence crosses the end of its sentence");
        chunks_.push_back({static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(at + chunk_lengths_[chunk])});
        free = at + chunk_lengths_[chunk] + 1;  // a gap has at least one word
    }
    const LinkedPair pair{aligned().source_first(sentence), aligned().source_last(sentence),
                          aligned().target_first(sentence), aligned().target_last(sentence)};
    readings_.clear();
    extract(pair, chunks_, left_gap, right_gap, options_.limits, scratch_, readings_);
    if (readings_.empty()) return;
    ++successes_;
    translated_ += weight_;
    read_.clear();
    for (const ExtractedRule& rule : readings_) {
        reading_.read(aligned(), sentence, chunks_, rule);
        const std::uint32_t number = target_number();
        count_linking(targets_[number]);
        if (std::find(read_.begin(), read_.end(), number) != read_.end()) continue;
        read_.push_back(number);
        Target& target = targets_[number];
        target.seen += weight_;
        if (target.sighted < options_.sightings) {
            add_sighting(target, {part_->number, static_cast<std::uint32_t>(sentence), chunks_.front().begin});
        }
        if (options_.reordering) {
            const auto [before, after] = orientations(aligned(), sentence, rule.source, rule.target);
            target.before[static_cast<std::size_t>(before)] += static_cast<float>(weight_);
            target.after[static_cast<std::size_t>(after)] += static_cast<float>(weight_);
        }
    }
    // An occurrence counts 1 (or its weight), shared by its different readings.
    for (const std::uint32_t number : read_) targets_[number].count += weight_ / static_cast<double>(read_.size());
}

std::uint32_t RuleCollector::target_number() {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = checksum(std::as_bytes(reading_.target())) & mask;
    for (; slots_[at] != none; at = (at + 1) & mask) {
        const Target& known = targets_[slots_[at]];
        if (std::equal(reading_.target().begin(), reading_.target().end(), symbols_.begin() + known.begin,
                       symbols_.begin() + known.end)) {
            return slots_[at];
        }
    }
    const auto number = static_cast<std::uint32_t>(targets_.size());
    Target target;
    target.begin = static_cast<std::uint32_t>(symbols_.size());
    symbols_.insert(symbols_.end(), reading_.target().begin(), reading_.target().end());
    target.end = static_cast<std::uint32_t>(symbols_.size());
    targets_.push_back(target);
    slots_[at] = number;
    if (2 * targets_.size() > slots_.size()) {
        // Loose extraction gives more target sides than occurrences.
        slots_.assign(2 * slots_.size(), none);
        for (std::uint32_t known = 0; known < targets_.size(); ++known) {
            const std::span<const Symbol> spelt(symbols_.data() + targets_[known].begin,
                                                targets_[known].end - targets_[known].begin);
            std::size_t free = checksum(std::as_bytes(spelt)) & (slots_.size() - 1);
            while (slots_[free] != none) free = (free + 1) & (slots_.size() - 1);
            slots_[free] = known;
        }
    }
    return number;
}

void RuleCollector::count_linking(Target& target) {
    for (std::uint32_t at = target.linkings; at != none; at = linkings_[at].next) {
        Linking& known = linkings_[at];
        if (std::equal(reading_.links().begin(), reading_.links().end(), links_.begin() + known.begin,
                       links_.begin() + known.end)) {
            known.seen += weight_;
            return;
        }
    }
    const auto begin = static_cast<std::uint32_t>(links_.size());
    links_.insert(links_.end(), reading_.links().begin(), reading_.links().end());
    const float of_target = lexical_weight(lexicon_, source_, reading_.target(), reading_.links(), true);
    const float of_source = lexical_weight(lexicon_, source_, reading_.target(), reading_.links(), false);
    const bool first = target.linkings == none;
    target.lexical_target = first ? of_target : std::max(target.lexical_target, of_target);
    target.lexical_source = first ? of_source : std::max(target.lexical_source, of_source);
    linkings_.push_back({begin, static_cast<std::uint32_t>(links_.size()), weight_, target.linkings});
    target.linkings = static_cast<std::uint32_t>(linkings_.size() - 1);
}

void RuleCollector::add_sighting(Target& target, const Sighting& where) {
    const auto number = static_cast<std::uint32_t>(sightings_.size());
    sightings_.push_back({where, none});
    if (target.sighted++ == 0) {
        target.first_sighting = number;
    } else {
        sightings_[target.last_sighting].next = number;
    }
    target.last_sighting = number;
}

std::span<const Sighting> RuleCollector::sightings_of(const Target& target) {
    sighted_.clear();
    for (std::uint32_t at = target.first_sighting; at != none; at = sightings_[at].next) {
        sighted_.push_back(sightings_[at].where);
    }
    return sighted_;
}

void RuleCollector::finish_pattern(std::uint64_t occurrences, std::uint32_t attempts, RuleTable& table) {
    table.add_pattern(source_, occurrences, attempts, successes_);
    for (const Target& target : targets_) {
        // The linking that was seen most often; of equals the first.
        std::uint32_t best = target.linkings;
        for (std::uint32_t at = target.linkings; at != none; at = linkings_[at].next) {
            if (linkings_[at].seen >= linkings_[best].seen) best = at;
        }
        table.add_rule(std::span(symbols_).subspan(target.begin, target.end - target.begin),
                       std::span(links_).subspan(linkings_[best].begin, linkings_[best].end - linkings_[best].begin),
                       static_cast<float>(target.count), sightings_of(target));
        add_features(target, table);
    }
}

void RuleCollector::add_features(const Target& target, RuleTable& table) const {
    const std::size_t rule = table.rules() - 1;
    const auto words = std::count_if(symbols_.begin() + target.begin, symbols_.begin() + target.end,
                                     [](Symbol s) { return !is_tail(s); });
    const std::array<float, RuleFeatures::count> values = {
        static_cast<float>(std::log(target.count / translated_)),
        std::log(static_cast<float>(translated_) / static_cast<float>(tried_)),
        target.lexical_target,
        target.lexical_source,
        target.seen <= 1 ? 1.0F : 0.0F,
        1.0F,
        static_cast<float>(words),
    };
    for (std::size_t column = 0; column < values.size(); ++column) table.features[column][rule] = values[column];
    if (!options_.reordering) return;
    table.reordering.resize(table.rules());
    table.reordering[rule] = orientation_chances(target.before, target.after);
}

}  // namespace pentaglot
