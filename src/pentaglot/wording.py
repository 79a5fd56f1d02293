"""Words that messages and pictures share."""

from __future__ import annotations


def number_of(count: int, noun: str) -> str:
    """So many of them.

    >>> number_of(1, "line"), number_of(1200, "line")
    ('1 line', '1,200 lines')
    """
    return f"{count:,} {noun}" + "s" * (count != 1)
