"""Features with state, each by its definition, in all searches: what a search says must be what the words say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain, combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.search.grammars import (
    FEATURES,
    IDS,
    WEIGHTS,
    WORDS,
    Rule,
    chart_options,
    grammars,
    language_model,
    log_chance,
    stack_options,
    table_of,
)
from tests.search.twins import Scored, chart_derivations, stack_derivations

from pentaglot import PentaglotError
from pentaglot._core import search as core
from pentaglot._core.corpus import FIRST_WORD, UNKNOWN
from pentaglot.forest import Forest

# A model that knows two of the words, one of order 5 over two classes of them, one of single words.
FEW = language_model(2, ("a b a", "b b"))
FEW_IDS = np.where(np.arange(len(IDS)) < FIRST_WORD + 2, IDS, UNKNOWN).astype(np.uint32)
CLASSES = language_model(5, ("X Y X Y X", "X X Y", "Y", "Y X Y X Y Y", "X Y Y X"))
CLASS_IDS = np.array([0, 1, 2, 3, *(FIRST_WORD + number % 2 for number in range(4))], np.uint32)
LONGEST = language_model(7, ("a b c d a b c d a b c", "d c b a d c b a", "a a a a a a a a"))
SINGLE = language_model(1)
MODELS = {"few": (FEW, FEW_IDS), "classes": (CLASSES, CLASS_IDS), "longest": (LONGEST, IDS), "single": (SINGLE, IDS)}

FIRST_FREE = len(WEIGHTS)
REPEATED = FIRST_FREE
SCORES = {name: FIRST_FREE + 1 + 2 * number for number, name in enumerate(MODELS)}  # unknown words: one more
PAIRS = np.arange(FIRST_FREE + 20, FIRST_FREE + 20 + 25, dtype=np.uint32)  # of three classes, beginning and end
PAIR_CLASSES = np.array([0, 0, 0, 0, 0, 1, 2], np.uint32)  # the last word is of no class

# Some n-grams of two and of three words, with the beginning and the end of a sentence. The last word is in none.
NGRAM_NUMBERS = np.array([0, 0, 0, 0, 3, 4, 5, 0], np.uint32)
NGRAMS = [(1, 3), (3, 4), (4, 3), (3, 3), (1, 3, 4), (3, 4, 3), (4, 5, 2), (5, 5), (3, 5, 4), (5, 2)]
FIRST_NGRAM = int(PAIRS[-1]) + 1

# Words that stand somewhere before others.
TRIGGERS = [(1, 1), (1, 2), (2, 1), (3, 2)]
TRIGGER_NUMBERS = np.array([0, 0, 0, 0, 1, 2, 3, 0], np.uint32)
FIRST_TRIGGER = FIRST_NGRAM + len(NGRAMS)

Values = dict[int, float]
Feature = Callable[[tuple[int, ...]], Values]


def every_weight() -> NDArray[np.float64]:
    """Weights of all of them, no two alike."""
    weights = np.zeros(FIRST_TRIGGER + len(TRIGGERS))
    weights[: len(WEIGHTS)] = WEIGHTS
    weights[REPEATED] = -0.7
    for number, id_ in enumerate(SCORES.values()):
        weights[id_], weights[id_ + 1] = 0.3 + number / 10, -0.25 - number / 8
    weights[PAIRS] = np.random.default_rng(5).normal(size=len(PAIRS)).round(2)
    further = len(NGRAMS) + len(TRIGGERS)
    weights[FIRST_NGRAM:] = np.random.default_rng(6).normal(size=further).round(2)
    return weights


ALL_WEIGHTS = every_weight()


def of_model(name: str) -> Feature:
    model, ids = MODELS[name]

    def values(words: tuple[int, ...]) -> Values:
        own = [int(ids[word]) for word in words]
        return {SCORES[name]: log_chance(model, own), SCORES[name] + 1: float(own.count(UNKNOWN))}

    return values


def repeated(words: tuple[int, ...]) -> Values:
    return {REPEATED: float(sum(one == other for one, other in pairwise(words)))}


def class_pairs(words: tuple[int, ...]) -> Values:
    classes = [3, *(int(PAIR_CLASSES[word]) if word < len(PAIR_CLASSES) else 0 for word in words), 4]
    found: Values = {}
    for one, other in pairwise(classes):
        pair = int(PAIRS[5 * one + other])
        found[pair] = found.get(pair, 0.0) + 1
    return found


def ngrams(words: tuple[int, ...]) -> Values:
    numbers = (1, *(int(NGRAM_NUMBERS[word]) if word < len(NGRAM_NUMBERS) else 0 for word in words), 2)
    found: Values = {}
    for number, wanted in enumerate(NGRAMS, FIRST_NGRAM):
        places = range(len(numbers) - len(wanted) + 1)
        found[number] = float(sum(numbers[at : at + len(wanted)] == wanted for at in places))
    return found


def triggers(words: tuple[int, ...]) -> Values:
    numbers = [int(TRIGGER_NUMBERS[word]) if word < len(TRIGGER_NUMBERS) else 0 for word in words]
    found = Counter(combinations(numbers, 2))
    return {FIRST_TRIGGER + at: float(found[pair]) for at, pair in enumerate(TRIGGERS)}


def native_triggers(pairs: list[tuple[int, int]] = TRIGGERS) -> core.TriggerPairs:
    firsts, seconds = (np.array(side, np.uint32) for side in zip(*pairs, strict=True))
    ids = np.arange(FIRST_TRIGGER, FIRST_TRIGGER + len(pairs), dtype=np.uint32)
    return core.TriggerPairs(TRIGGER_NUMBERS, firsts, seconds, ids)


def native_ngrams(order: int = 3, wanted: list[tuple[int, ...]] = NGRAMS) -> core.TargetNgrams:
    offsets = np.cumsum([0, *map(len, wanted)]).astype(np.uint64)
    ids = np.arange(FIRST_NGRAM, FIRST_NGRAM + len(wanted), dtype=np.uint32)
    return core.TargetNgrams(order, NGRAM_NUMBERS, offsets, np.array(list(chain(*wanted)), np.int32), ids)


TWINS: dict[str, Feature] = {
    **{name: of_model(name) for name in MODELS},
    "repeated_words": repeated,
    "class_pairs": class_pairs,
    "ngrams": ngrams,
    "triggers": triggers,
}


def model_with(chosen: list[str]) -> core.SearchModel:
    uses = [
        (MODELS[name][0].native, MODELS[name][1], SCORES[name], SCORES[name] + 1) for name in chosen if name in MODELS
    ]
    features = FEATURES | ({"repeated_words": REPEATED} if "repeated_words" in chosen else {})
    pairs = (PAIR_CLASSES, PAIRS, 5) if "class_pairs" in chosen else None
    counted = [native_ngrams()] if "ngrams" in chosen else []
    triggered = [native_triggers()] if "triggers" in chosen else []
    return core.SearchModel(ALL_WEIGHTS, features, uses, pairs, [], counted, triggered)


def search(kind: str, rules: list[Rule], sentence: list[int], chosen: list[str], **options: int) -> Forest:
    words, model = core.sentence(np.array(sentence, np.uint32)), model_with(chosen)
    if kind == "stack":
        packed, *_ = core.search_stacks(words, table_of(rules), model, stack_options(distortion_limit=3, **options))
    else:
        chart = chart_options(growing=kind == "growing", **options)
        packed, *_ = core.search_chart(words, table_of(rules), model, chart)
    return Forest.from_packed(packed, ALL_WEIGHTS)


def derivations(kind: str, rules: list[Rule], sentence: list[int]) -> list[Scored]:
    if kind == "stack":
        return list(stack_derivations(rules, sentence, 3))
    return list(chart_derivations(rules, sentence))


def score_by_definition(words: tuple[int, ...], chosen: list[str]) -> float:
    values = (pair for name in chosen for pair in TWINS[name](words).items())
    return sum(float(ALL_WEIGHTS[id_]) * value for id_, value in values)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[Rule], list[int]]:
    kind = draw(st.sampled_from(["chart", "growing", "stack"]))
    reordering = kind == "stack" and draw(st.booleans())
    rules = draw(grammars(gaps=0 if kind == "stack" else 2, reordering=reordering))
    return kind, rules, draw(st.lists(st.sampled_from(WORDS), max_size=4))


CHOSEN = st.lists(st.sampled_from(list(TWINS)), min_size=1, max_size=4, unique=True)


@settings(max_examples=250, deadline=None)
@given(cases(), CHOSEN)
def test_every_derivation_has_the_score_of_its_words(
    case: tuple[str, list[Rule], list[int]], chosen: list[str]
) -> None:
    forest = search(*case, chosen)
    assume(forest.count() < 10_000)
    expected = derivations(*case)
    assert forest.count() == len(expected)
    scores = sorted((score + score_by_definition(words, chosen) for score, words in expected), reverse=True)
    found = forest.kbest(min(len(expected), 30))
    assert [each.score for each in found] == pytest.approx(scores[:30], abs=1e-4)
    for each in found[:5]:
        for name in chosen:
            want = TWINS[name](each.words)
            assert {id_: each.features.get(id_, 0.0) for id_ in want} == pytest.approx(want, abs=1e-4)


@settings(max_examples=100, deadline=None)
@given(cases(), CHOSEN, st.integers(1, 6))
def test_pruning_keeps_scores_true(case: tuple[str, list[Rule], list[int]], chosen: list[str], pops: int) -> None:
    forest = search(*case, chosen, pop_limit=pops)
    best = forest.viterbi()
    assert best.score <= search(*case, chosen).viterbi().score + 1e-4
    own = [score + score_by_definition(words, chosen) for score, words in derivations(*case) if words == best.words]
    assert min(abs(best.score - score) for score in own) < 1e-4


@settings(max_examples=50, deadline=None)
@given(cases())
def test_values_of_features_that_are_not_wanted_are_not_there(case: tuple[str, list[Rule], list[int]]) -> None:
    assert not set(search(*case, []).viterbi().features) & {REPEATED, *SCORES.values(), *PAIRS.tolist()}


@pytest.mark.parametrize("kind", ["chart", "stack"])
def test_rules_with_thousands_of_different_runs_of_words(kind: str) -> None:
    """More than the table of runs has room for at first, and each both before a gap and after it."""
    first, second = WORDS[:2]
    runs = list(product(WORDS, repeat=6))[::2]
    rules = [Rule((first,), run, -1.0) for run in runs] + [Rule((second,), (second,), -1.0)]
    if kind == "chart":
        rules += [Rule((first, -1), (*run, -1, *other), -1.0) for run, other in zip(runs, runs[7:], strict=False)]
    expected = derivations(kind, rules, [first, second])
    chosen = ["longest", "classes"]
    scores = sorted((score + score_by_definition(words, chosen) for score, words in expected), reverse=True)
    found = search(kind, rules, [first, second], chosen).kbest(len(expected))
    assert [each.score for each in found] == pytest.approx(scores, abs=1e-3)


def test_a_model_over_classes_merges_words_of_a_class() -> None:
    """Nothing that comes later can tell two words of one class apart: one item is enough."""
    first, second, third, _ = WORDS  # the first and the third are of one class
    rules = [Rule((first,), (first,), -1.0), Rule((first,), (third,), -1.0), Rule((second,), (second,), -1.0)]
    words = search("stack", rules, [first, second], ["longest"])
    classes = search("stack", rules, [first, second], ["classes"])
    assert classes.count() == words.count()
    assert classes.nodes < words.nodes


def test_what_the_door_refuses() -> None:
    sentence, table = core.sentence(np.array(WORDS[:1], np.uint32)), table_of([Rule((WORDS[0],), (WORDS[0],), 0.0)])
    with pytest.raises(PentaglotError, match="more language models than the search has"):
        core.search_chart(sentence, table, model_with(["few"]), chart_options(), further_ids=[IDS, IDS])
    with pytest.raises(PentaglotError, match="every pair of word classes needs its feature"):
        core.SearchModel(ALL_WEIGHTS, FEATURES, [], (PAIR_CLASSES, PAIRS[1:], 5))
    with pytest.raises(PentaglotError, match="a class that does not exist"):
        core.SearchModel(ALL_WEIGHTS, FEATURES, [], (PAIR_CLASSES + 1, PAIRS, 5))
    for order, wanted, message in (
        (5, NGRAMS, "two to four words"),
        (2, NGRAMS, "too few or too many words"),
        (3, [(3,)], "too few or too many words"),
        (3, [(3, 0)], "does not exist"),
        (3, [(3, 1 << 21)], "too many different words in n-grams of 3"),
        (3, [(3, 4), (3, 4)], "the same n-gram"),
    ):
        with pytest.raises(PentaglotError, match=message):
            native_ngrams(order, wanted)
    for pairs, message in (
        ([(0, 1)], "does not exist"),
        ([(1, 1 << 16)], "does not exist"),
        ([(1, 2)] * 2, "the same"),
    ):
        with pytest.raises(PentaglotError, match=message):
            native_triggers(pairs)
