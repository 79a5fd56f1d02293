"""Where words that change places stop: rows of unknown words, ends of sentences, marks that are seldom crossed."""

from __future__ import annotations

from functools import cache
from math import exp
from pathlib import Path

import numpy as np
import pytest
from tests.order.brute_grammar import BruteGrammar
from tests.order.toy import Example, encoded, examples, grammar, tangled

from pentaglot._core import order as core
from pentaglot.corpus import encode
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.order import GrammarOptions, OrderOptions, Permutation, Preorderer, ReorderingGrammar, train_grammar

NO_NODES, JOINED, WALLED = np.empty(0, np.uint16), 1, 2


@cache
def learnt() -> ReorderingGrammar:
    return tangled(iterations=2)


def parse(sentence: str, gaps: list[int], best: bool = False) -> core.Parse:
    ids = np.array([learnt().vocabulary.find(word) for word in sentence.split()], np.uint32)
    return core.Parse(learnt().native, ids, best, NO_NODES, np.array(gaps, np.uint8))


@pytest.mark.parametrize(("sentence", "wall"), [("a b c d", 2), ("b a x d", 1), ("b c d a b", 3), ("d c b a", 2)])
def test_nothing_changes_places_over_a_wall(sentence: str, wall: int) -> None:
    gaps = [WALLED if i + 1 == wall else 0 for i in range(len(sentence.split()))]
    found = BruteGrammar(learnt()).distribution(sentence.split(), walls=(wall,))
    size, total, turned = len(gaps), sum(found.values()), np.zeros((len(gaps), len(gaps)))
    for order, value in found.items():
        for v in range(size):
            for u in range(v):
                turned[u, v] += value / total * (order.index(v) < order.index(u))
    made = parse(sentence, gaps)
    assert exp(made.log_probability) == pytest.approx(total, rel=1e-5)
    assert made.precedence().reshape(size, size) == pytest.approx(turned, abs=1e-5)
    assert turned.any() and not turned[:wall, wall:].any()
    assert parse(sentence, [0] * size).precedence().reshape(size, size)[:wall, wall:].any()


@pytest.mark.parametrize("sentence", ["a zz yy b", "zz yy c", "zz yy xx b a d", "zz a zz yy b"])
def test_joined_words_are_one_unknown_word(sentence: str) -> None:
    words = sentence.split()
    known = [learnt().vocabulary.find(word) != learnt().vocabulary.find("zz") for word in words]
    gaps = [JOINED if not (known[i] or known[i + 1]) else 0 for i in range(len(words) - 1)] + [0]
    units = np.cumsum([0, *(gap != JOINED for gap in gaps[:-1])])
    short = [words[int(np.flatnonzero(units == unit)[0])] for unit in range(units[-1] + 1)]
    alone, joined = parse(" ".join(short), [0] * len(short)), parse(sentence, gaps)
    assert not alone.glued and not joined.glued
    assert joined.log_probability == pytest.approx(alone.log_probability, abs=1e-4)
    wanted = alone.precedence().reshape(len(short), len(short))[units][:, units]
    assert joined.precedence().reshape(len(words), -1) == pytest.approx(wanted, abs=1e-5)
    orders, _ = joined.draw(200, 1)
    for order in orders.reshape(-1, len(words)).tolist():
        assert all(order.index(i + 1) == order.index(i) + 1 for i, gap in enumerate(gaps) if gap == JOINED)
    assert sorted(parse(sentence, gaps, best=True).tree()[4].tolist()) == list(range(len(words)))


def test_gaps_of_another_sentence() -> None:
    with pytest.raises(PentaglotError, match="the gaps are those of another sentence"):
        parse("a b", [0])


def _verbs_last(number: int) -> list[Example]:
    """Objects come before verbs, with or without "wo", and go behind them; either may be a rare word, so that two rare
    words look like these. Clauses stay where they are at commas, and go around a colon."""
    made = []
    for i in range(number):
        verb, thing = f"verb{i}" if i % 3 == 0 else f"do{i % 4}", f"thing{i}" if i % 3 == 1 else f"box{i % 4}"
        words, order = [thing, "wo", verb, "."], [2, 0, 1, 3]
        if i % 4 == 1:
            words, order = [f"food{i}", f"eat{i % 3}", "so", "."], [1, 0, 2, 3]
            if i % 8 == 1:
                words = [f"food{i % 3}", f"eat{i}", "so", "."]
        if i % 4 == 2:
            words, order = [thing, "wo", verb, ",", thing, "wo", verb, "."], [2, 0, 1, 3, 6, 4, 5, 7]
        if i % 4 == 3:
            words, order = [thing, "wo", verb, ":", thing, "wo", verb, "."], [6, 4, 5, 3, 2, 0, 1, 7]
        made.append((words, Permutation.from_order(order)))
    return made


def _gaps(made: ReorderingGrammar, sentence: str) -> list[int]:
    assert made.boundaries is not None
    text, _ = encode([sentence.split()], made.vocabulary)
    return made.boundaries.gaps(text, [sentence.split()]).tolist()


