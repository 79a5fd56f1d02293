"""The sorted runs of an extraction, kept beside the table while it is made, so that a stopped run can go on."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

from pentaglot import steps
from pentaglot._core import base
from pentaglot.corpus import Bitext
from pentaglot.index import parts
from pentaglot.rules.extraction_options import LIMITS, ExtractionOptions
from pentaglot.rules.making import Run, mapped_run, write_run
from pentaglot.rules.options import RuleOptions
from pentaglot.steps import Result, Step

__all__ = ["SHARD_WORDS", "ExtractionWork", "shards_of"]

# Shards have about this many source words: the same shards with any number of threads.
SHARD_WORDS = 1 << 14


def shards_of(bitext: Bitext) -> list[tuple[int, int]]:
    """Ranges of sentences with about the same number of words."""
    offsets = bitext.source.offsets
    marks = np.arange(0, int(offsets[-1]) + SHARD_WORDS, SHARD_WORDS, dtype=np.uint64)
    cuts = np.unique(np.minimum(np.searchsorted(offsets, marks), len(bitext))).tolist()
    return list(pairwise(cuts))


class ExtractionWork:
    """The sorted runs of the shards that are done, kept beside the table while it is made."""

    def __init__(
        self, table: Path, bitext: Bitext, links: parts.Arrays, rules: RuleOptions, options: ExtractionOptions
    ) -> None:
        self.path = steps.beside(table)
        texts = {"source": parts.fingerprint(bitext.source), "target": parts.fingerprint(bitext.target)}
        found = {name: f"{base.checksum(np.ascontiguousarray(each)):016x}" for name, each in links.items()}
        chosen = {name: getattr(rules, name) for name in (*LIMITS, "reordering")}
        self._job = Step(
            "extraction", options=chosen | dataclasses.asdict(options) | {"shard": SHARD_WORDS}, files=texts | found
        )
        self._place = steps.scratch(self.path, self._job)
        self._shards = shards_of(bitext)

    def missing(self, threads: int) -> Iterator[tuple[list[tuple[int, tuple[int, int]]], int]]:
        """The shards left to do, in batches, each with the number of its sentences and of those done before."""
        batch: list[tuple[int, tuple[int, int]]] = []
        size = 0
        for number, (first, last) in enumerate(self._shards):
            size += last - first
            if not self._done(number):
                batch.append((number, (first, last)))
            if len(batch) == 4 * threads:
                yield batch, size
                batch, size = [], 0
        yield batch, size

    def keep(self, shard: int, rules: list[Run], attempts: list[Run], instances: int) -> None:
        """Writes the runs of a shard, then a mark that it is done."""
        for kind, runs in (("rules", rules), ("attempts", attempts)):
            for number, run in enumerate(runs):
                write_run(self.path / _run_name(kind, shard, number), run)
        facts = {"rules": len(rules), "attempts": len(attempts), "instances": instances}
        self._place.finish(self._step(shard, facts), facts)

    def runs(self) -> tuple[int, list[Run], list[Run]]:
        """The number of rules found, and all runs in order."""
        instances = 0
        found: dict[str, list[Run]] = {"rules": [], "attempts": []}
        for shard in range(len(self._shards)):
            facts = self._place.facts(self._step(shard))
            instances += facts["instances"]
            for kind, runs in found.items():
                runs += [mapped_run(self.path / _run_name(kind, shard, number)) for number in range(facts[kind])]
        return instances, found["rules"], found["attempts"]

    def remove(self) -> None:
        steps.remove_scratch(self.path, self._job.name)

    def _done(self, shard: int) -> bool:
        """Whether a shard has all the runs that its mark lists."""
        facts = self._place.facts(self._step(shard))
        limits = {"rules": _MOST_RUNS, "attempts": _MOST_RUNS, "instances": math.inf}
        if not all(type(facts.get(name)) is int and 0 <= facts[name] <= most for name, most in limits.items()):
            return False
        return not self._place.trouble(self._step(shard, facts))

    def _step(self, shard: int, facts: Mapping[str, int] | None = None) -> Step:
        numbers = [(kind, number) for kind in ("rules", "attempts") for number in range((facts or {}).get(kind, 0))]
        makes = tuple(Result(_run_name(kind, shard, number)) for kind, number in numbers)
        return Step(f"shard-{shard:06d}", options={"sentences": self._shards[shard]}, needs=(self._job,), makes=makes)


_MOST_RUNS = 1000  # of a kind in a shard: their numbers have three digits


def _run_name(kind: str, shard: int, number: int) -> str:
    return f"{kind}-{shard:06d}-{number:03d}.run"
