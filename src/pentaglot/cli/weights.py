"""`pentaglot weights`: what a model has learnt to care about."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import click
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from pentaglot.cli.console import Console
from pentaglot.cli.outputs import check_files
from pentaglot.corpus.outputs import open_binary_output
from pentaglot.errors import OptionError
from pentaglot.explain import FeatureWeight, ResponseCurve, WeightGroup, WeightReport, to_png, weight_picture
from pentaglot.explain.weights import spread_by_round
from pentaglot.systems import weight_report

_PATH = click.Path(path_type=Path)
_BAR = 16
_LONGEST = 60  # name of a feature
_LEVELS = "▁▂▃▄▅▆▇█"


@click.command()
@click.argument("model", type=_PATH)
@click.option(
    "--beside",
    "others",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Other weights, or a model, to compare with; may be repeated.",
)
@click.option(
    "--tuning",
    "tunings",
    type=_PATH,
    multiple=True,
    help="The history of a run of tuning (the .tuning.json beside its weights); repeat it to see the spread over runs.",
)
@click.option(
    "--most", type=click.IntRange(min=1), default=12, show_default=True, help="Most weights to show of each group."
)
@click.option("--bins", is_flag=True, help="Show every bin of binned features.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--svg", type=_PATH, help="Draw everything into this file.")
@click.option("--png", type=_PATH, help="The same as PNG; needs the package resvg_py.")
def command(
    model: Path,
    others: tuple[str, ...],
    tunings: tuple[Path, ...],
    most: int,
    bins: bool,
    as_json: bool,
    svg: Path | None,
    png: Path | None,
) -> None:
    """Show the weights of MODEL, or of a file of weights: by group, with what each means, beside the defaults.

    Binned features are shown as curves of their weights, with the part of it that a logarithm explains, and where it is
    not monotone. Only ratios of weights matter, so others are stretched to the same length.
    """
    check_files(svg, png)
    report = weight_report(model, compared=_named(others), tunings=tunings)
    if svg is not None or png is not None:
        picture = weight_picture(report, most=most)
        if svg is not None:
            _write(svg, picture.encode())
        if png is not None:
            _write(png, to_png(picture))
    if as_json:
        click.echo(json.dumps(report.as_dictionary(), ensure_ascii=False, indent=2))
    else:
        _show(Console(), report, most, bins)


def _write(path: Path, data: bytes) -> None:
    with open_binary_output(path) as out:
        out.write(data)


def _named(given: Sequence[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for each in given:
        name, equals, file = each.partition("=")
        if not equals or Path(each).exists():
            name, file = Path(each).name, each
        path = Path(file) / "weights.txt" if Path(file).is_dir() else Path(file)
        if not name or not file:
            raise OptionError(f"'{each}' does not name weights", hint="write NAME=FILE")
        if name in found or name == "default":
            raise OptionError(f"two weights are called '{name}'", hint="write NAME=FILE with another name")
        found[name] = path
    return found


def _show(console: Console, report: WeightReport, most: int, bins: bool) -> None:
    if not console.is_terminal:
        console.width = max(console.width, 140)  # a file or a pager can scroll
    names = [f"{each.name} ×{each.factor:.3g}" for each in report.others]
    for group in report.without_curves:
        _show_group(console, group, names, most)
    for curve in report.curves:
        _show_curve(console, curve, bins)
    if report.tunings:
        _show_tuning(console, report)


def _show_group(console: Console, group: WeightGroup, others: Sequence[str], most: int) -> None:
    counts = f"{group.active:,} active, {group.distinct:,} distinct, of {len(group.features):,}"
    console.print(Text.assemble((group.name, "bold cyan"), (f"   {counts}", "dim")), soft_wrap=True)
    if not group.active:
        console.print()
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    # Only meanings may be cut off or left out, and very long names cut off.
    longest = max(cell_len(each.name) for each in group.features[:most])
    numbers = [8, _BAR + 1, *(max(8, cell_len(name)) for name in others)]
    room = console.width - sum(numbers) - 2 * len(numbers) - 4
    named = max(min(longest + 2, _LONGEST, room), 12)
    told = room - named >= 10
    table.add_column("  feature", no_wrap=True, width=named)
    for name, wide in zip(("weight", "", *others), numbers, strict=True):
        table.add_column(name, justify="right" if name else "left", no_wrap=True, width=wide)
    if told:
        table.add_column("meaning", no_wrap=True, overflow="ellipsis", max_width=room - named)
    for feature in group.features[:most]:
        beside = ["" if value is None else _number(value) for value in feature.others]
        bar = _bar(feature, group.strongest or 1.0)
        table.add_row(f"  {feature.name}", _number(feature.weight), bar, *beside, *([feature.meaning] if told else []))
    console.print(table)
    if len(group.features) > most:
        console.print(Text(f"  and {len(group.features) - most:,} more (see --most)", style="dim"))
    console.print()


def _bar(feature: FeatureWeight, largest: float) -> Text:
    """A bar to the left or to the right of the middle."""
    half = _BAR // 2
    size = round(half * abs(feature.weight) / largest)
    if feature.weight < 0:
        return Text(" " * (half - size) + "█" * size + "│", style="yellow")
    return Text(" " * half + "│" + "█" * size, style="blue")


def _show_curve(console: Console, curve: ResponseCurve, bins: bool) -> None:
    console.print(Text.assemble((curve.feature, "bold cyan"), (f"   {len(curve.bins)} bins, {curve.advice}", "dim")))
    console.print(Text(f"  {_line([each.weight for each in curve.bins])}", style="blue"), soft_wrap=True)
    console.print(
        Text(f"  {_line([each.population for each in curve.bins], least=0.0)}  population", style="dim"), soft_wrap=True
    )
    if curve.direction != "is flat":
        begin, end = curve.bins[0].weight, curve.bins[-1].weight
        against = (end - begin) * (1 if curve.direction == "rises" else -1) < 0  # where there are few rules
        told = f"it {curve.direction} for most rules, but goes" if against else f"it {curve.direction},"
        console.print(f"  {told} from {_number(begin)} to {_number(end)}")
    for name, fit in (("log value", curve.log), ("value", curve.linear)):
        if fit is not None and curve.direction != "is flat":
            shown = f"{_number(fit.intercept)} {'+' if fit.slope >= 0 else '−'} {abs(fit.slope):.3g} × {name}"
            console.print(f"  {shown} explains {fit.explained:.0%}")
    for turn in curve.turns:
        first, last = curve.bins[turn.first], curve.bins[turn.last]
        said = "falls" if turn.amount < 0 else "rises"
        text = f"  not monotone: {said} by {abs(turn.amount):.3g} from {first.value:.4g} to {last.value:.4g}"
        console.print(Text(text, style="red"))
    if bins:
        _show_bins(console, curve)
    console.print()


def _show_bins(console: Console, curve: ResponseCurve) -> None:
    table = Table(box=None, padding=(0, 2, 0, 2), header_style="dim")
    for name in ("from", "below", "rules", "weight", "off the log fit"):
        table.add_column(name, justify="right", no_wrap=True)
    for at, each in enumerate(curve.bins):
        rest = None if curve.log is None else curve.log.residuals[at]
        high = "" if each.high == float("inf") else f"{each.high:.6g}"
        row = (f"{each.low:.6g}", high, f"{each.population:,.0f}", _number(each.weight))
        table.add_row(*row, "" if rest is None else _number(rest))
    console.print(table)


def _show_tuning(console: Console, report: WeightReport) -> None:
    histories = list(report.tunings.values())
    runs = f"{len(histories)} runs" if len(histories) > 1 else f"one run: {histories[0].ended}"
    console.print(Text.assemble(("tuning", "bold cyan"), (f"   {histories[0].metric} by round, {runs}", "dim")))
    table = Table(box=None, padding=(0, 2, 0, 2), header_style="dim")
    aside = all(each.has_held_out for each in histories)
    for name in ("round", "score", *(["set aside"] if aside else []), "chosen by"):
        table.add_column(name, justify="right", no_wrap=True)
    scores = spread_by_round([each.curve() for each in histories])
    held_out = spread_by_round([each.curve(held_out=True) for each in histories])
    for at in range(len(scores)):
        chosen = sum(each.best_round == at for each in histories)
        mark = "" if not chosen else "←" if len(histories) == 1 else f"{chosen} of {len(histories)}"
        table.add_row(str(at), *[_mean(each[at]) for each in ([scores, held_out] if aside else [scores])], mark)
    console.print(table)


def _mean(found: tuple[float, float, int]) -> str:
    return f"{found[0]:.2f}" + (f" ± {found[1]:.2f}" if found[2] > 1 else "")


def _line(values: Sequence[float], wide: int = 64, least: float = math.inf) -> str:
    """Numbers as a row of little bars; neighbours share one if there are too many. The lowest bar stands for the
    smallest number, or for `least` if that is smaller.

    >>> _line([0.0, 1.0, 2.0, 7.0]), _line([6.0, 7.0], least=0.0)
    ('▁▂▃█', '▇█')
    """
    if len(values) > wide:
        parts = [values[at * len(values) // wide : (at + 1) * len(values) // wide] for at in range(wide)]
        values = [sum(part) / len(part) for part in parts]
    low, high = min(*values, least), max(values)
    return "".join(_LEVELS[int((value - low) / ((high - low) or 1.0) * (len(_LEVELS) - 1))] for value in values)


def _number(value: float) -> str:
    return f"{value if abs(value) > 1e-9 else 0.0:.3g}".replace("-", "−")
