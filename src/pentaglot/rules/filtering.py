"""Filters a table: keeps only the rules that a text needs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from pentaglot import placing
from pentaglot._core import rules as native
from pentaglot.corpus import encode
from pentaglot.errors import writing
from pentaglot.index import GrammarLimits
from pentaglot.options import read_options
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.making import Run, TableContents, make_table, mapped_run, write_run
from pentaglot.rules.table import Table

__all__ = ["filter_table", "limits_of"]

_RUN_BYTES = 64 << 20

# Limits that no rule exceeds, for tables that do not say how they were made.
_WIDEST = GrammarLimits(max_span=1000, max_symbols=250, max_gaps=6, min_gap=1)


def limits_of(table: Table) -> GrammarLimits:
    """The limits that the table was made with, or the widest if it does not say."""
    made = table.facts.get("limits")
    if not isinstance(made, dict):
        return _WIDEST
    names = ("max_span", "max_symbols", "max_gaps", "min_gap")
    return read_options(GrammarLimits, {name: made.get(name) for name in names})


def filter_table(
    table: Table,
    sentences: Iterable[list[str]],
    path: str | os.PathLike[str],
    *,
    limits: GrammarLimits | None = None,
    progress: Progress = SILENT,
) -> Table:
    """Writes the rules whose source side occurs in one of the sentences (lists of words) to `path`."""
    text, _ = encode(sentences, table.source_vocabulary)
    with progress.task("looking for source sides", total=1) as task:
        kept = table.stored.patterns_of_text(text, (limits or limits_of(table)).compiled())
        task.note(f"{int(np.count_nonzero(kept)):,} of {len(kept):,}")
    place = Path(path).absolute().parent
    with writing(place):
        place.mkdir(parents=True, exist_ok=True)
    with placing.new_directory(place / f"{Path(path).name}.pieces") as directory:
        runs: dict[str, list[Run]] = {"rules": [], "attempts": []}
        taker = native.RuleTaker(table.stored, kept)
        while (part := taker.next(_RUN_BYTES)) is not None:
            for (kind, kept_runs), run in zip(runs.items(), part, strict=True):
                if len(run):
                    kept_runs.append(mapped_run(write_run(directory / f"{kind}-{len(kept_runs):06d}.run", run)))
        facts = {name: value for name, value in table.facts.items() if name not in ("rules", "source_sides")}
        contents = TableContents(
            table.columns,
            "given",
            table.has_reordering,
            (table.source_vocabulary, table.target_vocabulary),
            facts | {"filtered": True},
        )
        rows = native.TargetNumberer(runs["rules"], [], len(table.columns))
        make_table(path, rows, runs["attempts"], contents, directory, progress)
    return Table.open(path)
