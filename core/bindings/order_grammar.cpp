#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "interrupt.hpp"
#include "order/derivations.hpp"
#include "order/expected_counts.hpp"
#include "order/parse_forest.hpp"
#include "order/precedence.hpp"
#include "order/preorder.hpp"
#include "order/training_sentences.hpp"
#include "order_objects.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace pentaglot;

namespace {

using Offsets = ArrayIn<std::uint64_t>;
using Positions = ArrayIn<Position>;
using Ids = ArrayIn<std::uint32_t>;
using Floats = ArrayIn<float>;

template <typename T>
std::vector<T> copied(const ArrayIn<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

void make_sentences(TrainingSentences* place, const BoundText& text, const Offsets& offsets, const Positions& source,
                    const Positions& target, std::size_t least_words, std::size_t most_words, std::size_t most_children,
                    bool opaque, Trees trees, const std::vector<std::pair<Side, bool>>& attachments, unsigned threads) {
    TrainingLimits limits{least_words, most_words, most_children, opaque, trees, {}};
    for (const auto& [side, top] : attachments) limits.attachments.push_back({side, top});
    std::vector<std::uint32_t> lengths;
    for (std::size_t i = 0; i < text.text.size(); ++i) {
        lengths.push_back(static_cast<std::uint32_t>(text.text[i].size()));
    }
    const CorpusLinks links{span_of(offsets), span_of(source), span_of(target), {}, lengths};
    const OutsidePython outside;
    new (place) TrainingSentences(text.text, links, std::move(limits), threads);
}

void make_grammar(ReorderingGrammar* place, const Ids& states, const Offsets& lexicon_offsets,
                  const ArrayIn<std::uint8_t>& lexicon_slots, const Floats& slots, const Floats& words,
                  const Ids& word_terminals, const Floats& word_factors, const Offsets& phrase_offsets,
                  const Ids& phrase_words, float unseen) {
    new (place) ReorderingGrammar({copied(states), copied(lexicon_offsets), copied(lexicon_slots), copied(slots),
                                   copied(words), copied(word_terminals), copied(word_factors), copied(phrase_offsets),
                                   copied(phrase_words), unseen});
}

nb::tuple expect(const TrainingSentences& self, const ReorderingGrammar& grammar, std::size_t first, std::size_t last,
                 bool hard, unsigned threads) {
    ExpectedCounts found =
        outside_python([&] { return expected_counts(self, grammar.view(), first, last, hard, threads); });
    return nb::make_tuple(array_from(std::move(found.slots)), array_from(std::move(found.words)), found.log_likelihood,
                          found.impossible);
}

// A parse with the grammar that it refers to.
struct BoundParse {
    nb::object grammar;
    std::unique_ptr<Parse> parse;
    bool best;

    BoundParse(const nb::object& grammar_in, const Ids& sentence, bool best_in,
               const ArrayIn<std::uint16_t>& allowed_in, const ArrayIn<std::uint8_t>& gaps_in)
        : grammar(grammar_in), best(best_in) {
        const auto& rules = nb::cast<const ReorderingGrammar&>(grammar);
        const AllowedOperators allowed = copied(allowed_in);
        const auto words = span_of(sentence);
        const auto gaps = span_of(gaps_in);
        parse = outside_python(
            [&] { return std::make_unique<Parse>(rules, words, best, allowed.empty() ? nullptr : &allowed, gaps); });
    }
};

nb::tuple tree_arrays(const BoundParse& self) {
    if (!self.best) throw Error("this parse was not made for its best tree");
    const ParseTree tree = best_tree(*self.parse);
    std::vector<Position> begins, ends, states;
    std::vector<std::uint8_t> kinds;
    for (const auto& node : tree.nodes) {
        begins.push_back(node.begin);
        ends.push_back(node.end);
        kinds.push_back(node.kind);
        states.push_back(node.state);
    }
    return nb::make_tuple(array_from(std::move(begins)), array_from(std::move(ends)), array_from(std::move(kinds)),
                          array_from(std::move(states)), array_from(tree.order()));
}

nb::tuple divided(const LikelyDivisions& likely) {
    std::vector<Position> begins, ends, posts;
    std::vector<std::uint8_t> kinds;
    std::vector<float> chances;
    for (const auto& each : likely.found) {
        begins.push_back(each.begin);
        ends.push_back(each.end);
        kinds.push_back(each.kind);
        posts.insert(posts.end(), each.posts.begin(), each.posts.end());
        chances.push_back(each.posterior);
    }
    return nb::make_tuple(array_from(std::move(begins)), array_from(std::move(ends)), array_from(std::move(kinds)),
                          array_from(std::move(posts)), array_from(std::move(chances)));
}

std::vector<std::pair<std::size_t, std::size_t>> pieces_of(const BoundParse& self) {
    std::vector<std::pair<std::size_t, std::size_t>> pieces;
    for (const auto& piece : self.parse->pieces()) pieces.emplace_back(piece.begin, piece.end);
    return pieces;
}

void bind_training(nb::module_& module) {
    nb::class_<TrainingSentences>(module, "TrainingSentences", "What a reordering grammar is learnt from.")
        .def("__init__", &make_sentences, "text"_a, "offsets"_a.noconvert(), "source"_a.noconvert(),
             "target"_a.noconvert(), "least_words"_a, "most_words"_a, "most_children"_a, "opaque"_a, "trees"_a,
             "attachments"_a, "threads"_a)
        .def("__len__", &TrainingSentences::size)
        .def_prop_ro(
            "kept", [](const TrainingSentences& self) { return array_from(std::vector<std::uint32_t>(self.kept())); },
            nb::rv_policy::automatic)
        .def_prop_ro("too_short_or_long", &TrainingSentences::too_short_or_long)
        .def_prop_ro("without_links", &TrainingSentences::without_links)
        .def_prop_ro("too_complex", &TrainingSentences::too_complex)
        .def_prop_ro("opaque", &TrainingSentences::opaque)
        .def(
            "word_counts",
            [](const TrainingSentences& self, std::size_t vocabulary, bool alone) {
                return array_from(outside_python([&] { return self.word_counts(vocabulary, alone); }));
            },
            "vocabulary"_a, "alone"_a, "How often each word occurs; with `alone`, only as a unit by itself.")
        .def(
            "assign",
            [](TrainingSentences& self, const Ids& word_terminals, const Floats& factors, std::uint32_t first,
               std::size_t cutoff) {
                auto phrases = outside_python(
                    [&] { return self.assign(span_of(word_terminals), span_of(factors), first, cutoff); });
                return nb::make_tuple(array_from(std::move(phrases.offsets)), array_from(std::move(phrases.words)));
            },
            "word_terminals"_a.noconvert(), "factors"_a.noconvert(), "first"_a, "cutoff"_a,
            "Gives every unit its terminal; returns offsets and words of the phrases.")
        .def(
            "edge_counts",
            [](const TrainingSentences& self, std::size_t terminals, unsigned threads) {
                auto found = outside_python([&] { return self.edge_counts(terminals, threads); });
                return nb::make_tuple(array_from(std::move(found.slots)), array_from(std::move(found.offsets)),
                                      array_from(std::move(found.entries)), array_from(std::move(found.words)));
            },
            "terminals"_a, "threads"_a, "How often operators and terminals fill slots, every edge counted once.")
        .def("expected_counts", &expect, "grammar"_a, "first"_a, "last"_a, "hard"_a, "threads"_a,
             "Expected counts of slots and words, log-likelihood, and how many sentences are impossible.");
}

void bind_parse(nb::module_& module) {
    nb::class_<BoundParse>(module, "Parse", "The chart of a sentence whose order is not known.")
        .def(nb::init<nb::object, Ids, bool, ArrayIn<std::uint16_t>, ArrayIn<std::uint8_t>>(), "grammar"_a,
             "sentence"_a.noconvert(), "best"_a, "allowed"_a.noconvert(), "gaps"_a.noconvert())
        .def_prop_ro("pieces", &pieces_of, "The stretches of words that the sentence is glued together from.")
        .def_prop_ro("glued", [](const BoundParse& self) { return self.parse->glued(); })
        .def_prop_ro("log_probability", [](const BoundParse& self) { return self.parse->log_probability(); })
        .def(
            "precedence",
            [](const BoundParse& self, std::size_t reach, double far) {
                if (self.best) throw Error("this parse was made for its best tree");
                return array_from(outside_python([&] {
                    Precedence precedence = expected_precedence(*self.parse);
                    precedence.doubt_far(reach, far, self.parse->places());
                    return std::vector<double>(precedence.turned());
                }));
            },
            "reach"_a = 0, "far"_a = 0.0,
            "For words u < v how likely v is to come before u, row by row; less for words further apart than `reach`.")
        .def(
            "posteriors",
            [](const BoundParse& self) {
                if (self.best) throw Error("this parse was made for its best tree");
                NodePosteriors found;
                outside_python([&] { return expected_precedence(*self.parse, &found); });
                return array_from(std::move(found));
            },
            "For each stretch, by length and beginning, how likely each operator is to cover it.")
        .def(
            "forest",
            [](const BoundParse& self, float least) {
                if (self.best) throw Error("this parse was made for its best tree");
                return outside_python([&] { return parse_forest(*self.parse, least); });
            },
            "least"_a, "The edges that are at least this likely, as a packed forest.")
        .def(
            "divisions",
            [](const BoundParse& self, float least) {
                if (self.best) throw Error("this parse was made for its best tree");
                if (!(least > 0.0F)) throw Error("the least probability of a division must be above 0");
                LikelyDivisions likely{least, {}};
                outside_python([&] { return expected_precedence(*self.parse, nullptr, nullptr, &likely); });
                return divided(likely);
            },
            "least"_a,
            "How trees divide stretches of words: where these begin and end, operators, where children after the first "
            "begin (four for each), and how likely that is.")
        .def(
            "draw",
            [](const BoundParse& self, std::size_t count, std::uint64_t seed) {
                if (self.best) throw Error("this parse was made for its best tree");
                auto drawn = outside_python([&] { return draw_orders(*self.parse, count, seed); });
                return nb::make_tuple(array_from(std::move(drawn.orders)), array_from(std::move(drawn.counts)));
            },
            "count"_a, "seed"_a, "Orders of derivations drawn at random, and how often each was drawn.")
        .def("tree", &tree_arrays, "First words, ends, operators and states of the best tree, and its order.");
}

void bind_preorder(nb::module_& module) {
    nb::enum_<OrderChoice>(module, "OrderChoice", "How the order of a sentence is chosen.")
        .value("expected", OrderChoice::expected)
        .value("drawn", OrderChoice::drawn)
        .value("best_tree", OrderChoice::best_tree);
    module.attr("WAS_GLUED") = was_glued;
    module.attr("WAS_CUT") = was_cut;
    module.def(
        "preorder",
        [](const ReorderingGrammar& grammar, const ReorderingGrammar& unsplit, const BoundText& text,
           const ArrayIn<std::uint8_t>& gaps_in, OrderChoice choice, std::size_t samples, std::uint64_t seed,
           std::size_t longest, double least_gain, float least, std::size_t reach, double far, unsigned threads) {
            if (!(least_gain >= 0.0 && least_gain <= 1.0)) throw Error("the least gain must be between 0 and 1");
            const PreorderOptions options{choice, samples, seed, longest, least_gain, least, reach, far};
            const auto gaps = span_of(gaps_in);
            auto found = outside_python([&] { return preorder(grammar, &unsplit, text.text, gaps, options, threads); });
            return nb::make_tuple(array_from(std::move(found.ranks)), array_from(std::move(found.notes)),
                                  array_from(std::move(found.log_probabilities)), array_from(std::move(found.losses)));
        },
        "grammar"_a, "unsplit"_a, "text"_a, "gaps"_a.noconvert(), "choice"_a, "samples"_a, "seed"_a, "longest"_a,
        "least_gain"_a, "least"_a, "reach"_a, "far"_a, "threads"_a,
        "Ranks of all words, notes, log-probabilities and expected losses of all sentences.");
    module.def(
        "likely_nodes",
        [](const ReorderingGrammar& unsplit, const Ids& sentence, float least, const ArrayIn<std::uint8_t>& gaps_in) {
            const auto words = span_of(sentence);
            const auto gaps = span_of(gaps_in);
            return array_from(outside_python([&] { return likely_nodes(unsplit, words, least, gaps); }));
        },
        "unsplit"_a, "sentence"_a.noconvert(), "least"_a, "gaps"_a.noconvert(),
        "The operators that an unsplit grammar finds likely.");
    module.def(
        "best_binary_order",
        [](std::size_t words, const ArrayIn<double>& turned) {
            return array_from(outside_python([&] { return best_binary_order(Precedence(words, copied(turned))); }));
        },
        "words"_a, "turned"_a.noconvert(), "The binary order of least expected loss.");
    module.def(
        "expected_losses",
        [](std::size_t words, const ArrayIn<double>& turned, const Positions& orders) {
            return array_from(
                outside_python([&] { return expected_losses(Precedence(words, copied(turned)), span_of(orders)); }));
        },
        "words"_a, "turned"_a.noconvert(), "orders"_a.noconvert(), "The expected loss of each order.");
}

}  // namespace

void bind_order_grammar(nb::module_& module) {
    nb::class_<ReorderingGrammar>(module, "Grammar", "A reordering grammar; it never changes.")
        .def("__init__", &make_grammar, "states"_a.noconvert(), "lexicon_offsets"_a.noconvert(),
             "lexicon_slots"_a.noconvert(), "slots"_a.noconvert(), "words"_a.noconvert(),
             "word_terminals"_a.noconvert(), "word_factors"_a.noconvert(), "phrase_offsets"_a.noconvert(),
             "phrase_words"_a.noconvert(), "unseen"_a);
    bind_training(module);
    bind_parse(module);
    bind_preorder(module);
}
