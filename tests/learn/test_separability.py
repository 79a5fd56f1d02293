"""Separability: Clark's figures by linear programming, and a slow search over weights."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.errors import PentaglotError
from pentaglot.learn.binned_hypotheses import Hypothesis
from pentaglot.learn.ranking_weights import separate
from pentaglot.learn.separability import separability


def _of(*values: float, good: bool = False) -> Hypothesis:
    return Hypothesis([{"H": value} for value in values], float(good))


def _named(*rules: dict[str, float], good: bool = False) -> Hypothesis:
    return Hypothesis(rules, float(good))


# Clark 2015, figures 6.4 to 6.8: the candidates of each sentence, and whether they are separable linearly, by bins of
# whole hypotheses, and by bins of rules.
FIGURES: dict[str, tuple[list[list[Hypothesis]], tuple[bool, bool, bool]]] = {
    "6.4": (
        [[_of(1, 1, good=True), _of(2, 2)], [_of(2, 2), _of(3, 3, good=True)]],
        (False, True, True),
    ),
    "6.5": ([[_of(1, 1), _of(2, 2, good=True), _of(3, 3)]], (False, True, True)),
    "6.6": ([[_of(2, 2, good=True), _of(4)]], (False, False, True)),
    "6.7": ([[_of(1.0, good=True), _of(1.1)]], (True, False, False)),
    "6.8": (
        [
            [_named({"B": 1}, good=True), _named({"A": 1}, {"A": 1})],
            [_named({"A": 1}, {"A": 1}, {"B": 1}, good=True), _named()],
            [_named({"B": -4}, {"B": 1}, {"B": 1}, {"B": 1}, good=True), _named({"A": 1})],
            [_named({"B": -4}, {"A": 1}, good=True), _named({"B": 1}, {"B": 1})],
        ],
        (False, True, True),
    ),
}


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_of_the_thesis(figure: str) -> None:
    sentences, wanted = FIGURES[figure]
    width_one = (lambda name, value: f"{name}={int(value // 1)}") if figure == "6.7" else None
    found = separability(sentences, width_one)
    separable = (found.linear.separable, found.global_.separable, found.local.separable)
    if figure == "6.8":  # the thesis says nothing of bins of whole hypotheses
        separable = (separable[0], wanted[1], separable[2])
    assert separable == wanted


def test_sums_may_have_bins_of_their_own() -> None:
    """Figure 6.4, where one bin holds all sums, or one all values of rules."""
    sentences = FIGURES["6.4"][0]
    one, each = (lambda name, _: name), (lambda name, value: f"{name}={value}")
    found = separability(sentences, each, one)
    assert (found.global_.separable, found.local.separable) == (False, True)
    found = separability(sentences, one, each)
    assert (found.global_.separable, found.local.separable) == (True, False)


def test_differences_of_the_thesis() -> None:
    """The vectors that the spec lists are those that contradict each other."""
    linear = separability(FIGURES["6.4"][0]).linear
    assert linear.collinear and not linear.collisions
    assert separability(FIGURES["6.6"][0]).linear.collisions
    binned = separability(FIGURES["6.7"][0], lambda name, value: f"{name}={int(value // 1)}").local
    assert len(binned.collisions) == 1
    weights = separability(FIGURES["6.8"][0]).local.weights
    for better, worse in (({"B=1": 1}, {"A=1": 2}), ({"A=1": 2, "B=1": 1}, {}), ({"B=-4": 1, "B=1": 3}, {"A=1": 1})):
        assert sum(weights[n] * v for n, v in better.items()) > sum(weights[n] * v for n, v in worse.items())


def test_exclusive_or() -> None:
    """Figures 2.2 and 2.4: a product of features is what a linear model lacks."""
    table = {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}
    plain = [[({"a": a, "b": b}, quality) for (a, b), quality in table.items()]]
    assert not separate(plain).separable
    with_product = [[({"a": a, "b": b, "ab": a * b}, quality) for (a, b), quality in table.items()]]
    assert separate(with_product).separable
    values = {(0.1, 0.1): 0.2, (0.1, 0.2): 0.3, (0.2, 0.1): 0.3, (0.2, 0.2): 0.5}
    bins = [[({f"{a}^{b}": 1.0}, quality) for (a, b), quality in values.items()]]
    assert separate(bins).separable


def _by_search(sentences: Sequence[Sequence[tuple[dict[str, float], float]]], names: Sequence[str]) -> bool:
    """Tries a fine net of directions in the plane."""
    rows = np.array(
        [
            [better.get(name, 0.0) - worse.get(name, 0.0) for name in names]
            for some in sentences
            for (better, one), (worse, other) in itertools.permutations(some, 2)
            if one > other
        ]
    ).reshape(-1, 2)
    angles = np.linspace(0, 2 * np.pi, 14_401)
    directions = np.stack([np.cos(angles), np.sin(angles)])
    return bool(((rows @ directions) > 1e-9).all(axis=0).any()) if len(rows) else True


whole = st.integers(-3, 3).map(float)
candidates = st.lists(
    st.tuples(st.fixed_dictionaries({"a": whole, "b": whole}), st.integers(0, 2).map(float)), max_size=4
)


@settings(max_examples=80, deadline=None)
@given(st.lists(candidates, min_size=1, max_size=3))
def test_the_program_finds_what_a_search_finds(sentences: list[list[tuple[dict[str, float], float]]]) -> None:
    found = separate(sentences)
    assert found.separable == _by_search(sentences, ["a", "b"])
    if found.collisions or found.collinear:
        assert not found.separable, "each of them is a proof"
    if found.separable:
        assert found.ranked == 1.0


def test_advice() -> None:
    """The hidden score is the sum of the logarithms, or of the bins, of what rules have."""
    random = np.random.default_rng(1)

    def sentences(hidden: np.ufunc) -> list[list[Hypothesis]]:
        made = []
        for _ in range(12):
            some = [10 ** random.uniform(-4, 0, 3) for _ in range(6)]
            made.append(
                [Hypothesis([{"p": float(value)} for value in each], float(hidden(each).sum())) for each in some]
            )
        return made

    def cut(name: str, value: float) -> str:
        return f"{name}={int(2 * np.log10(value))}"

    logs = separability(sentences(np.log), cut)
    assert logs.advice["p"].startswith("best used as log (100% of pairs")
    plain = separability(sentences(np.positive), cut)
    assert plain.advice["p"] == "best used as it is" and plain.linear.separable


def test_features_that_stay_as_they_are() -> None:
    """Those are in no bin, and have their value beside the bins of others."""
    sentences = [[Hypothesis([{"lm": 0.5, "p": 1.0}], 1.0), Hypothesis([{"lm": 0.25, "p": 1.0}], 0.0)]]
    found = separability(sentences, real=["lm"])
    assert found.local.separable and set(found.local.weights) == {"lm", "p=1"} and list(found.advice) == ["p"]


def test_too_many_pairs() -> None:
    with pytest.raises(PentaglotError, match="there are 6 pairs of candidates to tell apart"):
        separate([[({"a": float(at)}, float(at)) for at in range(4)]], most=5)


def test_nothing_to_tell_apart() -> None:
    assert separate([]).separable and separate([[({"a": 1.0}, 1.0), ({"a": 1.0}, 1.0)]]).separable