def test_boundaries_are_learnt() -> None:
    made = grammar(_verbs_last(200), binary_states=4)
    assert _gaps(made, "box1 wo do1 , box2 wo do2 : box3 wo do3 .") == [0, 0, 0, WALLED, *[0] * 8]
    assert _gaps(made, "strange words wo do1 .") == [JOINED, 0, 0, 0, 0]
    assert _gaps(made, "strange do1 wo box2 odd .") == [JOINED, 0, 0, JOINED, 0, 0]  # rare words never stand there
    # The end of a sentence is one wherever it is, also if its mark was never seen.
    two = "box1 wo do1 . box2 wo do2 ！ box2 odd ?"
    assert _gaps(made, two) == [0, 0, 0, WALLED, 0, 0, 0, WALLED, JOINED, 0, 0]
    # So is any other mark, unless the training text has it inside sentences, and crosses it.
    assert _gaps(made, "odd ( odder ) box1 wo do1 .") == [0, WALLED, 0, WALLED, 0, 0, 0, 0]
    assert _gaps(made, ". box1") == [0, 0] and _gaps(made, "") == []


def test_marks_seen_too_seldom_are_walls() -> None:
    words, order = ["box1", "wo", "do1", "(", "box2", "wo", "do2", "."], [6, 4, 5, 3, 2, 0, 1, 7]
    for number, cutoff, walled in [(1, 3, True), (3, 3, True), (4, 3, False), (3, 2, False), (1, 0, False)]:
        crossed = [(words, Permutation.from_order(order))] * number
        made = grammar(_verbs_last(60) + crossed, binary_states=2, iterations=1, cutoff=cutoff)
        assert _gaps(made, "box1 wo do1 ( box2 .") == [0, 0, 0, WALLED * walled, 0, 0], (number, cutoff)


def test_gaps_of_many_sentences_are_those_of_each() -> None:
    made = grammar(_verbs_last(200), binary_states=4)
    assert made.boundaries is not None
    lines = ["strange words wo do1 .", "", "box1 ! box2", "! do1", "odd", "", "do1 . odd odder"]
    sentences = [line.split() for line in lines]
    text, _ = encode(sentences, made.vocabulary)
    assert made.boundaries.gaps(text, sentences).tolist() == [gap for line in lines for gap in _gaps(made, line)]


def test_rows_of_unknown_words_stay_together(tmp_path: Path) -> None:
    made = grammar(_verbs_last(300), binary_states=4)
    made.save(tmp_path / "grammar")
    line = ["Ashikaga", "Yoshimitsu", "Bakufu", "wo", "do1", "."]
    free, kept = (
        Preorderer(made, OrderOptions(boundaries=each, least_gain=0.0)).order_one(line) for each in (False, True)
    )
    assert kept.words == ["do1", "Ashikaga", "Yoshimitsu", "Bakufu", "wo", "."] != free.words
    opened = Preorderer.open(tmp_path / "grammar", OrderOptions(least_gain=0.0))
    assert opened.order_one(line) == kept and opened.parse(line).best_order() == kept.permutation
    assert Permutation.from_order(opened.parse(line).best_trees()[0].order) == kept.permutation
    two = [*line, *line]
    assert Preorderer(made, OrderOptions(least_gain=0.0)).order_one(two).words == kept.words * 2


def test_no_word_leaves_a_row_because_it_is_nearer() -> None:
    """Far moves are doubted by their distance, which is that of the whole row."""
    made = grammar(_verbs_last(300), binary_states=4)
    text = "box1 wo Ashikaga Yoshimitsu Bakufu wo box2 wo box3 wo box4 wo odd odder wo box0 wo do1 ."
    line = text.split()
    assert made.reach < 9 and _gaps(made, text)[2:4] == [JOINED, JOINED]
    turned = made.parse(line, far=2.0, boundaries=True).turned
    assert turned[2, 5:].any() and (turned[2:5, 5:] == turned[2, 5:]).all()
    assert (turned[:12, 12] == turned[:12, 13]).all()
    exact = made.parse(line, boundaries=True).turned
    for u, v, distance in [(0, 17, 17), (2, 17, 15), (4, 17, 15), (5, 13, 7), (0, 13, 12), (1, 10, 9)]:
        share = 1.0 if distance <= made.reach else (made.reach / distance) ** 2
        assert turned[u, v] == pytest.approx(exact[u, v] * share, rel=1e-6)


def test_pruning_and_threads_know_boundaries() -> None:
    made = grammar(_verbs_last(300), binary_states=4)
    lines = [[*words, "odd", "odder", *words] for words, _ in _verbs_last(30)]
    plain = list(Preorderer(made).order(lines))
    assert list(Preorderer(made).order(lines, threads=3)) == plain
    pruned = list(Preorderer(made, OrderOptions(prune=1e-6)).order(lines))
    assert [each.permutation for each in pruned] == [each.permutation for each in plain]


def test_a_grammar_without_boundaries_orders_as_before() -> None:
    given = examples(80)
    made = grammar(given, binary_states=2)
    old = ReorderingGrammar(
        made.vocabulary, made.options, made.terminals, made.lexicon, made.rules, made.unsplit, reach=made.reach
    )
    sentences = [words for words, _ in examples(20, seed=4)] + [["odd", "odder", "sees", "oddest"]]
    assert list(Preorderer(old).order(sentences)) == list(
        Preorderer(made, OrderOptions(boundaries=False)).order(sentences)
    )


def test_damaged_boundaries(tmp_path: Path) -> None:
    made = train_grammar(*encoded(examples(40)), GrammarOptions(binary_states=2))
    made.save(tmp_path / "grammar")
    path = tmp_path / "grammar" / "boundaries.npy"
    np.save(path, np.load(path)[:-1])
    with pytest.raises(StorageError):
        ReorderingGrammar.open(tmp_path / "grammar")
