#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rules/key_table.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

enum class TemplateKind : std::uint8_t {
    source_words,
    target_words,
    linked_pairs,   // of a source and a target word
    all_pairs,      // the same whether they are linked or not
    source_ngrams,  // inside the rule, of two words and more
    target_ngrams,
    rules,  // the whole rule
};

// Which features are made of the words of a rule. Words may be replaced by their classes; words without a class, and
// words that no vocabulary has, are in no feature.
struct WordTemplate {
    static constexpr std::uint32_t longest = 7;  // n-grams

    TemplateKind kind = TemplateKind::source_words;
    std::uint32_t order = 2;                    // n-grams have up to this many words
    std::vector<std::uint32_t> source_classes;  // by word, 0: none; empty: words as they are
    std::vector<std::uint32_t> target_classes;

    // Throws Error for an impossible order.
    void check() const;
};

// Words or classes in order; the two sides of a whole rule are separated, and gaps are as in the rule.
using WordKey = std::vector<std::int32_t>;

// Calls `found(key)` for every feature that a rule has by a template, as often as it has it. Refers to the template.
class TemplateReader {
  public:
    explicit TemplateReader(const WordTemplate& made) : template_(made) {}

    template <typename Found>
    void read(const RuleTable& table, std::size_t pattern, std::size_t rule, const Found& found);

    static constexpr std::int32_t between_sides = INT32_MIN;  // no word or gap

  private:
    static constexpr std::int32_t no_word = INT32_MIN;

    static std::int32_t word(Symbol symbol, std::span<const std::uint32_t> classes) {
        if (is_tail(symbol)) return no_word;
        const auto at = static_cast<std::size_t>(symbol);
        if (at >= sentence_words) return no_word;
        if (classes.empty()) return symbol;
        return at < classes.size() && classes[at] != 0 ? static_cast<std::int32_t>(classes[at]) : no_word;
    }
    static void fill(std::span<const Symbol> side, std::span<const std::uint32_t> classes, WordKey& words) {
        words.clear();
        for (const Symbol symbol : side) words.push_back(word(symbol, classes));
    }
    template <typename Found>
    void read_words(const WordKey& words, const Found& found);
    template <typename Found>
    void read_ngrams(const WordKey& words, const Found& found);
    template <typename Found>
    void read_pair(std::int32_t source, std::int32_t target, const Found& found);
    template <typename Found>
    void read_rule(std::span<const Symbol> source, std::span<const Symbol> target, const Found& found);

    const WordTemplate& template_;
    WordKey source_, target_, key_;
};

inline Bytes bytes_of(std::span<const std::int32_t> key) {
    return {reinterpret_cast<const std::uint8_t*>(key.data()), key.size_bytes()};
}

// Counts the features of rules: those found in development sentences become the features of a model.
class WordCounter {
  public:
    explicit WordCounter(WordTemplate made) : template_(std::move(made)), reader_(template_) { template_.check(); }
    WordCounter(const WordCounter&) = delete;
    WordCounter& operator=(const WordCounter&) = delete;

    void add(const RuleTable& table);
    std::size_t size() const { return keys_.size(); }

    // Those that were seen often enough, the most frequent first (at most `most` of them; 0: all). Of equally frequent
    // ones, that with the smaller numbers comes first.
    struct Counted {
        std::vector<std::uint64_t> offsets{0};
        std::vector<std::int32_t> symbols;
        std::vector<std::uint64_t> counts;
    };
    Counted counted(std::uint64_t least, std::size_t most) const;

  private:
    std::span<const std::int32_t> key(std::uint32_t number) const {
        const Bytes bytes = keys_.key(number);
        return {reinterpret_cast<const std::int32_t*>(bytes.data()), bytes.size() / sizeof(std::int32_t)};
    }

    WordTemplate template_;
    TemplateReader reader_;
    KeyTable keys_;
    std::vector<std::uint64_t> counts_;
};

// Features by their words.
class WordFeatures {
  public:
    // One feature for each key. Throws Error unless they fit together and are distinct.
    WordFeatures(WordTemplate made, std::span<const std::uint64_t> offsets, std::span<const std::int32_t> symbols,
                 std::span<const FeatureId> ids);

