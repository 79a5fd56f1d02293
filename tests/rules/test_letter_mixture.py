"""Telling transliterations from translations by EM, against all ways to cut a pair, tried one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core.rules import LetterMixture
from pentaglot.errors import PentaglotError
from pentaglot.rules.letter_words import chances_of_words, letter_arrays

SHAPES = ((1, 0), (1, 1), (1, 2), (2, 1))
Unit = tuple[str, str]
Pairs = list[tuple[str, str]]
PAIRS = st.lists(st.tuples(st.text("abc", min_size=1, max_size=4), st.text("xyz", min_size=1, max_size=5)), min_size=1)


def mixture(pairs: Pairs, classes: list[int] | None = None, longer: float = 0.5) -> LetterMixture:
    sides = [source for source, _ in pairs], [target for _, target in pairs]
    apart = chances_of_words(sides[0]) * chances_of_words(sides[1])
    numbers = np.array(classes or [0] * len(pairs), np.uint32)
    return LetterMixture(*letter_arrays(sides[0]), *letter_arrays(sides[1]), apart, numbers, longer)


def cuts(source: str, target: str) -> Iterator[list[Unit]]:
    """Every way to cut a pair into units."""
    if not source:
        if not target:
            yield []
        return
    for left, right in SHAPES:
        if left <= len(source) and right <= len(target):
            for rest in cuts(source[left:], target[right:]):
                yield [(source[:left], target[:right]), *rest]


def unit_chances(made: LetterMixture) -> dict[Unit, float]:
    names = [("".join(map(chr, one)), "".join(map(chr, other))) for one, other in made.units]
    return dict(zip(names, made.chances.tolist(), strict=True))


@given(PAIRS, st.data())
def test_a_round_is_what_all_cuts_together_say(pairs: Pairs, data: st.DataObject) -> None:
    classes = data.draw(st.lists(st.integers(0, 2), min_size=len(pairs), max_size=len(pairs)))
    made = mixture(pairs, classes)
    for _ in range(data.draw(st.integers(0, 3))):
        made.round(1)
    chances, end, shares = unit_chances(made), made.end, made.shares
    apart = chances_of_words([one for one, _ in pairs]) * chances_of_words([other for _, other in pairs])
    counts, posteriors, likelihood = Counter[Unit](), [], 0.0
    for number, pair in enumerate(pairs):
        ways = [(cut, math.prod(chances[unit] for unit in cut) * end) for cut in cuts(*pair)]
        share = shares[classes[number]]
        total = share * sum(chance for _, chance in ways) + (1 - share) * apart[number]
        posteriors.append(share * sum(chance for _, chance in ways) / total)
        likelihood += math.log(total)
        for cut, chance in ways:
            for unit in cut:
                counts[unit] += share * chance / total  # type: ignore[assignment]
    assert made.round(1) == pytest.approx(likelihood, rel=1e-9)
    assert made.posteriors.tolist() == pytest.approx(posteriors, abs=1e-9)
    whole = counts.total() + sum(posteriors)
    if whole > 1e-6:
        assert made.end == pytest.approx(sum(posteriors) / whole, abs=1e-8)
        for unit, chance in unit_chances(made).items():
            assert chance == pytest.approx(counts[unit] / whole, abs=1e-8)
    for each in set(classes):
        own = [made for made, kind in zip(posteriors, classes, strict=True) if kind == each]
        assert made.shares[each] == pytest.approx(sum(own) / len(own), abs=1e-9)


@given(PAIRS, st.integers(0, 3))
def test_the_best_cut_is_the_best_of_all(pairs: Pairs, rounds: int) -> None:
    made = mixture(pairs)
    for _ in range(rounds):
        made.round(1)
    chances = unit_chances(made)
    for number, (source, target) in enumerate(pairs):
        every = [math.prod(chances[unit] for unit in cut) for cut in cuts(source, target)]
        found, at, to = 1.0, 0, 0
        cut = made.best_cut(number)
        assert bool(cut) == (max(every, default=0.0) > 0)
        for left, right in cut:
            found *= chances[source[at : at + left], target[to : to + right]]
            at, to = at + left, to + right
        if cut:
            assert (at, to) == (len(source), len(target)) and found == pytest.approx(max(every))


@given(PAIRS)
def test_pairs_become_likelier_with_every_round(pairs: Pairs) -> None:
    made = mixture(pairs)
    found = [made.round(1) for _ in range(12)]
    assert all(later >= before - 1e-9 * abs(before) for before, later in pairwise(found))


def cipher(number: int, seed: int = 0) -> Pairs:
    """Half of the pairs are one word in two scripts; in the other half, words have nothing to do with each other."""
    random = np.random.default_rng(seed)
    letters, others = "abcdefghij", ["α", "β", "γδ", "δ", "ε", "φ", "γ", "θ", "ιε", "κ"]
    pairs = []
    for place in range(number):
        word = "".join(letters[each] for each in random.integers(0, 10, random.integers(3, 9)))
        other = "".join(others[letters.index(each)] for each in word)
        if place % 2:
            other = "".join(random.permutation(list("αβγδεφγθικ"))[: random.integers(3, 9)])
        pairs.append((word, other))
    return pairs


def test_a_cipher_is_told_from_chance() -> None:
    pairs = cipher(600)
    made = mixture(pairs, longer=0.1)
    for _ in range(15):
        made.round(1)
    # By now units that one pair alone has a use for explain a fifth of the others, too.
    for _ in range(5):
        made.drop_rare(1.01)
        made.round(1)
    right = [(posterior > 0.5) == (number % 2 == 0) for number, posterior in enumerate(made.posteriors.tolist())]
    assert np.mean(right) > 0.99
    assert made.shares[0] == pytest.approx(0.5, abs=0.01)
    chances = unit_chances(made)
    for unit in (("a", "α"), ("c", "γδ"), ("i", "ιε")):
        assert chances[unit] == max(chance for (source, _), chance in chances.items() if source == unit[0])


def test_rare_units_can_be_given_up() -> None:
    pairs: Pairs = [("ab", "xy")] * 5 + [("ac", "xz")]
    made = mixture(pairs)
    for _ in range(10):
        made.round(1)
    assert unit_chances(made)["c", "z"] > 0
    made.drop_rare(1.5)
    chances = unit_chances(made)
    assert chances["c", "z"] == 0 < chances["a", "x"]
    made.round(1)
    assert made.posteriors[5] == 0 < made.posteriors[0] and made.best_cut(5) == []


def test_the_same_with_any_number_of_threads() -> None:
    pairs = cipher(3000)

    def learnt(threads: int) -> tuple[list[float], bytes, bytes]:
        made = mixture(pairs)
        likelihoods = [made.round(threads) for _ in range(3)]
        return likelihoods, made.chances.tobytes(), made.posteriors.tobytes()

    assert learnt(1) == learnt(2) == learnt(7)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: np.array([97, 0x110000, 98], np.uint32)}, "a letter is not a code point"),
        ({1: np.array([0, 0, 3], np.uint64)}, "has no letters, or too many"),
        ({1: np.array([0, 2, 4], np.uint64)}, "are missing"),
        ({1: np.array([0, 3], np.uint64)}, "unequal numbers of words"),
        ({1: np.array([], np.uint64)}, "are missing"),
        ({4: np.array([0.5], np.float64)}, "needs the chance"),
        ({4: np.array([0.5, np.nan], np.float64)}, "needs the chance"),
        ({5: np.array([0, 1 << 30], np.uint32)}, "needs a class"),
        ({6: 2.0}, "between 0 and 1"),
        ({6: math.nan}, "between 0 and 1"),
    ],
)
def test_bad_arrays_are_refused(change: dict[int, object], message: str) -> None:
    good = [*letter_arrays(["ab", "c"]), *letter_arrays(["x", "yz"]), np.full(2, 0.1), np.zeros(2, np.uint32), 0.5]
    made = LetterMixture(*good)  # type: ignore[arg-type]
    with pytest.raises(PentaglotError, match="no such pair"):
        made.best_cut(2)
    with pytest.raises(PentaglotError, match=message):
        LetterMixture(*[change.get(number, each) for number, each in enumerate(good)])  # type: ignore[arg-type]


def test_nothing_and_very_long_words() -> None:
    none = LetterMixture(*letter_arrays([]), *letter_arrays([]), np.empty(0), np.empty(0, np.uint32), 0.5)
    assert none.round(2) == 0.0 and len(none) == 0 and not len(none.shares)
    with pytest.raises(PentaglotError, match="too many"):
        mixture([("a" * 41, "x")])
    long = mixture([("ab" * 20, "xy" * 20)])
    assert all(math.isfinite(long.round(1)) for _ in range(30))
