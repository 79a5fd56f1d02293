"""What a run of tuning leaves behind after every round, so that another can go on from there."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentaglot._core import base
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.forest import Weights
from pentaglot.learn.candidates import KBestLists
from pentaglot.learn.tuner import Round
from pentaglot.metrics import Metric

__all__ = ["Checkpoint", "Step", "fingerprint"]


@dataclass(frozen=True)
class Step:
    """One round: what it showed for the first time, the weights for the next one, and whether there is a next one."""

    round: Round
    fresh: KBestLists
    next_weights: Weights
    ended: str


def fingerprint(
    tuner: object, metric: Metric, references: Sequence[Sequence[str]], start: Mapping[str, float], seed: int
) -> str:
    """Changes with everything that the result depends on, but for the decoder."""
    settings = f"{tuner!r} {metric!r} {seed} {sorted(start.items())!r}"
    sum_ = base.checksum(settings.encode())
    for reference in references:
        sum_ = base.checksum("\n".join(reference).encode("utf-8", "surrogatepass"), sum_)
    return f"{sum_:016x}"


class Checkpoint:
    """A directory with one stored directory for each round: the candidates that were new in it, and its facts."""

    def __init__(self, path: str | os.PathLike[str], fingerprint: str) -> None:
        self._path = Path(path)
        self._fingerprint = fingerprint

    def steps(self) -> Iterator[Step]:
        """The rounds of earlier runs, in order."""
        number = 0
        while (place := self._place(number)).exists():
            fresh, facts = KBestLists.open(place)
            if facts.get("fingerprint") != self._fingerprint:
                raise StorageError(
                    "was left by tuning with other options, weights, references or seed",
                    path=place,
                    hint="remove it to begin anew",
                )
            try:
                step = _step(fresh, facts)
            except (PentaglotError, KeyError, TypeError, ValueError, OverflowError) as error:
                raise StorageError(
                    "is damaged: it does not say what the round came to", path=place, hint="remove it to begin anew"
                ) from error
            yield step
            number += 1

    def save(self, step: Step) -> None:
        """Keeps a round; it is there whole or not at all."""
        done = step.round
        facts = {
            "fingerprint": self._fingerprint,
            "number": done.number,
            "score": done.score,
            "new": done.new,
            "candidates": done.candidates,
            "predicted": done.predicted,
            "ended": step.ended,
            "weights": dict(done.weights),
            "next_weights": dict(step.next_weights),
        }
        step.fresh.save(self._place(done.number), facts)

    def _place(self, number: int) -> Path:
        return self._path / f"round-{number:03d}"


def _step(fresh: KBestLists, facts: Mapping[str, Any]) -> Step:
    number, new, candidates = (operator.index(facts[name]) for name in ("number", "new", "candidates"))
    score, predicted = float(facts["score"]), float(facts["predicted"])
    if not math.isfinite(score) or not isinstance(facts["ended"], str):
        raise TypeError
    done = Round(number, Weights(facts["weights"]), score, new, candidates, predicted)
    return Step(done, fresh, Weights(facts["next_weights"]), facts["ended"])
