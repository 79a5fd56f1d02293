#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "base/error.hpp"
#include "index/precomputation.hpp"
#include "index/suffix_array.hpp"
#include "index/suffix_changes.hpp"
#include "index_objects.hpp"
#include "interrupt.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using pentaglot::PrecomputationSettings;
using pentaglot::WordId;

namespace {

using Numbers = ArrayIn<std::uint32_t>;

ArrayOut<std::uint32_t> suffix_array(const ArrayIn<WordId>& tokens) {
    return array_from(outside_python([&] { return pentaglot::build_suffix_array(span_of(tokens)); }));
}

ArrayOut<std::uint32_t> common_prefixes(const ArrayIn<WordId>& tokens, const Numbers& suffixes) {
    return array_from(
        outside_python([&] { return pentaglot::longest_common_prefixes(span_of(tokens), span_of(suffixes)); }));
}

nb::tuple sentence_marks(const ArrayIn<WordId>& tokens) {
    auto marks = outside_python([&] { return pentaglot::sentence_marks(span_of(tokens)); });
    return nb::make_tuple(array_from(std::move(marks.ends)), array_from(std::move(marks.before)));
}

// Bounds on memory: there is a list for every pair of frequent sequences.
void check_settings(std::uint32_t frequent, std::uint32_t super_frequent, std::uint32_t max_length,
                    std::uint32_t max_span, std::uint32_t min_gap) {
    constexpr std::uint32_t most_frequent = 100'000, most_super_frequent = 1000, longest = 1000;
    if (frequent > most_frequent || super_frequent > most_super_frequent || max_length == 0 || max_length > longest ||
        max_span > pentaglot::unlimited || min_gap > pentaglot::unlimited) {
        throw pentaglot::Error("a setting of the precomputation is out of bounds");
    }
}

nb::tuple frequent_sequences(const BoundIndex& bound, const Numbers& prefixes, std::uint32_t most,
                             std::uint32_t max_length) {
    check_settings(most, 0, max_length, 1, 1);
    auto found =
        outside_python([&] { return pentaglot::frequent_sequences(bound.index, span_of(prefixes), most, max_length); });
    return nb::make_tuple(array_from(std::move(found.begin)), array_from(std::move(found.end)),
                          array_from(std::move(found.length)));
}

nb::dict precompute(const BoundIndex& bound, const Numbers& prefixes, const PrecomputationSettings& settings,
                    unsigned threads) {
    auto made = outside_python(
        [&] { return pentaglot::precompute(bound.index, span_of(prefixes), settings, threads, poll_python_signals); });
    nb::dict arrays;
    arrays["begin"] = array_from(std::move(made.frequent.begin));
    arrays["end"] = array_from(std::move(made.frequent.end));
    arrays["length"] = array_from(std::move(made.frequent.length));
    arrays["word_offsets"] = array_from(std::move(made.words.offsets));
    arrays["word_positions"] = array_from(std::move(made.words.positions));
    arrays["pair_offsets"] = array_from(std::move(made.pairs.offsets));
    arrays["pair_positions"] = array_from(std::move(made.pairs.positions));
    arrays["triple_offsets"] = array_from(std::move(made.triples.offsets));
    arrays["triple_positions"] = array_from(std::move(made.triples.positions));
    return arrays;
}

std::shared_ptr<BoundPrecomputed> precomputed(const PrecomputationSettings& settings, Numbers begin, Numbers end,
                                              Numbers length, ArrayIn<std::uint64_t> word_offsets,
                                              Numbers word_positions, ArrayIn<std::uint64_t> pair_offsets,
                                              Numbers pair_positions, ArrayIn<std::uint64_t> triple_offsets,
                                              Numbers triple_positions) {
    const pentaglot::PrecomputedArrays arrays{span_of(begin),           span_of(end),
                                              span_of(length),          span_of(word_offsets),
                                              span_of(pair_offsets),    span_of(triple_offsets),
                                              span_of(word_positions),  span_of(pair_positions),
                                              span_of(triple_positions)};
    return std::make_shared<BoundPrecomputed>(
        std::move(begin), std::move(end), std::move(length), std::move(word_offsets), std::move(pair_offsets),
        std::move(triple_offsets), std::move(word_positions), std::move(pair_positions), std::move(triple_positions),
        pentaglot::Precomputed(settings, arrays));
}

nb::tuple arrange_links(const BoundText& source, const BoundText& target, const ArrayIn<std::uint64_t>& offsets,
                        const BoundAlignedText::Places& source_places, const BoundAlignedText::Places& target_places) {
    auto made = outside_python([&] {
        return pentaglot::arrange_links(source.text, target.text, span_of(offsets), span_of(source_places),
                                        span_of(target_places));
    });
    auto& extents = made.extents;
    return nb::make_tuple(array_from(std::move(extents.source_first)), array_from(std::move(extents.source_last)),
                          array_from(std::move(extents.target_first)), array_from(std::move(extents.target_last)),
                          array_from(std::move(made.inner_tokens)), array_from(std::move(made.inner_places)));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> links(const BoundAlignedText& bound, std::size_t sentence) {
    if (sentence >= bound.text.source().size()) throw nb::index_error("no such sentence pair");
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const auto& link : bound.text.links(sentence)) found.emplace_back(link.source, link.target);
    return found;
}

nb::dict count_words(const BoundAlignedText& bound, const std::optional<ArrayIn<float>>& weights) {
    auto table = outside_python(
        [&] { return pentaglot::count_words(bound.text, weights ? span_of(*weights) : std::span<const float>()); });
    nb::dict arrays;
    arrays["offsets"] = array_from(std::move(table.offsets));
    arrays["targets"] = array_from(std::move(table.targets));
    arrays["target_given_source"] = array_from(std::move(table.target_given_source));
    arrays["source_given_target"] = array_from(std::move(table.source_given_target));
    arrays["counts"] = array_from(std::move(table.counts));
    arrays["source_totals"] = array_from(std::move(table.source_totals));
    arrays["target_totals"] = array_from(std::move(table.target_totals));
    return arrays;
}

void bind_aligned_text(nb::module_& module) {
    using Places = BoundAlignedText::Places;
    using Chances = BoundLexicalTable::Chances;
    using Totals = BoundLexicalTable::Totals;
    nb::class_<BoundAlignedText>(module, "AlignedText", "Two texts and which words of them are linked.")
        .def(nb::init<const BoundText&, const BoundText&, Places, Places, Places, Places, Numbers, Places>(),
             "source"_a, "target"_a, "source_first"_a.noconvert(), "source_last"_a.noconvert(),
             "target_first"_a.noconvert(), "target_last"_a.noconvert(), "inner_tokens"_a.noconvert(),
             "inner_places"_a.noconvert())
        .def("links", &links, "sentence"_a, "All links of a sentence pair, as (source place, target place).");
    nb::class_<BoundLexicalTable>(module, "LexicalTable", "Word translation probabilities.")
        .def(nb::init<ArrayIn<std::uint64_t>, ArrayIn<WordId>, Chances, Chances, Chances, Totals, Totals>(),
             "offsets"_a.noconvert(), "targets"_a.noconvert(), "target_given_source"_a.noconvert(),
             "source_given_target"_a.noconvert(), "counts"_a.noconvert(), "source_totals"_a.noconvert(),
             "target_totals"_a.noconvert())
        .def(
            "together_with",
            [](const BoundLexicalTable& main, std::shared_ptr<BoundLexicalTable> added) {
                return std::make_shared<BoundLexicalTable>(main, std::move(added));
            },
            "added"_a, "The table of two texts counted together.")
        .def(
            "find",
            [](const BoundLexicalTable& bound, WordId source, WordId target) {
                const auto entry = bound.table.find(source, target);
                return std::pair(entry.target_given_source, entry.source_given_target);
            },
            "source"_a, "target"_a, "p(target | source) and p(source | target).")
        .def(
            "targets",
            [](const BoundLexicalTable& bound, WordId source) {
                const auto found = bound.table.targets(source);
                return array_from(std::vector<WordId>(found.begin(), found.end()));
            },
            "source"_a, "All words that a source word was linked to.");
    module.def("arrange_links", &arrange_links, "source"_a, "target"_a, "offsets"_a.noconvert(),
               "source_places"_a.noconvert(), "target_places"_a.noconvert(), "The arrays of an AlignedText.");
    module.def("count_words", &count_words, "text"_a, "weights"_a.noconvert().none() = nb::none(),
               "The arrays of a LexicalTable.");
}

}  // namespace

