"""What the tests of this room share: small random texts, and models built from them."""

from __future__ import annotations

import logging
import math
import random

import numpy as np
import pytest
from hypothesis import strategies

from pentaglot.corpus import encode
from pentaglot.corpus.vocabulary import END, FIRST_WORD, UNKNOWN
from pentaglot.lm import BuildOptions, LanguageModel, build

WORDS = "abcdefgh"
Sentences = list[list[str]]

sentences = strategies.lists(strategies.lists(strategies.sampled_from(WORDS), max_size=8), min_size=1, max_size=12)


def random_sentences(number: int, words: int = 30, seed: int = 1) -> Sentences:
    """Text with the shape of a language: few words are frequent, and the next word depends on the last."""
    chance = random.Random(seed)
    text = []
    for _ in range(number):
        last, sentence = 0, []
        for _ in range(chance.randrange(12)):
            drawn = int(chance.paretovariate(0.8))
            last = drawn % words if chance.random() < 0.5 else (last * 7 + drawn) % words
            sentence.append(f"w{last}")
        text.append(sentence)
    return text


def build_from(text: Sentences, order: int = 3, **options: object) -> LanguageModel:
    """A model of a few sentences, with the warnings about their number silenced."""
    logging.getLogger("pentaglot.lm.build").disabled = True
    try:
        return build(*encode(text), BuildOptions(order=order, **options))  # type: ignore[arg-type]
    finally:
        logging.getLogger("pentaglot.lm.build").disabled = False


def probability(model: LanguageModel, context: list[int], word: int) -> float:
    """p(word | context) by the native states; a context may begin with START."""
    state = type(model.native.begin_sentence())()
    for each in context:
        _, state = model.native.score(state, each)
    return float(10 ** model.native.score(state, word)[0])


def assert_sums_to_one(model: LanguageModel, contexts: list[list[int]]) -> None:
    """All words that can follow, the end and unknown words among them, share a probability of one."""
    words = [UNKNOWN, END, *range(FIRST_WORD, len(model.vocabulary))]
    for context in contexts:
        total = math.fsum(probability(model, context, word) for word in words)
        assert total == pytest.approx(1.0, abs=2e-5), context


def contexts_of(model: LanguageModel, number: int = 60, seed: int = 3) -> list[list[int]]:
    """Contexts that the model knows, of every length, and some that it does not."""
    chance = random.Random(seed)
    ids = [UNKNOWN, 1, *range(FIRST_WORD, len(model.vocabulary))]
    found = [[chance.choice(ids) for _ in range(chance.randrange(model.order))] for _ in range(number // 2)]
    for length in range(1, model.order):
        arrays = [model.ngrams.level(n) for n in range(1, length + 1)]
        for _ in range(number // 2 // model.order + 1):
            if not len(arrays[-1][0]):
                continue
            place, context = chance.randrange(len(arrays[-1][0])), []
            for word, parent, _, _ in reversed(arrays):
                context.append(int(word[place]))
                place = int(parent[place]) if len(parent) else 0
            if END not in context and 3 not in context:
                found.append(context)
    return found


def bytes_of(model: LanguageModel) -> bytes:
    """All of a model, to compare two."""
    levels = [array.tobytes() for n in range(1, model.order + 1) for array in model.ngrams.level(n)]
    ids = np.arange(len(model.vocabulary), dtype=np.uint32)
    return b"".join(levels) + " ".join(model.vocabulary.words(ids)).encode()
