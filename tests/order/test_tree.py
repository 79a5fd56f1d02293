"""Trees of all permutations of up to seven words, and of long ones, against their definition."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest
from tests.order.brute import Tree, all_permutations, is_prime, random_permutation, separable, trees

from pentaglot._core import order as core
from pentaglot.errors import PentaglotError
from pentaglot.order import (
    OrderTree,
    Permutation,
    Permutations,
    PermutationTree,
    Units,
    largest_operator,
    tree_count,
    tree_of,
)
from pentaglot.order.tree import catalan


def shape_of(tree: PermutationTree) -> Tree:
    return (*tree.span, tuple(shape_of(child) for child in tree.children))


# Stanojević 2017: §2.5.3 (5724136), and the canonical trees of the spec's table of metrics.
CANONICAL = {
    "1234": "12(12(12(1,2),3),4)",
    "4321": "21(21(21(4,3),2),1)",
    "2134": "12(12(21(2,1),3),4)",
    "1243": "12(12(1,2),21(4,3))",
    "1324": "12(12(1,21(3,2)),4)",
    "2143": "12(21(2,1),21(4,3))",
    "2413": "2413(2,4,1,3)",
    "2431": "21(12(2,21(4,3)),1)",
    "3412": "21(12(3,4),12(1,2))",
    "24135": "12(2413(2,4,1,3),5)",
    "45312": "21(21(12(4,5),3),12(1,2))",
    "5724136": "2413(5,7,2413(2,4,1,3),6)",
}


@pytest.mark.parametrize(("permutation", "tree"), CANONICAL.items())
def test_canonical_trees(permutation: str, tree: str) -> None:
    assert str(tree_of(Permutation.read(permutation))) == tree
    assert str(tree_of(Permutation.read(permutation), linear=False)) == tree


def test_both_parsers_find_the_same_trees() -> None:
    for permutation in all_permutations(7):
        assert tree_of(permutation) == tree_of(permutation, linear=False)


@pytest.mark.parametrize("make", [random_permutation, separable])
@pytest.mark.parametrize("seed", range(20))
def test_both_parsers_find_the_same_large_trees(make: type, seed: int) -> None:
    permutation = make(50 + 20 * seed, seed)
    quick = tree_of(permutation)
    assert quick == tree_of(permutation, linear=False)
    assert quick.permutation == permutation


def test_every_shape_is_made_of_primes_and_of_the_same_permutation() -> None:
    for permutation in all_permutations(6):
        known = set(trees(permutation))
        for shape in ("left", "right"):
            tree = tree_of(permutation, shape)  # type: ignore[arg-type]
            assert shape_of(tree) in known
            assert tree.permutation == permutation
        assert tree_of(permutation, "flat").permutation == permutation


def test_flat_trees_have_no_chain_under_its_like() -> None:
    for permutation in all_permutations(6):
        for node in tree_of(permutation, "flat").nodes():
            if not node.children:
                continue
            assert node.is_chain or is_prime(node.operator)
            same = [child for child in node.children if child.is_chain and node.is_chain]
            assert all(
                child.operator[:2] != node.operator[:2] and child.operator[0] != node.operator[0] for child in same
            )


def test_chains_branch_to_their_side() -> None:
    for permutation in all_permutations(6):
        for shape, last in (("left", 1), ("right", 0)):
            for node in tree_of(permutation, shape).nodes():  # type: ignore[arg-type]
                if len(node.children) == 2:
                    assert node.children[last].operator != node.operator


def test_counts_over_all_permutations() -> None:
    """Spec 7.3: primes, binarisable ones, those with one tree, and all trees, for sizes 2 to 7."""
    expected = {
        2: (2, 2, 2, 2),
        3: (0, 6, 4, 8),
        4: (2, 22, 12, 42),
        5: (6, 90, 58, 254),
        6: (46, 394, 382, 1698),
        7: (338, 1806, 2954, 12322),
    }
    for size, numbers in expected.items():
        found = list(all_permutations(size, size))
        assert len(found) == factorial(size)
        counts = [tree_count(each) for each in found]
        primes = sum(len(tree_of(each).children) == size for each in found)
        binary = sum(largest_operator(each) <= 2 for each in found)
        assert (primes, binary, counts.count(1), sum(counts)) == numbers


def test_count_equals_the_number_of_trees() -> None:
    for permutation in all_permutations(6):
        assert tree_count(permutation) == len(trees(permutation))


def test_known_counts() -> None:
    assert tree_count(Permutation.read("12354876")) == 28
    assert tree_count(Permutation.read("5671234")) == 2 * 5
    assert tree_count(Permutation.read("5674123")) == 8
    assert catalan(6) == 132  # a chain of six nodes (§2.5.3)
    assert tree_count(Permutation.identity(50)) == catalan(49) > 10**26


def test_many_permutations_at_once() -> None:
    given = [random_permutation(size, size) for size in range(1, 200)]
    joined = Permutations.join(given)
    found = [core.largest_arities(joined.offsets, joined.ranks, threads) for threads in (1, 4)]
    assert found[0].tolist() == found[1].tolist() == [largest_operator(each) for each in given]
    assert core.largest_arities(np.zeros(2, np.uint64), np.empty(0, np.uint16), 1).tolist() == [0]


def test_nothing_has_no_tree() -> None:
    with pytest.raises(PentaglotError, match="an empty permutation"):
        tree_of(Permutation(()))
    with pytest.raises(PentaglotError, match="there is no shape 'flatt' of trees; did you mean 'flat'"):
        tree_of(Permutation((0,)), "flatt")  # type: ignore[arg-type]
    with pytest.raises(PentaglotError, match="not a permutation"):
        core.flat_tree(np.array([0, 2], np.uint16))


def test_deep_trees() -> None:
    assert tree_of(Permutation.identity(5000)).permutation == Permutation.identity(5000)
    assert str(tree_of(Permutation.identity(5000))).count("12(") == 4999
    one, other, right = (tree_of(Permutation.identity(5000), shape) for shape in ("left", "left", "right"))  # type: ignore[arg-type]
    assert one == other != right and hash(one) == hash(other) and one is not other
    assert repr(one) == f"PermutationTree({one})"
    gold, again = (OrderTree.gold(Units.of_words(Permutation.identity(2000))) for _ in range(2))
    assert gold == again != gold.children[0] and hash(gold) == hash(again) and repr(gold) == f"OrderTree({gold})"
