"""Lists for the parts of a line, joined to a list for the line."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot import PentaglotError
from pentaglot.systems import Hypothesis
from pentaglot.systems.translation import join_hypotheses

SCORES = st.lists(st.integers(-9, 9), min_size=1, max_size=4).map(lambda scores: sorted(scores, reverse=True))


@given(st.lists(SCORES, min_size=1, max_size=3), st.integers(1, 9))
def test_the_best_combinations(lists: list[list[int]], most: int) -> None:
    parts = [
        [Hypothesis((f"{part}{at}",), score, {"n": 1.0, str(part): 1.0}, (), (f"{part}{at}",)) for at, score in each]
        for part, each in enumerate(map(enumerate, lists))
    ]
    most = max(most, *map(len, lists))
    joined = join_hypotheses(parts, most)
    everything = sorted((sum(chosen) for chosen in product(*lists)), reverse=True)
    assert [each.score for each in joined] == everything[:most]
    assert len({each.words for each in joined}) == len(joined)
    assert all(each.features["n"] == len(lists) and each.words == each.surface for each in joined)


def test_one_derivation_or_several() -> None:
    with pytest.raises(PentaglotError, match="translated in 0 parts"):
        _ = Hypothesis((), 0.0, {}, ()).derivation
