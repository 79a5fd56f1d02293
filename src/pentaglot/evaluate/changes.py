"""The sentences that changed most between two outputs, with the words or characters that changed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from pentaglot.corpus.spaceless import characters, spaceless
from pentaglot.errors import PentaglotError
from pentaglot.evaluate.report import Change
from pentaglot.metrics import Metric
from pentaglot.metrics.metric import Statistics

__all__ = ["changes_between", "gains_between", "marked"]


def gains_between(metric: Metric, system: Statistics, baseline: Statistics) -> NDArray[np.float64]:
    """How much better each segment is, by the metric's own score of single segments, in points."""
    costs = metric.costs(baseline), metric.costs(system)
    if not np.isfinite(costs).all():
        line = int(np.argmin(np.isfinite(costs).all(axis=0))) + 1
        raise PentaglotError(f"the metric {metric.name} gives segment {line} a cost that is not a finite number")
    return 100.0 * (costs[0] - costs[1])


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
    """Split two lines into runs of words, each marked by whether the other line lacks it there; in scripts without
    spaces, of characters. No run that is marked begins or ends with a space.

    >>> marked("the house is small", "the small house is")
    ([('the house is ', False), ('small', True)], [('the ', False), ('small', True), (' house is', False)])
    >>> marked("我喜欢猫。", "我喜欢狗。")[1]
    [('我喜欢', False), ('狗', True), ('。', False)]
    """
    words = _words(before), _words(after)
    pieces: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([], [])
    unspaced = [[word.lstrip(" ") for word in side] for side in words]
    for kind, *bounds in SequenceMatcher(None, unspaced[0], unspaced[1], autojunk=False).get_opcodes():
        for side in (0, 1):
            text = "".join(words[side][bounds[2 * side] : bounds[2 * side + 1]])
            if not text:
                continue
            if kind == "equal" or not text.startswith(" "):
                _append(pieces[side], text, kind != "equal")
            else:
                _append(pieces[side], " ", False)
                _append(pieces[side], text[1:], True)
    return pieces


def _append(pieces: list[tuple[str, bool]], text: str, new: bool) -> None:
    """Appends a piece, or lengthens the last one if it is of the same kind."""
    if pieces and pieces[-1][1] == new:
        text = pieces.pop()[0] + text
    pieces.append((text, new))


def _words(line: str) -> list[str]:
    """The words of a line, each with the space before it; every character of a script without spaces is one."""
    found: list[str] = []
    for word in line.split():
        first, *rest = characters(word) if spaceless(word) else [word]
        found += [f" {first}" if found else first, *rest]
    return found
