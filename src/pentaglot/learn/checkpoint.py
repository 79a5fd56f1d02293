"""What tuning saves after every round, so that it can be resumed.

A round is a step (`pentaglot.steps`): it depends on everything that defines the run, and on the round before.
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
from pentaglot.learn.stored_names import stored_weights
from pentaglot.learn.tuner import Round
from pentaglot.metrics import Metric
from pentaglot.steps import Result, Step

__all__ = ["Checkpoint", "Outcome", "remove_rounds", "tuning_step"]

_JOB = "tuning"
_FORMAT = 2  # of saved rounds; those of another one are made again


@dataclass(frozen=True)
class Outcome:
    """The result of a round: its new candidates, the weights for the next round, and whether there is one."""

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
    """Everything that all rounds of a run depend on."""
    texts = 0
    for reference in references:
        texts = base.checksum("\n".join(reference).encode("utf-8", "surrogatepass"), texts + len(reference))
    weights = base.checksum(repr(sorted(start.items())).encode("utf-8", "surrogatepass"))
    return Step(
        _JOB,
        options={**settings, "metric": repr(metric), "seed": seed},
        files={"references": f"{texts:016x}", "weights to begin with": f"{weights:016x}", "decoder": decoder},
    )


class Checkpoint:
    """A directory with one stored directory per round: its new candidates and its facts. What a different run of
    tuning left there is removed."""

    def __init__(self, path: str | os.PathLike[str], tuning: Step) -> None:
        self._place = steps.scratch(Path(path), tuning)
        self._before = tuning

    def round(self, number: int, last: bool, make: Callable[[], Outcome]) -> tuple[Outcome, bool]:
        """The next round, as an earlier run saved it or computed now, and whether it was computed now. The last allowed
        round differs from the same round without a limit."""
        name = f"round-{number:03d}"
        path = self._place.path(name)
        made: list[Outcome] = []

        def work() -> None:
            made.append(make())
            weights = {"weights": made[0].round.weights, "next_weights": made[0].next_weights}
            made[0].fresh.save(path, _facts(made[0]), weights)

        step = Step(name, work, {"last": last, "format": _FORMAT}, needs=(self._before,), makes=(Result(name),))
        self._before = step
        if not self._place.trouble(step):
            return _outcome(path), False
        self._place.do(step)
        return made[0], True


def remove_rounds(path: Path) -> None:
    """Removes what a run of tuning that is done has saved."""
    steps.remove_scratch(path, _JOB)


def _facts(outcome: Outcome) -> dict[str, Any]:
    done = outcome.round
    return {
        "number": done.number,
        "score": done.score,
        "new": done.new,
        "candidates": done.candidates,
        "predicted": done.predicted,
        **({} if done.held_out is None else {"held_out": done.held_out}),
        "ended": outcome.ended,
    }


def _outcome(path: Path) -> Outcome:
    """Open a saved round; an error if its facts cannot be those of a round."""
    fresh, stored = KBestLists.open(path)
    facts = stored.facts
    try:
        number, new, candidates = (operator.index(facts[name]) for name in ("number", "new", "candidates"))
        score, predicted = float(facts["score"]), float(facts["predicted"])
        held_out = float(facts["held_out"]) if "held_out" in facts else None
        if not math.isfinite(score) or not math.isfinite(held_out or 0.0) or not isinstance(facts["ended"], str):
            raise TypeError
        done = Round(number, stored_weights(stored, "weights"), score, new, candidates, predicted, held_out)
        return Outcome(done, fresh, stored_weights(stored, "next_weights"), facts["ended"])
    except (PentaglotError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise StorageError(
            "is damaged: it lacks the result of the round", path=path, hint="remove it to start again"
        ) from error
