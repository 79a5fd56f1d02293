"""The results of a translator: hypotheses for the parts of a line, joined into the translation of the line."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pentaglot.errors import PentaglotError
from pentaglot.forest import Derivation, FeatureSpace, Forest
from pentaglot.rules import SentenceRules
from pentaglot.wording import number_of

__all__ = ["Forced", "Hypothesis", "Part", "PartHypotheses", "Translation", "join_hypotheses"]


@dataclass(frozen=True)
class Path:
    """The order that a hypothesis has chosen in a lattice: the words, and where they were typed."""

    words: tuple[str, ...]
    places: tuple[int, ...]
    nodes: tuple[int, ...]  # of the lattice: how many words come before each


@dataclass(frozen=True)
class Hypothesis:
    """One translation: its words, its score, and the features that make up the score."""

    words: tuple[str, ...]
    score: float
    features: dict[str, float]
    derivations: tuple[Derivation, ...]  # one for each part
    surface: tuple[str, ...] = field(default=(), repr=False)  # the words, with stand-ins for fixed parts
    links: tuple[tuple[int, ...], ...] = field(default=(), repr=False)  # source words of each, if requested
    added: tuple[str, str] | None = field(default=None, repr=False)  # the lines of the pair that it was added with

    @property
    def derivation(self) -> Derivation:
        """How it was derived; a line in several parts has several derivations."""
        if len(self.derivations) != 1:
            raise PentaglotError(f"the line was translated in {len(self.derivations)} parts", hint="look at each part")
        return self.derivations[0]


@dataclass(frozen=True)
class PartHypotheses:
    """The translations of a piece of input, best first."""

    hypotheses: tuple[Hypothesis, ...]
    limited: bool  # whether a limit on time or memory cut the search short


@dataclass(frozen=True)
class Part(PartHypotheses):
    """A piece of input that was translated as one sentence, with its rules and forest."""

    rules: SentenceRules
    forest: Forest
    places: tuple[int, ...] = ()  # where its words were typed in the line, if they are in another order
    path: Path | None = None  # of the best hypothesis, if a lattice of orders was translated

    def __repr__(self) -> str:
        return f"Part({' '.join(self.words)!r}, {number_of(len(self.hypotheses), 'translation')})"

    @property
    def words(self) -> tuple[str, ...]:
        """The words that were translated, in this order."""
        return self.rules.words if self.path is None else self.path.words

    @property
    def nodes(self) -> tuple[int, ...]:
        """If a lattice of orders was translated, how many words come before each of its nodes; else empty."""
        return () if self.path is None else self.path.nodes

    def forgotten(self) -> PartHypotheses:
        """The same without rules and forest, to save memory."""
        return PartHypotheses(tuple(replace(each, derivations=()) for each in self.hypotheses), self.limited)

    def to_json(self, features: FeatureSpace) -> str:
        """The forest as one line of JSON, with the words of the translations and the names of `features` (those of the
        translator), as `pentaglot forest` reads it. It holds the whole search space if more than one translation was
        requested, else only the best derivation."""
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

    def __repr__(self) -> str:
        return f"Translation({self.source!r} → {self.text!r}, score {self.score:.4g})"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Forced:
    """Whether and how the rules of a line can produce a reference.

    `hypothesis` is the best derivation of exactly the reference, `forest` holds all of them; both are None if there is
    none. `reached` is the longest beginning of the reference that a translation of part of the line can have.
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
        """Whether a derivation was found; if the search was limited, there may be one all the same."""
        return self.hypothesis is not None


def join_hypotheses(parts: Sequence[Sequence[Hypothesis]], most: int) -> list[Hypothesis]:
    """The best combinations of the hypotheses of all parts."""
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
    """The best pairs of two sorted lists, best first."""
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
