"""Perplexity as kenlm counts it."""

from __future__ import annotations

import math
from pathlib import Path

import kenlm
import pytest
from tests.lm import texts

from pentaglot.lm import Perplexity


def test_equals_kenlm(tmp_path: Path) -> None:
    model = texts.build_from(texts.random_sentences(300), 3)
    model.save(tmp_path / "model.arpa")
    sentence = texts.random_sentences(20, words=40, seed=3)[7]
    expected = kenlm.Model(str(tmp_path / "model.arpa")).perplexity(" ".join(sentence))
    assert Perplexity.of(model.score([sentence])).including_unknown == pytest.approx(expected, rel=1e-5)


def test_unknown_words_left_out() -> None:
    model = texts.build_from(texts.random_sentences(300), 3)
    scores = model.score([["w1", "nowhere", "w2"]])
    logs = scores.log_probabilities.astype(float)
    found = Perplexity.of(scores)
    assert (found.unknown, found.tokens, found.sentences) == (1, 4, 1)
    assert found.excluding_unknown == pytest.approx(10 ** (-(logs[0] + logs[2] + logs[3]) / 3))


def test_sums() -> None:
    model = texts.build_from(texts.random_sentences(300), 3)
    text = texts.random_sentences(50, words=60, seed=5)
    parts = Perplexity.of(model.score(text[:20])) + Perplexity.of(model.score(text[20:]))
    whole = Perplexity.of(model.score(text))
    assert parts.including_unknown == pytest.approx(whole.including_unknown)
    assert parts.excluding_unknown == pytest.approx(whole.excluding_unknown)


def test_nothing_and_the_impossible() -> None:
    assert math.isnan(Perplexity().including_unknown)
    assert Perplexity(tokens=1, log_probability=-5000.0).including_unknown == math.inf
