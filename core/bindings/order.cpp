#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/error.hpp"
#include "interrupt.hpp"
#include "order/corpus_orders.hpp"
#include "order/permutation_forest.hpp"
#include "order/permutation_tree.hpp"
#include "order/sentence_units.hpp"
#include "order_objects.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace pentaglot;

namespace {

using Offsets = ArrayIn<std::uint64_t>;
using Positions = ArrayIn<Position>;

CorpusLinks corpus_links(const Offsets& offsets, const Positions& source, const Positions& target,
                         std::span<const float> strengths, const ArrayIn<std::uint32_t>& lengths) {
    return {span_of(offsets), span_of(source), span_of(target), strengths, span_of(lengths)};
}

nb::tuple as_arrays(const PermutationTree& tree) {
    std::vector<Position> begins, ends, lows;
    std::vector<std::uint32_t> arities, children;
    for (const auto& node : tree.nodes) {
        begins.push_back(node.begin);
        ends.push_back(node.end);
        lows.push_back(node.low);
        arities.push_back(node.arity);
        const auto below = tree.children_of(node);
        children.insert(children.end(), below.begin(), below.end());
    }
    return nb::make_tuple(array_from(std::move(begins)), array_from(std::move(ends)), array_from(std::move(lows)),
                          array_from(std::move(arities)), array_from(std::move(children)));
}

PermutationTree tree_of(std::span<const Position> ranks, bool linear) {
    check_ranks(ranks);
    if (ranks.empty()) throw Error("a permutation of nothing has no tree");
    return linear ? linear_tree(ranks) : shift_reduce_tree(ranks);
}

Forest forest_of(const Positions& ranks_in, const ArrayIn<std::uint8_t>& loose_in, const Positions& begins_in,
                 Trees trees, const std::vector<std::pair<Side, bool>>& attachments_in) {
    const auto ranks = span_of(ranks_in);
    const auto loose = span_of(loose_in);
    const auto begins = span_of(begins_in);
    std::vector<Attachment> attachments;
    for (const auto& [side, top] : attachments_in) attachments.push_back({side, top});
    if (begins.size() != loose.size() + 1 || !std::is_sorted(begins.begin(), begins.end()) || attachments.empty()) {
        throw Error("the units of a sentence do not fit each other");
    }
    return outside_python([&] {
        const PermutationTree flat = flat_tree(tree_of(ranks, true));
        return permutation_forest(make_chart(flat, {ranks, loose}, trees, attachments), begins);
    });
}

void bind_permutations(nb::module_& module) {
    module.def(
        "word_ranks",
        [](const Offsets& offsets, const Positions& source, const Positions& target, const ArrayIn<float>& strengths,
           const ArrayIn<std::uint32_t>& lengths, Pick pick, Side attach, unsigned threads) {
            const CorpusLinks links = corpus_links(offsets, source, target, span_of(strengths), lengths);
            CorpusRanks found = outside_python([&] { return word_ranks(links, pick, attach, threads); });
            return nb::make_tuple(array_from(std::move(found.offsets)), array_from(std::move(found.ranks)));
        },
        "offsets"_a.noconvert(), "source"_a.noconvert(), "target"_a.noconvert(), "strengths"_a.noconvert(),
        "lengths"_a.noconvert(), "pick"_a, "attach"_a, "threads"_a, "Offsets and ranks of the words of all sentences.");
    module.def(
        "minimal_phrases",
        [](const Offsets& offsets, const Positions& source, const Positions& target,
           const ArrayIn<std::uint32_t>& lengths, unsigned threads) {
            const CorpusLinks links = corpus_links(offsets, source, target, {}, lengths);
            CorpusBlocks found = outside_python([&] { return minimal_phrases(links, threads); });
            return nb::make_tuple(array_from(std::move(found.offsets)), array_from(std::move(found.begins)),
                                  array_from(std::move(found.ends)), array_from(std::move(found.ranks)));
        },
        "offsets"_a.noconvert(), "source"_a.noconvert(), "target"_a.noconvert(), "lengths"_a.noconvert(), "threads"_a,
        "Offsets, first words, ends and ranks of the minimal phrases of all sentences.");
    module.def(
        "largest_arities",
        [](const Offsets& offsets, const Positions& ranks, unsigned threads) {
            return array_from(
                outside_python([&] { return largest_arities(span_of(offsets), span_of(ranks), threads); }));
        },
        "offsets"_a.noconvert(), "ranks"_a.noconvert(), "threads"_a,
        "The size of the largest operator of each permutation.");
}

void bind_trees(nb::module_& module) {
    module.def(
        "canonical_tree",
        [](const Positions& ranks, bool linear) {
            return as_arrays(outside_python([&] { return tree_of(span_of(ranks), linear); }));
        },
        "ranks"_a.noconvert(), "linear"_a,
        "First units, ends, least ranks, arities and children of the nodes of a tree, children before parents.");
    module.def(
        "flat_tree",
        [](const Positions& ranks) {
            return as_arrays(outside_python([&] { return flat_tree(tree_of(span_of(ranks), true)); }));
        },
        "ranks"_a.noconvert(), "The same with chains of one binary operator as one node.");
    module.def(
        "branching_tree",
        [](const Positions& ranks, Side side) {
            return as_arrays(
                outside_python([&] { return branching_tree(flat_tree(tree_of(span_of(ranks), true)), side); }));
        },
        "ranks"_a.noconvert(), "side"_a, "The same with chains that branch to one side.");
    module.def("permutation_forest", &forest_of, "ranks"_a.noconvert(), "loose"_a.noconvert(), "begins"_a.noconvert(),
               "trees"_a, "attachments"_a, "All trees of a sentence, or one, as a packed forest.");
}

}  // namespace

void bind_order(nb::module_& module) {
    nb::enum_<Pick>(module, "Pick", "Which of several links counts.")
        .value("leftmost", Pick::leftmost)
        .value("rightmost", Pick::rightmost)
        .value("strongest", Pick::strongest)
        .value("average", Pick::average);
    nb::enum_<Side>(module, "Side", "Which neighbour.").value("left", Side::left).value("right", Side::right);
    nb::enum_<Trees>(module, "Trees", "Which trees of a permutation.")
        .value("all", Trees::all)
        .value("left", Trees::left)
        .value("right", Trees::right);
    bind_permutations(module);
    bind_trees(module);
    bind_order_grammar(module);
}
