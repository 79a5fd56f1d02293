"""What passes between us and sacrebleu."""

from __future__ import annotations

import numpy as np
import sacrebleu

from pentaglot.metrics.sacre import corpus_statistics, signature_of


def test_statistics_are_those_behind_the_score() -> None:
    hypotheses, references = ["the house is small", ""], [["the house is tiny", "a"], ["a small house", "b"]]
    metric = sacrebleu.BLEU()
    found = corpus_statistics(metric, hypotheses, references, width=10)
    assert found.shape == (2, 10) and found.dtype == np.float64
    totals = found.sum(axis=0)
    score = sacrebleu.BLEU().corpus_score(hypotheses, references)
    assert totals.tolist() == [score.sys_len, score.ref_len, *score.counts, *score.totals]


def test_nothing_has_the_width_that_is_asked() -> None:
    assert corpus_statistics(sacrebleu.TER(), [], [[]], width=2).shape == (0, 2)


def test_signatures_are_those_after_scoring() -> None:
    hypotheses, references = ["a b c d e"] * 3, [["a b c d e"] * 3] * 2
    for make in (sacrebleu.BLEU, sacrebleu.CHRF, sacrebleu.TER):
        scored = make()
        scored.corpus_score(hypotheses, references)
        assert signature_of(make(), 2) == str(scored.get_signature())
    assert "|bs:50|seed:7|" in signature_of(sacrebleu.BLEU(), 1, resamples=50, seed=7)
