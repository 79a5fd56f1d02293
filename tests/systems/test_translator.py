"""Translators: sensible output, any line survived, the same bytes with any number of threads."""

from __future__ import annotations

from pathlib import Path

import pytest
import sacrebleu
from tests.systems.conftest import EXAMPLES

from pentaglot.systems import Translator


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text("utf-8").splitlines()


def test_translates_unseen_sentences(trained: Path) -> None:
    translator = Translator.open(trained)
    found = [translation.text for translation in translator.translate_all(lines("test.de"))]
    assert sacrebleu.corpus_bleu(found, [lines("test.en")]).score > 55


def test_threads_do_not_matter(trained: Path) -> None:
    translator = Translator.open(trained)
    one, many = (
        [
            (each.text, each.score, each.nbest[0][1].features)
            for each in translator.translate_all(texts, nbest=3, threads=n)
        ]
        for texts, n in ((lines("test.de")[:15], 1), (lines("test.de")[:15], 8))
    )
    assert one == many


ODD = ["", " ", "|||", "<s> </s> <unk>", "[X,1] X1 X", "\x00\x07", "𝔘𝔫𝔦 日本語 العربية", "x" * 1_000_000, "a\u2028b"]


@pytest.mark.parametrize("line", ODD, ids=range(len(ODD)))
def test_survives(trained: Path, line: str) -> None:
    translator = Translator.open(trained)
    text = translator.translate(line).text
    assert "\n" not in text
    assert bool(text) == bool(translator.model.source_tokenizer.tokenise(line))


def test_a_very_long_line(trained: Path) -> None:
    translator = Translator.open(trained)
    sentence = lines("test.de")[0]
    translation = translator.translate(" ".join([sentence] * 200))
    assert len(translation.parts) > 10
    assert all(len(part.rules.words) <= translator.longest for part in translation.parts)
    assert len(translation.text.split()) > 200


def test_nbest_is_sorted_and_different(trained: Path) -> None:
    translation = Translator.open(trained).translate(lines("test.de")[1], nbest=10)
    scores = [each.score for _, each in translation.nbest]
    assert len(scores) > 1
    assert scores == sorted(scores, reverse=True)
    assert len({each.words for _, each in translation.nbest}) == len(scores)
    assert translation.text == translation.nbest[0][0]


def test_features_make_up_the_score(trained: Path) -> None:
    translator = Translator.open(trained)
    for _, each in translator.translate(lines("test.de")[2], nbest=5).nbest:
        total = sum(value * translator.weights.get(name, 0.0) for name, value in each.features.items())
        assert each.score == pytest.approx(total, rel=1e-5)


def test_other_weights_share_the_rest(trained: Path) -> None:
    translator = Translator.open(trained)
    wordy = translator.with_weights({**translator.weights, "words": 50.0})
    line = lines("test.de")[0]
    assert len(wordy.translate(line).text.split()) >= len(translator.translate(line).text.split())
    assert wordy.rules is translator.rules
    assert translator.weights["words"] != 50.0
