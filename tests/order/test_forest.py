"""The permutation forest against all trees of a permutation, and words without links in all places."""

from __future__ import annotations

from itertools import product

import pytest
from tests.order.brute import all_permutations, blocks, random_permutation, trees

from pentaglot.align import Alignment
from pentaglot.errors import PentaglotError
from pentaglot.forest import Derivation, Forest
from pentaglot.order import Permutation, Units, minimal_phrases, permutation_forest, tree_count, tree_of
from pentaglot.order.forest import ATTACHMENTS, OPERATORS, span_of


def spans(forest: Forest) -> set[tuple[int, int]]:
    return {span_of(payload) for payload in forest.packed.node_payloads.tolist()}


def told(forest: Forest, derivation: Derivation, place: int = 0) -> str:
    """A derivation as text: operators, and words by their positions."""
    edge = int(derivation.edges[place])
    kind = int(forest.packed.edge_payloads[edge])
    below = [told(forest, derivation, child) for child in derivation.children(place)]
    if not below:
        return "[" + " ".join(map(str, forest.template(edge))) + "]"
    return f"{OPERATORS[kind]}({','.join(below)})"


def all_told(units: Units, **options: object) -> set[str]:
    forest = permutation_forest(units, **options)  # type: ignore[arg-type]
    return {told(forest, each) for each in forest.derivations()}


def test_spans_are_blocks_and_derivations_are_trees() -> None:
    """Spec 7.8, properties 1 and 2, for all permutations of up to seven words."""
    for permutation in all_permutations(7):
        forest = permutation_forest(permutation)
        words = {(i, i + 1) for i in range(len(permutation))}
        assert spans(forest) == blocks(permutation) | words
        assert forest.nodes == len(spans(forest))
        assert forest.count() == tree_count(permutation)


def test_every_derivation_yields_the_order() -> None:
    for permutation in all_permutations(5):
        forest = permutation_forest(permutation)
        found = list(forest.derivations())
        assert len(found) == len(trees(permutation))
        assert {each.words for each in found} == {permutation.order}


@pytest.mark.parametrize(("size", "edges"), [(4, 10), (10, 165), (20, 1330)])
def test_edges_of_the_identity(size: int, edges: int) -> None:
    """n(n²-1)/6, beside one edge for each word."""
    assert permutation_forest(Permutation.identity(size)).edges == edges + size


def test_the_inverted_sentence() -> None:
    """§4.4: the root of ⟨4,3,2,1⟩ has split points 1, 2 and 3."""
    forest = permutation_forest(Permutation.read("4321"))
    root = forest.incoming(forest.goal)
    children = [[span_of(int(forest.packed.node_payloads[tail])) for tail in forest.tails(edge)] for edge in root]
    assert [[begin for begin, _ in each[1:]] for each in children] == [[1], [2], [3]]
    assert {OPERATORS[int(forest.packed.edge_payloads[edge])] for edge in root} == {"21"}


def test_one_tree_alone() -> None:
    for permutation in all_permutations(6):
        for side in ("left", "right"):
            forest = permutation_forest(permutation, side)  # type: ignore[arg-type]
            assert forest.count() == 1
            assert spans(forest) == {node.span for node in tree_of(permutation, side).nodes()}  # type: ignore[arg-type]


def test_large_operators() -> None:
    for seed in range(20):
        given = random_permutation(30, seed)
        assert permutation_forest(given).viterbi().words == given.order


def units(links: list[tuple[int, int]], words: int) -> Units:
    return minimal_phrases(Alignment.from_links([links]), [words])[0]


def test_worked_example() -> None:
    """Spec 7.4: 21([0 1], 12([2], 01(3, [4]))), read in the order 2 3 4 0 1."""
    given = units([(0, 2), (1, 2), (2, 0), (4, 1)], 5)
    assert all_told(given) == {"21([0 1],12([2],01([3],[4])))"}
    assert permutation_forest(given).viterbi().words == (2, 3, 4, 0, 1)


def test_where_words_without_links_go() -> None:
    """Word 1 lies between two phrases, of which the second is made of two that are turned around."""
    given = units([(0, 0), (2, 2), (3, 1)], 4)
    assert all_told(given, attach=["right-bottom"]) == {"12([0],21(01([1],[2]),[3]))"}
    assert all_told(given, attach=["right-top"]) == {"12([0],01([1],21([2],[3])))"}
    assert all_told(given, attach=["left-bottom"]) == {"12(10([0],[1]),21([2],[3]))"}
    assert all_told(given, attach=["left-top"]) == {"12(10([0],[1]),21([2],[3]))"}


