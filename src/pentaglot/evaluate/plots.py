"""The plots of a comparison, as SVG to embed in a page, whose colours they take."""

from __future__ import annotations

from collections.abc import Sequence

from pentaglot.evaluate.report import MetricReport
from pentaglot.evaluate.scales import Scale
from pentaglot.evaluate.tables import shown_p
from pentaglot.forest.lettering import safe, shortened, width

__all__ = ["difference_plot", "gain_plot", "score_plot"]

_WIDE, _ROW, _TOP = 720, 34, 8
_LONGEST = 28


def score_plot(metric: MetricReport) -> str:
    """The runs of each system as dots, their mean as a line, and its interval as a bar."""
    values = [each for system in metric.systems for each in (*system.scores, system.low, system.high)]
    axis = _axis(values, [system.system for system in metric.systems])
    parts = []
    for row, system in enumerate(metric.systems):
        y = _TOP + _ROW * row + _ROW / 2
        parts.append(_label(system.system, axis.begin, y))
        parts.append(_bar(axis.at(system.low), axis.at(system.high), y, "interval"))
        parts += [
            f'<circle class="run" cx="{axis.at(score):.1f}" cy="{y:.1f}" r="4.5">'
            f"<title>run {run}: {score:.2f}</title></circle>"
            for run, score in enumerate(system.scores, 1)
        ]
        mean = axis.at(system.mean)
        parts.append(f'<path class="mean" d="M{mean:.1f} {y - 11:.1f}v22"/>')
        parts.append(_value(f"{system.mean:.2f}", y))
    return _picture(parts, axis, len(metric.systems), f"{metric.name} of each run")


def difference_plot(metric: MetricReport) -> str:
    """The difference of each pair with its interval, and a line at zero."""
    values = [each for verdict in metric.verdicts for each in (verdict.bootstrap.low, verdict.bootstrap.high)]
    one = len({each.baseline for each in metric.verdicts}) == 1
    names = [(each.system,) if one else _lines(each.system, f"− {each.baseline}") for each in metric.verdicts]
    axis = _axis([0.0, *values], [line for name in names for line in name])
    bottom = _TOP + _ROW * len(names)
    parts = [f'<path class="zero" d="M{axis.at(0):.1f} {_TOP}V{bottom}"/>']
    for row, (verdict, name) in enumerate(zip(metric.verdicts, names, strict=True)):
        y = _TOP + _ROW * row + _ROW / 2
        kind = metric.said_of(verdict)
        parts += [
            _label(line, axis.begin, y + 14 * (at - (len(name) - 1) / 2), full=" ".join(name))
            for at, line in enumerate(name)
        ]
        parts.append(_bar(axis.at(verdict.bootstrap.low), axis.at(verdict.bootstrap.high), y, kind))
        parts.append(f'<circle class="{kind}" cx="{axis.at(verdict.difference):.1f}" cy="{y:.1f}" r="5.5"/>')
        parts.append(_value(f"{verdict.difference:+.2f}".replace("-", "−") + f", p {shown_p(verdict.p)}", y))
    return _picture(parts, axis, len(names), f"difference in {metric.name}")


def gain_plot(gains: Sequence[float], bins: int = 41) -> str:
    """How many segments got better and worse, and by how much; unchanged ones are only counted."""
    changed = [gain for gain in gains if gain]
    sizes = sorted(abs(gain) for gain in changed)
    most = sizes[int(0.98 * len(sizes))] if sizes else 1.0  # few are larger; they are counted here
    counts = [0] * bins
    for gain in changed:
        counts[max(0, min(bins - 1, int((gain + most) / (2 * most) * bins)))] += 1
    tallest = max(counts) or 1
    step, height = _WIDE / bins, 120.0
    parts = []
    for at, count in enumerate(counts):
        middle = (at + 0.5) / bins * 2 - 1
        kind = "unclear" if abs(middle) < 1 / bins else "better" if middle > 0 else "worse"
        tall = height * count / tallest
        parts.append(
            f'<rect class="{kind}" x="{at * step + 1:.1f}" y="{height + 6 - tall:.1f}" width="{step - 2:.1f}" '
            f'height="{tall:.1f}"><title>{middle * most:+.0f}: {count} segments</title></rect>'
        )
    better, worse = (sum(gain > 0 for gain in changed), sum(gain < 0 for gain in changed))
    texts = [
        (0, "start", f"{worse} worse, by up to {-min([0.0, *changed]):.0f}"),
        (_WIDE / 2, "middle", f"{len(gains) - len(changed)} as good as before"),
        (_WIDE, "end", f"{better} better, by up to {max([0.0, *changed]):.0f}"),
    ]
    parts += [f'<text x="{x:.0f}" y="{height + 26:.0f}" text-anchor="{side}">{text}</text>' for x, side, text in texts]
    return (
        f'<svg viewBox="0 0 {_WIDE} {height + 32:.0f}" role="img" aria-label="segments by gain">'
        f'<path class="axis" d="M0 {height + 6:.0f}H{_WIDE}"/>{"".join(parts)}</svg>'
    )


def _axis(values: Sequence[float], names: Sequence[str]) -> Scale:
    """A scale that begins to the right of these names."""
    return Scale.over(values, 16 + 1.1 * max(width(shortened(name, _LONGEST)) for name in names), _WIDE - 150.0)


def _lines(first: str, second: str) -> tuple[str, ...]:
    """A name of two parts in one line, or in two: if it were cut, rows could not be told apart.

    >>> _lines("pro", "− mira"), _lines("phrases and mert on forests", "− phrases and mira")
    (('pro − mira',), ('phrases and mert on forests', '− phrases and mira'))
    """
    whole = f"{first} {second}"
    return (whole,) if len(whole) <= _LONGEST else (first, second)


def _label(name: str, right: float, y: float, *, full: str = "") -> str:
    """The name of a row; what is left out shows under the pointer."""
    title = f"<title>{safe(full or name)}</title>" if len(name) > _LONGEST else ""
    text = safe(shortened(name, _LONGEST))
    return f'<text x="{right - 12:.1f}" y="{y + 4.5:.1f}" text-anchor="end">{title}{text}</text>'


def _value(text: str, y: float) -> str:
    return f'<text class="value" x="{_WIDE}" y="{y + 4.5:.1f}" text-anchor="end">{text}</text>'


def _bar(low: float, high: float, y: float, kind: str) -> str:
    return f'<path class="bar {kind}" d="M{low:.1f} {y:.1f}H{high:.1f}"/>'


def _picture(parts: Sequence[str], axis: Scale, rows: int, meaning: str) -> str:
    bottom = _TOP + _ROW * rows
    lines = [f'<path class="grid" d="M{axis.at(mark):.1f} {_TOP}V{bottom}"/>' for mark, _ in axis.ticks()]
    marks = [
        f'<text class="tick" x="{axis.at(mark):.1f}" y="{bottom + 16}" text-anchor="middle">{text}</text>'
        for mark, text in axis.ticks()
    ]
    body = "".join([*lines, *parts, *marks])
    return f'<svg viewBox="0 0 {_WIDE} {bottom + 24}" role="img" aria-label="{safe(meaning)}">{body}</svg>'
