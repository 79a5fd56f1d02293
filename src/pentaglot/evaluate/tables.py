"""Reports of comparisons as tables: the rows that all formats share, Markdown and LaTeX."""

from __future__ import annotations

import re

from pentaglot.evaluate.report import MetricReport, Report, SystemScore, Verdict
from pentaglot.wording import number_of

__all__ = [
    "as_markdown",
    "caption",
    "difference_rows",
    "markdown_table",
    "range_rows",
    "score_rows",
    "shown_p",
    "signed",
    "to_latex",
    "to_markdown",
]

Rows = list[list[str]]

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "|": r"\textbar{}",
    "−": "$-$",
    "<": "$<$",
    ">": "$>$",
    **{each: f"\\{each}" for each in "&%$#_{}"},
    **{each: f"{{{each}}}" for each in "[*"},  # else an argument of the end of the row before
}

# Markdown: what HTML, an entity, an escape and a link begin with; and what is markup in pairs only.
_MARKUP = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)|\\(?=[!-/:-@\[-`{-~])|\[(?=[^\]]*\]\()")
_PAIRED = (re.compile(r"\*"), re.compile(r"`"), re.compile(r"~"), re.compile(r"(?<![^\W_])_|_(?![^\W_])"))


def shown_p(p: float) -> str:
    """A p-value with two significant digits.

    >>> shown_p(0.2345), shown_p(0.0123), shown_p(0.00012)
    ('0.23', '0.012', '<0.001')
    """
    return "<0.001" if p < 0.0005 else f"{p:.3f}" if p < 0.0995 else f"{p:.2f}"


def score_rows(report: Report) -> Rows:
    """A heading, and a row per system with its mean score by each metric (s_sel/s_test/p), laid out as in MultEval."""
    heading = ["system", "n", *(metric.name + _arrow(metric) for metric in report.metrics)]
    rows = []
    for at, name in enumerate(report.systems):
        cells = [_cell(metric, metric.systems[at], report.baseline) for metric in report.metrics]
        rows.append([name, str(report.runs), *cells])
    return [heading, *rows]


def difference_rows(report: Report) -> Rows:
    """A heading, and a row for each metric and pair with the difference, its interval and p."""
    rows = [["metric", "system", "against", "difference", "95 % interval", "p", "Holm p", "bootstrap p"]]
    for metric in report.metrics:
        for verdict in metric.verdicts:
            bounds = f"{signed(verdict.bootstrap.low)} to {signed(verdict.bootstrap.high)}"
            chances = map(shown_p, (verdict.p, verdict.corrected, verdict.bootstrap.p))
            rows.append([metric.name, verdict.system, verdict.baseline, signed(verdict.difference), bounds, *chances])
    return rows


def range_rows(report: Report) -> Rows:
    """A heading, and the simulated ranges of p; empty if there are none."""
    rows = [
        [metric.name, each.system, each.baseline, str(each.runs), *map(shown_p, (each.low, each.median, each.high))]
        for metric in report.metrics
        for each in metric.simulated
    ]
    return [["metric", "system", "against", "runs", "p from", "median", "p to"], *rows] if rows else []


def caption(report: Report, *, ranges: bool = True) -> list[str]:
    """What the numbers mean and how they were computed, in lines of text; with `ranges`, also those of p."""
    spread = "over runs, on the test set" if report.runs > 1 else "over runs (there is only one)"
    tested = "pooled" if report.pooled else "averaged"
    drawn = " of segments and runs" if report.hierarchical else ""
    lines = [
        f"{number_of(report.segments, 'segment')}, {number_of(report.references, 'reference')}, "
        f"n = {number_of(report.runs, 'run')} of each system.",
        f"In brackets: s_sel, the spread over samples of segments; s_test, {spread}; and p.",
        f"p: stratified approximate randomisation, {report.shuffles} shuffles, runs {tested}, ties {report.ties}; "
        f"intervals: {report.resamples} bootstrap samples{drawn}; seed {report.seed}.",
        *(_on_ranges(report) if ranges else ()),
        *report.notes,
    ]
    on_dev = []
    for metric in report.metrics:
        spreads = [f"{each.system} {each.s_dev:.2f}" for each in metric.systems if each.s_dev is not None]
        on_dev += [f"{metric.name} {', '.join(spreads)}"] if spreads else []
    if on_dev:
        lines.insert(2, "s_dev, the spread over runs on the development set: " + "; ".join(on_dev) + ".")
    return lines


def _on_ranges(report: Report) -> list[str]:
    told = {
        f"Ranges of p: the middle 95 % of {number_of(each.draws, 'draw')} of runs, {each.shuffles} shuffles each."
        for metric in report.metrics
        for each in metric.simulated
    }
    return sorted(told)


def to_markdown(report: Report) -> str:
    """The report as Markdown.

    >>> from pentaglot.evaluate import CompareOptions, compare
    >>> systems = {"old": [["a b", "c d"] * 20], "new": [["a b", "c e"] * 20]}
    >>> report = compare(systems, [["a b", "c d"] * 20], CompareOptions(metrics="ter"))
    >>> print("\\n".join(to_markdown(report).splitlines()[:4]))
    | system | n | TER ↓ |
    |---|---:|---:|
    | old | 1 | 0.0 (0.0/–/–) |
    | new | 1 | 25.0 (4.0/–/<0.001) |
    """
    parts = [markdown_table(score_rows(report), 1), markdown_table(difference_rows(report), 3)]
    if ranges := range_rows(report):
        parts.append(markdown_table(ranges, 3))
    lines = [*map(as_markdown, caption(report)), *(f"{metric.name}: `{metric.signature}`" for metric in report.metrics)]
    return "\n".join([*parts, *(f"{line}  " for line in lines)]) + "\n"


def to_latex(report: Report) -> str:
    """The scores as a LaTeX table that needs the package booktabs; the caption explains them.

    Differences that are significant at 0.05 after Holm's correction are bold.
    """
    heading, *rows = [[_escaped(cell) for cell in row] for row in score_rows(report)]
    heading = [cell.replace("↑", r"$\uparrow$").replace("↓", r"$\downarrow$") for cell in heading]
    for row, name in zip(rows, report.systems, strict=True):
        for at, metric in enumerate(report.metrics):
            if any(
                each.system == name and metric.said_of(each) != "unclear" for each in _against(metric, report.baseline)
            ):
                row[2 + at] = rf"\textbf{{{row[2 + at]}}}"
    signatures = "; ".join(f"{metric.name}: {metric.signature}" for metric in report.metrics)
    text = _escaped(
        " ".join([*caption(report, ranges=False), f"Bold: p below 0.05 after Holm's correction. {signatures}."])
    )
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{l{'r' * (len(heading) - 1)}}}",
            r"\toprule",
            " & ".join(heading) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{{text}}}",
            r"\end{table}",
            "",
        ]
    )


