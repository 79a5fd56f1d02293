"""Reads and writes tables as text: Moses phrase and reordering tables, cdec and Joshua grammars."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot import placing, storage
from pentaglot._core import rules as native
from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.corpus.compression import StrPath, read_blocks, shown, stem_and_format
from pentaglot.corpus.lines import open_binary_output, read_line_blocks
from pentaglot.errors import InputError, OptionError, OutputError, PentaglotError, writing
from pentaglot.options import setting, suggestion
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.making import Run, TableContents, make_table, mapped_run, write_run
from pentaglot.rules.table import COUNT_COLUMNS, Table

__all__ = ["FormatName", "TextOptions", "export_table", "format_of", "import_table"]

_LOG = logging.getLogger(__name__)

FormatName = Literal["moses", "cdec", "joshua"]
_FORMATS: tuple[FormatName, ...] = ("moses", "cdec", "joshua")

# The scores of a Moses phrase table, in order.
MOSES_SCORES = ("inverse", "lexical_source", "translation", "lexical_target")
_RUN_BYTES = 64 << 20
_WRITE_BYTES = 1 << 20


@dataclass(frozen=True)
class TextOptions:
    """The text format of a table."""

    format: Literal["auto", "moses", "cdec", "joshua"] = setting(
        "auto", "the format; auto: by the name (.moses, .cdec, .joshua, before .gz), else by its contents"
    )
    escaping: Literal["moses", "none"] = setting(
        "moses", "whether | & < > ' \" [ ] in words are written as &#124; &amp; and so on, or as they are"
    )
    features: tuple[str, ...] = setting((), "names of the scores, in order, if the file does not name them")


def format_of(path: StrPath) -> FormatName | None:
    """The format that a file name implies, if any.

    >>> format_of("table.cdec.gz"), format_of("phrase-table.gz")
    ('cdec', None)
    """
    extension = stem_and_format(path)[1].removeprefix(".")
    return next((name for name in _FORMATS if name == extension), None)


def import_table(
    file: StrPath,
    path: str | os.PathLike[str],
    options: TextOptions | None = None,
    *,
    reordering: StrPath | None = None,
    temporary: str | os.PathLike[str] | None = None,
    progress: Progress = SILENT,
) -> Table:
    """Compiles a table in text form, and the Moses reordering table that belongs to it, into the table at `path`.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "small.cdec").write_text("[X] ||| das [X,1] ||| the [1] ||| translation=-0.5 ||| 0-0\\n")
    >>> import_table(folder / "small.cdec", folder / "table").features
    ('translation',)
    """
    options = options or TextOptions()
    storage.check_place(Path(path))
    form = _guessed(file) if options.format == "auto" else options.format
    vocabularies = Vocabulary(), Vocabulary()
    place = Path(temporary) if temporary is not None else Path(path).absolute().parent
    with writing(place):
        place.mkdir(parents=True, exist_ok=True)
    with placing.new_directory(place / f"{Path(path).name}.pieces") as directory:
        escapes = options.escaping == "moses"
        main = _Reading(file, native.TableTextReader(*vocabularies, form, escapes), directory / "rules", progress)
        columns = _column_names(main.reader, form, options, file)
        oriented = None
        if reordering is not None:
            reader = native.TableTextReader(*vocabularies, "reordering", escapes)
            oriented = _Reading(reordering, reader, directory / "orientations", progress)
        kept, ids = _by_frequency(vocabularies, main, oriented)
        rows = native.TargetNumberer(main.sorted(*ids), oriented.sorted(*ids) if oriented else [], len(columns))
        facts = {"format": form, "made_from": Path(file).name}
        contents = TableContents(columns, "given", oriented is not None, kept, facts)
        make_table(path, rows, [], contents, directory, progress)
        if oriented is not None and rows.oriented < main.reader.rules:
            _LOG.warning(
                "%d of %d rules are not in %s; their orientations are taken to be equally likely",
                main.reader.rules - rows.oriented,
                main.reader.rules,
                shown(reordering or ""),
            )
    return Table.open(path)


def export_table(
    table: Table,
    file: StrPath,
    options: TextOptions | None = None,
    *,
    reordering: StrPath | None = None,
    progress: Progress = SILENT,
) -> None:
    """Writes a table as text; with `reordering`, writes its orientations to that file."""
    options = options or TextOptions()
    form = options.format
    if form == "auto":
        form = format_of(file) or ("cdec" if table.has_gaps else "moses")
    names = list(options.features) or (_moses_scores(table) if form == "moses" else list(table.features))
    for name in names:
        if name not in table.features:
            raise OptionError(f"the table has no feature '{name}'", hint=suggestion(name, table.features))
    places = {name: number for number, name in enumerate(table.columns)}
    counts = [places[name] for name in COUNT_COLUMNS if name in places]

    def write(target: StrPath, form: str) -> None:
        writer = native.TableTextWriter(
            table.stored,
            table.source_vocabulary,
            table.target_vocabulary,
            form,
            options.escaping == "moses",
            [places.get(name, -1) for name in names],
            names,
            places.get("inverse", -1),
            counts,
        )
        with (
            open_binary_output(target) as out,
            progress.task(f"writing {shown(target, 'standard output')}", unit="lines") as task,
        ):
            while lines := writer.next(_WRITE_BYTES):
                out.write(lines)
                task.advance(lines.count(b"\n"))

    for target, kind in ((file, form), (reordering, "reordering")):
        if target is None:
            continue
        try:
            write(target, kind)
        except OutputError:
            raise
        except PentaglotError as error:
            hint = "use cdec or joshua" if "gaps" in error.message else ""
            raise OutputError(error.message, path=shown(target, "standard output"), hint=hint) from error


def _moses_scores(table: Table) -> list[str]:
    """The four usual scores, or else all."""
    usual = [name for name in MOSES_SCORES if name in table.features]
    others = [name for name in table.features if name not in MOSES_SCORES]
    extra = [name for name in others if name not in ("coherence", "seen_once")]
    return usual + extra or list(table.features)


def _guessed(file: StrPath) -> FormatName:
    named = format_of(file)
    if named is not None:
        return named
    if os.fspath(file) == "-":
        raise OptionError("the format of standard input must be given", hint="use --format")
    first = b""
    for block in read_blocks(file):
        first += block
        if b"\n" in first or len(first) > 1 << 16:
            break
    fields = first.split(b"\n")[0].split(b"|||")
    if fields[0].strip() != b"[X]":
        return "moses"
    return "cdec" if len(fields) > 3 and b"=" in fields[3] else "joshua"


def _column_names(reader: native.TableTextReader, form: str, options: TextOptions, file: StrPath) -> list[str]:
    if form == "cdec":
        if options.features:
            raise OptionError("the features of a cdec grammar have names already", hint="leave --features out")
        return list(reader.names)
    given = list(options.features)
    if not given:
        usual = MOSES_SCORES if form == "moses" else ()
        given = [usual[at] if at < len(usual) else f"score{at + 1}" for at in range(reader.columns)]
    if len(given) != reader.columns or len(set(given)) != len(given):
        raise InputError(
            f"has {reader.columns} scores, but {len(given)} names were given, or one of them twice",
            path=shown(file),
            hint="give as many different names as there are scores",
        )
    return given + (list(COUNT_COLUMNS) if reader.has_counts else [])


class _Reading:
    """A file as runs on disk, with ids in order of first occurrence."""

    def __init__(self, file: StrPath, reader: native.TableTextReader, directory: Path, progress: Progress) -> None:
        self.reader = reader
        self._files: list[Path] = []
        self._directory = directory
        with writing(directory):
            directory.mkdir()
        with progress.task(f"reading {shown(file)}", unit="lines") as task:
            for lines in read_line_blocks(file):
                done = reader.line
                try:
                    reader.feed(lines)
                except PentaglotError as error:
                    raise InputError(error.message, path=shown(file), line=reader.line) from None
                task.advance(reader.line - done)
                if reader.waiting > _RUN_BYTES:
                    self._spill()
        if reader.rules == 0:
            raise InputError("has no rules", path=shown(file), hint="check that it is the right file")
        self._spill()

    def _spill(self) -> None:
        if self.reader.waiting == 0:
            return
        self._files.append(write_run(self._directory / f"{len(self._files):06d}.run", self.reader.take()))

    def sorted(self, source_ids: NDArray[np.uint32], target_ids: NDArray[np.uint32]) -> list[Run]:
        """The runs in the final ids."""
        for file in self._files:
            write_run(file, native.renumbered(np.fromfile(file, np.uint8), source_ids, target_ids))
        return [mapped_run(file) for file in self._files]


def _by_frequency(
    vocabularies: tuple[Vocabulary, Vocabulary], main: _Reading, oriented: _Reading | None
) -> tuple[tuple[Vocabulary, Vocabulary], tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
    """Words numbered by frequency in the table, so that equal tables get equal ids."""
    readers: Sequence[native.TableTextReader] = [each.reader for each in (main, oriented) if each is not None]
    kept, ids = [], []
    for side, vocabulary in zip(("source", "target"), vocabularies, strict=True):
        counts = np.zeros(len(vocabulary), np.uint64)
        for reader in readers:
            seen = reader.source_counts if side == "source" else reader.target_counts
            counts[: len(seen)] += seen
        counts[:FIRST_WORD] = 0
        words, new_ids = vocabulary.by_frequency(counts)
        kept.append(words)
        ids.append(new_ids)
    return (kept[0], kept[1]), (ids[0], ids[1])
