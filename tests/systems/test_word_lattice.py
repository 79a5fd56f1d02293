"""Word lattices: the same paths after every change, all their runs of words looked up, the best path translated."""

from __future__ import annotations

import dataclasses
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.systems.conftest import EXAMPLES

from pentaglot import PentaglotError
from pentaglot.corpus import Tokenizer
from pentaglot.forest import Arc, Lattice, lattice_to_json
from pentaglot.rules import SentenceRules
from pentaglot.rules.features import WORD_CHOICE
from pentaglot.systems import Model, Translator, WordArc, WordLattice
from pentaglot.systems.lattice_paths import path_of


@st.composite
def lattices(draw: st.DrawFn) -> Lattice:
    nodes = draw(st.integers(2, 5))
    pairs = [(start, end) for start in range(nodes) for end in range(start + 1, nodes)]
    words = st.lists(st.integers(4, 6), max_size=2).map(tuple)
    score = st.integers(-3, 0).map(float)
    arcs = [Arc(*draw(st.sampled_from(pairs)), draw(words), draw(score)) for _ in range(draw(st.integers(1, 7)))]
    finals = draw(st.sets(st.integers(1, nodes - 1), min_size=1, max_size=2))
    return Lattice(nodes, tuple(arcs), tuple(sorted(finals)))


def sayings(lattice: Lattice) -> dict[tuple[str, ...], float]:
    """The best score of everything that a lattice can say, but for nothing."""
    found: dict[tuple[str, ...], float] = {}
    try:
        paths = lattice.kbest(10_000)
    except PentaglotError:
        return {}
    for path in paths:
        if path.words:
            found.setdefault(tuple(map(str, path.words)), path.score)
    return found


def paths(lattice: WordLattice) -> list[tuple[WordArc, ...]]:
    found, waiting = [], [((), 0)]
    while waiting:
        path, node = waiting.pop()
        if node == lattice.nodes - 1:
            found.append(path)
        waiting += [((*path, arc), arc.end) for arc in lattice.arcs if arc.start == node]
    return found


def best(lattice: WordLattice) -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}
    for path in paths(lattice):
        words, score = tuple(arc.word for arc in path), sum(arc.score for arc in path)
        found[words] = max(found.get(words, score), score)
    return found


@given(lattices())
def test_the_same_is_said(lattice: Lattice) -> None:
    wanted = sayings(lattice)
    if not wanted:
        with pytest.raises(PentaglotError, match="no path of the lattice has a word"):
            WordLattice.from_lattice(lattice, str)
        return
    made = WordLattice.from_lattice(lattice, str)
    assert best(made) == wanted
    assert best(made.tokenised(Tokenizer("none"))) == wanted
    assert {arc for path in paths(made) for arc in path} == set(made.arcs)


@given(lattices(), st.integers(1, 4))
def test_every_run_of_words_is_in_the_sentence(lattice: Lattice, longest: int) -> None:
    assume(sayings(lattice))
    made = WordLattice.from_lattice(lattice, str)
    sentence = made.sentence(longest, longest).words
    runs = {tuple(sentence[at : at + size]) for size in range(1, longest + 1) for at in range(len(sentence))}
    for words in best(made):
        for size in range(1, min(longest, len(words)) + 1):
            for at in range(len(words) - size + 1):
                assert words[at : at + size] in runs


def test_a_chain_is_its_sentence() -> None:
    words = [str(number) for number in range(30)]
    chain = WordLattice(31, tuple(WordArc(at, at + 1, word) for at, word in enumerate(words)))
    assert chain.sentence(10, 10).words == words


def dense() -> WordLattice:
    """With millions of paths."""
    return WordLattice(21, tuple(WordArc(at, at + 1, f"{at}.{n}") for at in range(20) for n in range(5)))


def test_too_many_paths_mean_shorter_runs_and_this_is_said() -> None:
    runs = dense().sentence(10, 10)
    assert set(runs.words) - {"\x00"} == {arc.word for arc in dense().arcs}
    assert len(runs.words) <= 30_000 and 1 < runs.longest < 10
    assert dense().sentence(3, 3).longest == 3, "more than 3,000 words"


@given(lattices(), st.integers(1, 4), st.sets(st.integers(0, 40)))
def test_known_runs_are_all_in_the_sentence(lattice: Lattice, longest: int, odd: set[int]) -> None:
    assume(sayings(lattice))
    made = WordLattice.from_lattice(lattice, str)

    def known(words: tuple[str, ...]) -> bool:
        return not any(
            (sum(map(int, words[at:end])) % 41) in odd
            for at in range(len(words))
            for end in range(at + 2, len(words) + 1)
        )

    found = made.sentence(longest, longest, known)
    assert found.longest == longest
    runs = {tuple(found.words[at : at + size]) for size in range(1, longest + 1) for at in range(len(found.words))}
    for words in best(made):
        for size in range(1, min(longest, len(words)) + 1):
            for at in range(len(words) - size + 1):
                run = words[at : at + size]
                assert run in runs or (len(run) > 1 and not known(run))


