"""What a translator hands out: hypotheses for the parts of a line, put together to the translation of the line."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pentaglot.errors import PentaglotError
from pentaglot.forest import Derivation, FeatureSpace, Forest
from pentaglot.rules import SentenceRules

__all__ = ["Forced", "Hypothesis", "Part", "PartHypotheses", "Translation", "join_hypotheses"]


@dataclass(frozen=True)
class Hypothesis:
    """One translation: its words, its score, and the features that make up the score."""

    words: tuple[str, ...]
    score: float
    features: dict[str, float]
    derivations: tuple[Derivation, ...]  # one for each part
    surface: tuple[str, ...] = field(default=(), repr=False)  # the words, but stand-ins for what was fixed
    links: tuple[tuple[int, ...], ...] = field(default=(), repr=False)  # source words of each, if they were asked for

    @property
    def derivation(self) -> Derivation:
        """How it was derived; a line in several parts has several derivations."""
        if len(self.derivations) != 1:
            raise PentaglotError(f"the line was translated in {len(self.derivations)} parts", hint="look at each part")
        return self.derivations[0]


@dataclass(frozen=True)
class PartHypotheses:
    """What a piece of input may be in the other language, the best first."""

    hypotheses: tuple[Hypothesis, ...]
    limited: bool  # whether a limit on time or memory cut the search short


@dataclass(frozen=True)
class Part(PartHypotheses):
    """A piece of input that was translated as one sentence, with all that was found on the way."""

    rules: SentenceRules
    forest: Forest

    def forgotten(self) -> PartHypotheses:
        """Without rules and forest: those of many parts are too much to keep if nobody wants to see them."""
        return PartHypotheses(tuple(replace(each, derivations=()) for each in self.hypotheses), self.limited)

    def to_json(self, features: FeatureSpace) -> str:
        """Its forest as one line of JSON, with the words of the translations and the names of `features` (those of the
        translator), as `pentaglot forest` reads it. The forest has all that the search has seen if more than one
        translation was asked for, else only the best derivation."""
        return self.forest.to_json(self.rules.target_word, features)


@dataclass(frozen=True)
class Translation:
    """The translation of a line. Only very long lines have more than one part."""

    source: str
    text: str
    parts: tuple[Part, ...]  # empty if they were not kept
    nbest: tuple[tuple[str, Hypothesis], ...]
    limited: bool = False  # whether a limit on time or memory cut the search short

    @property
    def score(self) -> float:
        """The model score of the best translation."""
        return self.nbest[0][1].score if self.nbest else 0.0

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Forced:
    """Whether and how a reference can be said with the rules of a line.

    `hypothesis` is the best derivation of exactly the reference, `forest` holds all of them; both are None if there is
    none. `reached` is the longest beginning of the reference that a translation of some of the line can have.
    """

    source: str
    words: tuple[str, ...]  # of the reference
    hypothesis: Hypothesis | None
    forest: Forest | None
    rules: SentenceRules | None
    reached: tuple[str, ...]
    limited: bool

    @property
    def reachable(self) -> bool:
        """Whether there is a derivation; if the search was limited there may be one that was not found."""
        return self.hypothesis is not None


def join_hypotheses(parts: Sequence[Sequence[Hypothesis]], most: int) -> list[Hypothesis]:
    """The best ways to say one part after the other."""
    joined = list(parts[0])
    for following in parts[1:]:
        pairs = _best_pairs([each.score for each in joined], [each.score for each in following], most)
        joined = [_appended(joined[one], following[other]) for one, other in pairs]
    return joined


def _appended(one: Hypothesis, other: Hypothesis) -> Hypothesis:
    features = dict(one.features)
    for name, value in other.features.items():
        features[name] = features.get(name, 0.0) + value
    return Hypothesis(
        one.words + other.words,
        one.score + other.score,
        features,
        one.derivations + other.derivations,
        one.surface + other.surface,
        one.links + other.links,
    )


def _best_pairs(left: Sequence[float], right: Sequence[float], most: int) -> list[tuple[int, int]]:
    """The best pairs of two lists that are sorted, best first."""
    heap = [(-left[0] - right[0], 0, 0)]
    found: list[tuple[int, int]] = []
    while heap and len(found) < most:
        _, one, other = heapq.heappop(heap)
        found.append((one, other))
        if other + 1 < len(right):
            heapq.heappush(heap, (-left[one] - right[other + 1], one, other + 1))
        if other == 0 and one + 1 < len(left):
            heapq.heappush(heap, (-left[one + 1] - right[0], one + 1, 0))
    return found
