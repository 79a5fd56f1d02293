"""Runs of words on the paths of a lattice, which are looked up like a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pentaglot.systems.word_lattice import WordLattice

__all__ = ["Known", "Runs", "sentence_of"]

_SEPARATOR = "\x00"  # not a word of any text
MOST_WORDS = 30_000  # of a sentence that has all runs of a lattice

Known = Callable[[tuple[str, ...]], bool]


@dataclass(frozen=True)
class Runs:
    """A sentence with runs of words of a lattice, and how long they are at most."""

    words: list[str]
    longest: int


def sentence_of(
    lattice: WordLattice, longest: int, separators: int, known: Known | None = None, most: int = MOST_WORDS
) -> Runs:
    """A sentence that contains every run of up to `longest` words on a path, so that looking it up finds all rules
    of the lattice; with `known`, only the runs that are known, and all words. If it would have more than `most`
    words, runs are shorter, and the result says so. Separators keep pieces of different paths apart."""
    for size in range(longest, 0, -1):
        pieces = _pieces(lattice, size, most, known)
        if pieces is None:
            continue
        words: list[str] = []
        for piece in pieces:
            words += [_SEPARATOR] * separators if words else []
            words += [lattice.arcs[number].word for number in piece]
        if size == 1 or len(words) <= most:
            return Runs(words, size)
    return Runs([], longest)


def _pieces(lattice: WordLattice, size: int, most: int, known: Known | None) -> list[list[int]] | None:
    """A few paths that together contain all runs of `size` arcs, or shorter ones that are known and cannot go on;
    None if there are more than `most` runs."""
    leaving: list[list[int]] = [[] for _ in range(lattice.nodes)]
    for number, arc in enumerate(lattice.arcs):
        leaving[arc.start].append(number)
    runs: dict[tuple[int, ...], None] = {}
    waiting: list[tuple[int, ...]] = [(number,) for number in range(len(lattice.arcs))]
    while waiting:
        run = waiting.pop()
        following = leaving[lattice.arcs[run[-1]].end] if len(run) < size else []
        if known is not None and following:
            words = tuple(lattice.arcs[number].word for number in run)
            following = [number for number in following if known((*words, lattice.arcs[number].word))]
        if following:
            waiting += [(*run, number) for number in following]
            continue
        if known is None and len(run) < size and lattice.arcs[run[0]].start > 0:
            continue  # the end of a longer one
        runs[run] = None
        if len(runs) > most:
            return None
    if known is not None:
        inside = {run[at:] for run in runs for at in range(1, len(run))}
        runs = {run: None for run in runs if run not in inside}
    pieces = []
    for run in sorted(runs, key=lambda run: lattice.arcs[run[0]].start):
        if run not in runs:
            continue
        piece = list(run)
        del runs[run]
        while following := leaving[lattice.arcs[piece[-1]].end]:
            # Go on along a run that is not covered yet.
            fresh = [number for number in following if (*piece[1 - size :], number)[-size:] in runs]
            if not fresh:
                break
            piece.append(fresh[0])
            del runs[tuple(piece[-size:])]
        pieces.append(piece)
    return pieces
