"""Reads which rule made an edge of a forest, and over which words."""

from __future__ import annotations

__all__ = ["origin_of"]

# Origins from here on are joins (see EdgeOrigin in core/search/features/feature.hpp); all others are rules.
_JOINS = 0xFFFFFFFC


def origin_of(payload: int) -> tuple[int | None, tuple[int, int]]:
    """The rule that an edge applies (none if it joins pieces), and the span of the input that it covers: from its first
    word to its last, if its words are not adjacent.

    >>> origin_of(7 | 2 << 32 | 5 << 48), origin_of(0xFFFFFFFD | 5 << 48)
    ((7, (2, 5)), (None, (0, 5)))
    """
    origin = payload & 0xFFFFFFFF
    return origin if origin < _JOINS else None, (payload >> 32 & 0xFFFF, payload >> 48)
