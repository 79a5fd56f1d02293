"""Formulas that Stanojević 2017, §2.2, prints with slips (spec 3.14), against what this house computes.

Others have tests elsewhere: symmetrisation in `tests/align/test_alignment.py`, word alignment models by enumeration in
`tests/align/test_training.py`, line search and hope and fear in `tests/learn`, METEOR in `test_meteor.py`. There is no
additive smoothing, and no IBM Model 2.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.search.grammars import Rule
from tests.search.twins import DISTORTION, REORDERING, Labels, Line, derived_by_stacks

from pentaglot.metrics import Bleu

SAID, WANTED = "the small house is on the hill", "the small house stands on the hill over there"
# By hand: 6 of 7 words, 4 of 6 pairs, 2 of 5 triples and none of 4 quadruples; 7 words against 9.
PRECISIONS = [6 / 7, 4 / 6, 2 / 5, 0 / 4]


def test_bleu_is_a_geometric_mean_and_punishes_what_is_short() -> None:
    """The logarithmic form needs 1/n; the penalty is for translations that are shorter than the reference."""
    bleu = Bleu(tokenize="none", smoothing="none")
    long = SAID.replace("is", "stands") + " over there , and over there"
    for said, wanted, length, reference in ((SAID[:-5], WANTED, 6, 9), (long, WANTED, 13, 9)):
        statistics = bleu.statistics([said], [[wanted]])
        matched, counted = statistics[0, 2:6], statistics[0, 6:10]
        assert statistics[0, :2].tolist() == [length, reference]
        mean = math.prod(matched / counted) ** (1 / 4)
        penalty = math.exp(1 - reference / length) if length <= reference else 1.0
        assert bleu.score(statistics) == pytest.approx(100 * penalty * mean)


def test_smoothed_bleu_of_sentences() -> None:
    """As printed, one is added to all orders; Lin and Och (2004) leave words alone. Both can be had."""
    penalty = math.exp(1 - 9 / 7)
    counts = [(6, 7), (4, 6), (2, 5), (0, 4)]
    for name, first in (("plus-one", 7 / 8), ("plus-one-higher", 6 / 7)):
        precisions = [first, *((matched + 1) / (counted + 1) for matched, counted in counts[1:])]
        bleu = Bleu(tokenize="none", sentence_smoothing=name)  # type: ignore[arg-type]
        statistics = bleu.statistics([SAID], [[WANTED]])
        assert (statistics[0, 2:6] / statistics[0, 6:10]).tolist() == pytest.approx(PRECISIONS)
        found = 1 - bleu.costs(statistics)[0]
        assert found == pytest.approx(penalty * math.prod(precisions) ** (1 / 4))


def test_distance_and_orientation_are_of_source_positions() -> None:
    """|start - end before - 1| over source words; monotone, swap, discontinuous. What the search computes is compared
    with this twin in `tests/search`; here the twin is compared with numbers worked out by hand."""
    rows = ((1.0, 2.0, 4.0), (0.0, 0.0, 0.0))
    rules = [Rule((word,), (word,), 0.0, before=rows[0], after=rows[1]) for word in (10, 11, 12)]
    found = {
        words: values
        for whole, (values, words) in derived_by_stacks(rules, Line((10, 11, 12)), Labels(), limit=9)
        if whole
    }
    # Starts of phrases against ends of those before: 0|0 1|1 2|2; 1|0 0|2 2|1; 2|0 1|3 0|2.
    for words, jumps, orientations in (
        ((10, 11, 12), 0, [1, 1, 1]),
        ((11, 10, 12), 1 + 2 + 1, [4, 2, 4]),
        ((12, 11, 10), 2 + 2 + 2, [4, 2, 2]),
    ):
        values = found[words]
        assert values[DISTORTION] == jumps
        kinds = [np.sum(np.array(orientations) == value) * value for value in (1, 2, 4)]
        assert [values[REORDERING[each]] for each in range(3)] == kinds
