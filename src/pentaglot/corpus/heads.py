"""Heads: the number of the word that each word of a sentence depends on, counted from 1, or 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pentaglot.errors import PentaglotError

__all__ = ["checked_heads", "moved_heads", "without_cycles"]


def without_cycles(heads: Sequence[int]) -> list[int]:
    """The same heads, except that one word of each cycle depends on none.

    >>> without_cycles([2, 3, 1, 1])
    [0, 3, 1, 1]
    """
    found = list(heads)
    while (place := _on_cycle(found)) is not None:
        found[place] = 0
    return found


def checked_heads(values: Sequence[Any]) -> tuple[int, ...]:
    """The heads of a sentence, None as 0; raises an error if one is not a word of it, or if they form a cycle."""
    heads = tuple(0 if value is None else value for value in values)
    for number, head in enumerate(heads, 1):
        if type(head) is not int or not 0 <= head <= len(heads):
            raise PentaglotError(
                f"the head of word {number} is {head!r}, but there are only the words 1 to {len(heads)}",
                hint="a head is the number of a word, or 0",
            )
    place = _on_cycle(heads)
    if place is not None:
        raise PentaglotError(
            f"word {place + 1} depends on itself, directly or through other words",
            hint="heads must not form a cycle",
        )
    return heads


def _on_cycle(heads: Sequence[int]) -> int | None:
    """The first place that lies on a cycle of heads; None if there is none."""
    seen = [0] * len(heads)  # by which walk
    for first in range(len(heads)):
        at = first
        while at >= 0 and not seen[at]:
            seen[at] = first + 1
            at = heads[at] - 1
        if at >= 0 and seen[at] == first + 1:
            cycle = [at]
            while (at := heads[at] - 1) != cycle[0]:
                cycle.append(at)
            return min(cycle)
    return None


def moved_heads(heads: Sequence[Any], places: Sequence[int]) -> list[int]:
    """The heads of the words at some places, in that order. A word whose head is gone depends on the nearest of its
    ancestors that is left."""
    numbers = {place: number for number, place in enumerate(places, 1)}
    found = []
    for place in places:
        head = heads[place] - 1
        while head >= 0 and head not in numbers:
            head = heads[head] - 1
        found.append(numbers.get(head, 0))
    return found