def test_the_first_and_the_last_words() -> None:
    given = units([(1, 1), (2, 0)], 4)
    for side in ("left", "right"):
        assert all_told(given, attach=[f"{side}-bottom"]) == {"21(01([0],[1]),10([2],[3]))"}
    assert all_told(given, attach=["right-top"]) == {"10(01([0],21([1],[2])),[3])"}
    assert all_told(given, attach=["left-top"]) == {"01([0],10(21([1],[2]),[3]))"}


def test_several_in_a_row_nest() -> None:
    given = units([(2, 0)], 5)
    assert all_told(given) == {"10(10(01([0],01([1],[2])),[3]),[4])"}
    assert all_told(given, attach=["left-bottom"]) == {"01([0],01([1],10(10([2],[3]),[4])))"}


def test_words_inside_a_phrase_have_no_node() -> None:
    assert all_told(units([(0, 0), (2, 0), (3, 1)], 4)) == {"12([0 1 2],[3])"}


def test_attached_words_are_no_part_of_chains() -> None:
    """Three phrases in order have two trees; the word that is attached to one of them makes no further ones."""
    assert len(all_told(units([(0, 0), (2, 1), (3, 2)], 4))) == 2


def test_several_ways_at_once() -> None:
    """A span may then have several operators, and a forest has at least the trees of each way."""
    given = units([(1, 0), (2, 1)], 3)
    both = all_told(given, attach=["right-bottom", "right-top"])
    assert both == {"12(01([0],[1]),[2])", "01([0],12([1],[2]))"}
    longer = units([(0, 1), (2, 0), (4, 2), (5, 3)], 7)
    ways = [all_told(longer, attach=[way]) for way in ATTACHMENTS]
    together = all_told(longer, attach=ATTACHMENTS)
    assert set().union(*ways) <= together
    assert all_told(longer, attach=ATTACHMENTS * 2) == together
    turned = permutation_forest(units([(0, 1), (2, 0)], 3), attach=["right-bottom", "left-bottom"])
    assert {each.words for each in turned.derivations()} == {(1, 2, 0), (2, 0, 1)}, "a word beside either neighbour"


@pytest.mark.parametrize("attach", ATTACHMENTS)
def test_words_keep_their_side(attach: str) -> None:
    """Whatever is linked, a loose word stands beside its host, and all trees give one order."""
    for links in product([(0, 2), (0, 1)], [(2, 0), (2, 3)], [(4, 1), (4, 4)]):
        if len({j for _, j in links}) < 3:
            continue
        given = units(list(links), 6)
        forest = permutation_forest(given, attach=[attach])  # type: ignore[list-item]
        assert forest.count() == tree_count(given.permutation), "loose words make no further trees"
        orders = {each.words for each in forest.derivations()}
        assert len(orders) == 1
        order = orders.pop()
        assert sorted(order) == list(range(6))
        if attach.endswith("bottom"):
            steps = {"right": ((1, 2), (3, 4), (4, 5)), "left": ((0, 1), (2, 3), (4, 5))}[attach.split("-")[0]]
            assert all(order.index(one) + 1 == order.index(other) for one, other in steps)


def test_no_links_no_forest() -> None:
    with pytest.raises(PentaglotError, match="without links"):
        permutation_forest(units([], 2))
    with pytest.raises(PentaglotError, match="no attachment 'up'"):
        permutation_forest(Permutation((0,)), attach=["up"])  # type: ignore[list-item]
    with pytest.raises(PentaglotError, match="attached somewhere"):
        permutation_forest(Permutation((0,)), attach=[])
    with pytest.raises(PentaglotError, match="there are no trees 'rigth'; did you mean 'right'"):
        permutation_forest(Permutation((0,)), "rigth")  # type: ignore[arg-type]


def test_too_many_trees_are_not_written_down() -> None:
    """Nor begun: 5,000 words would have 21 thousand million edges."""
    for size in (1000, 5000):
        with pytest.raises(PentaglotError, match="too many trees"):
            permutation_forest(Permutation.identity(size))
    assert permutation_forest(Permutation.identity(5000), "left").count() == 1
