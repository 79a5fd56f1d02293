"""Weights by group: counts against counting by hand, and pictures that are pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from pentaglot.explain import ResponseCurve, WeightReport, to_png, weight_groups, weight_picture
from pentaglot.explain.curve_plot import curve_plot
from pentaglot.explain.weights import spread_by_round
from pentaglot.forest.lettering import width
from pentaglot.learn import History, RoundScore


def _report() -> WeightReport:
    random = np.random.default_rng(1)
    weights = {"lm": 0.5, "words": -1.0, "a<b>&c": 0.25, "漢字": 0.0} | {
        f"sparse{at}": float(random.choice([0.0, 0.1, -0.1, 0.3])) for at in range(40)
    }
    groups, others = weight_groups(
        weights,
        lambda name: "sparse" if name.startswith("sparse") else "dense",
        str.upper,
        {"old": {"lm": 1.0, "gone": 2.0}},
    )
    curves = (
        ResponseCurve.of("count", [0, 1, 2, 5, 30], [9, 5, 4, 3, 1], [0, 1, 0.5, 2, 3]),
        ResponseCurve.of("<odd>", [-3, -2], [0, 0], [1, 1]),
        ResponseCurve.of("one", [5], [1], [1]),
    )
    rounds = tuple(RoundScore(20.0 + at, 19.0 + at, 5, 10, 21.0) for at in range(4))
    tunings = {str(seed): History("BLEU", seed, 3, "done", rounds[: 3 + seed]) for seed in (0, 1)}
    tunings["0"] = History("BLEU", 0, 2, "done", rounds[:3])
    return WeightReport(tuple(groups), tuple(others), curves, tunings)


def test_counts() -> None:
    dense, sparse = _report().groups
    values = [each.weight for each in sparse.features]
    assert sparse.active == sum(value != 0 for value in values)
    assert sparse.distinct == len({abs(value) for value in values if value}) == 2
    assert [each.name for each in dense.features] == ["words", "lm", "a<b>&c", "gone", "漢字"]
    assert dense.features[1].others == (0.5,) and dense.features[0].others == (None,)
    assert (dense.features[3].weight, dense.features[3].others) == (0.0, (1.0,))


def test_others_are_stretched() -> None:
    given = {"a": 1.0, "b": -3.0, "c": 9.0}
    _, [other] = weight_groups(given, str, str, {"other": {"a": 0.5, "b": 0.5, "d": 7.0}})
    assert other.factor == 4.0, "the same sum of magnitudes over a and b"


@pytest.mark.parametrize("name", ["words", "inverse_estimate(overlapping)", "語" * 40])
def test_words_above_a_plot_do_not_overlap(name: str) -> None:
    lows = [0.001 * 1.01**at for at in range(256)]
    curve = ResponseCurve.of(name, lows, [1] * 256, [0.00001 * (at % 2) - 0.1 for at in range(256)])
    wide = 408.0
    root = ET.fromstring(f"<svg>{curve_plot(curve, wide)[1]}</svg>")
    heading, advice, told = [each.text or "" for each in root.findall("text")[:3]]
    # As wide as in DejaVu Sans, the heading in bold letters.
    assert width(heading, 17.0) + width(advice, 11.5) < wide and width(told, 11.5) <= wide
    assert advice == curve.advice and f"{len(curve.turns)} parts not monotone" in told
    assert heading == name or heading.endswith("…")


def test_the_picture_is_well_formed() -> None:
    picture = weight_picture(_report(), most=5)
    root = ET.fromstring(picture)
    texts = [each.text for each in root.iter() if each.tag.endswith("text")]
    assert {"dense", "sparse", "count", "<odd>", "a<b>&c", "BLEU by round"} <= set(texts)
    paths = [each.get("d") or "" for each in root.iter() if each.tag.endswith("path")]
    assert not any(word in path for path in paths for word in ("nan", "inf"))
    curves = [
        path
        for each, path in zip([each for each in root.iter() if each.tag.endswith("path")], paths, strict=True)
        if each.get("class") == "curve"
    ]
    assert [path.count("L") + 1 for path in curves] == [5, 2, 1]
    assert sum(each.get("class") == "best" for each in root.iter()) == 2


def test_conjoined_bins_are_told_apart() -> None:
    names = [f"coherent=0.0017..0.0032^lexical_target={limits}" for limits in ("0.0031..0.016", "0.016..0.076")]
    groups, _ = weight_groups(dict.fromkeys(names, 1.0), lambda _: "coherent^lexical_target", str, {})
    picture = weight_picture(WeightReport(groups))
    assert all(f">0.0017..0.0032 ^ {limits}<" in picture for limits in ("0.0031..0.016", "0.016..0.076"))


def test_nothing_to_draw() -> None:
    ET.fromstring(weight_picture(WeightReport(())))


def test_png() -> None:
    pytest.importorskip("resvg_py")
    data = to_png(weight_picture(_report()), zoom=0.5)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert width == 450 and height > 300


def test_spread() -> None:
    curves = [[1.0, 2.0, 3.0], [2.0, 5.0], [6.0, 5.0, 9.0]]
    for at, (mean, spread, runs) in enumerate(spread_by_round(curves)):
        there = [curve[at] for curve in curves if len(curve) > at]
        assert (mean, spread, runs) == pytest.approx((np.mean(there), np.std(there, ddof=1), len(there)))
