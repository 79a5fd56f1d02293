"""A comparison as one self-contained HTML page. All text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pentaglot.evaluate.changes import marked
from pentaglot.evaluate.plots import difference_plot, gain_plot, score_plot
from pentaglot.evaluate.report import Change, MetricReport, Report
from pentaglot.evaluate.tables import caption, difference_rows, range_rows, score_rows, shown_p
from pentaglot.forest.lettering import safe
from pentaglot.pages import html_page

__all__ = ["comparison_page", "html_table", "page_style"]


def comparison_page(report: Report, *, title: str = "") -> str:
    """The page, as text."""
    heading = safe(title) or f"{len(report.systems)} systems compared"
    over = "sentences and runs" if report.hierarchical else "sentences"
    sections = "".join(_metric(metric, over) for metric in report.metrics)
    ranges = range_rows(report)
    simulated = (
        "<section><h2>How many runs are enough?</h2><p>The range of p over draws of some of the runs: if it is "
        f"wide, so few runs prove nothing.</p>{html_table(ranges, 3)}</section>"
        if ranges
        else ""
    )
    body = (
        f"<header><h1>{heading}</h1>{_verdict(report)}</header>\n<main>"
        f"<section><h2>Scores</h2>{html_table(score_rows(report), 1)}{_lines(caption(report))}</section>"
        f"<section><h2>Differences</h2>{html_table(difference_rows(report), 3)}</section>"
        f"{sections}{simulated}{''.join(_changes(report))}"
        f"<section><h2>Signatures</h2><dl>{''.join(map(_signature, report.metrics))}</dl></section>"
        "</main>\n"
    )
    return html_page(heading, body, style=page_style())


@cache
def page_style() -> str:
    """The style sheet of pages."""
    return Path(__file__).with_name("page.css").read_text("utf-8")


def _verdict(report: Report) -> str:
    """The verdict of the first metric on each pair, in words."""
    first = report.metrics[0]
    lines = []
    for each in first.verdicts:
        kind = first.said_of(each)
        amount = f"{abs(each.difference):.2f} {safe(first.name)} {kind} than"
        said = f"is {amount}" if kind != "unclear" else "is not significantly different from"
        if each.is_nothing:  # whatever p says
            said = f"has the same {safe(first.name)} as"
        elif not first.better and each.corrected < 0.05:
            said = f"is {'longer' if each.difference > 0 else 'shorter'} than"
        chance = f"p {shown_p(each.p)}" + (f", {shown_p(each.corrected)} corrected" if len(first.verdicts) > 1 else "")
        lines.append(
            f'<li class="{kind}"><b>{safe(each.system)}</b> {said} <b>{safe(each.baseline)}</b> '
            f"<small>({chance})</small></li>"
        )
    return f'<ul class="verdicts">{"".join(lines)}</ul>'


def _metric(metric: MetricReport, over: str) -> str:
    better = {"higher": "higher is better", "lower": "lower is better", "": "100 is as long as the reference"}
    others = {verdict.baseline for verdict in metric.verdicts}
    against = f' from <span class="name">{safe(others.pop())}</span>' if len(others) == 1 else ""
    return (
        f"<section><h2>{safe(metric.name)} <small>{better[metric.better]}</small></h2>"
        f"<h3>Runs, their mean, and its 95 % interval over {over}</h3>"
        f'<div class="wide">{score_plot(metric)}</div><h3>Differences{against}, with 95 % intervals</h3>'
        f'<div class="wide">{difference_plot(metric)}</div></section>'
    )


def _changes(report: Report) -> list[str]:
    """For each system, how its sentences changed, and those that changed most."""
    parts = []
    metric = safe(report.metrics[0].name)
    for name, gains in report.gains.items():
        runs = f"run {report.medians[name] + 1} of {safe(name)} beside run {report.medians[report.baseline] + 1} of "
        parts.append(
            f"<section><h2>Sentences: {safe(name)} <small>against {safe(report.baseline)}</small></h2>"
            f"<p>The median runs: {runs}{safe(report.baseline)}. Gains are in {metric} of single sentences.</p>"
            f'<div class="wide">{gain_plot(gains)}</div>'
        )
        shown = [each for each in report.changes if each.system == name]
        for heading, those in (
            ("Most improved", [each for each in shown if each.gain > 0]),
            ("Most worsened", [each for each in shown if each.gain < 0]),
        ):
            if those:
                parts.append(f"<h3>{heading}</h3>{''.join(map(_change, those))}")
        parts.append("</section>")
    return parts


def _change(change: Change) -> str:
    before, after = marked(change.before, change.output)
    kind = "better" if change.gain > 0 else "worse"
    gain = f"{change.gain:+.1f}".replace("-", "−")
    rows = [("source", "source", _spaced(change.source))] if change.source is not None else []
    rows += [("before", change.baseline, _pieces(before)), (kind, change.system, _pieces(after))]
    rows += [("reference", "reference", _spaced(each)) for each in change.references]
    lines = "".join(
        f'<tr class="{row}"><th scope="row">{safe(name)}</th><td dir="auto">{text or "<i>nothing</i>"}</td></tr>'
        for row, name, text in rows
    )
    return (
        f'<article><p class="where">line {change.segment} <span class="{kind}">{gain}</span></p>'
        f"<table>{lines}</table></article>"
    )


def _spaced(text: str) -> str:
    """Text with single spaces, like the outputs beside it."""
    return safe(" ".join(text.split()))


def _pieces(pieces: Sequence[tuple[str, bool]]) -> str:
    return "".join(f"<mark>{safe(text)}</mark>" if new else safe(text) for text, new in pieces)


def html_table(rows: Sequence[Sequence[str]], texts: int) -> str:
    """A table whose first `texts` columns are text, the others numbers."""

    def cells(row: Sequence[str], tag: str) -> str:
        kinds = ["", ' class="number"']
        return "".join(f"<{tag}{kinds[at >= texts]}>{safe(cell)}</{tag}>" for at, cell in enumerate(row))

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows[1:])
    return f'<div class="wide"><table><thead><tr>{cells(rows[0], "th")}</tr></thead><tbody>{body}</tbody></table></div>'


def _lines(lines: Sequence[str]) -> str:
    return f'<p class="caption">{"<br>".join(map(safe, lines))}</p>'


def _signature(metric: MetricReport) -> str:
    return f"<dt>{safe(metric.name)}</dt><dd><code>{safe(metric.signature)}</code></dd>"
