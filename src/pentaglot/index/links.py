"""Word links as the index takes them in: flat arrays, one line of links for each sentence pair."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot.corpus import read_lines
from pentaglot.errors import InputError, PentaglotError

__all__ = ["Links", "parse_links"]


@dataclass(frozen=True)
class Links:
    """The links of many sentence pairs; places count from 0 within the sentence.

    >>> links = Links.from_pairs([[(0, 0), (1, 2)], []])
    >>> links.offsets.tolist(), links.source.tolist(), links.target.tolist()
    ([0, 2, 2], [0, 1], [0, 2])
    """

    offsets: NDArray[np.uint64]
    source: NDArray[np.uint32]
    target: NDArray[np.uint32]

    @classmethod
    def from_pairs(cls, sentences: Iterable[Sequence[tuple[int, int]]]) -> Links:
        """From one list of (source place, target place) for each sentence pair."""
        lines = list(sentences)
        flat = np.array(list(itertools.chain.from_iterable(lines)), np.uint32).reshape(-1, 2)
        offsets = np.zeros(len(lines) + 1, np.uint64)
        np.cumsum([len(line) for line in lines], out=offsets[1:])
        return cls(offsets, np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1]))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Links:
        """From a file with one line of links such as `0-0 1-2` for each sentence pair."""
        lines = []
        for number, line in enumerate(read_lines(path), start=1):
            try:
                lines.append(parse_links(line))
            except PentaglotError as error:
                raise InputError(error.message, path=path, line=number, hint=error.hint) from error
        return cls.from_pairs(lines)

    def __len__(self) -> int:
        return len(self.offsets) - 1


def parse_links(line: str) -> list[tuple[int, int]]:
    """The links of one sentence pair.

    >>> parse_links("0-0 1-2")
    [(0, 0), (1, 2)]
    """
    links = []
    for link in line.split():
        source, _, target = link.partition("-")
        if not all(place.isascii() and place.isdigit() and len(place) < 10 for place in (source, target)):
            raise PentaglotError(f"{link!r} is not a link", hint="links are written as 0-0 1-2, counted from 0")
        links.append((int(source), int(target)))
    return links
