"""Word choice against regressions solved by scipy, and what a system makes of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from pentaglot._core import rules as native
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index import Index
from pentaglot.rules import IndexRules, RuleOptions, WordChoice, feature_space

PENALTY, ASSOCIATION = 0.15, 10.0


def random_bitext(seed: int, pairs: int = 300) -> Bitext:
    """Sentences whose translations depend on their words, and on chance."""
    random = np.random.default_rng(seed)
    source, target = [], []
    for _ in range(pairs):
        words = [int(word) for word in random.zipf(1.4, random.integers(1, 9)) if word < 30]
        said = [f"t{word % 11}" for word in words if random.random() < 0.8]
        source.append([f"s{word}" for word in words])
        target.append([*said, *(f"t{word}" for word in random.integers(0, 14, 2))])
    return Bitext.from_sentences(source, target)


def twin(bitext: Bitext) -> dict[str, dict[str, float]]:
    """For each target word the weight of each clue and its bias, by a general solver."""
    pairs = [tuple(map(set, bitext.pair(pair))) for pair in range(len(bitext))]
    total = len(pairs)
    found = {}
    for word in {word for _, target in pairs for word in target}:
        labels = np.array([float(word in target) for _, target in pairs])
        clues = sorted(
            clue
            for clue in {each for source, _ in pairs for each in source}
            if is_clue([clue in source for source, _ in pairs], labels > 0, total)
        )
        inputs = np.array([[1.0, *(float(clue in source) for clue in clues)] for source, _ in pairs])

        def loss(weights: np.ndarray, inputs: np.ndarray = inputs, labels: np.ndarray = labels) -> float:
            odds = inputs @ weights
            return float((np.logaddexp(0, odds) - labels * odds).sum() + PENALTY / 2 * (weights[1:] ** 2).sum())

        weights = minimize(loss, np.zeros(1 + len(clues)), tol=1e-10).x
        found[word] = {"": float(weights[0])} | dict(zip(clues, weights[1:].tolist(), strict=True))
    return found


def is_clue(one: list[bool], other: np.ndarray, total: int) -> bool:
    having = np.array(one)
    seen = np.array(
        [[(having & other).sum(), (having & ~other).sum()], [(~having & other).sum(), (~having & ~other).sum()]]
    )
    expected = np.outer(seen.sum(1), seen.sum(0)) / total
    ratio = 2 * sum(n * np.log(n / e) for n, e in zip(seen.flat, expected.flat, strict=True) if n)
    return bool(seen[0, 0] >= 2 and seen[0, 0] > expected[0, 0] and ratio >= ASSOCIATION)


@pytest.mark.parametrize("seed", [1, 2])
def test_solves_the_regressions(seed: int) -> None:
    bitext = random_bitext(seed)
    found = learnt(bitext)
    source, target = bitext.source_vocabulary, bitext.target_vocabulary
    clues = 0
    for word, weights in twin(bitext).items():
        assert found["biases"][target.find(word)] == pytest.approx(weights.pop(""), abs=2e-3)
        place = target.find(word)
        ours = {
            source.word(clue): float(found["weights"][at])
            for clue in range(4, len(source))
            for at in range(int(found["rows"][clue]), int(found["rows"][clue + 1]))
            if found["targets"][at] == place
        }
        assert ours == pytest.approx(weights, abs=2e-3)
        clues += len(ours)
    assert clues > 10


def learnt(bitext: Bitext, threads: int = 1) -> dict[str, np.ndarray]:
    words = len(bitext.source_vocabulary), len(bitext.target_vocabulary)
    return native.learn_word_choice(bitext.source, bitext.target, *words, PENALTY, ASSOCIATION, threads)


def test_any_number_of_threads_learns_the_same() -> None:
    bitext = random_bitext(3)
    one, other = learnt(bitext), learnt(bitext, threads=4)
    assert one.keys() == other.keys()
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)


def test_rules_know_all_words_of_the_sentence() -> None:
    source = [["Bank", "und", "Geld"], ["Bank", "und", "Park"]] * 30
    target = [["bank", "and", "money"], ["bench", "and", "park"]] * 30
    bitext = Bitext.from_sentences(source, target)
    index = Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1), (2, 2)]] * 60))
    choice = WordChoice.learn(bitext)
    rules = IndexRules(index, feature_space(), RuleOptions(max_gaps=0), [choice])

    def values(sentence: list[str], feature: str = "word_choice") -> dict[tuple[str, str], float]:
        found = rules.rules(sentence)
        column = found.table.feature(rules.features.add(feature)).tolist()
        sides = [
            (" ".join(found.source_side(pattern)), " ".join(found.target_side(rule)))
            for pattern in range(found.table.patterns)
            for rule in range(int(found.table.rule_offsets[pattern]), int(found.table.rule_offsets[pattern + 1]))
        ]
        return dict(zip(sides, column, strict=True))

    money, park = values(["Geld", "Bank"]), values(["Park", "Bank"])
    assert money["Bank", "bank"] > 1 > -1 > money["Bank", "bench"]
    assert park["Bank", "bench"] > 1 > -1 > park["Bank", "bank"]
    chances = values(["Geld", "Bank"], "word_chance")
    odds = money["Bank", "bank"] + choice.priors[bitext.target_vocabulary.find("bank")]
    assert chances["Bank", "bank"] == pytest.approx(-np.log1p(np.exp(-odds)), abs=1e-5)
    assert 0 > chances["Bank", "bank"] > -0.1 > -2 > chances["Bank", "bench"]
    again = values(["Bank", "Geld", "Geld"])  # words count once, wherever they stand
    assert again["Bank", "bank"] == money["Bank", "bank"]
    found = choice.moved_odds(np.array([bitext.source_vocabulary.find("Geld"), 1 << 30], np.uint32))
    assert found.shape == (len(bitext.target_vocabulary),)
    # A rule has the sum of its words.
    both = values(["Bank", "und"])
    assert both["Bank und", "bank and"] == pytest.approx(both["Bank", "bank"] + both["und", "and"], abs=1e-5)


def test_is_stored(tmp_path: Path) -> None:
    choice = WordChoice.learn(random_bitext(4))
    choice.save(tmp_path / "choice")
    again = WordChoice.open(tmp_path / "choice")
    sentence = np.array([4, 5, 9], np.uint32)
    assert again.moved_odds(sentence).tobytes() == choice.moved_odds(sentence).tobytes()


def test_damage_is_told(tmp_path: Path) -> None:
    choice = WordChoice.learn(random_bitext(4))
    nothing = np.full_like(choice.weights, np.nan)
    WordChoice(choice.rows, choice.targets, nothing, choice.biases, choice.priors).save(tmp_path / "choice")
    with pytest.raises(StorageError, match="not weights of words"):
        WordChoice.open(tmp_path / "choice")
    sentence = np.arange(4, 20, dtype=np.uint32)
    for rows, targets in (
        (choice.rows[::-1].copy(), choice.targets),
        (choice.rows, choice.targets + np.uint32(1000)),
        (choice.rows + np.uint64(1 << 40), choice.targets),
    ):
        with pytest.raises(PentaglotError, match="word choice"):
            WordChoice(rows, targets, choice.weights, choice.biases, choice.priors).moved_odds(sentence)


def test_bad_texts_are_refused() -> None:
    bitext, other = random_bitext(5), random_bitext(6, 200)
    with pytest.raises(PentaglotError, match="unequal numbers"):
        native.learn_word_choice(bitext.source, other.target, 100, 100, 1.0, 10.0, 1)
    with pytest.raises(PentaglotError, match="beyond its vocabulary"):
        native.learn_word_choice(bitext.source, bitext.target, 5, 100, 1.0, 10.0, 1)
    with pytest.raises(PentaglotError, match="positive penalty"):
        native.learn_word_choice(bitext.source, bitext.target, 100, 100, 0.0, 10.0, 1)


def test_empty_text() -> None:
    choice = WordChoice.learn(Bitext.from_sentences([], []))
    assert len(choice.targets) == 0
