"""What is said about the figures of whole systems."""

from __future__ import annotations

from bench.systems import findings, rises_and_flattens


def test_a_curve_that_falls_again_does_not_flatten() -> None:
    assert rises_and_flattens([40.43, 40.62, 40.78, 40.90])
    assert not rises_and_flattens([40.35, 41.23, 41.15, 41.05])
    assert not rises_and_flattens([1, 2, 4, 8])
    assert not rises_and_flattens([4, 3, 2, 1])


def test_what_tuning_and_samples_did_is_told_as_it_is() -> None:
    samples = {"phrase": {10: 40.4, 50: 40.6, 100: 40.8, 300: 40.9}, "hiero": {10: 40.35, 50: 41.23, 100: 41.15}}
    said = findings({"phrase": 40.90, "hiero": 41.05}, {"phrase": 40.93, "hiero": 41.28}, samples)
    assert "are not better" in said and "-0.03 for phrase, -0.23 for hiero" in said
    assert "the best is 300 for phrase, 50 for hiero" in said
    said = findings({"phrase": 42.0, "hiero": 41.0}, {"phrase": 41.0, "hiero": 41.5}, samples)
    assert "(only phrase) are better" in said
