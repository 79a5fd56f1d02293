"""Small tuning problems whose answers are known, and a decoder that chooses from a fixed pool of candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot.learn import Candidate, KBestLists, Problem
from pentaglot.metrics import Metric


@dataclass(frozen=True)
class Errors(Metric):
    """A text is the number of its errors, perhaps with a word before it."""

    higher_is_better: bool = False  # type: ignore[misc]

    @property
    def name(self) -> str:
        return "errors"

    def segment_statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        return np.array([[float(text.split()[-1]) if text else 9.0] for text in hypotheses]).reshape(-1, 1)

    def scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        return totals[:, 0].copy()

    def costs(self, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
        return statistics[:, 0] / 10

    def signature(self, references: int = 1, **more: Any) -> str:
        return "errors"


def lists_of(found: Sequence[Sequence[Candidate]], metric: Metric, references: Sequence[str]) -> KBestLists:
    """Lists of just these candidates."""
    nothing = KBestLists.empty(len(found))
    return nothing.merged(
        nothing.novel(found, lambda texts, owners: metric.statistics(texts, [[references[each] for each in owners]]))
    )


def problem_of(
    found: Sequence[Sequence[Candidate]], metric: Metric, references: Sequence[str], weights: Mapping[str, float]
) -> Problem:
    """One round of tuning."""
    lists = lists_of(found, metric, references)
    vector = lists.vector(weights)
    return Problem(lists, metric, np.array([float(len(each.split())) for each in references]), vector, vector)


def random_errors(seed: int, sentences: int, size: int, features: int, *, whole: bool = False) -> list[list[Candidate]]:
    """Candidates with random features and numbers of errors."""
    random = np.random.default_rng(seed)

    def values() -> list[float]:
        drawn = random.integers(-4, 5, features) if whole else random.normal(size=features)
        return [float(value) for value in drawn]

    names = [f"feature{number}" for number in range(features)]
    return [
        [
            Candidate(f"c{number} {random.integers(0, 9)}", dict(zip(names, values(), strict=True)))
            for number in range(size)
        ]
        for _ in range(sentences)
    ]


@dataclass
class PoolDecoder:
    """Knows all candidates of every sentence, shows the best ones under the weights, and counts how often it is asked.
    It stops working when it is asked for the `broken_at`-th time. `noise` makes features differ from call to call."""

    pools: list[list[Candidate]]
    broken_at: int | None = None
    noise: float = 0.0
    calls: int = field(default=0, init=False)

    def __call__(self, weights: Mapping[str, float], size: int) -> list[list[Candidate]]:
        if self.calls == self.broken_at:
            raise KeyboardInterrupt
        self.calls += 1

        def score(candidate: Candidate) -> float:
            return sum(weights.get(name, 0.0) * value for name, value in candidate.features.items())

        shown = [sorted(pool, key=score, reverse=True)[:size] for pool in self.pools]
        if not self.noise:
            return shown
        return [
            [Candidate(text, {**features, "noise": self.noise * self.calls}) for text, features in candidates]
            for candidates in shown
        ]


WORDS = list("abcdefghijklmnopqr")


def translation_pools(seed: int, sentences: int = 40, size: int = 60) -> tuple[list[str], list[list[Candidate]]]:
    """References, and candidates that are the better the more words they keep. Of five features, `right` counts kept
    words and `noise` nothing of use; `length`, `wrong` and `swap` count what their names say."""
    random = np.random.default_rng(seed)
    references, pools = [], []
    for _ in range(sentences):
        words = [WORDS[number] for number in random.integers(0, len(WORDS), random.integers(5, 15))]
        references.append(" ".join(words))
        pool = []
        for _ in range(size):
            kept = [word if random.random() < 0.75 else "wrong" for word in words if random.random() < 0.9]
            swap = int(random.integers(0, max(1, len(kept) - 1)))
            swapped = bool(random.random() < 0.4)
            if swapped:
                kept[swap : swap + 2] = kept[swap : swap + 2][::-1]
            features = {
                "right": sum(word != "wrong" for word in kept) + float(random.normal(0, 0.5)),
                "wrong": kept.count("wrong") + float(random.normal(0, 0.5)),
                "length": float(len(kept)),
                "swap": float(swapped),
                "noise": float(random.normal(0, 2)),
            }
            pool.append(Candidate(" ".join(kept), features))
        pools.append(pool)
    return references, pools
