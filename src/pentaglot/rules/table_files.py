"""Reads and writes tables as text: Moses phrase and reordering tables, cdec and Joshua grammars."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from pentaglot import placing, storage
from pentaglot._core import rules as native
from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus.compression import StrPath, shown
from pentaglot.corpus.outputs import open_binary_output
from pentaglot.errors import InputError, OptionError, OutputError, PentaglotError, writing
from pentaglot.options import suggestion
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.making import TableContents, make_table
from pentaglot.rules.table import COUNT_COLUMNS, Table
from pentaglot.rules.table_formats import TextOptions, format_of, guessed_format
from pentaglot.rules.table_reading import TableReading, by_frequency

__all__ = ["export_table", "import_table"]

_LOG = logging.getLogger(__name__)


# The scores of a Moses phrase table, in order.
MOSES_SCORES = ("inverse", "lexical_source", "translation", "lexical_target")
_WRITE_BYTES = 1 << 20


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
    form = guessed_format(file) if options.format == "auto" else options.format
    vocabularies = Vocabulary(), Vocabulary()
    place = Path(temporary) if temporary is not None else Path(path).absolute().parent
    with writing(place):
        place.mkdir(parents=True, exist_ok=True)
    with placing.new_directory(place / f"{Path(path).name}.pieces") as directory:
        escapes = options.escaping == "moses"
        main = TableReading(file, native.TableTextReader(*vocabularies, form, escapes), directory / "rules", progress)
        columns = _column_names(main.reader, form, options, file)
        oriented = None
        if reordering is not None:
            reader = native.TableTextReader(*vocabularies, "reordering", escapes)
            oriented = TableReading(reordering, reader, directory / "orientations", progress)
        kept, ids = by_frequency(vocabularies, main, oriented)
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
