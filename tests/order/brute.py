"""Word order by definition: slow twins of what the room computes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, permutations
from random import Random

from pentaglot.order import Permutation

Tree = tuple[int, int, tuple["Tree", ...]]  # begin, end, children


def all_permutations(most: int, least: int = 1) -> Iterator[Permutation]:
    for size in range(least, most + 1):
        yield from map(Permutation, permutations(range(size)))


def random_permutation(size: int, seed: int) -> Permutation:
    ranks = list(range(size))
    Random(seed).shuffle(ranks)
    return Permutation(tuple(ranks))


def separable(size: int, seed: int) -> Permutation:
    """A random permutation that binary trees can make, with some larger operators here and there."""
    random = Random(seed)
    parts = [[each] for each in range(size)]
    while len(parts) > 1:
        at = random.randrange(len(parts) - 1)
        joined = parts[at] + parts[at + 1] if random.random() < 0.5 else parts[at + 1] + parts[at]
        parts[at : at + 2] = [joined]
    return Permutation.from_order(parts[0])


def blocks(permutation: Permutation) -> set[tuple[int, int]]:
    """All stretches of at least two units whose ranks are neighbours."""
    ranks, size = permutation.ranks, len(permutation)
    spans = ((i, j) for i in range(size) for j in range(i + 2, size + 1))
    return {(i, j) for i, j in spans if max(ranks[i:j]) - min(ranks[i:j]) == j - i - 1}


def is_prime(places: tuple[int, ...]) -> bool:
    return len(places) >= 2 and blocks(Permutation(places)) <= {(0, len(places))}


def trees(permutation: Permutation) -> list[Tree]:
    """All trees over blocks whose operators are prime, by trying every way to cut."""
    good = blocks(permutation) | {(i, i + 1) for i in range(len(permutation))}

    def cuts(begin: int, end: int) -> Iterator[tuple[int, ...]]:
        if begin == end:
            yield (end,)
        for middle in range(begin + 1, end + 1):
            if (begin, middle) in good:
                for rest in cuts(middle, end):
                    yield (begin, *rest)

    @cache
    def below(begin: int, end: int) -> tuple[Tree, ...]:
        if end - begin == 1:
            return ((begin, end, ()),)
        found: list[Tree] = []
        for posts in cuts(begin, end):
            if len(posts) < 3:
                continue
            lows = [min(permutation.ranks[i:j]) for i, j in pairwise(posts)]
            if not is_prime(tuple(sorted(lows).index(low) for low in lows)):
                continue
            options: list[tuple[Tree, ...]] = [()]
            for i, j in pairwise(posts):
                options = [(*chosen, tree) for chosen in options for tree in below(i, j)]
            found += [(begin, end, chosen) for chosen in options]
        return tuple(found)

    return list(below(0, len(permutation)))