    TemplateReader reader() const { return TemplateReader(template_); }
    // Whether all rules of a pattern have the same features.
    bool of_source() const {
        return template_.kind == TemplateKind::source_words || template_.kind == TemplateKind::source_ngrams;
    }
    // Adds those of a rule to the last row.
    void fire(TemplateReader& reader, const RuleTable& table, std::size_t pattern, std::size_t rule,
              SparseFeatures& found) const;

  private:
    void look_up(std::span<const std::int32_t> key, SparseFeatures& found) const;

    // Most words of rules begin and end no feature, and need not be looked up: those whose slot is not set. There are
    // many more slots than features, but a slot may be shared.
    static constexpr std::size_t slots_each = 16;
    std::size_t slot(std::span<const std::int32_t> key) const {
        const auto first = static_cast<std::uint32_t>(key.front()), last = static_cast<std::uint32_t>(key.back());
        const std::uint32_t mixed = (first * 0x9E3779B1U + last) * 0x85EBCA77U;
        return (mixed ^ mixed >> 15) & (ends_.size() - 1);
    }

    WordTemplate template_;
    KeyTable keys_;
    std::vector<FeatureId> ids_;
    std::vector<bool> ends_;  // by slot: whether some feature has this first and this last word
};

// Implementation.

template <typename Found>
void TemplateReader::read(const RuleTable& table, std::size_t pattern, std::size_t rule, const Found& found) {
    const auto source = table.source(pattern), target = table.target(rule);
    switch (template_.kind) {
        case TemplateKind::source_words:
            fill(source, template_.source_classes, source_);
            return read_words(source_, found);
        case TemplateKind::target_words:
            fill(target, template_.target_classes, target_);
            return read_words(target_, found);
        case TemplateKind::source_ngrams:
            fill(source, template_.source_classes, source_);
            return read_ngrams(source_, found);
        case TemplateKind::target_ngrams:
            fill(target, template_.target_classes, target_);
            return read_ngrams(target_, found);
        case TemplateKind::linked_pairs:
            for (const RuleLink link : table.links_of(rule))
                read_pair(word(source[link.source], template_.source_classes),
                          word(target[link.target], template_.target_classes), found);
            return;
        case TemplateKind::all_pairs:
            fill(source, template_.source_classes, source_);
            fill(target, template_.target_classes, target_);
            for (const std::int32_t one : source_) {
                for (const std::int32_t other : target_) read_pair(one, other, found);
            }
            return;
        case TemplateKind::rules:
            return read_rule(source, target, found);
    }
}

template <typename Found>
void TemplateReader::read_words(const WordKey& words, const Found& found) {
    for (const std::int32_t& each : words) {
        if (each != no_word) found(std::span(&each, 1));
    }
}

template <typename Found>
void TemplateReader::read_ngrams(const WordKey& words, const Found& found) {
    for (std::size_t begin = 0; begin < words.size(); ++begin) {
        for (std::size_t end = begin; end < words.size() && words[end] != no_word; ++end) {
            const std::size_t size = end + 1 - begin;
            if (size > template_.order) break;
            if (size > 1) found(std::span(words).subspan(begin, size));
        }
    }
}

template <typename Found>
void TemplateReader::read_pair(std::int32_t source, std::int32_t target, const Found& found) {
    if (source == no_word || target == no_word) return;
    const std::array key{source, target};
    found(std::span<const std::int32_t>(key));
}

template <typename Found>
void TemplateReader::read_rule(std::span<const Symbol> source, std::span<const Symbol> target, const Found& found) {
    key_.clear();
    const auto add = [&](std::span<const Symbol> side, std::span<const std::uint32_t> classes) {
        for (const Symbol symbol : side) {
            key_.push_back(is_tail(symbol) ? symbol : word(symbol, classes));
            if (key_.back() == no_word) return false;
        }
        return true;
    };
    if (!add(source, template_.source_classes)) return;
    key_.push_back(between_sides);
    if (!add(target, template_.target_classes)) return;
    found(std::span<const std::int32_t>(key_));
}

}  // namespace pentaglot
