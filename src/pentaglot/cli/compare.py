"""`pentaglot compare`: test whether systems differ, over sentences and over runs of tuning."""

from __future__ import annotations

import glob
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from pentaglot.cli.console import Console
from pentaglot.cli.inputs import check_inputs
from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.outputs import check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.showing import visible
from pentaglot.corpus import open_output, read_lines
from pentaglot.errors import InputError, OptionError
from pentaglot.evaluate import CompareOptions, Report, compare, comparison_page, to_latex, to_markdown
from pentaglot.evaluate.tables import caption, difference_rows, range_rows, score_rows
from pentaglot.wording import number_of

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("systems", metavar="NAME=FILE...", nargs=-1, required=True)
@click.option("-r", "--reference", "references", type=_FILE, multiple=True, help="Reference file; may be repeated.")
@click.option("--baseline", help="The system that the others are compared with.  [default: the first]")
@click.option("--source", type=_FILE, help="The source sentences, to show in the HTML page.")
@click.option("--dev", multiple=True, metavar="NAME=FILE", help="The same runs on the development set, for s_dev.")
@click.option("--dev-reference", "dev_references", type=_FILE, multiple=True, help="References of the development set.")
@with_options(CompareOptions, table="compare")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--markdown", type=_FILE, help="Write the tables as Markdown.")
@click.option("--latex", type=_FILE, help="Write the scores as a LaTeX table.")
@click.option("--html", type=_FILE, help="Write a page with plots and the sentences that changed most.")
@threads_option
@quiet_option
def command(
    systems: tuple[str, ...],
    references: tuple[Path, ...],
    baseline: str | None,
    source: Path | None,
    dev: tuple[str, ...],
    dev_references: tuple[Path, ...],
    options: CompareOptions,
    as_json: bool,
    markdown: Path | None,
    latex: Path | None,
    html: Path | None,
    threads: int,
    quiet: bool,
) -> None:
    """Compare translations of the same sentences by two or more systems, of any toolkit.

    Each NAME=FILE is one run of a system, with one translation per line. Repeat a name for further runs: a system
    should be tuned at least three times. FILE may be a quoted pattern ('mert=out.*.en'), and files may be compressed. A
    system without a name is named after its file.

    Prints means, spreads (s_sel over sentences, s_test over runs), p by approximate randomisation, corrected p and
    confidence intervals.
    """
    texts_read = [*references, *dev_references, *_files(systems), *_files(dev), *(() if source is None else (source,))]
    check_inputs(*texts_read)
    check_files(markdown, latex, html, inputs=texts_read)
    texts = _texts(systems, references, dev, dev_references, source)
    with shown_progress(quiet=quiet) as progress:
        report = compare(**texts, options=options, baseline=baseline, threads=threads, progress=progress)
    for path, made in ((markdown, to_markdown), (latex, to_latex), (html, comparison_page)):
        if path is not None:
            with open_output(path) as out:
                out.write(made(report))
    if as_json:
        click.echo(json.dumps(report.as_dictionary(), ensure_ascii=False, indent=2))
    elif Path("-") not in (markdown, latex, html):
        print_report(report)


def _texts(
    systems: Sequence[str],
    references: Sequence[Path],
    dev: Sequence[str],
    dev_references: Sequence[Path],
    source: Path | None,
) -> dict[str, Any]:
    """What is compared, as `compare` takes it."""
    files = _runs(systems)
    if not references:
        raise OptionError("there are no references to compare with", hint="name one with --reference")
    if bool(dev) != bool(dev_references):
        raise OptionError("--dev and --dev-reference go together")
    wanted = _read_all(references, None)
    size = len(wanted[0]), references[0]
    if not wanted[0]:
        raise InputError("is empty: there is nothing to compare", path=references[0])
    outputs = {name: _read_all(paths, size) for name, paths in files.items()}
    dev_files = _runs(dev)
    dev_wanted = _read_all(dev_references, None)
    if dev_wanted and not dev_wanted[0]:
        raise InputError("is empty: there is no development text", path=dev_references[0])
    dev_outputs = {name: _read_all(paths, (len(dev_wanted[0]), dev_references[0])) for name, paths in dev_files.items()}
    sources = None if source is None else _read_all([source], size)[0]
    return {
        "systems": outputs,
        "references": wanted,
        "dev": dev_outputs or None,
        "dev_references": dev_wanted,
        "sources": sources,
    }


def _files(given: Sequence[str]) -> list[Path]:
    return [path for paths in _runs(given).values() for path in paths]


def _runs(given: Sequence[str]) -> dict[str, list[Path]]:
    """The files of each system."""
    found: dict[str, list[Path]] = {}
    files = {Path(each).resolve(): each for each in given if _is_nameless(each)}
    nameless = Counter(Path(each).name for each in files.values())
    for each in given:
        name, _, pattern = each.partition("=")
        if _is_nameless(each):
            name, pattern = Path(each).name, each
            if nameless[name] > 1:  # old/test.en and new/test.en
                name = each
        if not name or not pattern:
            raise OptionError(f"'{each}' does not name a system and a file", hint="write NAME=FILE")
        paths = [Path(pattern)]
        if not paths[0].exists() and glob.has_magic(pattern):
            paths = [Path(path) for path in sorted(glob.glob(pattern))] or paths  # noqa: PTH207 (also absolute ones)
        for path in paths:
            if any(path.resolve() == other.resolve() for other in found.get(name, ())):
                raise InputError(f"is given twice as a run of '{name}'", path=path, hint="each run counts once")
            found.setdefault(name, []).append(path)
    return found


def _is_nameless(given: str) -> bool:
    return "=" not in given or Path(given).exists()


def _read_all(paths: Sequence[Path], size: tuple[int, Path] | None) -> list[list[str]]:
    """The lines of files, which must have as many as the file that `size` names, or as the first."""
    found: list[list[str]] = []
    for path in paths:
        lines = list(read_lines(path))
        wanted, other = size or (len(lines), path)
        size = wanted, other
        if len(lines) != wanted:
            raise InputError(
                f"has {number_of(len(lines), 'line')} but {other} has {wanted:,}",
                path=path,
                line=min(len(lines), wanted) + 1,
                hint="line n of all files must translate the same sentence",
            )
        found.append(lines)
    return found


def print_report(report: Report) -> None:
    """The tables of a comparison, their caption, and signatures."""
    console = Console()
    for rows, texts in ((score_rows(report), 1), (difference_rows(report), 3), (range_rows(report), 3)):
        if rows:
            print_rows(rows, texts)
    for line in caption(report):
        console.print(line, soft_wrap=True)
    for metric in report.metrics:
        console.print(f"{metric.name}|{metric.signature}", soft_wrap=True, style="dim")


def print_rows(rows: list[list[str]], texts: int) -> None:
    """A heading and rows as a table whose first `texts` columns are text, the others numbers."""
    console = Console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for at, heading in enumerate(rows[0]):
        table.add_column(heading, justify="left" if at < texts else "right")
    for row in rows[1:]:
        table.add_row(*(visible(cell, one_line=True) for cell in row))
    console.print_table(table)
    console.print()
