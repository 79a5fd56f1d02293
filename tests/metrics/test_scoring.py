"""Reports: the chosen metrics, in order, with signatures and intervals that fit them."""

from __future__ import annotations

import pytest

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.metrics import Bleu, Chrf, ScoringOptions, Ter, chosen_metrics, score_translations

Translations = tuple[list[str], list[list[str]]]


def test_choice() -> None:
    options = ScoringOptions(metrics=" TER, chrf++,bleu ", lowercase=True, tokenize="intl")
    assert chosen_metrics(options) == [
        Ter(),
        Chrf(lowercase=True, word_order=2),
        Bleu(lowercase=True, tokenize="intl"),
    ]
    assert chosen_metrics(ScoringOptions(metrics="bleu,ter,BLEU")) == [Bleu(), Ter()]
    with pytest.raises(OptionError, match="no metric 'blue'; did you mean 'bleu'"):
        chosen_metrics(ScoringOptions(metrics="blue"))
    with pytest.raises(OptionError, match="no metric is named"):
        chosen_metrics(ScoringOptions(metrics=", ,"))


def test_report(translations: Translations) -> None:
    scores = score_translations(*translations)
    assert [score.name for score in scores] == ["BLEU", "chrF", "TER"]
    for score in scores:
        assert score.interval is not None
        assert score.interval.low <= score.value <= score.interval.high
        assert f"nrefs:{len(translations[1])}|bs:1000|seed:12345|" in score.signature
    plain = score_translations(*translations, ScoringOptions(confidence=False))
    assert [score.value for score in plain] == [score.value for score in scores]
    assert all(score.interval is None and "bs:" not in score.signature for score in plain)


def test_texts_that_can_be_read_once(translations: Translations) -> None:
    """Every metric needs them."""
    hypotheses, references = translations
    once = score_translations(iter(hypotheses), map(iter, references), metrics=iter([Bleu(), Ter()]))
    assert once == score_translations(hypotheses, references, metrics=[Bleu(), Ter()])


def test_nothing_to_score() -> None:
    with pytest.raises(PentaglotError, match="no hypotheses"):
        score_translations([], [[]])
