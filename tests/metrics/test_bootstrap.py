"""Resampling draws what sacrebleu draws, and is far from needing the text again."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu

from pentaglot.errors import PentaglotError
from pentaglot.metrics import Bleu, Chrf, Metric, Ter, confidence_interval, resampled_totals

Translations = tuple[list[str], list[list[str]]]


@pytest.mark.parametrize(
    ("metric", "theirs"),
    [(Bleu(), sacrebleu.BLEU(force=True)), (Chrf(), sacrebleu.CHRF()), (Ter(), sacrebleu.TER())],
    ids=["bleu", "chrf", "ter"],
)
def test_equal_to_sacrebleu(
    metric: Metric, theirs: sacrebleu.BLEU, translations: Translations, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in (12345, 7):
        monkeypatch.setenv("SACREBLEU_SEED", str(seed))
        wanted = theirs.corpus_score(*translations, n_bootstrap=200)
        statistics = metric.statistics(*translations)
        found = confidence_interval(metric, statistics, resamples=200, seed=seed)
        # sacrebleu adds in single precision here, we in double.
        assert found.mean == pytest.approx(wanted._mean, rel=1e-5)
        assert found.margin == pytest.approx(wanted._ci, rel=1e-4)
        assert metric.signature(len(translations[1]), resamples=200, seed=seed) == str(theirs.get_signature())
        assert found == confidence_interval(metric, statistics, resamples=200, seed=seed)


def test_totals_are_sums_of_drawn_rows() -> None:
    statistics = np.random.default_rng(3).random((17, 4))
    totals = resampled_totals(statistics, 50, seed=9)
    drawn = np.random.default_rng(9).choice(17, size=(50, 17), replace=True)
    assert totals == pytest.approx(statistics[drawn].sum(axis=1))


def test_level() -> None:
    metric = Ter()
    statistics = np.random.default_rng(1).integers(0, 9, (100, 2)).astype(np.float64)
    scores = np.sort(metric.scores(resampled_totals(statistics, 100, seed=2)))
    for level, outside in [(0.95, 2), (0.9, 5), (0.5, 25), (1.0, 0)]:
        interval = confidence_interval(metric, statistics, resamples=100, seed=2, level=level)
        assert (interval.low, interval.high) == (scores[outside], scores[99 - outside])


def test_one_segment_and_none() -> None:
    statistics = Ter().statistics(["a b"], [["a c"]])
    interval = confidence_interval(Ter(), statistics)
    assert (interval.low, interval.mean, interval.high) == (50.0, 50.0, 50.0)
    with pytest.raises(PentaglotError, match="no segments"):
        confidence_interval(Ter(), statistics[:0])
