#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/aligned_text.hpp"
#include "rules/extract.hpp"
#include "rules/key_table.hpp"
#include "rules/reading.hpp"
#include "rules/rule_bytes.hpp"

namespace pentaglot {

// What counts as one when rules are counted offline. phrase_pairs: every initial phrase pair, shared by all rules that
// are made from it (Chiang 2007). occurrences: every occurrence of a source side, shared by its translations, as rules
// on demand are counted (Lopez 2008, §4.3.2).
enum class Counting : std::uint8_t { phrase_pairs, occurrences };

struct OfflineOptions {
    ExtractLimits limits;
    std::uint32_t max_symbols = 5;
    std::uint32_t max_gaps = 2;
    Counting counting = Counting::phrase_pairs;
    bool coherence = true;    // count how often source sides occur, and how often they have a translation
    bool reordering = false;  // count the orientations of phrases to their neighbours
};

// What is known of one rule with one way of linking its words. The key of its record is its target side, its source
// side and its links; the target side comes first, so that a merge of runs meets all source sides of a target side
// together.
struct CountedRule {
    double count = 0;
    std::uint64_t linked = 0;  // how often with these links
    std::uint32_t place = 0;   // a hash of where it was seen first
    bool several = false;      // was it seen elsewhere too?
    std::array<std::uint32_t, 3> before{}, after{};

    void add(const CountedRule& other);
    void append(ByteBuffer& bytes, bool reordering) const;
    static CountedRule read(Bytes bytes, bool reordering);
};

// Sorted runs of what was found in some sentences: CountedRules, and attempts and successes (two numbers) by source
// side.
struct ExtractedRuns {
    std::vector<ByteBuffer> rules, attempts;
    std::uint64_t instances = 0;  // rules, counted as often as they were found
};

// Extracts all rules of sentences, one by one (Lopez 2008, §3.2). Holds scratch space: one for each thread.
class OfflineExtractor {
  public:
    OfflineExtractor(const AlignedText& text, const OfflineOptions& options);

    // The rules of sentences first to last. Uses about `bytes` of memory: when it is full, what was counted becomes a
    // run.
    ExtractedRuns extract(std::size_t first, std::size_t last, std::size_t bytes);
    // Only counts them.
    std::uint64_t count(std::size_t first, std::size_t last);

  private:
    struct Attempts {
        std::uint32_t tried = 0, translated = 0;
    };

    bool open(std::size_t sentence);
    void read_sentence(std::size_t sentence);
    void find_phrases();
    void phrase_pairs();
    void subtract(ExtractedRule& rule, std::uint16_t from, std::uint32_t words, std::uint32_t aligned);
    void occurrences(std::vector<Span>& chunks, std::uint32_t symbols);
    void try_occurrence(const std::vector<Span>& chunks, bool left_gap, bool right_gap);
    void add_found(double weight);
    void add(const ExtractedRule& rule, double count, bool oriented);
    void encode(const ExtractedRule& rule);
    void spell_source(const std::vector<Span>& chunks, bool left_gap, bool right_gap);
    Span& phrase(std::size_t begin, std::size_t end) { return phrases_[begin * widest_ + (end - begin - 1)]; }
    void flush(ExtractedRuns& runs);

    const AlignedText& text_;
    OfflineOptions options_;
    bool counting_only_ = false;
    std::uint64_t instances_ = 0;
    std::size_t steps_ = 0;

    // Of the sentence at hand.
    std::size_t sentence_ = 0;
    bool usable_ = true;
    LinkedPair pair_;
    std::size_t widest_ = 0;
    std::vector<Span> phrases_;           // target span by source span; empty where there is no phrase pair
    std::vector<std::uint32_t> aligned_;  // aligned source words before each place
    ExtractScratch scratch_;
    std::vector<ExtractedRule> found_;
    std::vector<Span> wholes_;
    // Of the rule at hand.
    std::vector<Span> chunks_;
    std::vector<Symbol> source_;
    Reading reading_;
    ByteBuffer key_;
    std::size_t target_size_ = 0;  // bytes of the target side in key_
    std::vector<ByteBuffer> target_sides_;

    // Of all sentences since the last flush.
    KeyTable rule_keys_, source_keys_;
    std::vector<CountedRule> rules_;
    std::vector<Attempts> attempts_;
};

}  // namespace pentaglot
