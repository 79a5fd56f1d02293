"""Sentences that tuning does not learn from, to choose the final round on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pentaglot._core import base
from pentaglot.errors import OptionError
from pentaglot.learn.found import arrays_of
from pentaglot.metrics import Metric
from pentaglot.progress import SILENT, Progress
from pentaglot.systems.decoder import SentenceDecoder
from pentaglot.systems.development import Development
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translator import Translator

__all__ = ["Jury", "set_aside"]

_Line = TypeVar("_Line")


class Jury:
    """Scores weights by real translations of its sentences."""

    def __init__(
        self,
        translator: Translator,
        development: Development,
        metric: Metric,
        *,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        shelf = RuleShelf(
            translator, [each.ordered for each in development.sentences], threads=threads, progress=progress
        )
        write = None if metric.on_words else development.text
        self._decoder = SentenceDecoder(translator, shelf, write=write, threads=threads, progress=progress)
        self._references, self._metric, self._shelf = development.references(metric), metric, shelf

    def __call__(self, weights: Mapping[str, float]) -> float:
        best = []
        for number, found in enumerate(self._decoder.kbest(weights, 1), 1):
            shown = arrays_of(found, number)
            best.append(shown.text_of(0) if len(shown) else "")
        return self._metric.score(self._metric.statistics(best, self._references))

    @property
    def fingerprint(self) -> str:
        """A fingerprint of its sentences and references."""
        found = self._shelf.fingerprint
        for reference in self._references:
            found = base.checksum("\n".join(reference).encode("utf-8", "surrogatepass"), found)
        return f"{found:016x}"


def set_aside(number: int, *texts: Sequence[_Line]) -> tuple[list[list[_Line]], list[list[_Line]]]:
    """The lines of parallel texts that are left, and the `number` of them that are set aside, from all over the text.

    >>> set_aside(2, "abcdef", "ABCDEF")
    ([['a', 'c', 'd', 'f'], ['A', 'C', 'D', 'F']], [['b', 'e'], ['B', 'E']])
    """
    size = len(texts[0])
    if number >= size:
        hint = "set fewer aside, or give a text of their own to choose on"
        raise OptionError(f"{number} of {size} development sentences cannot be set aside", hint=hint)
    chosen = {(2 * each + 1) * size // (2 * number) for each in range(number)}
    left = [[line for at, line in enumerate(text) if at not in chosen] for text in texts]
    return left, [[text[at] for at in sorted(chosen)] for text in texts]