def test_known_runs_are_found_among_millions_of_paths() -> None:
    path = tuple(f"{at}.{at % 5}" for at in range(20))
    parts = {path[at:end] for at in range(20) for end in range(at + 1, 21)}
    runs = dense().sentence(10, 10, parts.__contains__)
    text = " ".join(runs.words)
    assert runs.longest == 10 and len(runs.words) < 3000
    assert all(" ".join(path[at : at + 10]) in text for at in range(11))


def test_a_long_phrase_is_used_in_a_lattice_of_millions_of_paths(trained: Path) -> None:
    translator = Translator.open(trained)
    line = translator.model.index.written(0)[0]
    words = translator.source_tokenizer.tokenise(line)
    others = [f"odd{n}" for n in range(6)]
    arcs = [WordArc(at, at + 1, word) for at, word in enumerate(words)]
    arcs += [WordArc(at, at + 1, f"{other}{at}", -50.0) for at in range(len(words)) for other in others]
    lattice = WordLattice(len(words) + 1, tuple(sorted(arcs, key=lambda arc: (arc.start, arc.end, arc.word))))
    plain, rules = translator.rules_of(chain(words)), translator.rules_of(lattice)
    assert rules.lattice is not None
    if translator.rules.options.max_gaps == 0:
        assert 3 < _longest_source(plain) == _longest_source(rules) and not rules.lattice.shortened
    else:
        assert rules.lattice.shortened, "not silently"


def _longest_source(rules: SentenceRules) -> int:
    return max(len(rules.source_side(pattern)) for pattern in range(rules.table.patterns))


def chain(words: list[str]) -> WordLattice:
    return WordLattice(len(words) + 1, tuple(WordArc(at, at + 1, word) for at, word in enumerate(words)))


def test_one_path_is_its_sentence(trained: Path) -> None:
    """Cut, cased and translated alike, however long it is."""
    translator = Translator.open(trained)
    text = (EXAMPLES / "test.de").read_text("utf-8").splitlines()
    short = ["Das", "Haus", ".", "„", "Der", "Hund", "!", "Alt", "ist", "US-Haus"]
    for words in (text[0].split(), short, " ".join(text[:12]).split(), " ".join(text).upper().split()[:7]):
        plain, lattice = translator.translate(" ".join(words)), translator.translate_lattice(chain(words))
        assert (lattice.text, lattice.score) == (plain.text, pytest.approx(plain.score, abs=1e-4))
        assert len(lattice.parts) == len(plain.parts)
        assert lattice.source == " ".join(words)


def test_a_long_lattice_is_cut_where_all_paths_meet(trained: Path) -> None:
    words = (EXAMPLES / "train.de").read_text("utf-8").split()[:320]
    straight = chain(words).arcs
    aside = tuple(WordArc(at, at + 2, "Hund", -50.0) for at in range(0, 318, 4))
    lattice = WordLattice(321, tuple(sorted([*straight, *aside], key=lambda arc: (arc.start, arc.end))))
    for longest in (50, 100):
        parts = lattice.parts(longest)
        assert all(part.nodes <= longest + 1 for part in parts) and sum(part.nodes - 1 for part in parts) == 320
        assert sum(len(part.arcs) for part in parts) == len(lattice.arcs)
    passing = WordLattice(321, (*straight, WordArc(1, 319, "Hund", -900.0)))
    assert [part.nodes for part in passing.parts(100)] == [2, 319, 2]
    translator = Translator.open(trained)
    everything = translator.translate_lattice(lattice)
    assert len(everything.parts) > 3
    assert len(translator.translate_lattice(passing).parts) == 3
    assert everything.source == " ".join(words)


def test_capitals_mean_what_stands_before_them() -> None:
    tokenizer = Tokenizer("conservative", "truecase").train(["er sah das Haus und das alte Tor"] * 3)
    arcs = (WordArc(0, 1, "Das"), WordArc(0, 1, "Halt!"), WordArc(1, 2, "Das"), WordArc(2, 3, "Alte"))
    made = best(WordLattice(4, arcs).tokenised(tokenizer))
    assert set(made) == {("das", "Das", "Alte"), ("Halt", "￭!", "das", "Alte")}


