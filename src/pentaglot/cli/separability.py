"""`pentaglot separability`: whether the features of a model can rank its translations."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Collection
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from pentaglot.cli.compare import print_rows
from pentaglot.cli.console import Console
from pentaglot.cli.options import quiet_option, threads_option
from pentaglot.cli.progress import shown_progress
from pentaglot.learn.separation import Separability
from pentaglot.systems import Translator
from pentaglot.systems.development import read_development
from pentaglot.systems.separating import model_separability
from pentaglot.wording import number_of

_PATH = click.Path(path_type=Path)
_USES = ("as it is", "log", "root", "square", "exp", "bins")


@click.command()
@click.argument("model", type=_PATH)
@click.argument("source", type=_PATH)
@click.argument("target", type=_PATH)
@click.option(
    "--sentences", type=click.IntRange(min=1), default=20, show_default=True, help="Use only this many sentences."
)
@click.option(
    "--size",
    type=click.IntRange(min=2),
    default=10,
    show_default=True,
    help="Candidates per sentence; all their pairs count.",
)
@click.option("--bins", type=click.IntRange(2, 4096), default=16, show_default=True, help="Most bins of each feature.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@threads_option
@quiet_option
def command(
    model: Path,
    source: Path,
    target: Path,
    sentences: int,
    size: int,
    bins: int,
    as_json: bool,
    threads: int,
    quiet: bool,
) -> None:
    """Test whether weights exist that rank the best translations of SOURCE by MODEL as TARGET says.

    This is tried with features as they are, with bins of whole translations and with bins of single rules. The result
    also says how each feature is best used: as it is, as a logarithm, in bins.
    """
    sources, references = read_development((source, target))
    chosen = list(itertools.islice(zip(sources, references, strict=True), sentences))
    translator = Translator.open(model)
    with shown_progress(quiet=quiet) as progress:
        found = model_separability(
            translator,
            [each for each, _ in chosen],
            [each for _, each in chosen],
            size=size,
            bins=bins,
            threads=threads,
            progress=progress,
        )
    if as_json:
        click.echo(json.dumps({"verdict": found.verdict, **dataclasses.asdict(found)}, ensure_ascii=False, indent=2))
    else:
        _show(Console(), found, set(translator.induced_names))


def _show(console: Console, found: Separability, induced: Collection[str]) -> None:
    console.print(Text(found.verdict, style="bold"), soft_wrap=True)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("features", "separable", "pairs ranked rightly", "collisions", "collinear"):
        table.add_column(name, justify="left" if name == "features" else "right", no_wrap=True)
    ways = {"as they are": found.linear, "bins of translations": found.global_, "bins of rules": found.local}
    for name, each in ways.items():
        told = "yes" if each.separable else "no"
        table.add_row(
            name, told, f"{each.ranked:.1%} of {each.pairs:,}", str(len(each.collisions)), str(len(each.collinear))
        )
    console.print(table)
    console.print()
    rows = [["feature", "advice", *_USES]]
    for name, uses in found.features.items():
        if name in induced:  # thousands, perhaps, which are there or not
            continue
        rows.append([name, found.advice[name], *(f"{uses[use]:.0%}" if use in uses else "" for use in _USES)])
    print_rows(rows, 2)
    if rest := len(found.features) - len(rows) + 1:
        console.print(Text(f"and {number_of(rest, 'induced feature')} (see --json)", style="dim"))
