"""`pentaglot metric-eval`: how well metrics agree with people."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.table import Table

from pentaglot.cli.console import Console
from pentaglot.cli.inputs import check_inputs
from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.progress import shown_progress
from pentaglot.errors import OptionError
from pentaglot.evaluate.agreement import TieRule
from pentaglot.evaluate.judgments import Judged, read_direct_scores, read_rankings
from pentaglot.evaluate.metric_evaluation import HUMAN_SCORES, Agreement, evaluate_metrics, mean_rank_of, win_loss_draw
from pentaglot.metrics import Metric, MetricOptions, chosen_metrics, note_on_spaces
from pentaglot.options import setting

_PATH = click.Path(path_type=Path)


@dataclass(frozen=True)
class AgreementOptions(MetricOptions):
    """Which metrics to compare, and how to compute them."""

    metrics: str = setting("beer,chrf", "Metrics, separated by commas; all are compared with the last.")


rankings_option = click.option(
    "--rankings",
    type=_PATH,
    nargs=2,
    multiple=True,
    metavar="SEGMENTS PAIRS",
    help="Translations of a test set, and rankings of them by people; may be repeated.",
)
skip_option = click.option("--skip-unknown", is_flag=True, help="Skip judgments of missing translations.")


def check_rankings(rankings: Sequence[tuple[Path, Path]]) -> None:
    """There must be some."""
    if not rankings:
        raise OptionError("there are no judgments", hint="give --rankings")


def read_judged(rankings: Sequence[tuple[Path, Path]], *, skip_unknown: bool) -> list[Judged]:
    """The test sets of `--rankings`."""
    return [read_rankings(*paths, skip_unknown=skip_unknown) for paths in rankings]


def warn_of_spaces(judged: Sequence[Judged], metrics: Sequence[Metric]) -> None:
    """Tell of test sets that have no spaces between words, if metrics need them."""
    for each in judged:
        if (note := note_on_spaces(metrics, each.references)) is not None:
            click.echo(f"{each.name}: {note}", err=True)


@click.command()
@rankings_option
@click.option(
    "--direct",
    type=_PATH,
    nargs=2,
    multiple=True,
    metavar="SEGMENTS SCORES",
    help="Translations of a test set, and direct scores by people; may be repeated.",
)
@skip_option
@with_options(AgreementOptions, table="metric-eval")
@click.option("--ties", type=click.Choice(["drop", "wrong", "half"]), default="drop", show_default=True,
              help="How to count pairs that only the metric finds equal.")  # fmt: skip
@click.option("--human", type=click.Choice(HUMAN_SCORES), default="expected wins", show_default=True,
              help="How to turn rankings into scores of systems.")  # fmt: skip
@click.option("--hybrids", type=click.IntRange(min=0), default=0, show_default=True,
              help="Also compare on this many systems made up of pairs of systems; needs --direct.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of all resampling.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@threads_option
@quiet_option
def command(
    rankings: tuple[tuple[Path, Path], ...],
    direct: tuple[tuple[Path, Path], ...],
    skip_unknown: bool,
    options: AgreementOptions,
    ties: TieRule,
    human: str,
    hybrids: int,
    seed: int,
    as_json: bool,
    threads: int,
    quiet: bool,
) -> None:
    """Show how well metrics agree with people: Kendall's tau of segments, Pearson and Spearman of systems.

    SEGMENTS has the columns segment, system (or ref) and text; PAIRS has segment, judge, system, rank, system and rank;
    SCORES has segment, system and score. Columns are separated by tabs and named in the first line.
    """
    if not rankings and not direct:
        raise OptionError("there are no judgments", hint="give --rankings or --direct")
    check_inputs(*(path for paths in (*rankings, *direct) for path in paths), options.beer_model)
    if hybrids and not direct:
        raise OptionError("--hybrids needs direct scores", hint="give --direct, or leave it out")
    chosen = chosen_metrics(options)
    judged = read_judged(rankings, skip_unknown=skip_unknown)
    judged += [read_direct_scores(*paths, skip_unknown=skip_unknown) for paths in direct]
    if not quiet:
        warn_of_spaces(judged, chosen)
    with shown_progress(quiet=quiet) as progress:
        rows = evaluate_metrics(
            judged, chosen, ties=ties, human=human, hybrids=hybrids, seed=seed, threads=threads, progress=progress
        )  # fmt: skip
    print_agreement(rows, as_json=as_json)


def print_agreement(rows: Sequence[Agreement], *, as_json: bool) -> None:
    """Print a table, with means over test sets below."""
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(row) for row in rows], indent=2))
        return
    console = Console()
    columns = {name: label for name, label in _COLUMNS.items() if any(getattr(row, name) is not None for row in rows)}
    table = Table("set", "metric", *columns.values(), box=None, pad_edge=False, header_style="bold")
    for column in table.columns[2:]:
        column.justify = "right"
    metrics = list(dict.fromkeys(row.metric for row in rows))
    for number, row in enumerate(rows):
        if row.sets > 1 and rows[number - 1].sets == 1:
            table.add_section()
        table.add_row(row.set, row.metric, *(_shown(getattr(row, name), name) for name in columns))
    console.print_table(table)
    ranks = mean_rank_of(rows)
    for metric in metrics[:-1]:
        ahead, behind, draws = win_loss_draw(rows, metric)
        if ahead + behind + draws:
            sets = f"better on {ahead}, worse on {behind}, undecided on {draws} test sets"
            rank = f"mean rank {ranks[metric]:.2f} against {ranks[metrics[-1]]:.2f}"
            console.print(f"{metric} against {metrics[-1]}: {sets}; {rank}", soft_wrap=True)


_COLUMNS = {
    "tau": "tau",
    "ahead": "ahead",
    "low": "from",
    "high": "to",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "segment_pearson": "segments",
    "p": "p",
    "hybrid_pearson": "hybrids",
    "hybrid_p": "p",
}


def _shown(value: float | None, name: str) -> str:
    if value is None:
        return ""
    return f"{value:+.3f}" if name in ("ahead", "low", "high") else f"{value:.3f}"
