"""Offline extraction: all rules of an aligned bitext, counted, scored in both directions, and kept as a table."""

from __future__ import annotations

import dataclasses
import logging
import math
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np

from pentaglot import steps, storage
from pentaglot._core import base
from pentaglot._core import rules as native
from pentaglot._core.index import AlignedText, LexicalTable
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.index import Index, parts
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.making import Run, TableContents, make_table, mapped_run, write_run
from pentaglot.rules.options import RuleOptions
from pentaglot.rules.table import Table
from pentaglot.steps import Result, Step

__all__ = ["LIMITS", "ExtractionOptions", "count_instances", "extract_table", "offline_options", "shards_of"]

_LOG = logging.getLogger(__name__)

# Shards have about this many source words: the same shards with any number of threads.
SHARD_WORDS = 1 << 14
_SHARD_BYTES = 64 << 20

# Scores besides the translation probability, in the order of core/rules/target_scorer.hpp.
SCORED_COLUMNS = ("translation", "inverse", "lexical_target", "lexical_source", "seen_once")


# The rule options that decide which rules a table has.
LIMITS = ("max_span", "max_symbols", "max_gaps", "min_gap", "max_chunks", "max_target_span", "extraction")


@dataclass(frozen=True)
class ExtractionOptions:
    """How rules are counted offline."""

    counting: Literal["pairs", "occurrences"] = setting(
        "pairs",
        "what counts as one: an initial phrase pair, shared by its rules (Chiang 2007), or an occurrence of a source "
        "side, shared by its translations, as in rules on demand",
    )
    coherence: bool = setting(True, "count how often source sides occur without a translation, for the coherence")


def extract_table(
    text: Index | tuple[Bitext, Alignment],
    path: str | os.PathLike[str],
    rules: RuleOptions | None = None,
    options: ExtractionOptions | None = None,
    *,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Table:
    """Extracts all rules within the limits of `rules` from an index, or from a bitext and its alignment, into the table
    at `path`.

    Sorted pieces are written to a directory beside `path`; a stopped run continues from them. The table is the
    same with any number of threads.

    >>> import tempfile
    >>> bitext = Bitext.from_sentences([["das", "Haus"], ["das", "Buch"]], [["the", "house"], ["the", "book"]])
    >>> links = Alignment.from_links([[(0, 0), (1, 1)]] * 2)
    >>> extract_table((bitext, links), Path(tempfile.mkdtemp()) / "table", RuleOptions(max_gaps=0))
    Table(5 rules, 5 source sides)
    """
    rules, options = rules or RuleOptions(), options or ExtractionOptions()
    storage.check_place(Path(path))
    bitext, links, aligned, lexicon = _parts(text)
    work = _Work(Path(path), bitext, links, rules, options)
    with progress.task("extracting rules", total=len(bitext), unit="sentences") as task:
        for missing, size in work.missing(threads):
            found = native.extract_runs(
                aligned, [shard for _, shard in missing], offline_options(rules, options), _SHARD_BYTES, threads
            )
            for (number, _), shard_runs in zip(missing, found, strict=True):
                work.keep(number, *shard_runs)
            task.advance(size)
    instances, runs, attempts = work.runs()
    # With occurrences counted, all counts of a source side add up to its successes; but those are exact.
    exact = options.counting == "occurrences" and options.coherence
    contents = TableContents(
        SCORED_COLUMNS,
        "successes" if exact else "counts",
        rules.reordering,
        (bitext.source_vocabulary, bitext.target_vocabulary),
        {
            "limits": {name: getattr(rules, name) for name in LIMITS},
            "counting": options.counting,
            "pairs": len(bitext),
            "instances": instances,
        },
    )
    make_table(path, native.TargetScorer(runs, lexicon, rules.reordering), attempts, contents, work.path, progress)
    work.remove()
    return Table.open(path)


def count_instances(
    text: Index | tuple[Bitext, Alignment],
    rules: RuleOptions | None = None,
    options: ExtractionOptions | None = None,
    *,
    threads: int = 1,
) -> int:
    """Counts the rules that an extraction would find, repeats included; stores nothing."""
    bitext, _, aligned, _ = _parts(text)
    wanted = offline_options(rules or RuleOptions(), options or ExtractionOptions())
    return native.count_instances(aligned, shards_of(bitext), wanted, threads)


def offline_options(rules: RuleOptions, options: ExtractionOptions) -> native.OfflineOptions:
    """The options for the native core."""
    return native.OfflineOptions(
        rules.extract_limits,
        rules.max_symbols,
        rules.max_gaps,
        options.counting,
        options.coherence,
        rules.reordering,
    )


def shards_of(bitext: Bitext) -> list[tuple[int, int]]:
    """Ranges of sentences with about the same number of words."""
    offsets = bitext.source.offsets
    marks = np.arange(0, int(offsets[-1]) + SHARD_WORDS, SHARD_WORDS, dtype=np.uint64)
    cuts = np.unique(np.minimum(np.searchsorted(offsets, marks), len(bitext))).tolist()
    return list(pairwise(cuts))


def _parts(text: Index | tuple[Bitext, Alignment]) -> tuple[Bitext, parts.Arrays, AlignedText, LexicalTable]:
    if isinstance(text, Index):
        if text.weights is not None and bool(np.any(text.weights != 1)):
            _LOG.warning("a table counts every sentence pair once: the weights of pairs in the index are not used")
        return text.bitext, text.arrays["alignment"], text.aligned, text.lexicon
    bitext, alignment = text
    links = parts.build_alignment(bitext, alignment)
    aligned = AlignedText(bitext.source, bitext.target, **links)
    return bitext, links, aligned, LexicalTable(**parts.build_lexicon(aligned))


class _Work:
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
        shutil.rmtree(self.path, ignore_errors=True)

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
