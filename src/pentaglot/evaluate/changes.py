"""The sentences that changed most between two outputs, with the words that changed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from pentaglot.evaluate.report import Change
from pentaglot.metrics import Metric
from pentaglot.metrics.metric import Statistics

__all__ = ["changes_between", "gains_between", "marked"]


def gains_between(metric: Metric, system: Statistics, baseline: Statistics) -> NDArray[np.float64]:
    """How much better each segment is, by the metric's own score of single segments, in points."""
    return 100.0 * (metric.costs(baseline) - metric.costs(system))


def changes_between(
    names: tuple[str, str],
    outputs: tuple[Sequence[str], Sequence[str]],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
    gains: NDArray[np.float64],
    most: int,
) -> list[Change]:
    """The segments that improved most, then those that got worst, each sorted by the size of the change; up to `most`
    of each."""
    order = np.argsort(-gains, kind="stable")
    better = [each for each in order[:most] if gains[each] > 0]
    worse = [each for each in order[::-1][:most] if gains[each] < 0]
    return [
        Change(
            int(each) + 1,
            *names,
            float(gains[each]),
            outputs[0][each],
            outputs[1][each],
            tuple(reference[each] for reference in references),
            None if sources is None else sources[each],
        )
        for each in (*better, *worse)
    ]


def marked(before: str, after: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Split two lines into runs of words, each marked by whether the other line lacks it there.

    >>> marked("the house is small", "the small house is")
    ([('the', False), ('house is', False), ('small', True)], [('the', False), ('small', True), ('house is', False)])
    """
    words = before.split(), after.split()
    runs: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([], [])
    for kind, *bounds in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        for side in (0, 1):
            piece = words[side][bounds[2 * side] : bounds[2 * side + 1]]
            if piece:
                runs[side].append((" ".join(piece), kind != "equal"))
    return runs
