"""The contract, on every metric; and that each is what sacrebleu computes."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import sacrebleu

from pentaglot.errors import PentaglotError
from pentaglot.metrics import Bleu, Chrf, Metric, Ter

Translations = tuple[list[str], list[list[str]]]

PAIRS: list[tuple[Metric, Any]] = [
    (Bleu(), sacrebleu.BLEU(force=True)),
    (Bleu(lowercase=True), sacrebleu.BLEU(lowercase=True, force=True)),
    (Bleu(effective_order=True), sacrebleu.BLEU(effective_order=True, force=True)),
    *[
        (Bleu(tokenize=name), sacrebleu.BLEU(tokenize=name, force=True))  # type: ignore[arg-type]
        for name in ("intl", "zh", "char", "none")
    ],
    *[
        (
            Bleu(smoothing=name, smoothing_value=value, effective_order=effective),  # type: ignore[arg-type]
            sacrebleu.BLEU(smooth_method=name, smooth_value=value, effective_order=effective, force=True),
        )
        for name in ("exp", "floor", "add-k", "none")
        for value in (None, 0.25)
        for effective in (False, True)
    ],
    (Chrf(), sacrebleu.CHRF()),
    (Chrf(lowercase=True, word_order=2), sacrebleu.CHRF(lowercase=True, word_order=2)),
    (Chrf(character_order=3, beta=1, whitespace=True), sacrebleu.CHRF(char_order=3, beta=1, whitespace=True)),
    (Ter(), sacrebleu.TER()),
    (Ter(case_sensitive=True), sacrebleu.TER(case_sensitive=True)),
    (
        Ter(normalized=True, punctuation=False, asian_support=True),
        sacrebleu.TER(normalized=True, no_punct=True, asian_support=True),
    ),
]
contract = pytest.mark.parametrize(("metric", "theirs"), PAIRS, ids=[repr(metric) for metric, _ in PAIRS])


@contract
def test_equal_to_sacrebleu(metric: Metric, theirs: Any, translations: Translations) -> None:
    hypotheses, references = translations
    wanted = theirs.corpus_score(hypotheses, references)
    statistics = metric.statistics(hypotheses, references)
    assert metric.score(statistics) == pytest.approx(wanted.score, abs=1e-9)
    assert metric.signature(len(references)) == str(theirs.get_signature())


@contract
def test_every_segment_alone_and_in_part(metric: Metric, theirs: Any, translations: Translations) -> None:
    hypotheses, references = translations
    statistics = metric.statistics(hypotheses, references)
    for begin, end in [(0, 3), (10, 11), (80, 81), (81, 82), (82, 83), (40, 83)]:
        part = [reference[begin:end] for reference in references]
        wanted = theirs.corpus_score(hypotheses[begin:end], part).score
        assert metric.score(statistics[begin:end]) == pytest.approx(wanted, abs=1e-9)


@contract
def test_costs(metric: Metric, theirs: Any, translations: Translations) -> None:
    hypotheses, references = translations
    costs = metric.costs(metric.statistics(hypotheses, references))
    theirs = copy.deepcopy(theirs)
    theirs.effective_order = True  # what sacrebleu advises for a single sentence; only BLEU knows it
    for number, cost in enumerate(costs):
        score = theirs.sentence_score(hypotheses[number], [reference[number] for reference in references]).score
        assert cost == pytest.approx(1 - score / 100 if metric.higher_is_better else score / 100, abs=1e-9)
    perfect = metric.costs(metric.statistics(["A small house."], [["A small house."]]))
    assert perfect == pytest.approx([0.0], abs=1e-12)


@contract
def test_statistics_add_up_and_scores_go_by_row(metric: Metric, theirs: Any, translations: Translations) -> None:
    statistics = metric.statistics(*translations)
    assert statistics.dtype == np.float64 and statistics.shape[0] == len(translations[0])
    assert np.array_equal(statistics, np.rint(statistics)), "whole numbers: sums are exact in any order"
    halves = np.stack([statistics[:40].sum(axis=0), statistics[40:].sum(axis=0)])
    before = halves.copy()
    assert metric.scores(halves).tolist() == [metric.score(statistics[:40]), metric.score(statistics[40:])]
    assert np.array_equal(halves, before), "the caller's array is left as it was"


@contract
def test_nothing(metric: Metric, theirs: Any) -> None:
    width = metric.statistics(["a"], [["a"]]).shape[1]
    assert metric.statistics([], [[]]).shape == (0, width)
    assert metric.scores(np.zeros((1, width))).tolist() == [0.0]


@contract
def test_unequal_input(metric: Metric, theirs: Any) -> None:
    with pytest.raises(PentaglotError, match="2 hypotheses but 1 segments in reference 2"):
        metric.statistics(["a", "b"], [["a", "b"], ["a"]])
    with pytest.raises(PentaglotError, match="no references"):
        metric.statistics(["a"], [])
    for said, wanted in [("ab", [["a", "b"]]), (["a"], ["a"]), (["a"], "a")]:
        with pytest.raises(PentaglotError, match="a text is given where a list of texts is needed"):
            metric.statistics(said, wanted)


@contract
def test_whatever_holds_the_texts(metric: Metric, theirs: Any) -> None:
    said, wanted = ["a b c", "d"], [["a c b", "d"], ["b", "e"]]
    found = metric.statistics(said, wanted)
    for hypotheses, references in (
        ((each for each in said), ((text for text in each) for each in wanted)),
        (np.array(said), np.array(wanted)),
        (tuple(said), tuple(map(tuple, wanted))),
    ):
        assert np.array_equal(metric.statistics(hypotheses, references), found)
    for bad in (None, float("nan"), b"d"):
        with pytest.raises(PentaglotError, match=r"segment 2 is .*, not a text; write an empty text for none"):
            metric.statistics(["a", bad], wanted)  # type: ignore[list-item]
