"""What only TER has: edits counted by hand, shifts that cost one, and an edit rate without a reference."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.texts import segments

from pentaglot._core import metrics as core
from pentaglot.errors import PentaglotError
from pentaglot.metrics import Ter
from pentaglot.metrics.sacre import corpus_statistics

words = st.lists(st.sampled_from("abcd"), max_size=6)


def distance(one: list[str], other: list[str]) -> int:
    """Levenshtein's, by its definition."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


@given(words, words)
def test_never_more_than_without_shifts(hypothesis: list[str], reference: list[str]) -> None:
    ((edits, length),) = Ter().statistics([" ".join(hypothesis)], [[" ".join(reference)]]).tolist()
    assert length == len(reference)
    assert abs(len(hypothesis) - len(reference)) <= edits <= distance(hypothesis, reference)
    assert (edits == 0) == (hypothesis == reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits"),
    [
        ("a b c d", "a b c d", 0),
        ("c d a b", "a b c d", 1),  # one shift
        ("a x c d", "a b c d", 1),
        ("a c d", "a b c d", 1),
        ("A B", "a b", 0),
        ("", "a b", 2),
        ("a b", "", 2),
    ],
)
def test_by_hand(hypothesis: str, reference: str, edits: int) -> None:
    assert Ter().statistics([hypothesis], [[reference]])[0, 0] == edits


def test_without_a_reference_any_word_is_wrong() -> None:
    assert Ter().scores(np.array([[2.0, 0.0], [0.0, 0.0], [3.0, 2.0]])).tolist() == [100.0, 0.0, 150.0]


def test_case_and_punctuation() -> None:
    pair = ["A house!"], [["a house"]]
    assert Ter().statistics(*pair)[0, 0] == 1
    assert Ter(case_sensitive=True).statistics(*pair)[0, 0] == 2
    assert Ter(punctuation=False).statistics(*pair)[0, 0] == 0


@pytest.mark.parametrize("options", list(product((False, True), repeat=4)))
def test_every_segment_is_that_of_sacrebleu(options: tuple[bool, ...]) -> None:
    normalized, punctuation, asian_support, case_sensitive = options
    ter = Ter(
        case_sensitive=case_sensitive, normalized=normalized, punctuation=punctuation, asian_support=asian_support
    )
    for references in (1, 2, 3):
        hypotheses, wanted = segments(17 * sum(options) + references, 40, references)
        theirs = corpus_statistics(ter._sacrebleu(), hypotheses, wanted, width=2)
        assert np.array_equal(ter.statistics(hypotheses, wanted), np.rint(theirs * references))


@pytest.mark.slow
def test_long_segments_leave_the_beam() -> None:
    """Above 25 words off the diagonal nothing is looked at; above 64 words of reference there are no bits for them."""
    draw = Random(3)
    lengths = [(30, 30), (60, 64), (64, 60), (65, 70), (90, 20), (1, 80), (80, 1), (3, 130), (130, 64), (55, 110)]
    hypotheses, reference = [], []
    for theirs, ours in lengths:
        for size in (4, 60):
            words = [f"w{number}" for number in range(size)]
            line = [draw.choice(words) for _ in range(ours)]
            reference.append(" ".join(line))
            rotated = (line[ours // 3 :] + line[: ours // 3])[:theirs]
            hypotheses.append(" ".join(rotated + [draw.choice(words) for _ in range(theirs - len(rotated))]))
    found = Ter().statistics(hypotheses, [reference])
    assert np.array_equal(found, corpus_statistics(Ter()._sacrebleu(), hypotheses, [reference], width=2))


def test_very_long_segments() -> None:
    """Of two whole books only what is near the diagonal is stored."""
    words = [f"w{number}" for number in range(40_000)]
    other = [*words]
    other[1_000], other[20_000] = "new", "newer"
    other[30_000:30_004] = [words[30_003], *words[30_000:30_003]]  # a word that was shifted
    del other[39_000]
    lines = [" ".join(other), "a " * 40_000, " ".join(words), "a"]
    wanted = [" ".join(words), "b " * 40_000, "w0", " ".join(words)]
    found = Ter().statistics(lines, [wanted])
    assert found.tolist() == [[4, 40_000], [40_000, 40_000], [39_999, 1], [40_000, 40_000]]


def test_native_input_is_checked() -> None:
    with pytest.raises(PentaglotError, match="segment 2 cannot be encoded as UTF-8"):
        Ter().statistics(["a", "\ud800"], [["a", "a"]])
    with pytest.raises(PentaglotError, match="no references"):
        core.ter_statistics(("a",), ())


def test_references_of_neighbours_are_not_confused() -> None:
    """References are counted once for candidates of one sentence, and anew for those of the next."""
    hypotheses, references = ["a b", "a b", "a c", "a b"], [["a b", "a b", "a b", "c d"]]
    assert Ter().statistics(hypotheses, references).tolist() == [[0, 2], [0, 2], [1, 2], [2, 2]]
