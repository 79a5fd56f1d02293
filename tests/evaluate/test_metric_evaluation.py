"""Metrics side by side on several test sets."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sacrebleu
from tests.evaluate.test_beer_training import made_up

from pentaglot import PentaglotError
from pentaglot.errors import OptionError
from pentaglot.evaluate import Agreement, evaluate_metrics, expected_wins, mean_difference, pearson, segment_tau
from pentaglot.evaluate.metric_evaluation import mean_rank_of, segment_scores, win_loss_draw
from pentaglot.metrics import Bleu, Chrf, Ter
from pentaglot.metrics.metric import Statistics


def test_each_metric_on_each_set() -> None:
    sets = [made_up(1, segments=40), made_up(2, segments=40)]
    rows = evaluate_metrics(sets, [Ter(), Chrf()], resamples=100)
    assert [(row.set, row.metric) for row in rows] == [
        ("set1", "TER"), ("set1", "chrF"), ("set2", "TER"), ("set2", "chrF"), ("mean", "TER"), ("mean", "chrF")
    ]  # fmt: skip
    for people, (first, second) in zip(sets, (rows[:2], rows[2:4]), strict=True):
        assert first.tau == segment_tau(segment_scores(Ter(), people), people)
        assert first.ahead == pytest.approx(first.tau - second.tau) and first.low <= first.ahead <= first.high
        assert second.ahead is second.low is None
        assert first.pearson > 0.5 and first.segment_pearson is None


def test_any_number_of_threads_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    sets, metrics = [made_up(1, segments=20), made_up(2, segments=20)], [Ter(), Bleu(), Chrf()]
    alone, used = evaluate_metrics(sets, metrics, resamples=50), set()
    measure = Chrf.segment_statistics

    def noting(self: Chrf, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Statistics:
        used.add(threading.current_thread())
        return measure(self, hypotheses, references)

    monkeypatch.setattr(Chrf, "segment_statistics", noting)
    assert evaluate_metrics(sets, metrics, resamples=50, threads=3) == alone
    assert used and threading.main_thread() not in used


def test_more_is_better_whatever_the_metric() -> None:
    people = made_up(1, segments=5)
    assert (segment_scores(Ter(), people) <= 100).all() and (segment_scores(Bleu(), people) >= 0).all()
    theirs = sacrebleu.BLEU(effective_order=True)
    pairs = zip(people.hypotheses, people.references, strict=True)
    wanted = [theirs.sentence_score(said, [reference]).score for said, reference in pairs]
    assert segment_scores(Bleu(), people) == pytest.approx(wanted)


def test_systems_are_scored_as_a_whole() -> None:
    """Corpus BLEU is not the mean over sentences."""
    people = made_up(5, segments=30)
    row = evaluate_metrics([people], [Bleu()])[0]
    wins, scores = expected_wins(people), []
    for name in wins:
        chosen = [at for at, system in enumerate(people.systems) if system == name]
        said, wanted = ([side[at] for at in chosen] for side in (people.hypotheses, people.references))
        scores.append(sacrebleu.corpus_bleu(said, [wanted], force=True).score)
    assert row.pearson == pytest.approx(pearson(list(wins.values()), scores))


def test_the_mean_over_sets_and_its_interval() -> None:
    sets = [made_up(seed, segments=40) for seed in (1, 2, 3)]
    rows = evaluate_metrics(sets, [Bleu(), Chrf()])
    single, mean = [row for row in rows if row.metric == "BLEU" and row.sets == 1], rows[-2]
    assert mean.sets == 3 and mean.ahead == pytest.approx(np.mean([row.ahead for row in single]))
    assert mean.tau == pytest.approx(np.mean([row.tau for row in single]))
    widths = [row.high - row.low for row in single]
    # Independent sets: the variance of a mean of three is a third of the mean variance over three.
    assert mean.high - mean.low == pytest.approx(np.sqrt(np.square(widths).sum()) / 3, rel=0.15)
    assert mean.low < mean.ahead < mean.high
    with pytest.raises(PentaglotError, match="no test set with rankings"):
        mean_difference([])


def test_direct_scores_and_hybrids() -> None:
    people = made_up(3, segments=40)
    direct = segment_scores(Chrf(), people) + np.random.default_rng(1).standard_normal(len(people))
    scored = type(people)(**{**people.__dict__, "direct": direct, "preferred": np.empty((0, 2), np.int64)})
    near, far = evaluate_metrics([scored], [Chrf(), Bleu()], hybrids=50)
    assert near.tau is None and near.segment_pearson > far.segment_pearson and near.p < 0.05 and far.p is None
    assert near.hybrid_pearson > far.hybrid_pearson and 0 <= near.hybrid_p <= 1
    means = {name: direct[np.array(people.systems) == name].mean() for name in people.system_names}
    whole = [
        sacrebleu.corpus_chrf(
            [text for text, system in zip(people.hypotheses, people.systems, strict=True) if system == name],
            [[text for text, system in zip(people.references, people.systems, strict=True) if system == name]],
        ).score
        for name in means
    ]
    assert near.pearson == pytest.approx(pearson(list(means.values()), whole)) and near.pearson > 0.9
    for count, said in ((3, "3 translations"), (1, "1 translation")):
        few = type(people)(**{**scored.__dict__, "direct": np.where(np.arange(len(people)) < count, direct, np.nan)})
        with pytest.raises(PentaglotError, match=f"has direct scores of {said}; at least 4 are needed"):
            evaluate_metrics([few], [Chrf(), Bleu()])


def test_wins_and_ranks() -> None:
    rows = [
        Agreement("a", "one", tau=0.5, low=0.1, high=0.3), Agreement("a", "base", tau=0.3),
        Agreement("b", "one", tau=0.2, low=-0.3, high=-0.1), Agreement("b", "base", tau=0.4),
        Agreement("c", "one", tau=0.4, low=-0.1, high=0.1), Agreement("c", "base", tau=0.4),
    ]  # fmt: skip
    assert win_loss_draw(rows, "one") == (1, 1, 1)
    assert mean_rank_of(rows) == pytest.approx({"one": (1 + 2 + 1.5) / 3, "base": (2 + 1 + 1.5) / 3})
    assert mean_rank_of([Agreement("a", "one")]) == {}


def test_the_columns_of_the_published_table() -> None:
    """Stanojević 2017, Table 4.6: mean ranks (ties share the mean) and mean taus follow from the other columns."""
    published = {
        "Kendall": ([0.16, 0.170, 0.183, 0.193, 0.218, 0.196, 0.265, 0.235, 0.173, 0.223], 2.65, 0.2016),
        "Spearman": ([0.157, 0.170, 0.181, 0.192, 0.215, 0.199, 0.265, 0.236, 0.173, 0.222], 3.4, 0.201),
        "Hamming": ([0.150, 0.163, 0.168, 0.187, 0.196, 0.172, 0.239, 0.215, 0.157, 0.206], 7, 0.1853),
        "Fuzzy": ([0.155, 0.166, 0.178, 0.189, 0.215, 0.184, 0.263, 0.228, 0.169, 0.216], 5.8, 0.1963),
        "Ulam": ([0.159, 0.170, 0.181, 0.189, 0.221, 0.188, 0.264, 0.232, 0.171, 0.221], 4, 0.1996),
        "RecPET": ([0.157, 0.165, 0.182, 0.195, 0.216, 0.200, 0.264, 0.234, 0.174, 0.221], 3.55, 0.2008),
        "RecPEF": ([0.156, 0.173, 0.185, 0.196, 0.219, 0.201, 0.265, 0.237, 0.181, 0.228], 1.6, 0.2041),
    }
    rows = [Agreement(str(at), name, tau=tau) for name, (taus, *_) in published.items() for at, tau in enumerate(taus)]
    assert mean_rank_of(rows) == pytest.approx({name: rank for name, (_, rank, _) in published.items()})
    for taus, _, mean in published.values():
        assert np.mean(taus) == pytest.approx(mean, abs=1e-9)


def test_mean_ranks_of_sets_with_the_same_name() -> None:
    taus = [("one", 0.5), ("base", 0.3), ("one", 0.2), ("base", 0.4)]
    rows = [Agreement("x", metric, tau=tau) for metric, tau in taus]
    assert mean_rank_of(rows) == {"one": 1.5, "base": 1.5}


def test_how_to_compare() -> None:
    people, metrics = made_up(1, segments=5), [Bleu(), Chrf()]
    assert evaluate_metrics((each for each in [people]), iter(metrics)) == evaluate_metrics([people], metrics)
    wrong: list[tuple[str, Any, str]] = [
        ("ties", "drop it", "option 'ties' cannot be 'drop it'"),
        ("human", "wins", "option 'human' cannot be 'wins'; known: expected wins, win ratio"),
        ("hybrids", -1, "option 'hybrids' is -1"),
        ("hybrids", 3, "option 'hybrids' is 3; at least 4 are needed"),
        ("resamples", 0, "option 'resamples' is 0"),
        ("seed", -1, "option 'seed' is -1"),
    ]
    for name, value, problem in wrong:
        with pytest.raises(OptionError, match=problem):
            evaluate_metrics([people], metrics, **{name: value})


def test_nothing_to_compare() -> None:
    with pytest.raises(PentaglotError, match="judgments and metrics are needed"):
        evaluate_metrics([], [Bleu()])
    with pytest.raises(PentaglotError, match="two metrics have the same name"):
        evaluate_metrics([made_up(1, segments=3)], [Bleu(), Bleu()])
