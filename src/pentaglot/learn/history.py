"""`History`: how tuning went, round by round, kept beside the weights that it found."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentaglot import storage
from pentaglot.errors import InputError, reading
from pentaglot.learn.tuner import Tuning

__all__ = ["History", "RoundScore", "history_path"]

_FORMAT = "pentaglot tuning 1"


@dataclass(frozen=True)
class RoundScore:
    """What a round reached; `held_out` is the score on the sentences that choose the round, if there are any."""

    score: float
    held_out: float | None
    new: int
    candidates: int
    predicted: float


@dataclass(frozen=True)
class History:
    """The rounds of a run of tuning; round 0 has the initial weights."""

    metric: str
    seed: int
    best_round: int
    ended: str
    rounds: tuple[RoundScore, ...]

    @classmethod
    def of(cls, tuning: Tuning, seed: int = 0) -> History:
        """The history of a run that has ended."""
        rounds = [
            RoundScore(each.score, each.held_out, each.new, each.candidates, each.predicted) for each in tuning.rounds
        ]
        return cls(tuning.metric, seed, tuning.best_round, tuning.ended, tuple(rounds))

    def curve(self, held_out: bool = False) -> list[float]:
        """The scores by round, on the development text or on the sentences that were set aside."""
        return [each.score if not held_out or each.held_out is None else each.held_out for each in self.rounds]

    @property
    def has_held_out(self) -> bool:
        """Whether rounds were judged on sentences set aside."""
        return all(each.held_out is not None for each in self.rounds)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file whole or not at all."""
        contents = {"format": _FORMAT, **dataclasses.asdict(self)}
        storage.write_text(Path(path), json.dumps(contents, ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> History:
        """Reads a saved history.

        >>> import tempfile
        >>> place = Path(tempfile.mkdtemp()) / "weights.tuning.json"
        >>> history = History("BLEU", 1, 1, "all rounds done", (RoundScore(20.0, None, 9, 9, 22.0),) * 2)
        >>> history.save(place)
        >>> History.open(place) == history
        True
        """
        with reading(path):
            text = Path(path).read_bytes()
        try:
            return _read(json.loads(text.decode("utf-8")))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise InputError(
                "is not a history of tuning", path=path, hint="give a .tuning.json file of 'tune'"
            ) from error


def history_path(weights: str | os.PathLike[str]) -> Path:
    """Where the history of the weights in a file is kept.

    >>> str(history_path("de-en/weights.txt"))
    'de-en/weights.tuning.json'
    """
    return Path(weights).with_suffix(".tuning.json")


def _read(found: dict[str, Any]) -> History:
    if found["format"] != _FORMAT:
        raise ValueError
    rounds = tuple(
        RoundScore(
            _number(each["score"]),
            None if each["held_out"] is None else _number(each["held_out"]),
            int(each["new"]),
            int(each["candidates"]),
            _number(each["predicted"]),
        )
        for each in found["rounds"]
    )
    best = int(found["best_round"])
    if not 0 <= best < len(rounds) or not isinstance(found["metric"], str) or not isinstance(found["ended"], str):
        raise ValueError
    return History(found["metric"], int(found["seed"]), best, found["ended"], rounds)


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number
