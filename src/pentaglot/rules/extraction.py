"""Offline extraction: all rules of an aligned bitext, counted, scored in both directions, and kept as a table."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import numpy as np

from pentaglot import storage
from pentaglot._core import rules as native
from pentaglot._core.index import AlignedText, LexicalTable
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.index import Index, parts
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.extraction_options import LIMITS, ExtractionOptions, offline_options
from pentaglot.rules.extraction_work import ExtractionWork, shards_of
from pentaglot.rules.making import TableContents, make_table
from pentaglot.rules.options import RuleOptions
from pentaglot.rules.table import Table

__all__ = ["count_instances", "extract_table"]

_LOG = logging.getLogger(__name__)

_SHARD_BYTES = 64 << 20

# Scores besides the translation probability, in the order of core/rules/target_scorer.hpp.
SCORED_COLUMNS = ("translation", "inverse", "lexical_target", "lexical_source", "seen_once")


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
    work = ExtractionWork(Path(path), bitext, links, rules, options)
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


def _parts(text: Index | tuple[Bitext, Alignment]) -> tuple[Bitext, parts.Arrays, AlignedText, LexicalTable]:
    if isinstance(text, Index):
        if text.weights is not None and bool(np.any(text.weights != 1)):
            _LOG.warning("a table counts every sentence pair once: the weights of pairs in the index are not used")
        return text.bitext, text.arrays["alignment"], text.aligned, text.lexicon
    bitext, alignment = text
    links = parts.build_alignment(bitext, alignment)
    aligned = AlignedText(bitext.source, bitext.target, **links)
    return bitext, links, aligned, LexicalTable(**parts.build_lexicon(aligned))
