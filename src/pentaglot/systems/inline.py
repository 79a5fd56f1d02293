"""Inline marks: pairs of tags and keyboard accelerators are taken out of a line before translation, and put back at the
words that translate those they were at.

>>> inline, words = Inline.taken_out(["click", "<b>￭", "OK", "￭</b>", "now"])
>>> words
['click', 'OK', 'now']
>>> inline.put_back([("jetzt", (2,)), ("OK", (1,)), ("klicken", (0,))])
[('jetzt', (2,)), ('<b>￭', ()), ('OK', (1,)), ('￭</b>', ()), ('klicken', (0,))]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pentaglot.corpus.splitters import JOINER, plain

__all__ = ["Inline", "Linked"]

_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*)[^<]*(?<!/)>")

_DEEPEST = 100  # depth of nested tags; deeper ones are left in place

# A word of a translation and the places of the source words that it translates, if known.
Linked = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class _Pair:
    """Two tags and the words between them."""

    opening: str
    closing: str
    begin: int
    end: int
    inside: list[_Pair] = field(default_factory=list)


@dataclass(frozen=True)
class Inline:
    """The outer pairs of tags of a line; other pairs are inside them."""

    pairs: list[_Pair]
    kept: list[int] = field(default_factory=list)  # places of the remaining words

    @classmethod
    def taken_out(cls, words: Sequence[str], *, joined: bool = False) -> tuple[Inline, list[str]]:
        """The paired tags, and the words without them; with `joined`, tags touch what is inside."""
        partners = _partners(words)
        words = words if joined else _without_touch(words, partners)
        left: list[str] = []
        outer: list[_Pair] = []
        opened: list[tuple[str, int, list[_Pair]]] = []  # tag, place of the next word, pairs inside
        for at, word in enumerate(words):
            if at not in partners:
                left.append(word)
            elif partners[at] > at:
                opened.append((word, len(left), []))
            else:
                opening, begin, inside = opened.pop()
                tags = (f"{plain(opening)}{JOINER}", f"{JOINER}{plain(word)}") if joined else (opening, word)
                (opened[-1][2] if opened else outer).append(_Pair(*tags, begin, len(left), inside))
        return cls(outer, [at for at in range(len(words)) if at not in partners]), left

    def put_back(self, words: Sequence[Linked]) -> list[Linked]:
        """The words of a translation with the tags among them, each pair around the longest run of words that
        translate what was between them."""
        return list(_with_tags(words, 0, len(words), self.pairs))


def _partners(words: Sequence[str]) -> dict[int, int]:
    """The places of opening and closing tags, each with the place of its partner."""
    partners: dict[int, int] = {}
    opened: list[tuple[str, int]] = []
    for at, word in enumerate(words):
        tag = _TAG.fullmatch(plain(word)) if "<" in word else None
        if tag is None:
            continue
        if not tag["close"]:
            opened.append((tag["name"], at))
        elif any(name == tag["name"] for name, _ in opened):
            while opened:
                name, place = opened.pop()
                if name == tag["name"]:
                    partners[place], partners[at] = at, place
                    break
    return _without_deepest(partners)


def _without_touch(words: Sequence[str], taken: Mapping[int, int]) -> list[str]:
    """The same words, where a join mark between a word and a removed tag is moved to the tag.

    >>> _without_touch(["go", "￭.￭", "</b>", "now"], {2: 0})
    ['go', '￭.', '￭</b>', 'now']
    """
    found = list(words)
    for begin, end in _runs(taken):
        left, right = begin - 1, end
        touch = [
            at >= 0 and at + 1 < len(words) and (found[at].endswith(JOINER) or found[at + 1].startswith(JOINER))
            for at in range(left, end)
        ]
        if all(touch):  # what is before the tags touches what is after them
            continue
        if touch[0] and found[left].endswith(JOINER) and found[left] != JOINER:
            found[left] = found[left].removesuffix(JOINER)
            found[begin] = JOINER + found[begin].removeprefix(JOINER)
        if touch[-1] and found[right].startswith(JOINER) and found[right] != JOINER:
            found[right] = found[right].removeprefix(JOINER)
            found[end - 1] = found[end - 1].removesuffix(JOINER) + JOINER
    return found


def _runs(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Runs of consecutive places."""
    begin = end = -1
    for at in sorted(places):
        if at != end:
            if begin >= 0:
                yield begin, end
            begin = at
        end = at + 1
    if begin >= 0:
        yield begin, end


def _without_deepest(partners: dict[int, int]) -> dict[int, int]:
    """Pairs of tags that are not nested too deeply."""
    kept: dict[int, int] = {}
    depth = 0
    for at in sorted(partners):
        depth += 1 if partners[at] > at else 0
        if depth <= _DEEPEST:
            kept[at] = partners[at]
        depth -= 1 if partners[at] < at else 0
    return kept


def _with_tags(words: Sequence[Linked], begin: int, end: int, pairs: Sequence[_Pair]) -> Iterator[Linked]:
    runs: list[tuple[int, int, _Pair]] = []
    for pair in pairs:
        taken = {at for first, last, _ in runs for at in range(first, last)}
        runs.append((*_run(words, begin, end, pair, taken), pair))
    at = begin
    for first, last, pair in sorted(runs, key=lambda run: (run[0], run[1])):
        yield from words[at:first]
        # What touches its neighbour still does so with a tag between them.
        left = first < last and words[first][0].startswith(JOINER) and not pair.opening.startswith(JOINER)
        right = first < last and words[last - 1][0].endswith(JOINER) and not pair.closing.endswith(JOINER)
        yield JOINER * left + pair.opening, ()
        yield from _with_tags(words, first, last, pair.inside)
        yield pair.closing + JOINER * right, ()
        at = last
    yield from words[at:end]


def _run(words: Sequence[Linked], begin: int, end: int, pair: _Pair, taken: set[int]) -> tuple[int, int]:
    """Where a pair of tags belongs among the words from `begin` to `end`; places taken by other pairs are not free."""
    best, run, found = (begin, begin), begin, 0
    most, last = 0, begin
    for at in range(begin, end):
        places = words[at][1]
        inside = at not in taken and any(pair.begin <= place < pair.end for place in places)
        if at in taken or (places and not inside):
            found = 0
        elif inside:
            run = run if found else at
            found, last = found + 1, at + 1
            if found > most:
                most, best = found, (run, last)
    if most:
        return best
    # No word is known to translate it: it goes before what came after it, outside all taken places.
    after = (at for at in range(begin, end) if any(place >= pair.begin for place in words[at][1]))
    at = next(after, end)
    while at - 1 in taken and at in taken:
        at -= 1
    return at, at
