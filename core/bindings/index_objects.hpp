#pragma once

#include <memory>
#include <utility>

#include "arrays.hpp"
#include "index/aligned_text.hpp"
#include "index/lexical_table.hpp"
#include "index/pattern_finder.hpp"

// The objects of the index room together with the NumPy arrays that hold their data. They are shared: what was made
// from one keeps it alive.

struct BoundIndex {
    BoundText text;
    ArrayIn<std::uint32_t> suffixes, first_ranks;
    ArrayIn<std::uint64_t> ends;
    ArrayIn<std::uint32_t> before;
    pentaglot::SourceIndex index;

    BoundIndex(const BoundText& text_in, ArrayIn<std::uint32_t> suffixes_in, ArrayIn<std::uint32_t> first_ranks_in,
               ArrayIn<std::uint64_t> ends_in, ArrayIn<std::uint32_t> before_in)
        : text(text_in),
          suffixes(std::move(suffixes_in)),
          first_ranks(std::move(first_ranks_in)),
          ends(std::move(ends_in)),
          before(std::move(before_in)),
          index(text.text, span_of(suffixes), span_of(first_ranks),
                pentaglot::SentenceNumbers(span_of(ends), span_of(before), text.text.tokens().size())) {}
};

struct BoundPrecomputed {
    ArrayIn<std::uint32_t> begin, end, length;
    ArrayIn<std::uint64_t> word_offsets, pair_offsets, triple_offsets;
    ArrayIn<std::uint32_t> word_positions, pair_positions, triple_positions;
    pentaglot::Precomputed lists;
};

struct BoundAlignedText {
    using Places = ArrayIn<pentaglot::Place>;
    BoundText source, target;
    Places source_first, source_last, target_first, target_last;
    ArrayIn<std::uint32_t> inner_tokens;
    Places inner_places;
    pentaglot::AlignedText text;

    BoundAlignedText(const BoundText& source_in, const BoundText& target_in, Places source_first_in,
                     Places source_last_in, Places target_first_in, Places target_last_in,
                     ArrayIn<std::uint32_t> inner_tokens_in, Places inner_places_in)
        : source(source_in),
          target(target_in),
          source_first(std::move(source_first_in)),
          source_last(std::move(source_last_in)),
          target_first(std::move(target_first_in)),
          target_last(std::move(target_last_in)),
          inner_tokens(std::move(inner_tokens_in)),
          inner_places(std::move(inner_places_in)),
          text(source.text, target.text, span_of(source_first), span_of(source_last), span_of(target_first),
               span_of(target_last), span_of(inner_tokens), span_of(inner_places)) {}
};

struct BoundLexicalTable {
    using Chances = ArrayIn<float>;
    using Totals = ArrayIn<double>;
    ArrayIn<std::uint64_t> offsets;
    ArrayIn<pentaglot::WordId> targets;
    Chances target_given_source, source_given_target, counts;
    Totals source_totals, target_totals;
    std::shared_ptr<BoundLexicalTable> added;  // may be null
    pentaglot::LexicalView table;

    BoundLexicalTable(ArrayIn<std::uint64_t> offsets_in, ArrayIn<pentaglot::WordId> targets_in,
                      Chances target_given_source_in, Chances source_given_target_in, Chances counts_in,
                      Totals source_totals_in, Totals target_totals_in)
        : offsets(std::move(offsets_in)),
          targets(std::move(targets_in)),
          target_given_source(std::move(target_given_source_in)),
          source_given_target(std::move(source_given_target_in)),
          counts(std::move(counts_in)),
          source_totals(std::move(source_totals_in)),
          target_totals(std::move(target_totals_in)),
          table(span_of(offsets), span_of(targets), span_of(target_given_source), span_of(source_given_target),
                span_of(counts), span_of(source_totals), span_of(target_totals)) {}
    BoundLexicalTable(const BoundLexicalTable& main, std::shared_ptr<BoundLexicalTable> more)
        : BoundLexicalTable(main) {
        added = std::move(more);
        table = main.table.together_with(added->table);
    }
    BoundLexicalTable(const BoundLexicalTable&) = default;
};

// Makes finders; a finder itself belongs to one thread.
struct BoundFinder {
    std::shared_ptr<BoundIndex> index;
    std::shared_ptr<BoundPrecomputed> precomputed;   // may be null
    std::shared_ptr<pentaglot::PatternCache> cache;  // may be null
    pentaglot::GrammarLimits limits;
    pentaglot::LookupOptions options;

    pentaglot::PatternFinder make() const {
        return {index->index, precomputed ? &precomputed->lists : nullptr, limits, options, cache.get()};
    }
};

struct BoundPatterns {
    std::shared_ptr<BoundIndex> index;
    std::shared_ptr<BoundPrecomputed> precomputed;  // patterns may refer to its lists
    pentaglot::SentencePatterns patterns;
};

void bind_index_lookup(nanobind::module_& module);
