"""Weights as one picture: bars by group, response curves of binned features, and the course of tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pentaglot.evaluate.scales import Scale
from pentaglot.explain.curve_plot import curve_plot
from pentaglot.explain.weights import FeatureWeight, WeightGroup, WeightReport, spread_by_round
from pentaglot.forest.lettering import safe, shortened, width
from pentaglot.learn.history import History

__all__ = ["weight_picture"]

_WIDE, _MARGIN, _ROW, _LONGEST = 900.0, 28.0, 22.0, 30
_STYLE = """
text{font:13px system-ui,'Segoe UI','DejaVu Sans',Helvetica,Arial,sans-serif;fill:#1e293b}
.heading{font-size:15px;font-weight:600;fill:#0f172a}
.tick,.note{font-size:11px;fill:#64748b}
.grid{stroke:#eceff3;fill:none}
.axis{stroke:#cbd5e1;fill:none}
.zero{stroke:#94a3b8;fill:none}
.plus{fill:#2563eb}.minus{fill:#d97706}
.other{fill:none;stroke:#0f172a;stroke-width:1.6}
.people{fill:#dbe4f0}
.curve{fill:none;stroke:#2563eb;stroke-width:2}
.turn{fill:none;stroke:#dc2626;stroke-width:2.6}
.dot{fill:#2563eb}
.dot.turned{fill:#dc2626}
.fit{fill:none;stroke:#94a3b8;stroke-width:1.6;stroke-dasharray:5 4}
.run{fill:none;stroke:#93b4f5;stroke-width:1.2}
.run.of-aside{stroke:#8fd3b8}
.mean{fill:none;stroke:#2563eb;stroke-width:2.4}
.aside{fill:none;stroke:#059669;stroke-width:2.4}
.spread{fill:#2563eb;fill-opacity:0.13}
.spread.of-aside{fill:#059669}
.best{fill:#ffffff;stroke:#0f172a;stroke-width:1.8}
""".strip()


def weight_picture(report: WeightReport, *, most: int = 12) -> str:
    """A self-contained SVG picture: of each group the `most` largest weights, with marks where other weights have them;
    every response curve; and scores by round, with their mean and spread if there are several runs."""
    panels: list[tuple[float, float, str]] = []  # where, how high, what
    if groups := [each for each in report.without_curves if each.active]:
        panels.append((_MARGIN, *_bars(groups, [each.name for each in report.others], most)))
    pairs = [report.curves[at : at + 2] for at in range(0, len(report.curves), 2)]
    rows: list[list[tuple[float, float, str]]] = [[each] for each in panels]
    for pair in pairs:
        half = (_WIDE - 3 * _MARGIN) / 2
        rows.append([(_MARGIN + at * (half + _MARGIN), *curve_plot(curve, half)) for at, curve in enumerate(pair)])
    if report.tunings:
        rows.append([(_MARGIN, *_tuning(report.tunings))])
    y, drawn = _MARGIN, []
    for row in rows:
        drawn += [f'<g transform="translate({x:.1f} {y:.1f})">{part}</g>' for x, _, part in row]
        y += max(height for _, height, _ in row) + 26
    meaning = f"{sum(len(each.features) for each in report.groups)} weights"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDE:.0f}" height="{y:.0f}" '
        f'viewBox="0 0 {_WIDE:.0f} {y:.0f}" role="img" aria-label="{meaning}">\n<style>{_STYLE}</style>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def _bars(groups: Sequence[WeightGroup], others: Sequence[str], most: int) -> tuple[float, str]:
    shown = {group.name: [each for each in group.features if each.weight][:most] for group in groups}
    every = [each for features in shown.values() for each in features]
    values = [0.0, *(value for each in every for value in (each.weight, *filter(None, each.others)))]
    left = 16 + 1.08 * max(width(_named(each)) for each in every)
    inner = _WIDE - 2 * _MARGIN
    scale = Scale.over(values, left, inner - 70)
    parts, y = [], 4.0
    for group in groups:
        counts = f"{group.active:,} active, {group.distinct:,} distinct, of {len(group.features):,}"
        parts.append(f'<text class="heading" x="0" y="{y + 13:.1f}">{safe(group.name)}</text>')
        parts.append(f'<text class="note" x="{inner:.1f}" y="{y + 13:.1f}" text-anchor="end">{counts}</text>')
        y += 22
        below = y + _ROW * len(shown[group.name])
        parts += [f'<path class="grid" d="M{scale.at(at):.1f} {y:.1f}V{below:.1f}"/>' for at, _ in scale.ticks()]
        parts.append(f'<path class="zero" d="M{scale.at(0):.1f} {y:.1f}V{below:.1f}"/>')
        for feature in shown[group.name]:
            parts.append(_bar(feature, scale, left, inner, y + _ROW / 2, others))
            y += _ROW
        if (rest := group.active - len(shown[group.name])) > 0:
            parts.append(f'<text class="note" x="{left:.1f}" y="{y + 13:.1f}">and {rest:,} smaller ones</text>')
            y += 18
        y += 12
    marks = scale.ticks()
    parts += [
        f'<text class="tick" x="{scale.at(at):.1f}" y="{y:.1f}" text-anchor="middle">{text}</text>'
        for at, text in marks
    ]
    if others:
        y += 20
        names = ", ".join(f"{_MARKS[at % len(_MARKS)][1]} {name}" for at, name in enumerate(others))
        parts.append(
            f'<text class="note" x="{left:.1f}" y="{y:.1f}">{safe(names)}, stretched to the same length</text>'
        )
    return y, "".join(parts)


def _named(feature: FeatureWeight) -> str:
    """A short name. Of conjoined bins, whose group says what they are bins of, the ends would be lost: their limits."""
    parts = feature.name.split("^")
    if len(feature.name) > _LONGEST and len(parts) > 1 and all("=" in part for part in parts):
        return shortened(" ^ ".join(part.partition("=")[2] for part in parts), _LONGEST)
    return shortened(feature.name, _LONGEST)


# The shape of the mark of each of the other weights, and how it is named.
_MARKS = (("M{x} {a}V{b}", "│"), ("M{l} {y}L{x} {a}L{r} {y}L{x} {b}Z", "◇"), ("M{l} {a}L{r} {b}M{l} {b}L{r} {a}", "✕"))


def _bar(feature: FeatureWeight, scale: Scale, left: float, right: float, y: float, others: Sequence[str]) -> str:
    begin, end = sorted((scale.at(0.0), scale.at(feature.weight)))
    kind, broad = "plus" if feature.weight > 0 else "minus", max(end - begin, 0.8)
    name = safe(_named(feature))
    told = f"<title>{safe(feature.meaning or feature.name)}</title>"
    parts = [
        f'<g>{told}<text x="{left - 12:.1f}" y="{y + 4.5:.1f}" text-anchor="end">{name}</text>',
        f'<rect class="{kind}" x="{begin:.1f}" y="{y - 6:.1f}" width="{broad:.1f}" height="12" rx="2"/>',
    ]
    for at, value in enumerate(feature.others):
        if value is not None:
            x, (shape, _) = scale.at(value), _MARKS[at % len(_MARKS)]
            places = {"x": x, "y": y, "l": x - 4, "r": x + 4, "a": y - 8, "b": y + 8}
            path = shape.format_map({key: f"{place:.1f}" for key, place in places.items()})
            parts.append(f'<path class="other" d="{path}"><title>{safe(others[at])}: {value:.3g}</title></path>')
    text = f"{feature.weight:.3g}".replace("-", "−")
    parts.append(f'<text class="note" x="{right:.1f}" y="{y + 4.5:.1f}" text-anchor="end">{text}</text></g>')
    return "".join(parts)


def _tuning(tunings: Mapping[str, History]) -> tuple[float, str]:
    """Scores by round: each run as a thin line, their mean as a thick one, one standard deviation as a band."""
    histories = list(tunings.values())
    curves = {"mean": [each.curve() for each in histories]}
    if all(each.has_held_out for each in histories):
        curves["aside"] = [each.curve(held_out=True) for each in histories]
    inner, height, left = _WIDE - 2 * _MARGIN, 220.0, 52.0
    longest = max(len(curve) for curve in curves["mean"])
    values = [value for runs in curves.values() for run in runs for value in run]
    x, y = Scale(0, max(1, longest - 1), left, inner - 20), Scale.over(values, height, 34.0)
    metric = histories[0].metric
    runs = f"{len(histories)} runs, mean and standard deviation" if len(histories) > 1 else "one run"
    parts = [f'<text class="heading" x="0" y="13">{safe(metric)} by round</text>']
    parts.append(f'<text class="note" x="{inner:.1f}" y="13" text-anchor="end">{runs}{_legend(curves)}</text>')
    for at, text in y.ticks():
        parts.append(f'<path class="grid" d="M{left} {y.at(at):.1f}H{inner:.1f}"/>')
        parts.append(f'<text class="tick" x="{left - 8}" y="{y.at(at) + 4:.1f}" text-anchor="end">{text}</text>')
    every = 1 + (longest - 1) // 16
    parts += [
        f'<text class="tick" x="{x.at(at):.1f}" y="{height + 18}" text-anchor="middle">{at}</text>'
        for at in range(0, longest, every)
    ]
    for kind, some in curves.items():
        parts += _runs(kind, some, x, y)
    for history in histories:
        best, chosen = history.best_round, history.curve(held_out="aside" in curves)
        parts.append(f'<circle class="best" cx="{x.at(best):.1f}" cy="{y.at(chosen[best]):.1f}" r="4"/>')
    return height + 24, "".join(parts)


def _legend(curves: Mapping[str, object]) -> str:
    return "; blue: development text, green: sentences set aside; ○ chosen" if "aside" in curves else "; ○ chosen"


def _runs(kind: str, curves: Sequence[Sequence[float]], x: Scale, y: Scale) -> list[str]:
    spread = spread_by_round(curves)
    parts = []
    if len(curves) > 1:
        upper = [(x.at(at), y.at(mean + sd)) for at, (mean, sd, _) in enumerate(spread)]
        lower = [(x.at(at), y.at(mean - sd)) for at, (mean, sd, _) in enumerate(spread)]
        parts.append(f'<path class="spread of-{kind}" d="{_path([*upper, *reversed(lower)])}Z"/>')
        parts += [
            f'<path class="run of-{kind}" d="{_path([(x.at(at), y.at(value)) for at, value in enumerate(curve)])}"/>'
            for curve in curves
        ]
    parts.append(
        f'<path class="{kind}" d="{_path([(x.at(at), y.at(mean)) for at, (mean, _, _) in enumerate(spread)])}"/>'
    )
    return parts


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
