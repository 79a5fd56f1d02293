"""Measures of word order: the values of the spec, and what must hold for all permutations."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from tests.order.brute import Tree, all_permutations, trees

from pentaglot.order import Permutation, tree_count
from pentaglot.order.measures import (
    MEASURES,
    forest_score,
    kendall_root,
    mean_ranks,
    tree_score,
)

# Spec 7.2: Kendall, Hamming, Spearman, Ulam, Fuzzy, |PET|, Max|Op|, #PETs, RecPET, RecPEF, number of trees.
TABLE = {
    "1234": "1 1 1 1 1 1 1 1 1 1 5",
    "4321": "0 0 0 0 0 1 1 1 0 0 5",
    "2134": "5/6 1/2 .9 2/3 1/3 1 1 1/4 .84 .82 2",
    "1243": "5/6 1/2 .9 2/3 1/3 1 1 1/4 .80 .82 2",
    "1324": "5/6 1/2 .9 2/3 0 1 1 1/4 .84 .84 2",
    "2143": "2/3 0 .8 1/3 0 1 1 0 .6 .6 1",
    "2413": "1/2 0 .5 1/3 0 0 0 0 0 0 1",
    "2431": "1/3 1/4 .3 1/3 0 1 1 0 .24 .24 1",
    "3412": "1/3 0 .2 1/3 2/3 1 1 0 .4 .4 1",
    "24135": ".7 .2 .75 1/2 0 1/3 1/3 0 .6 .6 1",
    "45312": ".2 .2 .1 1/4 1/2 1 1 1/13 .28 .28 2",
    "5724136": "3/7 1/7 11/28 1/3 0 1/5 3/5 0 0 0 1",
    "5674123": "2/7 1/7 1/7 1/3 2/3 1 1 7/131 .28 .28 8",
}


@pytest.mark.parametrize(("name", "row"), TABLE.items())
def test_values(name: str, row: str) -> None:
    permutation = Permutation.read(name)
    wanted = [float(Fraction(each)) for each in row.split()]
    assert [measure(permutation) for measure in MEASURES.values()] == pytest.approx(wanted[:-1])
    assert tree_count(permutation) == wanted[-1]


def test_where_forest_and_tree_differ() -> None:
    assert tree_score(Permutation.read("12354")) == pytest.approx(4 / 5)
    assert forest_score(Permutation.read("12354")) == pytest.approx(331 / 375)
    assert tree_score(Permutation.read("31245")) == pytest.approx(113 / 125)
    assert forest_score(Permutation.read("31245")) == pytest.approx(223 / 250)


def test_means_over_all_of_five() -> None:
    """Spec 7.3."""
    found = list(all_permutations(5, 5))
    wanted = {"kendall": 1 / 2, "ulam": 43 / 96, "|pet|": 49 / 60, "#pets": 67 / 780}
    wanted |= {"recpet": 253 / 600, "recpef": 253 / 600}
    for name, mean in wanted.items():
        assert sum(map(MEASURES[name], found)) / len(found) == pytest.approx(mean)


@pytest.mark.parametrize("name", MEASURES)
def test_all_lie_between_0_and_1_and_the_identity_is_best(name: str) -> None:
    for permutation in all_permutations(6):
        assert 0 <= MEASURES[name](permutation) <= 1
    for size in range(1, 8):
        assert MEASURES[name](Permutation.identity(size)) == 1
    assert MEASURES[name](Permutation(())) == 0
    assert MEASURES[name](Permutation((0,))) == 1


def test_two_words() -> None:
    turned = {name: measure(Permutation((1, 0))) for name, measure in MEASURES.items()}
    assert [name for name, value in turned.items() if value == 1] == ["|pet|", "max|op|"]
    assert set(turned.values()) == {0.0, 1.0}
    assert kendall_root(Permutation.read("1324")) == pytest.approx(1 - (1 / 6) ** 0.5)


def test_inversion_and_rotation() -> None:
    """Spec 3.0 and 3.10: only RecPET changes when a permutation is inverted."""
    changed = set()
    for permutation in all_permutations(6):
        size = len(permutation)
        turned = Permutation(tuple(size - 1 - rank for rank in reversed(permutation.ranks)))
        for name, measure in MEASURES.items():
            value = measure(permutation)
            if measure(permutation.inverse) != pytest.approx(value):
                changed.add(name)
        assert forest_score(turned) == pytest.approx(forest_score(permutation))
    assert changed == {"recpet"}


def _score(permutation: Permutation, tree: Tree, beta: float) -> float:
    begin, end, children = tree
    if not children:
        return 1.0
    lows = [min(permutation.ranks[child[0] : child[1]]) for child in children]
    own = float(len(lows) == 2 and lows[0] < lows[1])
    if len(children) == end - begin:
        return own
    below = [_score(permutation, child, beta) for child in children if child[2]]
    return beta * own + (1 - beta) * sum(below) / len(below)


@pytest.mark.parametrize("beta", [0.0, 0.6])
def test_the_forest_is_the_mean_over_trees_drawn_from_the_top(beta: float) -> None:
    """Spec 7.8, property 3: with every way to divide a stretch equally likely."""

    for permutation in all_permutations(5):

        @cache
        def chance(tree: Tree, permutation: Permutation = permutation) -> float:
            part = Permutation(_pattern(permutation.ranks[tree[0] : tree[1]]))
            ways = len({tuple(child[:2] for child in each[2]) for each in trees(part)})
            return _product(chance(child) for child in tree[2]) / ways

        found = trees(permutation)
        assert sum(map(chance, found)) == pytest.approx(1.0)
        mean = sum(chance(tree) * _score(permutation, tree, beta) for tree in found)
        assert forest_score(permutation, beta) == pytest.approx(mean)
        if len(found) == 1:
            assert tree_score(permutation, beta) == pytest.approx(forest_score(permutation, beta))


def test_the_plain_mean_over_trees_is_another() -> None:
    permutation = Permutation.read("12354")
    found = trees(permutation)
    plain = sum(_score(permutation, tree, 0.6) for tree in found) / len(found)
    assert plain == pytest.approx(547 / 625)


def _uniform(permutation: Permutation, tree: Tree, beta: float) -> float:
    begin, end, children = tree
    if not children:
        return 1.0
    lows = [min(permutation.ranks[child[0] : child[1]]) for child in children]
    own = float(len(lows) == 2 and lows[0] < lows[1])
    below = sum((child[1] - child[0]) * _uniform(permutation, child, beta) for child in children) / (end - begin)
    return beta * own + (1 - beta) * below


def test_the_uniform_variant_is_the_stretched_mean_over_trees() -> None:
    for permutation in all_permutations(5, 2):
        means = []
        for each in (permutation, Permutation(tuple(reversed(range(len(permutation)))))):
            found = trees(each)
            means.append(sum(_uniform(each, tree, 0.6) for tree in found) / len(found))
        wanted = max(0.0, (means[0] - means[1]) / (1 - means[1]))
        assert forest_score(permutation, variant="uniform-length") == pytest.approx(wanted, abs=1e-12)


def _pattern(ranks: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(ranks).index(rank) for rank in ranks)


def _product(values: object) -> float:
    total = 1.0
    for value in values:  # type: ignore[attr-defined]
        total *= value
    return total


# Stanojević 2017, Tables 4.4 to 4.6: Kendall tau of metrics with human judgments, ten language pairs.
PUBLISHED = {
    "Kendall": ".16 .170 .183 .193 .218 .196 .265 .235 .173 .223",
    "Spearman": ".157 .170 .181 .192 .215 .199 .265 .236 .173 .222",
    "Hamming": ".150 .163 .168 .187 .196 .172 .239 .215 .157 .206",
    "Fuzzy": ".155 .166 .178 .189 .215 .184 .263 .228 .169 .216",
    "Ulam": ".159 .170 .181 .189 .221 .188 .264 .232 .171 .221",
    "RecPET": ".157 .165 .182 .195 .216 .200 .264 .234 .174 .221",
    "RecPEF": ".156 .173 .185 .196 .219 .201 .265 .237 .181 .228",
}


def test_mean_ranks_of_the_published_table() -> None:
    scores = {name: [float(each) for each in row.split()] for name, row in PUBLISHED.items()}
    wanted = {"Kendall": 2.65, "Spearman": 3.4, "Hamming": 7, "Fuzzy": 5.8, "Ulam": 4, "RecPET": 3.55, "RecPEF": 1.6}
    assert mean_ranks(scores) == pytest.approx(wanted)
    means = {name: sum(row) / len(row) for name, row in scores.items()}
    assert means["RecPEF"] == pytest.approx(0.2041) and means["Hamming"] == pytest.approx(0.1853)
