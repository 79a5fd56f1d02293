"""Mixtures: the mean of the models where n-grams are known, and always a probability distribution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies
from tests.lm import texts

from pentaglot.corpus import encode
from pentaglot.corpus.vocabulary import START
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.lm import LanguageModel, Perplexity, interpolate, tune_weights


def _mean(models: list[LanguageModel], weights: list[float], context: list[str], word: str) -> float:
    total = 0.0
    for model, weight in zip(models, weights, strict=True):
        id = {"</s>": 2, "<unk>": 0}.get(word, model.vocabulary.find(word))
        if id == 0 and word != "<unk>":
            continue
        ids = [START if each == "<s>" else model.vocabulary.find(each) for each in context]
        total += weight * texts.probability(model, ids, id)
    return total


@settings(max_examples=30, deadline=None)
@given(one=texts.sentences, other=texts.sentences, weight=strategies.floats(0.01, 0.99))
def test_sums_to_one_and_is_the_mean(one: texts.Sentences, other: texts.Sentences, weight: float) -> None:
    other = [[word.upper() if word > "d" else word for word in sentence] for sentence in other]
    models = [texts.build_from(one, 3), texts.build_from(other, 4)]
    mixed = interpolate(models, [weight, 1 - weight])
    texts.assert_sums_to_one(mixed, texts.contexts_of(mixed, 20))
    for sentence in one[:3] + other[:3]:
        words = ["<s>", *sentence, "</s>"]
        for end in range(1, len(words)):
            context = words[max(0, end - 2) : end]
            ids = [START if each == "<s>" else mixed.vocabulary.find(each) for each in context]
            id = 2 if words[end] == "</s>" else mixed.vocabulary.find(words[end])
            expected = _mean(models, [weight, 1 - weight], context, words[end])
            assert texts.probability(mixed, ids, id) == pytest.approx(expected, rel=1e-4)


def test_of_one_model_is_that_model() -> None:
    model = texts.build_from(texts.random_sentences(200), 3)
    mixed = interpolate([model], [3.0])
    held_out = texts.random_sentences(50, seed=4)
    assert mixed.score(held_out).log_probabilities.tolist() == pytest.approx(
        model.score(held_out).log_probabilities.tolist(), abs=1e-4
    )


def test_pruned_models_and_threads() -> None:
    models = [
        texts.build_from(texts.random_sentences(2000, words=300), 4, prune="0 0 1"),
        texts.build_from(texts.random_sentences(500, words=500, seed=2), 3, prune="0 1"),
    ]
    mixed = [interpolate(models, [0.4, 0.6], threads=threads) for threads in (1, 2, 8)]
    assert len({texts.bytes_of(each) for each in mixed}) == 1
    texts.assert_sums_to_one(mixed[0], texts.contexts_of(mixed[0], 20))


def test_weights_are_found() -> None:
    models = [texts.build_from(texts.random_sentences(500, seed=seed), 2) for seed in (1, 2)]
    models.append(texts.build_from([list("xyz")], 2))
    dev, vocabulary = encode(texts.random_sentences(500, seed=1))
    weights = tune_weights(models, dev, vocabulary)
    assert sum(weights) == pytest.approx(1) and weights[0] > 0.8 and weights[2] < 0.01
    found = Perplexity.of(interpolate(models, weights).score(dev, vocabulary)).including_unknown
    for other in ([1 / 3] * 3, [0.5, 0.5, 0.0], [0.1, 0.8, 0.1]):
        assert found < Perplexity.of(interpolate(models, other).score(dev, vocabulary)).including_unknown


def test_the_best_weight_of_two() -> None:
    """EM finds the maximum that trying all weights finds."""
    models = [texts.build_from(texts.random_sentences(300, seed=seed), 2) for seed in (1, 2)]
    dev, vocabulary = encode(texts.random_sentences(100, seed=7))
    logs = np.stack([model.score(dev, vocabulary).log_probabilities.astype(float) for model in models])
    keep = ~models[0].score(dev, vocabulary).unknown
    tried = np.linspace(0.001, 0.999, 999)
    likelihood = [np.log(w * 10 ** logs[0][keep] + (1 - w) * 10 ** logs[1][keep]).sum() for w in tried]
    assert tune_weights(models, dev, vocabulary)[0] == pytest.approx(tried[int(np.argmax(likelihood))], abs=0.003)


def test_bad_weights() -> None:
    model = texts.build_from([["a"]], 2)
    for weights in ([], [0.5, 0.5], [-1.0], [0.0], [float("nan")]):
        with pytest.raises(OptionError):
            interpolate([model], weights)
    with pytest.raises(OptionError):
        tune_weights([], *encode([["a"]]))
    model = texts.build_from([[]], 1)
    text, vocabulary = encode([])
    with pytest.raises(PentaglotError, match="no model knows any word"):
        tune_weights([model], text, vocabulary)
