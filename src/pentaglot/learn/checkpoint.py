"""What a run of tuning leaves behind after every round, so that another can go on from there.

A round is a step (`pentaglot.steps`): it depends on all that a run of tuning does, and on the round before.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentaglot import steps
from pentaglot._core import base
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.forest import Weights
from pentaglot.learn.candidates import KBestLists
from pentaglot.learn.tuner import Round
from pentaglot.metrics import Metric
from pentaglot.steps import Result, Step

__all__ = ["Checkpoint", "Outcome", "tuning_step"]


@dataclass(frozen=True)
class Outcome:
    """What a round came to: what it showed for the first time, the weights for the next one, and whether there is a
    next one."""

    round: Round
    fresh: KBestLists
    next_weights: Weights
    ended: str


def tuning_step(
    settings: Mapping[str, Any],
    metric: Metric,
    references: Sequence[Sequence[str]],
    start: Mapping[str, float],
    seed: int,
    decoder: str,
) -> Step:
    """All that every round of a run depends on."""
    texts = 0
    for reference in references:
        texts = base.checksum("\n".join(reference).encode("utf-8", "surrogatepass"), texts + len(reference))
    weights = base.checksum(repr(sorted(start.items())).encode("utf-8", "surrogatepass"))
    return Step(
        "tuning",
        options={**settings, "metric": repr(metric), "seed": seed},
        files={"references": f"{texts:016x}", "weights to begin with": f"{weights:016x}", "decoder": decoder},
    )


class Checkpoint:
    """A directory with one stored directory for each round: the candidates that were new in it, and its facts. What
    another run of tuning left there is removed."""

    def __init__(self, path: str | os.PathLike[str], tuning: Step) -> None:
        self._place = steps.scratch(Path(path), tuning)
        self._before = tuning

    def round(self, number: int, last: bool, make: Callable[[], Outcome]) -> tuple[Outcome, bool]:
        """The next round: as an earlier run has left it, or made now; and whether it was made now. The last of the
        rounds that are allowed is another than the same without a limit."""
        name = f"round-{number:03d}"
        path = self._place.path(name)
        made: list[Outcome] = []

        def work() -> None:
            made.append(make())
            made[0].fresh.save(path, _facts(made[0]))

        step = Step(name, work, {"last": last}, needs=(self._before,), makes=(Result(name),))
        self._before = step
        if not self._place.trouble(step):
            return _outcome(path), False
        self._place.do(step)
        return made[0], True


def _facts(outcome: Outcome) -> dict[str, Any]:
    done = outcome.round
    return {
        "number": done.number,
        "score": done.score,
        "new": done.new,
        "candidates": done.candidates,
        "predicted": done.predicted,
        "ended": outcome.ended,
        "weights": dict(done.weights),
        "next_weights": dict(outcome.next_weights),
    }


def _outcome(path: Path) -> Outcome:
    """A round as it was kept; an error if its facts are none that a round could have left."""
    fresh, facts = KBestLists.open(path)
    try:
        number, new, candidates = (operator.index(facts[name]) for name in ("number", "new", "candidates"))
        score, predicted = float(facts["score"]), float(facts["predicted"])
        if not math.isfinite(score) or not isinstance(facts["ended"], str):
            raise TypeError
        done = Round(number, Weights(facts["weights"]), score, new, candidates, predicted)
        return Outcome(done, fresh, Weights(facts["next_weights"]), facts["ended"])
    except (PentaglotError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise StorageError(
            "is damaged: it does not say what the round came to", path=path, hint="remove it to begin anew"
        ) from error
