"""The loop shared by all tuners on k-best lists: decode, merge, optimise, until nothing new turns up."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn.candidates import Identity, KBestLists
from pentaglot.learn.checkpoint import Checkpoint, Outcome, tuning_step
from pentaglot.learn.found import CandidateArrays, arrays_of
from pentaglot.learn.problem import Problem
from pentaglot.learn.tuner import Decode, ForestDecode, Judge, Optimiser, Round, StructuredDecode, Tuning
from pentaglot.metrics import Metric
from pentaglot.options import check_number, suggestion
from pentaglot.progress import SILENT, Progress, Task

__all__ = ["KBestTuner"]

Final = Literal["best", "last"]  # which round counts

_logger = logging.getLogger(__name__)
_SAME = 1e-9  # weights that differ by less count as equal


@dataclass(frozen=True)
class KBestTuner:
    """Decodes with the present weights, merges new candidates into the lists of all rounds, and lets an optimiser find
    the next weights on them.

    It ends when a round brings no new candidates (unless the optimiser is gradual) or the weights stay the same, as
    there is nothing more to learn; when `patience` rounds in a row bring no better score; or after `rounds`
    optimisations and one more decoding to score the last. Scores are those of real decodings, never of the lists. The
    result is the round with the best score, which may be the one before anything was learnt; or the last round, if
    `final` says so. With a `judge`, the best round and `patience` go by its scores.

    >>> from pentaglot.learn import Candidate, Mira
    >>> from pentaglot.metrics import Chrf
    >>> pool = [Candidate("a hose", {"lm": -1.0}), Candidate("a house", {"lm": -2.0, "dictionary": 1.0})]
    >>> def decode(weights, size):
    ...     return [sorted(pool, key=lambda each: -sum(weights[n] * v for n, v in each.features.items()))[:size]]
    >>> tuner, start = KBestTuner(Mira(strength=0.5, pull=0.0)), {"lm": 1.0, "dictionary": 0.0}
    >>> tuning = tuner.tune(decode, [["a house"]], Chrf(), start)
    >>> [round(each.score) for each in tuning.rounds], tuning.ended, tuning.weights["dictionary"] > 0.5
    ([35, 100], 'no new candidates', True)
    """

    optimiser: Optimiser
    size: int = 50
    rounds: int = 15
    patience: int = 5
    identity: Identity = "features"
    final: Final = "best"
    merge: bool = True  # the candidates of all rounds; False: those of each round alone

    def tune(
        self,
        decode: Decode,
        references: Sequence[Sequence[str]],
        metric: Metric,
        start: Mapping[str, float],
        *,
        seed: int = 0,
        progress: Progress = SILENT,
        checkpoint: str | os.PathLike[str] | None = None,
        decoder: str = "",
        judge: Judge | None = None,
    ) -> Tuning:
        """See `Tuner.tune`."""
        self._check()
        if judge is not None and self.final == "last":
            raise OptionError("the last round is kept, so there is nothing to choose", hint="keep the best: final=best")
        check_number("seed", seed, 0, 2**63 - 1)
        run = _Run(self, decode, references, metric, Weights(start), seed, judge)
        kept = None
        if checkpoint is not None:
            settings = self._settings | ({} if judge is None else {"judged": True})
            kept = Checkpoint(checkpoint, tuning_step(settings, metric, references, start, seed, decoder))
        with progress.task("tuning", total=self.rounds + 1, unit="rounds") as task:
            while not run.ended:
                if kept is None:
                    outcome, new = run.next_round(), True
                else:
                    outcome, new = kept.round(len(run.rounds), run.at_last, run.next_round)
                run.take(outcome)
                task.advance()
                if new:
                    _tell(outcome.round, run.result(), metric, task)
        return run.result()

    def _check(self) -> None:
        """Raises an error for settings that are not allowed."""
        for name, least in (("size", 1), ("rounds", 0), ("patience", 1)):
            check_number(name, getattr(self, name), least, 2**31 - 1)
        for name, given, known in (("identity", self.identity, Identity), ("final", self.final, Final)):
            if given not in get_args(known):
                raise OptionError(f"'{name}' cannot be {given!r}", hint=suggestion(str(given), get_args(known)))

    @property
    def _settings(self) -> dict[str, Any]:
        """Everything that a round depends on, but not how many rounds are allowed."""
        chosen = {"size": self.size, "patience": self.patience, "identity": self.identity}
        return {"optimiser": repr(self.optimiser), **chosen, **({} if self.merge else {"merge": False})}


class _Run:
    """A run of tuning between two rounds."""

    def __init__(
        self,
        tuner: KBestTuner,
        decode: Decode,
        references: Sequence[Sequence[str]],
        metric: Metric,
        start: Weights,
        seed: int,
        judge: Judge | None,
    ) -> None:
        if not references or not references[0]:
            raise PentaglotError("there are no development sentences to tune on")
        self.tuner, self.decode, self.references, self.metric, self.seed = tuner, decode, references, metric, seed
        self.start = self.weights = start
        self.judge = judge
        bins = decode.bins() if isinstance(decode, StructuredDecode) else ()
        self.lists = KBestLists.empty(len(references[0]), tuple(bins))
        self.lengths = np.array([len(reference.split()) for reference in references[0]], np.float64)
        self.rounds: list[Round] = []
        self.ended = ""
        self._last_merged: KBestLists | None = None
        self.features = 0  # in the first round

    @property
    def at_last(self) -> bool:
        """Whether the next round only scores the weights of the one before."""
        return len(self.rounds) == self.tuner.rounds

    def take(self, outcome: Outcome) -> None:
        """Take in the result of a round, computed just now or in an earlier run."""
        self._merge(outcome.fresh)
        self.rounds.append(outcome.round)
        self.weights = outcome.next_weights
        self.ended = outcome.ended

    def next_round(self) -> Outcome:
        number, last = len(self.rounds), self.at_last
        best: list[str] = []

        def candidates() -> Iterator[CandidateArrays]:
            for found in self.decode(self.weights, 1 if last else self.tuner.size):
                shown = arrays_of(found, len(best) + 1)
                best.append(shown.text_of(0) if len(shown) else "")
                yield shown

        fresh = self._before().novel(candidates(), self._statistics, self.tuner.identity)
        score = self.metric.score(self.metric.statistics(best, self.references))
        self._merge(fresh)
        held_out = None if self.judge is None else self.judge(self.weights)
        ended = self._reason(last, len(fresh), score if held_out is None else held_out)
        following, predicted = self.weights, score
        if not ended:
            following, predicted = self._optimised(self.lists, number)
            if self.weights.distance(following) <= _SAME:
                ended = "the weights stay the same"
        done = Round(number, self.weights, score, len(fresh), len(self.lists), predicted, held_out)
        return Outcome(done, fresh, following, ended)

    def result(self) -> Tuning:
        best = self.rounds[-1]
        if self.tuner.final == "best":
            best = max(self.rounds, key=lambda each: (self._signed(_judged(each)), -each.number))
        return Tuning(best.weights, best.score, best.number, tuple(self.rounds), self.ended, self.metric.name)

    def _optimised(self, lists: KBestLists, number: int) -> tuple[Weights, float]:
        vectors = lists.vector(self.weights), lists.vector(self.start)
        forests = None
        if isinstance(self.decode, ForestDecode):
            forests = functools.partial(self.decode.forests, self.weights, lists.names)
        known = self.decode.structure if isinstance(self.decode, StructuredDecode) else None
        problem = Problem(lists, self.metric, self.lengths, *vectors, self.features, known, forests, self._statistics)
        # A round's random numbers depend only on the seed and its number, so a run can be resumed from any round.
        vector = self.tuner.optimiser.optimise(problem, np.random.default_rng([self.seed, number]))
        predicted = lists.score(self.metric, vector)
        lists.forget()  # the next round merges lists, which takes room enough
        return self.weights | Weights.from_arrays(lists.name_list, vector), predicted

    def _reason(self, last: bool, new: int, score: float) -> str:
        """Why this round is the last one; empty if it is not."""
        if new == 0 and not last and not getattr(self.tuner.optimiser, "gradual", False):
            return "no new candidates"
        scores = [self._signed(each) for each in (*map(_judged, self.rounds), score)]
        if len(scores) - 1 - int(np.argmax(scores)) >= self.tuner.patience:
            return f"no better score in {self.tuner.patience} rounds"
        return "all rounds done" if last else ""

    def _signed(self, score: float) -> float:
        return score if self.metric.higher_is_better else -score

    def _merge(self, fresh: KBestLists) -> None:
        """Merge the new candidates of a round, once: now, or when the round is reached, if an earlier run computed it.
        The lists before the merge are not kept: there is no room for both."""
        if self._last_merged is not fresh:
            self.lists, self._last_merged = self._before().merged(fresh), fresh
            self.features = self.features or len(fresh.names)

    def _before(self) -> KBestLists:
        """What the candidates of a round are added to. Features keep their places in any case."""
        if self.tuner.merge:
            return self.lists
        return KBestLists.empty(self.lists.sentence_count, self.lists.names)

    def _statistics(self, texts: list[str], sentences: list[int]) -> NDArray[np.float64]:
        return self.metric.statistics(texts, [[whole[each] for each in sentences] for whole in self.references])


def _judged(done: Round) -> float:
    """The score that decides between rounds."""
    return done.score if done.held_out is None else done.held_out


def _tell(done: Round, so_far: Tuning, metric: Metric, task: Task) -> None:
    task.note(f"{metric.name} {done.score:.2f}, best {so_far.score:.2f} (round {so_far.best_round})")
    judged = "" if done.held_out is None else f" ({done.held_out:.2f} on sentences set aside)"
    text = (
        f"round {done.number}: {metric.name} {done.score:.2f}{judged}, {done.new} new candidates of {done.candidates}"
    )
    _logger.info("%s, next weights %.2f on the lists", text, done.predicted)
