"""METEOR against its formula."""

from __future__ import annotations

import random

import pytest

from pentaglot.metrics import Meteor, ScoringOptions, chosen_metrics
from pentaglot.metrics.matching import Matching


def twin(said: list[str], wanted: list[str], links: list[tuple[int, int]], functions: tuple[str, ...] = ()) -> float:
    """(1 - penalty) * F, from the links (Denkowski and Lavie 2014)."""
    if not links:
        return 0.0

    def weight(word: str) -> float:
        return 0.3 if word in functions else 0.7

    matched = sum(weight(said[i]) for i, _ in links)
    precision, recall = matched / sum(map(weight, said)), matched / sum(map(weight, wanted))
    chunks = sum((i - 1, j - 1) not in links for i, j in links)
    chunks = 0 if said == wanted else chunks
    return (1 - 0.3 * (chunks / len(links)) ** 1.4) * precision * recall / (0.7 * precision + 0.3 * recall)


@pytest.mark.parametrize("functions", [(), ("the", "a")])
def test_the_formula(functions: tuple[str, ...]) -> None:
    draw = random.Random(1)
    meteor = Meteor(function_words=functions)
    for _ in range(200):
        said, wanted = (draw.choices(["the", "a", "old", "cat", "dog", "sat"], k=draw.randrange(1, 9)) for _ in "ab")
        links = Matching("exact").links(" ".join(said), " ".join(wanted))
        found = meteor.score(meteor.statistics([" ".join(said)], [[" ".join(wanted)]]))
        assert found == pytest.approx(100 * twin(said, wanted, links, functions))


def test_stems_count_less() -> None:
    pytest.importorskip("snowballstemmer")
    [meteor] = chosen_metrics(ScoringOptions(metrics="meteor", stemmer="english"))
    [plain] = chosen_metrics(ScoringOptions(metrics="meteor"))
    said, wanted = ["it rained"], [["it rains"]]
    full, stem, none = (
        metric.score(metric.statistics(text, wanted))
        for metric, text in ((meteor, ["it rains"]), (meteor, said), (plain, said))
    )
    assert full == pytest.approx(100) and full > stem > none > 0
    assert stem == pytest.approx(100 * 0.8 * (1 - 0.3 * 0.5**1.4))


def test_statistics_add_up() -> None:
    meteor = Meteor()
    said, wanted = ["the cat", "a dog sat"], ["the old cat", "a dog sat down"]
    statistics = meteor.statistics(said, [wanted])
    joined = 5 / 5, 5 / 7  # both together: precision and recall
    mean = joined[0] * joined[1] / (0.7 * joined[0] + 0.3 * joined[1])
    assert meteor.score(statistics) == pytest.approx(100 * mean * (1 - 0.3 * (3 / 5) ** 1.4))
