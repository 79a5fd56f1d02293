#include "rules/offline.hpp"

#include <algorithm>

#include "base/checksum.hpp"
#include "base/damage.hpp"
#include "base/listening.hpp"
#include "rules/sorted_runs.hpp"

namespace pentaglot {

void CountedRule::add(const CountedRule& other) {
    count += other.count;
    linked += other.linked;
    several = several || other.several || place != other.place;
    for (std::size_t i = 0; i < 3; ++i) {
        before[i] += other.before[i];
        after[i] += other.after[i];
    }
}

void CountedRule::append(ByteBuffer& bytes, bool reordering) const {
    append_value(count, bytes);
    append_value(place, bytes);
    append_number(2 * linked + (several ? 1 : 0), bytes);
    if (!reordering) return;
    for (const auto& row : {before, after}) {
        for (const std::uint32_t seen : row) append_number(seen, bytes);
    }
}

CountedRule CountedRule::read(Bytes bytes, bool reordering) {
    ByteReader reader(bytes);
    CountedRule rule;
    rule.count = reader.take_value<double>();
    rule.place = reader.take_value<std::uint32_t>();
    const std::uint64_t linked = reader.take_number();
    rule.linked = linked / 2;
    rule.several = linked % 2 == 1;
    if (!reordering) return rule;
    for (auto* row : {&rule.before, &rule.after}) {
        for (std::uint32_t& seen : *row) seen = static_cast<std::uint32_t>(reader.take_number());
    }
    return rule;
}

OfflineExtractor::OfflineExtractor(const AlignedText& text, const OfflineOptions& options)
    : text_(text), options_(options) {
    if (options.max_gaps > pentaglot::max_gaps) throw Error("a rule may have at most 6 gaps");
    if (options.limits.max_target_span > 250 || options.max_symbols > 250)
        throw Error("a side of a rule may have at most 250 words");
    if (options.limits.min_gap == 0) throw Error("a gap must cover at least one word");
}

ExtractedRuns OfflineExtractor::extract(std::size_t first, std::size_t last, std::size_t bytes) {
    ExtractedRuns runs;
    instances_ = 0;
    for (std::size_t sentence = first; sentence < last; ++sentence) {
        read_sentence(sentence);
        if (rule_keys_.bytes() + rules_.size() * sizeof(CountedRule) + source_keys_.bytes() > bytes) flush(runs);
    }
    flush(runs);
    runs.instances = instances_;
    return runs;
}

std::uint64_t OfflineExtractor::count(std::size_t first, std::size_t last) {
    counting_only_ = true;
    instances_ = 0;
    for (std::size_t sentence = first; sentence < last; ++sentence) read_sentence(sentence);
    counting_only_ = false;
    return instances_;
}

void OfflineExtractor::flush(ExtractedRuns& runs) {
    RunBuilder builder;
    ByteBuffer payload;
    for (std::uint32_t number = 0; number < rules_.size(); ++number) {
        listen_at(number);
        payload.clear();
        rules_[number].append(payload, options_.reordering);
        builder.add(rule_keys_.key(number), payload);
    }
    if (!builder.empty()) runs.rules.push_back(builder.finish());
    for (std::uint32_t number = 0; number < attempts_.size(); ++number) {
        payload.clear();
        append_number(attempts_[number].tried, payload);
        append_number(attempts_[number].translated, payload);
        builder.add(source_keys_.key(number), payload);
    }
    if (!builder.empty()) runs.attempts.push_back(builder.finish());
    rule_keys_.clear();
    source_keys_.clear();
    rules_.clear();
    attempts_.clear();
}

bool OfflineExtractor::open(std::size_t sentence) {
    sentence_ = sentence;
    // No links are kept for words beyond that.
    return text_.source()[sentence].size() < unaligned && text_.target()[sentence].size() < unaligned;
}

void OfflineExtractor::read_sentence(std::size_t sentence) {
    listen();
    usable_ = open(sentence);
    pair_ = {text_.source_first(sentence), text_.source_last(sentence), text_.target_first(sentence),
             text_.target_last(sentence)};
    const bool by_occurrence = options_.counting == Counting::occurrences;
    if (!by_occurrence && usable_) {
        find_phrases();
        phrase_pairs();
    }
    if (counting_only_ && !by_occurrence) return;
    if (!by_occurrence && !options_.coherence) return;
    const std::size_t length = std::min<std::size_t>(text_.source()[sentence].size(), unaligned - 1U);
    std::vector<Span> chunks(1);
    for (std::size_t at = 0; at < length; ++at) {
        chunks[0] = {static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(at + 1)};
        occurrences(chunks, 1);
    }
}

// Fills the table of phrase pairs: for every source span its smallest target span, if no link leads out of either.
void OfflineExtractor::find_phrases() {
    const std::size_t length = pair_.source_size();
    widest_ = std::min<std::size_t>(options_.limits.max_source_span, length);
    phrases_.assign(length * widest_, Span{});
    aligned_.assign(length + 1, 0);
    for (std::size_t at = 0; at < length; ++at) aligned_[at + 1] = aligned_[at] + (pair_.source_aligned(at) ? 1U : 0U);
    for (std::size_t begin = 0; begin < length; ++begin) {
        if (options_.limits.tight && !pair_.source_aligned(begin)) continue;
        Span target{LinkedPair::unaligned, 0};
        for (std::size_t end = begin + 1; end <= std::min(length, begin + widest_); ++end) {
            const std::size_t at = end - 1;
            if (pair_.source_aligned(at)) {
                target.begin = std::min(target.begin, pair_.source_first[at]);
                target.end = std::max(target.end, static_cast<std::uint16_t>(pair_.source_last[at] + 1));
            } else if (options_.limits.tight) {
                continue;
            }
            if (target.empty()) continue;
            if (target.size() > options_.limits.max_target_span) break;  // it only grows
            const Span source = pair_.sources_of(target);
            if (source.begin >= begin && source.end <= end) phrase(begin, end) = target;
        }
    }
}

void OfflineExtractor::phrase_pairs() {
    const std::size_t length = pair_.source_size();
    for (std::size_t begin = 0; begin < length; ++begin) {
        listen();
        for (std::size_t end = begin + 1; end <= std::min(length, begin + widest_); ++end) {
            const Span target = phrase(begin, end);
            if (target.empty()) continue;
            wholes_.assign(1, target);
            if (!options_.limits.tight) {
                extensions(pair_, target, {0, pair_.target_size()}, options_.limits.max_target_span, wholes_);
            }
            for (const Span whole : wholes_) {
                ExtractedRule rule;
                rule.source = {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
                rule.target = whole;
                found_.clear();
                subtract(rule, rule.source.begin, rule.source.size(), aligned_[end] - aligned_[begin]);
                instances_ += found_.size();
                if (counting_only_) continue;
                const double share = 1.0 / static_cast<double>(found_.size());
                for (const ExtractedRule& made : found_) add(made, share, true);
            }
        }
    }
}

// Makes all rules whose further gaps begin at `from` or later. The recursion is no deeper than rules may have gaps.
void OfflineExtractor::subtract(ExtractedRule& rule, std::uint16_t from, std::uint32_t words, std::uint32_t aligned) {
    listen_at(++steps_);
    if (words + rule.gaps <= options_.max_symbols && aligned > 0) {
        if (options_.limits.tight) {
            if (rule.has_at_most(options_.limits.max_chunks)) found_.push_back(rule);
        } else {
            extend_gaps(pair_, rule, options_.limits, scratch_, found_);
        }
    }
    if (rule.gaps == options_.max_gaps) return;
    const std::uint32_t least = options_.limits.min_gap;
    for (std::uint32_t begin = from; begin + least <= rule.source.end; ++begin) {
        for (std::uint32_t end = begin + least; end <= rule.source.end; ++end) {
            const Span target = phrase(begin, end);
            if (target.empty() || end - begin == rule.source.size()) continue;
            rule.gap_sources[rule.gaps] = {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
            rule.gap_targets[rule.gaps] = target;
            ++rule.gaps;
            // Two gaps never touch: a word stands between them.
            subtract(rule, static_cast<std::uint16_t>(std::min<std::uint32_t>(end + 1, rule.source.end)),
                     words - (end - begin), aligned - (aligned_[end] - aligned_[begin]));
            --rule.gaps;
        }
    }
}

// Tries the pattern of these chunks with and without gaps at its edges, and then every longer one.
void OfflineExtractor::occurrences(std::vector<Span>& chunks, std::uint32_t symbols) {
    const auto gaps = static_cast<std::uint32_t>(chunks.size() - 1);
    for (const unsigned variant : {0U, 1U, 2U, 3U}) {
        const bool left = variant >= 2, right = variant % 2 == 1;
        const std::uint32_t edges = (left ? 1U : 0U) + (right ? 1U : 0U);
        if (symbols + edges <= options_.max_symbols && gaps + edges <= options_.max_gaps) {
            try_occurrence(chunks, left, right);
        }
    }
    if (symbols >= options_.max_symbols) return;
    const std::size_t length = std::min<std::size_t>(text_.source()[sentence_].size(), unaligned - 1U);
    const std::size_t stop = std::min(length, std::size_t{chunks.front().begin} + options_.limits.max_source_span);
    const std::size_t end = chunks.back().end;
    if (end < stop) {
        ++chunks.back().end;
        occurrences(chunks, symbols + 1);
        --chunks.back().end;
    }
    if (gaps >= options_.max_gaps || symbols + 2 > options_.max_symbols) return;
    if (chunks.size() >= options_.limits.max_chunks) return;
    for (std::size_t at = end + options_.limits.min_gap; at < stop; ++at) {
        chunks.push_back({static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(at + 1)});
        occurrences(chunks, symbols + 2);
        chunks.pop_back();
    }
}

void OfflineExtractor::try_occurrence(const std::vector<Span>& chunks, bool left_gap, bool right_gap) {
    listen_at(++steps_);
    found_.clear();
    if (usable_) pentaglot::extract(pair_, chunks, left_gap, right_gap, options_.limits, scratch_, found_);
    if (options_.counting == Counting::occurrences) {
        instances_ += found_.size();
        if (!counting_only_ && !found_.empty()) add_found(1);
    }
    if (counting_only_ || !options_.coherence) return;
    spell_source(chunks, left_gap, right_gap);
    key_.clear();
    append_side(source_, key_);
    const std::uint32_t number = source_keys_.number(key_);
    if (number == attempts_.size()) attempts_.emplace_back();
    ++attempts_[number].tried;
    if (!found_.empty()) ++attempts_[number].translated;
}

// Shares a count among the different target sides of what was found.
void OfflineExtractor::add_found(double weight) {
    if (found_.size() == 1) return add(found_[0], weight, true);
    target_sides_.clear();
    std::vector<bool> first;
    for (const ExtractedRule& rule : found_) {
        encode(rule);
        ByteBuffer side(key_.begin(), key_.begin() + static_cast<std::ptrdiff_t>(target_size_));
        first.push_back(std::find(target_sides_.begin(), target_sides_.end(), side) == target_sides_.end());
        if (first.back()) target_sides_.push_back(std::move(side));
    }
    const double share = weight / static_cast<double>(target_sides_.size());
    // The same target side read in another way counts for its links only.
    for (std::size_t at = 0; at < found_.size(); ++at) add(found_[at], first[at] ? share : 0, first[at]);
}

void OfflineExtractor::spell_source(const std::vector<Span>& chunks, bool left_gap, bool right_gap) {
    const auto words = text_.source()[sentence_];
    source_.clear();
    std::size_t gaps = 0;
    if (left_gap) source_.push_back(tail_symbol(gaps++));
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
        if (chunk > 0) source_.push_back(tail_symbol(gaps++));
        for (std::size_t at = chunks[chunk].begin; at < chunks[chunk].end; ++at) {
            if (words[at] >= sentence_words) damaged("the text is damaged: it has a number that is no word's");
            source_.push_back(static_cast<Symbol>(words[at]));
        }
    }
    if (right_gap) source_.push_back(tail_symbol(gaps++));
}

void OfflineExtractor::encode(const ExtractedRule& rule) {
    chunks_.clear();
    std::uint16_t begin = rule.source.begin;
    for (std::size_t gap = 0; gap < rule.gaps; ++gap) {
        if (begin < rule.gap_sources[gap].begin) chunks_.push_back({begin, rule.gap_sources[gap].begin});
        begin = rule.gap_sources[gap].end;
    }
    if (begin < rule.source.end) chunks_.push_back({begin, rule.source.end});
    spell_source(chunks_, rule.source.begin < chunks_.front().begin, chunks_.back().end < rule.source.end);
    reading_.read(text_, sentence_, chunks_, rule);
    key_.clear();
    append_side(reading_.target(), key_);
    target_size_ = key_.size();
    append_side(source_, key_);
    append_links(reading_.links(), key_);
}

void OfflineExtractor::add(const ExtractedRule& rule, double count, bool oriented) {
    encode(rule);
    CountedRule seen;
    seen.count = count;
    seen.linked = 1;
    seen.place = static_cast<std::uint32_t>(checksum(std::as_bytes(std::span(chunks_)), sentence_));
    if (options_.reordering && oriented) {
        const auto [before, after] = orientations(text_, sentence_, rule.source, rule.target);
        seen.before[static_cast<std::size_t>(before)] = 1;
        seen.after[static_cast<std::size_t>(after)] = 1;
    }
    const std::uint32_t number = rule_keys_.number(key_);
    if (number == rules_.size()) {
        rules_.push_back(seen);
    } else {
        rules_[number].add(seen);
    }
}

}  // namespace pentaglot
