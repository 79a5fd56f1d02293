"""Holding out pairs such that nothing held out is also trained on.

>>> pairs = [("a", "x"), ("b", "x"), ("b", "y"), ("c", "z"), ("d", "w")]
>>> split(pairs, {"dev": 1, "test": 1}, seed=3)
{'dev': [3], 'test': [4], 'train': [0, 1, 2]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pentaglot._core import base
from pentaglot.corpus.check import leak_key

__all__ = ["split"]


def split(pairs: Sequence[tuple[str, str]], sizes: Mapping[str, int], seed: int) -> dict[str, list[int]]:
    """The numbers of the pairs of each part, in order; what no part takes is `train`.

    Pairs that share a side (up to case and spacing) stay together, so neither a source nor a target occurs in two
    parts. Which go where follows from their text and the seed alone, not from their order. A part has fewer pairs than
    asked for only if no group that is left would fit.
    """
    groups = _groups(pairs)
    ranks = [min(_rank(pairs[number], seed) for number in group) for group in groups]
    missing = dict(sizes)
    parts: dict[str, list[int]] = {name: [] for name in [*sizes, "train"]}
    for number in np.argsort(np.array(ranks, np.uint64), kind="stable").tolist():
        group = groups[number]
        name = next((part for part, size in missing.items() if size >= len(group)), "train")
        parts[name].extend(group)
        if name != "train":
            missing[name] -= len(group)
    return {name: sorted(members) for name, members in parts.items()}


def _rank(pair: tuple[str, str], seed: int) -> int:
    return base.checksum(f"{leak_key(pair[0])}\t{leak_key(pair[1])}".encode(), seed)


def _groups(pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
    """Pairs joined by equal sides, directly or through others; a group begins with its first pair."""
    parent = list(range(len(pairs)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    first_with: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for number, pair in enumerate(pairs):
        for seen, side in zip(first_with, pair, strict=True):
            one, other = root(seen.setdefault(leak_key(side), number)), root(number)
            parent[max(one, other)] = min(one, other)
    members: dict[int, list[int]] = {}
    for number in range(len(pairs)):
        members.setdefault(root(number), []).append(number)
    return list(members.values())
