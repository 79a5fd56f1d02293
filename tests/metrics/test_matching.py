"""Which words are matched, against a search through all ways to match them; and their order."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import metrics as core
from pentaglot.errors import MissingDependencyError, OptionError, PentaglotError
from pentaglot.metrics import Matching
from pentaglot.metrics import stems as stems_module

WORDS = st.lists(st.sampled_from("abc"), max_size=6)
Links = list[tuple[int, int]]


def all_matchings(said: list[str], wanted: list[str]) -> list[Links]:
    """All ways to link equal words, as many as there are, each word once; links of one word never cross each other."""
    found: list[Links] = [[]]
    for word in sorted(set(said) & set(wanted)):
        places = [[at for at, each in enumerate(side) if each == word] for side in (said, wanted)]
        count = min(map(len, places))
        ways = [
            list(zip(one, other, strict=True))
            for one in combinations(places[0], count)
            for other in combinations(places[1], count)
        ]
        found = [[*before, *way] for before in found for way in ways]
    return [sorted(links) for links in found]


def crossings(links: Links) -> int:
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(links, 2))


def rank(links: Links, said: int, wanted: int) -> tuple[int, int, int]:
    """What the best matching has least of: crossings, chunks, distance."""
    joined = sum((i + 1, j + 1) in links for i, j in links)
    return crossings(links), -joined, sum(abs(i * wanted - j * said) for i, j in links)


@given(WORDS, WORDS)
@settings(max_examples=400, deadline=None)
def test_the_best_of_all_matchings(said: list[str], wanted: list[str]) -> None:
    links = Matching("exact", cut=False).links(" ".join(said), " ".join(wanted))
    assert len(links) == sum((Counter(said) & Counter(wanted)).values())
    best = min(rank(each, len(said), len(wanted)) for each in all_matchings(said, wanted))
    assert rank(links, len(said), len(wanted)) == best


def test_uncrossing_never_adds_crossings() -> None:
    """Why links of the same word need not be tried crossed: of all one-to-one matchings none is better."""
    draw = random.Random(1)
    for _ in range(200):
        size = draw.randrange(2, 6)
        links = list(zip(range(size), draw.sample(range(size), size), strict=True))
        one, other = sorted(draw.sample(range(size), 2))
        if links[one][1] > links[other][1]:
            turned = list(links)
            turned[one], turned[other] = (one, links[other][1]), (other, links[one][1])
            assert crossings(turned) < crossings(links)


def test_chunks() -> None:
    found = Matching("exact").orders(["a b c d", "b a", "x", ""], ["a b x c d", "a b", "y", "a"])
    assert found["chunks"].tolist() == [2, 2, 0, 0] and found.matched.tolist() == [4, 2, 0, 0]


def test_neighbours_stay_together() -> None:
    assert Matching("exact").links("the house", "the man in the house") == [(0, 3), (1, 4)]


def test_similar_spellings() -> None:
    matching = Matching("similar")
    assert matching.links("he walks home", "home he walked") == [(0, 1), (1, 2), (2, 0)]
    assert matching.links("cats", "cat") == []  # too short to be told from others
    assert matching.links("walking", "talking walkings") == [(0, 1)]  # the most similar
    assert Matching("exact").links("he walks home", "home he walked") == [(0, 1), (2, 0)]
    found = matching.orders(["he walks home"], ["home he walked"])
    assert [found[name][0] for name in ("exact", "stem", "similar", "units")] == [2, 0, 1, 3]


def test_stems() -> None:
    pytest.importorskip("snowballstemmer")
    assert Matching("stem", "english").links("he walks Running", "runs he walk") == [(0, 1), (1, 2), (2, 0)]
    assert Matching("all", "english").links("nations walking", "walked nationalist") == [(1, 0)]
    found = Matching("all", "german").orders(["die Häuser, klein"], ["kleines Haus"])
    assert [found[name][0] for name in ("exact", "stem", "similar")] == [0, 2, 0]
    with pytest.raises(OptionError, match="no stemmer for 'englisch'; did you mean 'english'"):
        Matching("stem", "englisch").links("a", "a")
    with pytest.raises(OptionError, match="needs the language"):
        Matching("stem")


def test_without_a_stemmer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "snowballstemmer", None)
    stems_module.stemmer.cache_clear()
    with pytest.raises(
        MissingDependencyError, match=r"needs the package snowballstemmer; pip install 'pentaglot\[stem"
    ):
        Matching("stem", "english").links("a", "a")
    stems_module.stemmer.cache_clear()


def test_words_without_a_match() -> None:
    """Spec 3.1: left out and renumbered, or moved with the nearest match on one side."""
    said, wanted = ["d x a"], ["a b c d"]
    ignored, left, right = (
        Matching("exact", unmatched=each).orders(said, wanted) for each in ("ignore", "left", "right")
    )
    assert [each["units"][0] for each in (ignored, left, right)] == [2, 4, 4]
    assert ignored["kendall"][0] == 0
    assert left["kendall"][0] == pytest.approx(3 / 6)  # d a b c
    assert right["kendall"][0] == pytest.approx(3 / 6)  # b c d a
    assert left["hamming"][0] == right["hamming"][0] == 0
    assert Matching("exact", unmatched="left").orders(["x"], wanted)["units"][0] == 0


def test_function_words() -> None:
    found = Matching("exact").orders(["the cat of the house"], ["the house of cards"], function_words=["the", "of"])
    names = ("function words", "reference function words", "exact function words", "exact")
    assert [found[name][0] for name in names] == [3, 2, 2, 3]


def test_any_number_of_threads_and_long_lines() -> None:
    draw = random.Random(2)
    lines = [" ".join(draw.choices(["a", "b", "c", "d", "walk", "walks"], k=draw.randrange(40))) for _ in range(600)]
    one, eight = (Matching().orders(lines, lines[::-1], threads=threads).rows for threads in (1, 8))
    assert (one == eight).all()
    long = " ".join(draw.choices(["a", "b", "c", "talking", "walking"], k=2000))
    found = Matching().orders([long, "a " * 3000, ""], [" ".join(long.split()[::-1]), "a " * 2999, "a"])
    assert np.isfinite(found.rows).all() and found["kendall"].tolist()[1:] == [1, 0]


def test_bad_calls() -> None:
    good = (("a",), ("a",), (), (), (), True, 0.5, core.Unmatched.ignore, 0.6, False, 1)
    assert core.word_orders(*good).size == 27
    for place, bad, said in [
        (1, (), "needs one reference"),
        (2, ("a",), "stems are needed for all"),
        (6, 2.0, "similarity"),
        (6, float("nan"), "similarity"),
        (8, -1.0, "weight of a node"),
    ]:
        with pytest.raises(PentaglotError, match=said):
            core.word_orders(*good[:place], bad, *good[place + 1 :])
    with pytest.raises(PentaglotError, match="another number of stems than of words"):
        core.word_orders(("a b",), ("a",), ("a",), ("a",), *good[4:])
    with pytest.raises(PentaglotError, match="more than 65534 words"):
        core.word_orders(("a " * 65_535,), ("a",), *good[2:])
    with pytest.raises(OptionError, match="option 'stages' cannot be 'stems'; did you mean 'stem'"):
        Matching("stems")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="option 'unmatched' cannot be 'up'; known: ignore, left, right"):
        Matching(unmatched="up")  # type: ignore[arg-type]
