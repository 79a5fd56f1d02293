"""`pentaglot evaluate`: score translations against references."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from pentaglot.cli.console import Console
from pentaglot.cli.inputs import check_inputs, note_empty_lines
from pentaglot.cli.options import quiet_option, with_options
from pentaglot.cli.outputs import check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.corpus.compression import shown
from pentaglot.corpus.lines import read_lines
from pentaglot.corpus.outputs import open_output
from pentaglot.errors import InputError
from pentaglot.evaluate import CompareOptions, Verdict, compare
from pentaglot.evaluate.tables import shown_p
from pentaglot.metrics import (
    Metric,
    MetricOptions,
    Score,
    ScoringOptions,
    chosen_metrics,
    note_on_spaces,
    score_translations,
    word_matching,
)
from pentaglot.wording import number_of


@click.command()
@click.argument("hypotheses", type=click.Path(path_type=Path))
@click.argument("references", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "--baseline",
    "baselines",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Translations by another system, to test whether HYPOTHESES are significantly better. May be repeated.",
)
@click.option("--links", type=click.Path(path_type=Path), metavar="FILE",
              help="Write which words are matched with which of the first reference (0-3 1-2 ...).")  # fmt: skip
@with_options(ScoringOptions, table="evaluate")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@quiet_option
def command(
    hypotheses: Path,
    references: tuple[Path, ...],
    baselines: tuple[Path, ...],
    links: Path | None,
    options: ScoringOptions,
    as_json: bool,
    quiet: bool,
) -> None:
    """Score translations by BLEU, chrF and TER, equal to sacrebleu's, by BEER, and by word order.

    HYPOTHESES has one translation per line; each file of REFERENCES has a good translation of the same sentence on the
    same line. Files may be compressed (.gz, .zst); - is standard input.

    With --baseline, both outputs are compared by approximate randomisation and by paired bootstrap resampling; see
    'pentaglot compare' for more systems, several runs of each, and full reports.
    """
    check_inputs(hypotheses, *references, *baselines, options.beer_model)
    check_files(links, inputs=(hypotheses, *references, *baselines))
    metrics = chosen_metrics(options)  # once: a model may come through a pipe
    translated = list(read_lines(hypotheses))
    if not translated:
        raise InputError("is empty: there is nothing to evaluate", path=shown(hypotheses))
    wanted = [_read_beside(path, len(translated), hypotheses) for path in references]
    if not quiet:
        note_empty_lines(translated, hypotheses)
        if (note := note_on_spaces(metrics, wanted[0])) is not None:
            click.echo(f"{references[0]}: {note} See --tokenize.", err=True)
    others = {str(path): _read_beside(path, len(translated), hypotheses) for path in baselines}
    if links is not None:
        matching = word_matching(options)
        pairs = (matching.links(*pair) for pair in zip(translated, wanted[0], strict=True))
        lines = (" ".join(f"{word}-{reference}" for word, reference in each) + "\n" for each in pairs)
        with open_output(links) as out:
            out.writelines(lines)
    with shown_progress(quiet=quiet) as progress:
        scores = score_translations(translated, wanted, options, metrics=metrics, progress=progress)
        verdicts = {name: _compared(translated, other, wanted, options, metrics) for name, other in others.items()}
    if as_json:
        found = [
            _as_dictionary(score, {name: each[at] for name, each in verdicts.items()})
            for at, score in enumerate(scores)
        ]
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        _print_table(scores, verdicts)


def _compared(
    ours: list[str],
    theirs: list[str],
    references: list[list[str]],
    options: ScoringOptions,
    metrics: Sequence[Metric],
) -> list[Verdict]:
    """The system compared with a baseline, by each metric."""
    shared = {each.name: getattr(options, each.name) for each in dataclasses.fields(MetricOptions)}
    wanted = CompareOptions(**shared, resamples=options.resamples, seed=options.seed, sentences=0)
    report = compare({"baseline": [theirs], "system": [ours]}, references, wanted, metrics=metrics)
    return [metric.verdicts[0] for metric in report.metrics]


def _read_beside(path: Path, wanted: int, hypotheses: Path) -> list[str]:
    lines = list(read_lines(path))
    if len(lines) != wanted:
        raise InputError(
            f"has {number_of(len(lines), 'line')} but {shown(hypotheses)} has {wanted:,}",
            path=shown(path),
            line=min(len(lines), wanted) + 1,
            hint="line n of all files must translate the same sentence",
        )
    return lines


def _as_dictionary(score: Score, verdicts: dict[str, Verdict]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "metric": score.name,
        "score": score.value,
        "higher_is_better": score.higher_is_better,
        "signature": score.signature,
    }
    if score.interval is not None:
        found["interval"] = {"mean": score.interval.mean, "low": score.interval.low, "high": score.interval.high}
    if verdicts:
        found["baselines"] = [
            {
                "file": name,
                "score": each.bootstrap.baseline,
                "difference": each.difference,
                "low": each.bootstrap.low,
                "high": each.bootstrap.high,
                "better": None if score.name == "length" else each.bootstrap.better,
                "p": each.p,
                "p_bootstrap": each.bootstrap.p,
            }
            for name, each in verdicts.items()
        ]
    return found


def _print_table(scores: list[Score], verdicts: dict[str, list[Verdict]]) -> None:
    console = Console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("metric")
    table.add_column("score", justify="right")
    if any(score.interval for score in scores):
        table.add_column("95 % interval", justify="right")
    table.add_column("")
    for score in scores:
        bounds = [] if score.interval is None else [f"{score.interval.low:.2f} – {score.interval.high:.2f}"]
        table.add_row(score.name, f"{score.value:.2f}", *bounds, _told_direction(score))
    console.print_table(table)
    for name, each in verdicts.items():
        console.print()
        console.print(f"compared with {name}", soft_wrap=True)
        console.print_table(_comparison_table(dict(zip((score.name for score in scores), each, strict=True))))
    console.print()
    for score in scores:
        console.print(f"{score.name}|{score.signature}", soft_wrap=True, style="dim")


def _told_direction(score: Score) -> str:
    """Which scores are good ones."""
    if score.name == "length":
        return "100 is as long as the reference"
    return "higher is better" if score.higher_is_better else "lower is better"


def _comparison_table(verdicts: dict[str, Verdict]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("metric")
    for heading in ("baseline", "difference", "95 % interval", "better in", "p", "p (bootstrap)"):
        table.add_column(heading, justify="right")
    for name, each in verdicts.items():
        found = each.bootstrap
        table.add_row(
            name,
            f"{found.baseline:.2f}",
            f"{found.difference:+.2f}",
            f"{found.low:+.2f} – {found.high:+.2f}",
            "–" if name == "length" else f"{100 * found.better:.1f} %",
            shown_p(each.p),
            shown_p(found.p),
        )
    return table