def _against(metric: MetricReport, baseline: str) -> list[Verdict]:
    return [each for each in metric.verdicts if each.baseline == baseline]


def _cell(metric: MetricReport, score: SystemScore, baseline: str) -> str:
    chance = next((shown_p(each.p) for each in _against(metric, baseline) if each.system == score.system), "–")
    spread = "–" if score.s_test is None else f"{score.s_test:.1f}"
    return f"{score.mean:.1f} ({score.s_sel:.1f}/{spread}/{chance})"


def _arrow(metric: MetricReport) -> str:
    return {"higher": " ↑", "lower": " ↓", "": ""}[metric.better]


def signed(value: float) -> str:
    """A difference with its sign."""
    return f"{value:+.2f}".replace("-", "−")


def as_markdown(text: str) -> str:
    """Text in which nothing is markup, such as names of systems.

    >>> print(as_markdown("a_b <unk> *"), as_markdown("*a* [b](c) _d_"))
    a_b \\<unk> * \\*a\\* \\[b](c) \\_d\\_
    """
    text = _MARKUP.sub(r"\\\g<0>", text)
    for mark in _PAIRED:
        if len(mark.findall(text)) > 1:
            text = mark.sub(r"\\\g<0>", text)
    return text


def markdown_table(rows: Rows, texts: int) -> str:
    """A table whose first `texts` columns are text, the others numbers."""
    heading, *others = [[as_markdown(" ".join(cell.split())).replace("|", r"\|") for cell in row] for row in rows]
    rule = ["---"] * texts + ["---:"] * (len(heading) - texts)
    lines = [f"| {' | '.join(row)} |" for row in (heading, *others)]
    return "\n".join([lines[0], f"|{'|'.join(rule)}|", *lines[1:], ""])


def _escaped(text: str) -> str:
    text = "".join(_LATEX.get(each, each) if each.isprintable() else " " for each in text)
    return re.sub(r"([-',])(?=\1)", r"\1{}", text)  # which would become a dash or a quotation mark
