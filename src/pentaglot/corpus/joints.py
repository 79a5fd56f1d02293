"""Where one sentence of a line ends and the next begins: whether the word after the mark gets a capital.

That depends on the mark, on what is before it (an abbreviation, a number), and on whether the source has a capital
after its mark. What is usual is learnt from pairs.

>>> pairs = [("Er kam. Es war spät.", "He came. It was late."), ("Etwa 3, usw. und so", "Some 3, etc. and so")] * 10
>>> joints = Joints.learn(pairs, str.lower)
>>> joints.abbreviations
('etc',)
>>> joints.capital("He ate. it was good.", "Er aß. Es war gut.")
{8: True}
>>> joints.capital("Tea etc. is good.", "Tee usw. ist gut.")
{9: False}
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from pentaglot.corpus.casing import CLOSING, HIDDEN, LETTERS, OPENING

__all__ = ["Joints"]

# The mark, what is between it and the next word, and that word. What is before the mark is looked at from there: a
# pattern that began with it would try every letter of a very long word.
_JOINT = re.compile(rf"([.!?…:])({CLOSING}\s{OPENING})({LETTERS}+)")
_LETTER = re.compile(LETTERS)
_FEWEST = 10  # joints of a kind from which a habit is learnt
_MOSTLY = 0.7  # of them: whether a colon is followed by a capital differs from author to author
_TWICE = 2  # how often a word must have been seen as an abbreviation
_MOST = 1000  # abbreviations


@dataclass(frozen=True)
class _Joint:
    place: int  # of the next word
    before: str
    mark: str
    kind: str  # the mark, and whether a number is before it and brackets or the like after it
    large: bool
    word: str

    @property
    def cased(self) -> str:
        return "large" if self.large else "small" if self.word.islower() else "no"


@dataclass(frozen=True)
class Joints:
    """What is usual, by the kind of a joint and the case that follows its counterpart in the source."""

    capitals: dict[str, bool] = field(default_factory=dict)
    abbreviations: tuple[str, ...] = ()

    @classmethod
    def learn(cls, pairs: Iterable[tuple[str, str]], usual: Callable[[str], str]) -> Joints:
        """Looks at pairs of lines, each with its translation; `usual` gives a word the case that it has inside of
        sentences. Only words that are small there show what a joint does."""
        seen = [
            (joint, hint)
            for source, target in pairs
            for joint, hint in _hinted(target, source)
            if usual(joint.word).islower() and joint.cased != "no"
        ]
        after: defaultdict[str, Counter[bool]] = defaultdict(Counter)
        for joint, _ in seen:
            if joint.mark == "." and joint.before.isalpha():
                after[joint.before.lower()][joint.large] += 1
        found = [word for word, counts in after.items() if counts[False] >= max(_TWICE, counts[True] + 1)]
        found.sort(key=lambda word: (-after[word][False], word))
        made = cls({}, tuple(sorted(found[:_MOST])))
        counts: defaultdict[str, Counter[bool]] = defaultdict(Counter)
        for joint, hint in seen:
            for key in {*made._keys(joint, hint), *made._keys(joint, "no")[1:]}:
                counts[key][joint.large] += 1
        usually = {
            key: each[True] > each[False]
            for key, each in sorted(counts.items())
            if each.total() >= _FEWEST and max(each.values()) > _MOSTLY * each.total()
        }
        return cls(usually, made.abbreviations)

    def capital(self, line: str, source: str) -> dict[int, bool]:
        """For the places of words after a joint, whether they get a capital. Where nothing was learnt, a capital in the
        source asks for one, except after a colon; other places are left out."""
        found = {}
        for joint, hint in _hinted(line, source):
            keys = self._keys(joint, hint)
            known = next((self.capitals[key] for key in keys if key in self.capitals), None)
            if known is None and hint == "large" and joint.mark != ":":
                known = not self._abbreviated(joint)
            if known is not None:
                found[joint.place] = known
        return found

    def _keys(self, joint: _Joint, hint: str) -> list[str]:
        """Under which a joint is counted; without a hint from the source, all of its kind count."""
        kind = joint.kind + "a" * self._abbreviated(joint)
        return [f"{kind} {hint}", kind][: 1 + (hint == "no")]

    def _abbreviated(self, joint: _Joint) -> bool:
        return joint.mark == "." and joint.before.lower() in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.abbreviations)


def _joints(line: str) -> Iterator[_Joint]:
    at = 0
    while (match := _JOINT.search(line, at)) is not None:
        before, (mark, between, word) = _before(line, match.start()), match.groups()
        kind = mark + "0" * (before != "" and not before.isalpha()) + "(" * (not between.isspace())
        large = word[0].isupper() and (len(word) == 1 or word[1:].islower())
        yield _Joint(match.start(3), before, mark, kind, large, word)
        at = match.start(3)  # the next word may itself be before a mark


def _before(line: str, place: int) -> str:
    """The word, or the last digit or placeable, that ends at a place; empty if there is none."""
    begin = place
    while begin > 0 and _LETTER.match(line, begin - 1):
        begin -= 1
    if begin == place and begin > 0 and (line[begin - 1].isdecimal() or line[begin - 1] == HIDDEN):
        begin -= 1
    return line[begin:place]


def _hinted(line: str, source: str) -> Iterator[tuple[_Joint, str]]:
    """The joints of a line, each with the case after its counterpart: the joint of the source with the same mark and in
    the same order; if they differ in number, what all of them have in common."""
    of_source: defaultdict[str, list[str]] = defaultdict(list)
    for joint in _joints(source):
        of_source[joint.mark].append(joint.cased)
    joints = list(_joints(line))
    marks = Counter(joint.mark for joint in joints)
    seen: Counter[str] = Counter()
    for joint in joints:
        cases = of_source[joint.mark]
        if len(cases) == marks[joint.mark]:
            hint = cases[seen[joint.mark]]
        else:
            hint = cases[0] if len(set(cases)) == 1 else "no"
        seen[joint.mark] += 1
        yield joint, hint
