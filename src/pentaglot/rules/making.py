"""Makes tables: sorted runs of rules on disk are merged by target side, then by source side, into arrays that grow on
disk, so memory use stays small for tables of any size."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pentaglot import guarded, storage
from pentaglot._core import rules as native
from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus import save_vocabulary
from pentaglot.errors import writing
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.table import KIND, VERSION

__all__ = ["Rows", "TableContents", "make_table", "mapped_run", "write_run"]

Run = NDArray[np.uint8]

_RUN_BYTES = 64 << 20
_RULES_AT_ONCE = 1 << 18


class Rows(Protocol):
    """Merges rules by target side: `TargetScorer` or `TargetNumberer`."""

    def next(self, bytes: int) -> tuple[Run, Run, Run] | None: ...


@dataclass(frozen=True)
class TableContents:
    """What to put into a table."""

    columns: Sequence[str]
    translation: str  # whether the column 'translation' is "given", or a share of "counts" or of "successes"
    reordering: bool
    vocabularies: tuple[Vocabulary, Vocabulary]
    facts: Mapping[str, Any]


def write_run(path: Path, run: Run) -> Path:
    """Writes a run, completely or not at all."""
    beside = path.with_suffix(".tmp")
    with writing(path):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(guarded.open_file(beside, flags), "wb") as out:
            out.write(run.data)
        beside.replace(path)
    return path


def mapped_run(path: Path) -> Run:
    """Maps a run on disk."""
    return np.memmap(path, np.uint8, mode="r") if path.stat().st_size else np.empty(0, np.uint8)


def make_table(
    path: str | os.PathLike[str],
    rows: Rows,
    attempts: Sequence[Run],
    contents: TableContents,
    work: Path,
    progress: Progress = SILENT,
) -> None:
    """Makes the table at `path`, which appears when it is complete; `work` is a directory for temporary files."""
    pile = _Pile(work / "arrays")
    runs: list[Path] = []
    with progress.task("scoring rules", unit="runs") as task:
        while (part := rows.next(_RUN_BYTES)) is not None:
            run, targets, linkings = part
            pile.append("target_pool", targets)
            pile.append("linking_pool", linkings)
            if len(run):
                runs.append(write_run(work / f"rows-{len(runs):06d}.run", run))
            task.advance()
    estimated = contents.translation != "given"
    builder = native.TableBuilder(
        [mapped_run(each) for each in runs],
        list(attempts),
        len(contents.columns) - estimated,
        contents.translation,
        contents.reordering,
    )
    pile.append("rule_offsets", np.zeros(1, np.uint32))
    levels = 0
    with progress.task("building the table", unit="rules") as task:
        while (built := builder.next(_RULES_AT_ONCE)) is not None:
            tree, columns, arrays = built
            levels = max(levels, len(tree))
            for level, (symbols, children, patterns) in enumerate(tree):
                pile.append(f"symbols-{level}", symbols)
                pile.append(f"children-{level}", children)
                pile.append(f"patterns-{level}", patterns)
            for number, column in enumerate(columns):
                flags = contents.columns[number] == "seen_once"
                pile.append(f"column{number}", column.astype(np.uint8) if flags else column)
            for name, array in arrays.items():
                pile.append(name, array)
            task.advance(len(arrays["counts"]))
    for run_file in runs:
        run_file.unlink()
    _finish(path, pile, levels, bool(attempts), contents)


def _finish(path: str | os.PathLike[str], pile: _Pile, levels: int, tried: bool, contents: TableContents) -> None:
    with storage.create(path, kind=KIND, version=VERSION) as new:
        tree = _tree(pile, levels)
        for name, array in tree.items():
            new.add(name, array)
        kinds = {"counts": np.float32, "reordering": np.float32, "target_pool": np.uint8, "linking_pool": np.uint8}
        names = ["rule_offsets", "targets", "linkings", "counts", "target_pool", "linking_pool"]
        names += ["attempts", "successes"] if tried else []
        names += ["reordering"] if contents.reordering else []
        for name in names:
            new.add(name, pile.array(name, kinds.get(name, np.uint32)))
        for number, name in enumerate(contents.columns):
            new.add(f"column{number}", pile.array(f"column{number}", np.uint8 if name == "seen_once" else np.float32))
        for side, vocabulary in zip(("source", "target"), contents.vocabularies, strict=True):
            save_vocabulary(vocabulary, new.path / f"{side}.vocab")
        new.facts.update(
            contents.facts,
            columns=list(contents.columns),
            gaps=bool((tree["symbols"] < 0).any()),
            rules=len(pile.array("counts", np.float32)),
            source_sides=len(pile.array("rule_offsets", np.uint32)) - 1,
        )


def _tree(pile: _Pile, levels: int) -> dict[str, NDArray[Any]]:
    """The levels one after the other, below a root; children by their place in the whole array."""
    symbols = [pile.array(f"symbols-{level}", np.int32) for level in range(levels)]
    starts = np.concatenate([[1], 1 + np.cumsum([len(each) for each in symbols])]).astype(np.uint32)
    total = int(starts[-1])
    first = pile.empty("children", total + 1, np.uint32)
    first[0] = 1
    for level in range(levels):
        begin, end = int(starts[level]), int(starts[level + 1])
        first[begin:end] = pile.array(f"children-{level}", np.uint32)
        first[begin:end] += starts[level + 1]
    first[total] = total
    joined = {}
    for name, kind, root in (("symbols", np.int32, 0), ("patterns", np.uint32, native.NO_PATTERN)):
        array = pile.empty(name, total, kind)
        array[0] = root
        for level in range(levels):
            array[int(starts[level]) : int(starts[level + 1])] = pile.array(f"{name}-{level}", kind)
        joined[name] = array
    return {**joined, "children": first}


class _Pile:
    """Arrays that grow on disk."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        with writing(directory):
            shutil.rmtree(directory, ignore_errors=True)  # of a run that was stopped
            directory.mkdir(parents=True)

    def append(self, name: str, array: NDArray[Any]) -> None:
        if len(array):
            with writing(self._directory), (self._directory / name).open("ab") as out:
                out.write(np.ascontiguousarray(array).data)

    def array(self, name: str, kind: Any) -> NDArray[Any]:
        file = self._directory / name
        return np.memmap(file, kind, mode="r") if file.exists() else np.empty(0, kind)

    def empty(self, name: str, size: int, kind: Any) -> NDArray[Any]:
        with writing(self._directory):
            return np.memmap(self._directory / name, kind, mode="w+", shape=(size,))
