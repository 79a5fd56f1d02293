"""A survey of language pairs as tables: rows that all formats share, Markdown, and a page."""

from __future__ import annotations

import statistics
from urllib.parse import quote

from pentaglot.evaluate.page import html_table, page_style
from pentaglot.evaluate.survey import Survey
from pentaglot.evaluate.tables import as_markdown, markdown_table, shown_p, signed
from pentaglot.forest.lettering import safe
from pentaglot.pages import html_page
from pentaglot.wording import number_of

__all__ = ["survey_caption", "survey_page", "survey_tables", "survey_to_markdown"]

Rows = list[list[str]]


def survey_tables(survey: Survey) -> dict[str, tuple[Rows, int]]:
    """Headings and tables, each with how many of its columns are text: scores on the test sets, the spread over runs,
    scores on text for choosing, and what one would choose for each pair by the others."""
    pairs, metric = list(survey.reports), survey.metric.name
    found = {f"{metric} on the test sets": ([["system", *pairs, "mean gain", "p", "least gain"], *_scores(survey)], 1)}
    if survey.first.runs > 1:
        found["Spread over runs (s_test)"] = ([["system", *pairs, "mean"], *_spreads(survey)], 1)
    if survey.choosing:
        found[f"{metric} on the texts for choosing"] = ([["system", *pairs, "mean gain"], *_choosing(survey)], 1)
    if left := survey.left_out():
        rows = [[each.pair, each.system, each.best, signed(each.gain), signed(each.best_gain)] for each in left]
        heading = ["pair", "chosen", "best on this test set", "gain", "gain of the best"]
        found["Chosen for each pair by the others"] = ([heading, *rows], 3)
    return found


def _scores(survey: Survey) -> Rows:
    rows = []
    for name in survey.first.systems:
        cells = []
        for pair in survey.reports:
            gain = "" if name == survey.first.baseline else f" ({signed(survey.gain(pair, name))})"
            clear = "*" if survey.is_clear(pair, name) else ""
            cells.append(f"{survey.score(pair, name).mean:.2f}{gain}{clear}")
        least = min(survey.gain(pair, name) for pair in survey.reports)
        if name == survey.first.baseline:
            rows.append([name, *cells, "–", "–", "–"])
            continue
        chance = shown_p(survey.mean_chances[name][1])
        rows.append([name, *cells, signed(survey.mean_gain(name)), chance, signed(least)])
    return rows


def _spreads(survey: Survey) -> Rows:
    rows = []
    for name in survey.first.systems:
        spreads = [survey.spread(pair, name) for pair in survey.reports]
        real = [each for each in spreads if each is not None]
        shown = ["–" if each is None else f"{each:.2f}" for each in spreads]
        rows.append([name, *shown, f"{statistics.mean(real):.2f}" if real else "–"])
    return rows


def _choosing(survey: Survey) -> Rows:
    rows = []
    for name in survey.first.systems:
        means = [f"{statistics.mean(survey.choosing[pair][name]):.2f}" for pair in survey.reports]
        gain = statistics.mean(survey.chosen_gain(pair, name) for pair in survey.reports)
        rows.append([name, *means, "–" if name == survey.first.baseline else signed(gain)])
    return rows


def survey_caption(survey: Survey) -> list[str]:
    """What the numbers mean, in lines of text."""
    first = survey.first
    runs = f"mean of {number_of(first.runs, 'run')} of each system"
    return [
        f"{runs.capitalize()}; in brackets the gain over {first.baseline}.",
        "*: p below 0.05 by approximate randomisation, after Holm's correction for all systems on all pairs.",
        "p: that of the mean gain over these pairs, after Holm's correction for all systems.",
        *survey.notes,
        f"{survey.metric.name}: {survey.metric.signature}",
    ]


def survey_to_markdown(survey: Survey) -> str:
    """The survey as Markdown."""
    parts = [f"## {heading}\n\n{markdown_table(*table)}" for heading, table in survey_tables(survey).items()]
    return "\n".join([*parts, *(f"{line}  " for line in map(as_markdown, survey_caption(survey)))]) + "\n"


def survey_page(survey: Survey, *, title: str) -> str:
    """The survey as a page, with links to those of its pairs."""
    links = "".join(
        f'<li><a href="{quote(pair)}/report.html">{safe(pair)}</a>, {report.segments} segments</li>'
        for pair, report in survey.reports.items()
    )
    sections = "".join(
        f"<section><h2>{safe(heading)}</h2>{html_table(*table)}</section>"
        for heading, table in survey_tables(survey).items()
    )
    lines = "<br>".join(map(safe, survey_caption(survey)))
    body = (
        f"<header><h1>{safe(title)}</h1></header>\n<main>{sections}"
        f'<section><p class="caption">{lines}</p></section>'
        f"<section><h2>Language pairs</h2><ul>{links}</ul></section></main>\n"
    )
    return html_page(safe(title), body, style=page_style())