@pytest.mark.parametrize("lines", [(0, 1), (2, 3), (4, 4)])
def test_translates_like_its_best_path(trained: Path, lines: tuple[int, int]) -> None:
    model = Model.open(trained)
    everything = dataclasses.replace(model.description.search, pop_limit=3000, stack_size=3000)
    # All words of a lattice have a say in the choice of words, not only those of a path.
    alone = dict(model.weights) | dict.fromkeys(WORD_CHOICE, 0.0)
    translator = Translator(model, search=everything, weights=alone)
    text = (EXAMPLES / "test.de").read_text("utf-8").splitlines()
    one, other = (model.source_tokenizer.tokenise(text[number])[:5] for number in lines)
    columns = [sorted({first, second}) for first, second in zip(one, other, strict=False)]
    arcs = [
        WordArc(at, at + 1, word.strip("￭"), -number / 2)
        for at, column in enumerate(columns)
        for number, word in enumerate(column)
    ]
    lattice = WordLattice(len(columns) + 1, tuple(arcs))
    expected = []
    for path in product(*([arc for arc in arcs if arc.start == at] for at in range(len(columns)))):
        words = [word for arc in path for word in model.source_tokenizer.tokenise(arc.word)]
        part = translator.translate_words(words)
        expected.append((part.hypotheses[0].score + sum(arc.score for arc in path), words))
    found = translator.translate_lattice(lattice, nbest=3)
    score, words = max(expected)
    hypothesis = found.nbest[0][1]
    path = path_of(found.parts[0].rules, hypothesis.derivation)
    assert found.score == pytest.approx(score, abs=1e-3)
    assert path == words
    total = sum(value * translator.weights.get(name, 0.0) for name, value in hypothesis.features.items())
    assert hypothesis.score == pytest.approx(total, rel=1e-4, abs=1e-3)
    # A word that is worth nothing, on an arc that brings others nearer to each other.
    aside = WordArc(0, len(columns) - 1, arcs[-1].word, -100.0)
    more = translator.translate_lattice(WordLattice(lattice.nodes, (*lattice.arcs, aside)))
    assert more.score == pytest.approx(found.score, abs=1e-3)


def test_forms() -> None:
    line = "((('a', -1, 1), ('b', -2, 2)), (('c', 0, 1),))"
    from_plf = WordLattice.from_plf(line)
    arcs = (WordArc(0, 1, "a", -1.0), WordArc(0, 2, "b", -2.0), WordArc(1, 2, "c", 0.0))
    assert from_plf == WordLattice(3, arcs)
    text = lattice_to_json(Lattice(3, (Arc(0, 1, (4,), -1.0), Arc(0, 2, (5,), -2.0), Arc(1, 2, (6,))), (2,)))
    for number, word in ((4, "a"), (5, "b"), (6, "c")):
        text = text.replace(f'"words":[{number}]', f'"words":["{word}"]')
    assert WordLattice.from_json(text) == from_plf
    for wrong in ("", "(", "((('*EPS*', 0, 1),),)"):
        with pytest.raises(PentaglotError):
            WordLattice.from_plf(wrong)
    with pytest.raises(PentaglotError, match="not valid JSON"):
        WordLattice.from_json("{")
    assert dict(WordLattice.from_json(text.replace('"nodes"', '"metadata":{"domain":"law"},"nodes"')).metadata) == {
        "domain": "law"
    }
    for wrong, message in (
        (text.replace('"nodes"', '"metadata":{"domain":1},"nodes"'), "the metadata of this pentaglot lattice are not"),
        (text.replace('"nodes"', '"metadata":7,"nodes"'), "the metadata of this pentaglot lattice are not"),
        (text.replace('"nodes"', '"layers":{},"nodes"'), "has 'layers', which cannot be used"),
        (text.replace('"words"', '"tag":"N","words"', 1), "has 'arcs.tag', which cannot be used"),
    ):
        with pytest.raises(PentaglotError, match=message):
            WordLattice.from_json(wrong)


def test_hooks_see_the_metadata_of_a_lattice(trained: Path) -> None:
    seen: list[dict[str, str]] = []

    def hook(found: SentenceRules) -> dict[str, NDArray[np.float32]]:
        seen.append(dict(found.sentence.metadata))
        return {"law": np.full(found.table.rules, found.sentence.metadata.get("domain") == "law", np.float32)}

    model = Model.open(trained)
    translator = Translator(model, weights={**model.weights, "law": 0.5}, hooks=[hook], longest=2)
    lattice = WordLattice.from_plf("((('der', 0, 1),), (('Hund', 0, 1),), (('sieht', 0, 1),), (('das', 0, 1),))")
    assert "law" not in translator.translate_lattice(lattice).nbest[0][1].features
    found = translator.translate_lattice(lattice.with_metadata({"domain": "law"}))
    assert found.nbest[0][1].features["law"] > 0 and len(found.parts) > 1
    assert seen == [{}] * len(found.parts) + [{"domain": "law"}] * len(found.parts)
