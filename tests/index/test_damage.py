"""Arrays that a disk has damaged in a way that no check on opening finds: answers may be wrong, nothing crashes."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import index as native
from pentaglot.errors import PentaglotError

from .texts import GAP, array, text_of

TEXT = [[4, 5, 4, 6, 4, 5], [5, 4, 6, 7], [4, 4, 4, 5, 6]]
SENTENCE = [4, 5, 6, 4, 5, 7]


def _damaged(values: np.ndarray, data: st.DataObject) -> np.ndarray:
    changed = values.copy()
    for at in data.draw(st.lists(st.integers(0, max(0, len(values) - 1)), max_size=6)):
        if len(values):
            changed[at] = data.draw(st.sampled_from([0, 1, 17, 18, 19, 1000, 2**31, 2**32 - 2, 2**32 - 1]))
    return changed


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_nothing_crashes(data: st.DataObject) -> None:
    text = text_of(TEXT)
    suffixes = native.suffix_array(text.tokens)
    ends, before = native.sentence_marks(text.tokens)
    whole = native.SourceIndex(text, suffixes, native.first_ranks(text.tokens), ends, before)
    settings_used = native.PrecomputationSettings(6, 2, 3, 10, 1)
    lists = native.precompute(whole, native.common_prefixes(text.tokens, suffixes), settings_used, 1)
    for name in ("word_positions", "pair_positions", "triple_positions", "begin", "end", "length"):
        lists[name] = _damaged(lists[name], data)
    index = native.SourceIndex(
        text, _damaged(suffixes, data), native.first_ranks(text.tokens), _damaged(ends, data), _damaged(before, data)
    )
    limits = native.GrammarLimits(10, 5, 2, 1)
    options = native.LookupOptions(data.draw(st.sampled_from(["merge", "double_binary", "gallop"])), True, True, True)
    with contextlib.suppress(PentaglotError):
        precomputed = native.precomputed(settings_used, **lists)
        found = native.PatternFinder(index, limits, options, precomputed).find(array(SENTENCE))
        for node in range(1, len(found)):
            with contextlib.suppress(PentaglotError):
                found.occurrences(node)
                found.sample(node, 2)
                found.sample_similar(node, 1, 3, array(SENTENCE))
    for pattern in ([4], [4, GAP, 5], [4, GAP, 6, GAP, 5]):
        with contextlib.suppress(PentaglotError):
            index.search(array(pattern), limits)
        for baseline in ("product", "tree", "sentences"):
            with contextlib.suppress(PentaglotError):
                index.find_by(baseline, array(pattern), limits)


def test_arrays_of_other_sizes_are_refused() -> None:
    text = text_of(TEXT)
    tokens = text.tokens
    suffixes, ranks = native.suffix_array(tokens), native.first_ranks(tokens)
    ends, before = native.sentence_marks(tokens)
    for wrong in (
        (suffixes[:-1], ranks, ends, before),
        (suffixes, ranks[:-1], ends, before),
        (suffixes, ranks[::-1].copy(), ends, before),
        (suffixes, array([]), ends, before),
        (suffixes, ranks, ends[:-1], before),
        (suffixes, ranks, ends, before[:-1]),
    ):
        with pytest.raises(PentaglotError, match="not belong to this text"):
            native.SourceIndex(text, *wrong)
