"""`Permutation`: where every word of a sentence goes. `Permutations`: those of many sentences in flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError

__all__ = ["Permutation", "Permutations"]

Item = TypeVar("Item")
_LONGEST = 65_534


@dataclass(frozen=True)
class Permutation:
    """A permutation by its *ranks*, counted from 0: word i goes to place `ranks[i]`. Its *order* is the inverse: the
    word that comes to place p is `order[p]`. The literature counts from 1: ⟨2,4,1,3⟩ is `Permutation.read("2413")`.

    >>> swapped = Permutation((2, 0, 1))
    >>> swapped.order, swapped.apply(["Haus", "das", "alte"])
    ((1, 2, 0), ['das', 'alte', 'Haus'])
    >>> swapped == Permutation.from_order((1, 2, 0)), str(swapped)
    (True, '3 1 2')
    """

    ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        try:
            ranks = tuple(map(index, self.ranks))  # lists and arrays are taken, too
        except TypeError as error:
            shown = repr(self.ranks)[:60]
            raise PentaglotError(f"{shown} is not a permutation", hint="give a list of whole numbers") from error
        object.__setattr__(self, "ranks", ranks)
        if sorted(ranks) != list(range(len(ranks))):
            shown = ", ".join(map(str, ranks[:20])) + (", …" if len(ranks) > 20 else "")
            raise PentaglotError(
                f"({shown}) is not a permutation", hint=f"every number from 0 to {len(ranks) - 1} must occur once"
            )

    @classmethod
    def from_order(cls, order: Iterable[int]) -> Permutation:
        """The permutation that puts word `order[p]` at place p."""
        return cls(cls(order).order)  # type: ignore[arg-type]

    @classmethod
    def identity(cls, size: int) -> Permutation:
        """The permutation that leaves every word where it is."""
        return cls(tuple(range(size)))

    @classmethod
    def read(cls, text: str) -> Permutation:
        """Ranks as they are written in the literature, counted from 1; up to nine of them need no spaces between.

        >>> Permutation.read("2413").ranks, Permutation.read("3 1 2").ranks
        ((1, 3, 0, 2), (2, 0, 1))
        """
        numbers = text.split()
        if len(numbers) == 1:
            numbers = list(numbers[0])
        digits = all(each.isascii() and each.isdigit() and len(each) < 10 for each in numbers)
        ranks = tuple(int(each) - 1 for each in numbers) if digits else ()
        if not digits or sorted(ranks) != list(range(len(ranks))):
            shown = text if len(text) <= 60 else text[:59] + "…"
            raise PentaglotError(f"'{shown}' is not a permutation", hint="write its ranks, counted from 1: 2 4 1 3")
        return cls(ranks)

    def __str__(self) -> str:
        return " ".join(str(rank + 1) for rank in self.ranks)

    def __len__(self) -> int:
        return len(self.ranks)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The word at every place."""
        words = [0] * len(self.ranks)
        for word, rank in enumerate(self.ranks):
            words[rank] = word
        return tuple(words)

    @property
    def inverse(self) -> Permutation:
        """The permutation that undoes this one."""
        return Permutation(self.order)

    def apply(self, words: Sequence[Item]) -> list[Item]:
        """The words in their new order."""
        if len(words) != len(self.ranks):
            raise PentaglotError(f"a permutation of {len(self.ranks)} words cannot order {len(words)}")
        return [words[word] for word in self.order]

    def move(self, links: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """The links of a sentence pair after its source words have moved, sorted.

        >>> Permutation((2, 0, 1)).move([(0, 2), (1, 0), (2, 1)])
        [(0, 0), (1, 1), (2, 2)]
        """
        given = list(links)
        for source, target in given:
            if not 0 <= source < len(self.ranks):
                raise PentaglotError(f"{source}-{target} links a word that is not there: there are {len(self.ranks)}")
        return sorted((self.ranks[source], target) for source, target in given)

    @property
    def as_array(self) -> NDArray[np.uint16]:
        """The ranks for native code."""
        if len(self.ranks) > _LONGEST:
            raise PentaglotError(f"a permutation of more than {_LONGEST} words is too long for this")
        return np.array(self.ranks, np.uint16)


@dataclass(frozen=True, eq=False)
class Permutations(Sequence[Permutation]):
    """The permutations of many sentences; `ranks` holds them one after the other.

    >>> both = Permutations.join([Permutation((1, 0)), Permutation((0,))])
    >>> len(both), both[0], both.ranks.tolist()
    (2, Permutation(ranks=(1, 0)), [1, 0, 0])
    """

    offsets: NDArray[np.uint64]
    ranks: NDArray[np.uint16]

    @classmethod
    def join(cls, permutations: Iterable[Permutation]) -> Permutations:
        """The same permutations in flat arrays."""
        given = list(permutations)
        offsets = np.cumsum([0, *map(len, given)]).astype(np.uint64)
        return cls(offsets, np.concatenate([np.empty(0, np.uint16), *(each.as_array for each in given)]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, number: int) -> Permutation: ...
    @overload
    def __getitem__(self, number: slice) -> Permutations: ...
    def __getitem__(self, number: int | slice) -> Permutation | Permutations:
        if isinstance(number, slice):
            return Permutations.join(self[each] for each in range(*number.indices(len(self))))
        if not -len(self) <= number < len(self):
            raise IndexError(f"permutation {number} of {len(self)}")
        number %= len(self)
        part = self.ranks[int(self.offsets[number]) : int(self.offsets[number + 1])]
        return Permutation(tuple(part.tolist()))

    def __iter__(self) -> Iterator[Permutation]:
        return (self[number] for number in range(len(self)))
