"""The steps of a derivation for display: rules, what they add to the score, and how often they were seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pentaglot.corpus.splitters import plain
from pentaglot.explain.examples import Example
from pentaglot.rules import Fallback

__all__ = ["Contribution", "Evidence", "Kind", "Node", "Symbol"]

Kind = Literal["rule", "guessed", "unknown", "copied", "joined"]
Symbol = str | int

_REASONS = {
    "alike": "like {} (other capitals or accents)",
    "forms": "like {} (another form)",
    "compounds": "by its parts {}",
    "lexicon": "by the words that it is linked to",
    "letters": "letter by letter",
    "placeables": "like {} (another of its kind)",
}


@dataclass(frozen=True)
class Contribution:
    """What a feature adds to the score at one place of the derivation."""

    feature: str
    value: float
    weight: float
    meaning: str = ""  # of an induced feature, in words

    @property
    def score(self) -> float:
        return self.value * self.weight

    @property
    def shown(self) -> str:
        """The feature as people see it."""
        return self.meaning or self.feature


@dataclass(frozen=True)
class Evidence:
    """How often the source side of a rule occurs in the training text, and how often it was translated this way."""

    occurrences: int  # of the source side
    sampled: int  # that were looked at
    translated: int  # of these, that had any translation
    count: float  # of these, that had this one


@dataclass(frozen=True)
class Node:
    """One step of a derivation: a rule over some words, or (`joined`) the sequence of pieces that make up a
    translation.

    The sides hold words, and numbers where there are gaps: 1 is filled by the first child, 2 by the second. A word
    without a rule is `guessed` if it is treated like others, else `unknown`; a number or an address may
    be `copied` although there are rules for it.
    """

    kind: Kind
    span: tuple[int, int]  # of the input words, from the first to the last
    target_span: tuple[int, int]
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    source_places: tuple[int, ...]  # of the words of the rule itself, from left to right as typed
    target_places: tuple[int, ...]
    contributions: tuple[Contribution, ...]
    evidence: Evidence | None
    examples: tuple[Example, ...]
    children: tuple[Node, ...]
    fallback: Fallback | None = None  # how a word was guessed
    like: tuple[str, ...] = ()  # the word that it is treated like, or the parts of a compound

    @property
    def reason(self) -> str:
        """How a word was guessed, as text; empty if it was not."""
        return "" if self.fallback is None else _REASONS[self.fallback].format(" + ".join(map(plain, self.like)))

    @property
    def score(self) -> float:
        """What this step alone adds to the score."""
        return sum(each.score for each in self.contributions)

    def words(self) -> frozenset[int]:
        """The places of all words that it covers."""
        return frozenset(at for node in self.walk() for at in node.source_places)

    def stretches(self, places: Sequence[int] = ()) -> tuple[tuple[int, int], ...]:
        """The span, or the stretches of its words if other pieces lie between them. With the `places` of the part's
        words in the line, those of the line.

        >>> apart = Node("rule", (0, 4), (0, 1), ("a", "b"), ("c",), (0, 3), (0,), (), None, (), ())
        >>> apart.stretches(), apart.stretches((7, 8, 9, 12))
        (((0, 1), (3, 4)), ((7, 8), (12, 13)))
        """
        found: list[tuple[int, int]] = []
        for at in sorted(self.words()):
            place = places[at] if places else at
            begin = found.pop()[0] if found and found[-1][1] == place else place
            found.append((begin, place + 1))
        return tuple(found) or (self.span,)

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))
