"""RIBES against its definition, written down slowly."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import metrics as core
from pentaglot.errors import PentaglotError
from pentaglot.metrics import Ribes

WORDS = st.lists(st.sampled_from("abcdef"), max_size=9)


def occurrences(part: list[str], words: list[str]) -> list[int]:
    return [at for at in range(len(words) - len(part) + 1) if words[at : at + len(part)] == part]


def place(at: int, said: list[str], wanted: list[str]) -> int | None:
    """Where in the reference a word is: with more and more neighbours, first on the right, until both have it once."""
    parts = [(at, at + 1)]
    for more in range(1, len(said)):
        parts += [(at, at + 1 + more)] if at + more < len(said) else []
        parts += [(at - more, at + 1)] if at - more >= 0 else []
    for begin, end in parts:
        found = occurrences(said[begin:end], wanted)
        if len(found) == 1 and len(occurrences(said[begin:end], said)) == 1:
            return found[0] + at - begin
    return None


def twin(said: list[str], wanted: list[str]) -> float:
    if not said or not wanted:
        return float(not said and not wanted)
    places = [found for at in range(len(said)) if (found := place(at, said, wanted)) is not None]
    penalty = min(1.0, math.exp(1 - len(wanted) / len(said)))
    if len(places) == 1 and len(wanted) == 1:
        return float((1 / len(said)) ** 0.25 * penalty**0.1)
    if len(places) < 2:
        return 0.0
    pairs = [(i, j) for j in range(len(places)) for i in range(j)]
    correlation = sum(places[i] < places[j] for i, j in pairs) / len(pairs)
    return float(correlation * (len(places) / len(said)) ** 0.25 * penalty**0.1)


@given(WORDS, WORDS)
@settings(max_examples=500, deadline=None)
def test_it_is_the_definition(said: list[str], wanted: list[str]) -> None:
    found = Ribes(cut=False).statistics([" ".join(said)], [[" ".join(wanted)]])
    assert found[0, 0] == pytest.approx(twin(said, wanted), abs=1e-12)


def test_the_example_of_the_paper() -> None:
    """Isozaki et al. 2010: swapped clauses, where BLEU sees little wrong, have a low rank correlation."""
    reference = ["he", "was", "soaked", "to", "the", "skin", "because", "he", "was", "caught", "in", "the", "rain"]
    swapped = ["he", "was", "caught", "in", "the", "rain", "because", "he", "was", "soaked", "to", "the", "skin"]
    literal = ["he", "caught", "a", "cold", "because", "he", "had", "gotten", "soaked", "in", "the", "rain"]
    found = Ribes().statistics([" ".join(swapped), " ".join(literal)], [[" ".join(reference)] * 2])[:, 0]
    assert found.tolist() == pytest.approx([twin(swapped, reference), twin(literal, reference)])
    assert found[1] > found[0]


def test_the_mean_over_segments_and_the_best_reference() -> None:
    ribes = Ribes()
    said, wanted = ["a b c", "c a b"], ["a b c", "a b c"]
    statistics = ribes.statistics(said, [wanted])
    assert ribes.score(statistics) == pytest.approx(50 * (1 + 1 / 3))
    assert ribes.statistics(said, [["x"] * 2, wanted]).tolist() == statistics.tolist()
    assert Ribes(lowercase=True).statistics(["A B"], [["a b"]])[0, 0] == 1


def test_long_lines_and_bad_calls() -> None:
    line = "a " * 3000
    found = core.ribes_statistics((line,), (line,), True, 2)
    assert found[1] == pytest.approx(2 / 3000)  # only the first and the last word can be told from the others
    words = " ".join(map(str, range(3000)))
    assert core.ribes_statistics((words,), (words,), True, 1)[0] == 1
    with pytest.raises(PentaglotError, match="needs one reference"):
        core.ribes_statistics(("a",), (), True, 1)
