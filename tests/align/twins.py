"""Slow twins of the native models: alignments are enumerated one by one, formulas are written as in the papers."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from pentaglot._core.align import JUMP_CLASSES

Sentence = list[str]
EXACT, LAST_OF_WIDE = 8, (12, 18, 28, 48, 128, 1128)
NOTHING = -1


def jump_class(distance: int) -> int:
    step = abs(distance)
    if step > EXACT:
        step = EXACT + 1 + next((k for k, last in enumerate(LAST_OF_WIDE) if step <= last), len(LAST_OF_WIDE) - 1)
    return JUMP_CLASSES // 2 + (step if distance >= 0 else -step)


def jump_width(number: int) -> int:
    step = abs(number - JUMP_CLASSES // 2)
    if step <= EXACT:
        return 1
    k = step - EXACT - 1
    return LAST_OF_WIDE[k] - (EXACT if k == 0 else LAST_OF_WIDE[k - 1])


def first_jumps() -> list[float]:
    middle = JUMP_CLASSES // 2
    weights = [math.exp(-0.5 * abs(k - middle - 1)) * math.sqrt(jump_width(k)) for k in range(JUMP_CLASSES)]
    return [weight / sum(weights) for weight in weights]


@dataclass
class Twin:
    """One direction of a model: `generated` words come from positions of `generating` sentences or from nothing."""

    pairs: list[tuple[Sentence, Sentence]]  # generating, generated
    vocabulary: int
    null_probability: float
    jump_uniform: float = 0.0
    smoothing: float = 0.0
    jump_strength: float = 10.0
    stem_letters: int = 0
    stem_strength: float = 0.0
    lexicon: dict[tuple[str, str], float] = field(default_factory=dict)
    null: dict[str, float] = field(default_factory=dict)
    # One row for each word class, then that for the step into the sentence and that for the step out of it.
    jumps: list[list[float]] = field(default_factory=list)
    classes: dict[str, int] = field(default_factory=dict)  # of generating words; those it lacks are in class 0
    word_classes: int = 1

    def __post_init__(self) -> None:
        self.jumps = self.jumps or [first_jumps() for _ in range(self.word_classes + 2)]
        for generating, generated in self.pairs:
            for pair in itertools.product(generating, generated):
                self.lexicon[pair] = 1 / self.vocabulary
            for word in generated:
                self.null[word] = 1 / self.vocabulary

    def _row(self, generating: Sentence, here: int) -> int:
        return self.word_classes if here == NOTHING else self.classes.get(generating[here], 0)

    def _density(self, row: int, distance: int) -> float:
        number = jump_class(distance)
        return self.jumps[row][number] / jump_width(number)

    def _jump(self, row: int, origin: int, to: int, size: int) -> tuple[float, float]:
        """The chance of a jump, and the part of it that was learnt."""
        total = sum(self._density(row, k - origin) for k in range(size))
        learnt = (1 - self.jump_uniform) * self._density(row, to - origin) / total
        return learnt + self.jump_uniform / size, learnt

    def _end(self, last: int, size: int) -> tuple[float, float]:
        row = self.word_classes + 1
        total = sum(self._density(row, size - k) for k in range(size))
        learnt = (1 - self.jump_uniform) * self._density(row, size - last) / total
        return learnt + self.jump_uniform / size, learnt

    def paths(self, generating: Sentence, generated: Sentence, model: str):  # type: ignore[no-untyped-def]
        """Every alignment with its joint probability."""
        size = len(generating)
        for path in itertools.product(range(NOTHING, size), repeat=len(generated)):
            probability = 1.0
            here = NOTHING
            for word, position in zip(generated, path, strict=True):
                if position == NOTHING:
                    probability *= self.null_probability * self.null[word]
                    continue
                probability *= (1 - self.null_probability) * self.lexicon[generating[position], word]
                if model == "ibm1":
                    probability /= size
                else:
                    probability *= self._jump(self._row(generating, here), here, position, size)[0]
                here = position
            if model == "hmm":
                probability *= 1 / size if here == NOTHING else self._end(here, size)[0]
            yield path, probability

    def posteriors(
        self, generating: Sentence, generated: Sentence, model: str
    ) -> tuple[list[list[float]], list[float], float]:
        """Chance of each position for each generated word, of nothing, and the probability of the sentence."""
        real = [[0.0] * len(generating) for _ in generated]
        null = [0.0] * len(generated)
        total = 0.0
        for path, probability in self.paths(generating, generated, model):
            total += probability
            for j, position in enumerate(path):
                if position == NOTHING:
                    null[j] += probability
                else:
                    real[j][position] += probability
        return [[each / total for each in row] for row in real], [each / total for each in null], total

    def expected_jumps(self, model: str) -> list[list[float]]:
        counts = [[0.0] * JUMP_CLASSES for _ in self.jumps]
        for generating, generated in self.pairs:
            size = len(generating)
            everything = list(self.paths(generating, generated, model))
            total = sum(probability for _, probability in everything)
            for path, probability in everything:
                here = NOTHING
                for position in path:
                    if position == NOTHING:
                        continue
                    row = self._row(generating, here)
                    whole, learnt = self._jump(row, here, position, size)
                    counts[row][jump_class(position - here)] += probability / total * learnt / whole
                    here = position
                if here != NOTHING:
                    whole, learnt = self._end(here, size)
                    counts[-1][jump_class(size - here)] += probability / total * learnt / whole
        return counts

    def estimate(self, posteriors: Sequence[tuple[list[list[float]], list[float]]]) -> None:
        counts: dict[tuple[str, str], float] = dict.fromkeys(self.lexicon, self.smoothing)
        null: dict[str, float] = defaultdict(float)
        for (generating, generated), (real, nothing) in zip(self.pairs, posteriors, strict=True):
            for j, word in enumerate(generated):
                null[word] += nothing[j]
                for i, origin in enumerate(generating):
                    counts[origin, word] += real[j][i]
        totals: dict[str, float] = defaultdict(float)
        for (origin, _), count in counts.items():
            totals[origin] += count
        lent, strength = self._lent(counts), self.stem_strength if self.stem_letters else 0.0
        self.lexicon = {
            pair: max(1e-12, (count + strength * lent[pair]) / (totals[pair[0]] + strength))
            if totals[pair[0]] + strength > 0
            else 1e-12
            for pair, count in counts.items()
        }
        all_null = sum(null.values()) + self.vocabulary * self.smoothing
        self.null = {word: max(1e-12, (count + self.smoothing) / all_null) for word, count in null.items()}

    def _lent(self, counts: dict[tuple[str, str], float]) -> dict[tuple[str, str], float]:
        """The chance that a word's stem generates the stem of another, times that word's share of its stem."""
        cut = self.stem_letters or 1000
        stems: dict[tuple[str, str], float] = defaultdict(float)
        totals: dict[str, float] = defaultdict(float)
        for (origin, word), count in counts.items():
            stems[origin[:cut], word[:cut]] += count
            totals[origin[:cut]] += count
        seen = [word for _, generated in self.pairs for word in generated]
        starts = [word[:cut] for word in seen]
        return {
            (origin, word): stems[origin[:cut], word[:cut]] / totals[origin[:cut]]
            * seen.count(word) / starts.count(word[:cut])
            if totals[origin[:cut]] > 0 else 0.0
            for origin, word in counts
        }  # fmt: skip

    def estimate_jumps(self, counts: list[list[float]]) -> None:
        together = [sum(column) for column in zip(*counts[: self.word_classes], strict=True)]
        mean = [(count + 0.01 * jump_width(k)) / (sum(together) + 1) for k, count in enumerate(together)]
        for row in range(len(counts)):
            pull = self.jump_strength if row < self.word_classes else 1.0
            weights = [count + pull * each for count, each in zip(counts[row], mean, strict=True)]
            self.jumps[row] = [weight / sum(weights) for weight in weights]


def iterate(twins: tuple[Twin, Twin], model: str, *, agreement: bool) -> tuple[float, float]:
    """One iteration of both directions; their log-likelihoods before it."""
    found = [[twin.posteriors(*pair, model) for pair in twin.pairs] for twin in twins]
    jumps = [twin.expected_jumps(model) if model == "hmm" else None for twin in twins]
    likelihoods = [sum(math.log(total) for _, _, total in each) for each in found]
    if agreement:
        for forward, backward in zip(*found, strict=True):
            for j, row in enumerate(forward[0]):
                for i in range(len(row)):
                    row[i] = backward[0][i][j] = row[i] * backward[0][i][j]
    for twin, each, counts in zip(twins, found, jumps, strict=True):
        twin.estimate([(real, null) for real, null, _ in each])
        if counts is not None:
            twin.estimate_jumps(counts)
    return likelihoods[0], likelihoods[1]