void bind_index(nb::module_& module) {
    module.def("suffix_array", &suffix_array, "tokens"_a.noconvert(), "The suffixes of a text of ids, sorted.");
    module.def("common_prefixes", &common_prefixes, "tokens"_a.noconvert(), "suffixes"_a.noconvert(),
               "How many tokens each suffix shares with the one before it in order.");
    module.def("sentence_marks", &sentence_marks, "tokens"_a.noconvert(),
               "Where sentences end, as bits, and how many end before each block of 64 tokens.");
    module.def(
        "first_ranks",
        [](const ArrayIn<WordId>& tokens) { return array_from(pentaglot::first_ranks(span_of(tokens))); },
        "tokens"_a.noconvert(), "For every id, the first rank of its suffixes.");
    module.def(
        "add_suffixes",
        [](const ArrayIn<WordId>& tokens, const Numbers& suffixes) {
            return array_from(
                outside_python([&] { return pentaglot::add_suffixes(span_of(tokens), span_of(suffixes)); }));
        },
        "tokens"_a.noconvert(), "suffixes"_a.noconvert(), "The suffixes of a text, given those of its first part.");
    module.def(
        "remove_suffixes",
        [](const Numbers& suffixes, std::uint32_t begin, std::uint32_t end) {
            return array_from(pentaglot::remove_suffixes(span_of(suffixes), begin, end));
        },
        "suffixes"_a.noconvert(), "begin"_a, "end"_a, "The suffixes that remain without a sentence.");
    module.def(
        "sample_evenly",
        [](std::size_t count, std::size_t size) {
            if (count > UINT32_MAX) throw pentaglot::Error("there are too many things to sample from");
            return array_from(pentaglot::sample_evenly(count, size));
        },
        "count"_a, "size"_a, "Which of `count` things a sample takes.");
    bind_index_lookup(module);
    bind_aligned_text(module);

    nb::class_<PrecomputationSettings>(module, "PrecomputationSettings", "What is precomputed.")
        .def(
            "__init__",
            [](PrecomputationSettings* settings, std::uint32_t frequent, std::uint32_t super_frequent,
               std::uint32_t max_length, std::uint32_t max_span, std::uint32_t min_gap) {
                check_settings(frequent, super_frequent, max_length, max_span, min_gap);
                new (settings) PrecomputationSettings{frequent, super_frequent, max_length, max_span, min_gap};
            },
            "frequent"_a, "super_frequent"_a, "max_length"_a, "max_span"_a, "min_gap"_a);
    nb::class_<BoundPrecomputed>(module, "Precomputed", "Lists that were computed beforehand.")
        .def("__len__", [](const BoundPrecomputed& bound) { return bound.lists.size(); });
    module.def("frequent_sequences", &frequent_sequences, "index"_a, "common_prefixes"_a.noconvert(), "most"_a,
               "max_length"_a, "The most frequent word sequences: first and last rank, length.");
    module.def("precompute", &precompute, "index"_a, "common_prefixes"_a.noconvert(), "settings"_a, "threads"_a = 1,
               "The arrays of precomputed().");
    module.def("precomputed", &precomputed, "settings"_a, "begin"_a.noconvert(), "end"_a.noconvert(),
               "length"_a.noconvert(), "word_offsets"_a.noconvert(), "word_positions"_a.noconvert(),
               "pair_offsets"_a.noconvert(), "pair_positions"_a.noconvert(), "triple_offsets"_a.noconvert(),
               "triple_positions"_a.noconvert(), "Precomputed lists over stored arrays.");
}
