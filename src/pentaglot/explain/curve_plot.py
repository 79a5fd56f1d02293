"""The response curve of a binned feature as a plot: weights by value, population below, the log fit dashed."""

from __future__ import annotations

import math
from itertools import pairwise

from pentaglot.evaluate.scales import Scale
from pentaglot.explain.curves import Bin, ResponseCurve
from pentaglot.forest.lettering import safe, shortened, width
from pentaglot.wording import number_of

__all__ = ["curve_plot"]

_HEADING, _NOTE = 17.0, 11.5  # sizes of letters: more than those of the style, for bold letters and broad fonts
_HEIGHT, _LEFT, _TOP, _PEOPLE = 232.0, 52.0, 40.0, 44.0


def curve_plot(curve: ResponseCurve, wide: float) -> tuple[float, str]:
    """The height of the plot, and its SVG without a frame. The scale of values is logarithmic if all but the first are
    above zero; a first bin at or below zero then stands at the left edge."""
    x = _across(curve, wide)
    fit = curve.log or curve.linear
    weights = [each.weight for each in curve.bins]
    fitted = [fit.at(each.value) for each in curve.bins if fit and (fit.kind == "linear" or each.value > 0)]
    low, high = min(weights), max(weights)
    reach = (high - low) or 1.0
    # A fit that leaves the picture would flatten the curve.
    inside = [value for value in fitted if low - reach / 3 <= value <= high + reach / 3]
    y = Scale.over([*weights, *inside], _HEIGHT - _PEOPLE, _TOP)
    room = wide - width(curve.advice, _NOTE) - 8
    longest = next((size for size in range(32, 8, -1) if width(shortened(curve.feature, size), _HEADING) <= room), 8)
    parts = [f'<text class="heading" x="0" y="13">{safe(shortened(curve.feature, longest))}</text>']
    parts.append(f'<text class="note" x="{wide:.1f}" y="13" text-anchor="end">{safe(curve.advice)}</text>')
    parts.append(f'<text class="note" x="0" y="29">{safe(_told(curve, wide))}</text>')
    for at, text in y.ticks():
        parts.append(f'<path class="grid" d="M{_LEFT} {y.at(at):.1f}H{wide:.1f}"/>')
        parts.append(f'<text class="tick" x="{_LEFT - 8}" y="{y.at(at) + 4:.1f}" text-anchor="end">{text}</text>')
    parts += _population(curve, x)
    for at, text in x.ticks():
        parts.append(f'<text class="tick" x="{x.at(at):.1f}" y="{_HEIGHT + 14}" text-anchor="middle">{text}</text>')
    if fit is not None:
        parts.append(f'<path class="fit" d="{_fit_path(curve, x, y)}"/>')
    parts += _steps(curve, x, y)
    return _HEIGHT + 20, "".join(parts)


def _told(curve: ResponseCurve, wide: float) -> str:
    told = [f"{len(curve.bins)} bins"]
    if curve.log is not None and curve.direction != "is flat":
        log, begin = curve.log, round(curve.log.intercept, 9) + 0.0
        told.append(f"log fit {begin:.2g} {log.slope:+.2g} log x explains {log.explained:.0%}")
    if curve.turns:
        told.append(f"{number_of(len(curve.turns), 'part')} not monotone")
    if width("; ".join(told), _NOTE) > wide and curve.log is not None:
        told[1] = f"log fit explains {curve.log.explained:.0%}"
    return "; ".join(told).replace("-", "−")


def _across(curve: ResponseCurve, wide: float) -> Scale:
    values = [each.value for each in curve.bins]
    positive = [value for value in values if value > 0]
    if len(positive) >= max(1, len(values) - 1) and len(positive) > 1 and positive[-1] / positive[0] > 20:
        return Scale.logarithmic(positive, _LEFT + 14 * (len(positive) < len(values)), wide - 6)
    return Scale.over(values, _LEFT, wide - 6, room=0.03)


def _place(each: Bin, x: Scale) -> float:
    return _LEFT + 4 if x.log and each.value <= 0 else x.at(each.value)


def _edges(curve: ResponseCurve, x: Scale) -> list[tuple[float, float]]:
    """Where each bin begins and ends on paper."""
    middles = [_place(each, x) for each in curve.bins]
    between = [(one + other) / 2 for one, other in pairwise(middles)]
    begins = [max(_LEFT, 2 * middles[0] - (between[0] if between else middles[0] + 8)), *between]
    ends = [*between, min(x.end + 6, 2 * middles[-1] - (between[-1] if between else middles[-1] - 8))]
    return list(zip(begins, ends, strict=True))


def _population(curve: ResponseCurve, x: Scale) -> list[str]:
    most = max(each.population for each in curve.bins) or 1.0
    parts = [f'<path class="axis" d="M{_LEFT} {_HEIGHT}H{x.end + 6:.1f}"/>']
    for each, (begin, end) in zip(curve.bins, _edges(curve, x), strict=True):
        tall = (_PEOPLE - 12) * each.population / most
        gap = min(1.0, (end - begin) / 4)
        broad = max(end - begin - 2 * gap, 0.5)
        parts.append(
            f'<rect class="people" x="{begin + gap:.1f}" y="{_HEIGHT - tall:.1f}" width="{broad:.1f}" '
            f'height="{tall:.1f}"><title>{_range(each)}: {each.population:,.0f} rules</title></rect>'
        )
    return parts


def _steps(curve: ResponseCurve, x: Scale, y: Scale) -> list[str]:
    turned = {at for turn in curve.turns for at in range(turn.first, turn.last + 1)}
    points = [(_place(each, x), y.at(each.weight)) for each in curve.bins]
    parts = [f'<path class="curve" d="{_path(points)}"/>']
    for turn in curve.turns:
        parts.append(f'<path class="turn" d="{_path(points[turn.first : turn.last + 1])}"/>')
    radius = 3.4 if len(points) <= 40 else 2.0 if len(points) <= 120 else 1.2
    for at, ((across, up), each) in enumerate(zip(points, curve.bins, strict=True)):
        kind = "dot turned" if at in turned else "dot"
        parts.append(
            f'<circle class="{kind}" cx="{across:.1f}" cy="{up:.1f}" r="{radius}">'
            f"<title>{_range(each)}: weight {each.weight:.4g}</title></circle>"
        )
    return parts


def _fit_path(curve: ResponseCurve, x: Scale, y: Scale) -> str:
    """The fitted line, as far as it stays in the picture."""
    fit = curve.log or curve.linear
    assert fit is not None
    values = [each.value for each in curve.bins if fit.kind == "linear" or each.value > 0]
    low, high, drawn = values[0], values[-1], []
    for step in range(61):
        share = step / 60
        value = low * (high / low) ** share if x.log else low + (high - low) * share
        place = y.at(fit.at(value))
        if _TOP - 4 <= place <= _HEIGHT - _PEOPLE + 4:
            drawn.append((x.at(value), place))
    return _path(drawn) if drawn else "M0 0"


def _range(each: Bin) -> str:
    high = "" if math.isinf(each.high) else f" to {each.high:.4g}"
    return safe(f"{each.low:.4g}{high}")


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{across:.1f} {up:.1f}" for across, up in points)
