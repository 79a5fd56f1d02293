"""Any bracketing of a sentence gives the score of its words from left to right."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies
from tests.lm import texts
from tests.lm.random_arpa import random_arpa

from pentaglot._core.lm import ChartScorer, ChartState
from pentaglot.corpus.vocabulary import END, UNKNOWN
from pentaglot.lm import LanguageModel


def _left_to_right(model: LanguageModel, words: list[int]) -> float:
    state, total = model.native.begin_sentence(), 0.0
    for word in words:
        score, state = model.native.score(state, word)
        total += score
    return total


def _bracketed(model: LanguageModel, words: list[int], chance: random.Random, first: bool) -> tuple[float, ChartState]:
    """The score and state of words cut at random into parts that are cut again."""
    scorer = ChartScorer(model.native)
    total = 0.0
    if first:
        scorer.begin_sentence()
    begin = 0
    while begin < len(words):
        end = chance.randrange(begin + 1, len(words) + 1)
        if end - begin == 1 and chance.random() < 0.5:
            scorer.word(words[begin])
        elif end - begin < len(words):
            score, state = _bracketed(model, words[begin:end], chance, first=False)
            total += score
            scorer.stretch(state)
        else:
            continue
        begin = end
    if chance.random() < 0.1:
        scorer.stretch(ChartScorer(model.native).state)  # an empty stretch changes nothing
    return total + scorer.score, scorer.state


@settings(max_examples=150, deadline=None)
@given(seed=strategies.integers(0, 10**9), order=strategies.integers(1, 7), built=strategies.booleans())
def test_any_bracketing(seed: int, order: int, built: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    chance = random.Random(seed)
    if built:
        model = texts.build_from([[chance.choice("abcd") for _ in range(7)] for _ in range(20)], order)
    else:
        path = tmp_path_factory.mktemp("lm") / "model.arpa"
        path.write_text(random_arpa(seed, order))
        model = LanguageModel.open(path)
    ids = [UNKNOWN, *range(4, len(model.vocabulary))]
    for _ in range(10):
        words = [chance.choice(ids) for _ in range(chance.randrange(2, 12))] + [END]
        score, state = _bracketed(model, words, chance, first=True)
        assert score == pytest.approx(_left_to_right(model, words), abs=1e-4)
        right = model.native.begin_sentence()
        for word in words:
            _, right = model.native.score(right, word)
        assert state.right == right and state.full and state.left == []


def test_left_words_are_minimal() -> None:
    model = texts.build_from([list("abcd"), list("xbcd")], 4)
    ids = [model.vocabulary.find(word) for word in "bcdx"]
    scorer = ChartScorer(model.native)
    scorer.word(ids[0])
    assert scorer.state.left == ids[:1] and not scorer.state.full
    scorer.word(ids[3])  # no n-gram has "b x", so nothing before "b" can matter to what follows
    assert scorer.state.left == [ids[0], ids[3]] and scorer.state.full
    scorer.word(ids[1])
    assert scorer.state.left == [ids[0], ids[3]]
    longer = ChartScorer(model.native)
    for each in ids[:3]:
        longer.word(each)
    assert longer.state.left == ids[:3] and longer.state.full


def test_equality() -> None:
    model = texts.build_from([list("abc")], 3)
    a, b = model.vocabulary.find("a"), model.vocabulary.find("b")
    one, same, other = (ChartScorer(model.native) for _ in range(3))
    one.word(a)
    same.word(a)
    other.word(b)
    assert one.state == same.state and hash(one.state) == hash(same.state)
    assert one.state != other.state
    assert ChartState() == ChartScorer(model.native).state
