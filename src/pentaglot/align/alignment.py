"""`Alignment`: the links of many sentence pairs in flat arrays, in memory or mapped from disk."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core.align import NO_POSITION, Symmetrisation, find_extents, format_links, join_links, parse_links
from pentaglot.align.options import SYMMETRISATIONS, SymmetrisationName
from pentaglot.corpus import Bitext, open_output, read_lines
from pentaglot.errors import InputError, OptionError, PentaglotError, StorageError
from pentaglot.options import suggestion
from pentaglot.steady import opens
from pentaglot.wording import number_of

__all__ = [
    "NO_POSITION",
    "Alignment",
    "Extents",
    "check_links",
    "misplaced_link",
    "read_links",
    "read_links_of",
    "symmetrisation_of",
    "symmetrise",
    "write_links",
]

_KIND, _VERSION = "alignment", 1


@dataclass(frozen=True)
class Extents:
    """First and last linked position of every word, at the word's place in the text's array of tokens; `NO_POSITION`
    for words without links and for the ids that close sentences."""

    source_first: NDArray[np.uint16]
    source_last: NDArray[np.uint16]
    target_first: NDArray[np.uint16]
    target_last: NDArray[np.uint16]


@dataclass(frozen=True)
class Alignment:
    """Links of sentence pairs, in each sentence sorted by source and then by target position.

    >>> alignment = Alignment.from_links([[(0, 0), (1, 2)], []])
    >>> len(alignment), alignment.links(0), alignment.links(1)
    (2, [(0, 0), (1, 2)], [])
    """

    offsets: NDArray[np.uint64]
    source: NDArray[np.uint16]
    target: NDArray[np.uint16]
    strengths: NDArray[np.float32] | None = None  # posterior of each link, if it came from an aligner
    scores: NDArray[np.float64] | None = None  # log-likelihood of each sentence pair in both directions

    def __repr__(self) -> str:
        return f"Alignment({len(self)} pairs, {len(self.source)} links)"

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def links(self, sentence: int) -> list[tuple[int, int]]:
        """The links of one sentence pair as (source position, target position), counted from 0."""
        part = self._part(sentence)
        return list(zip(self.source[part].tolist(), self.target[part].tolist(), strict=True))

    def strengths_of(self, sentence: int) -> list[float]:
        """The posteriors of the links of one sentence pair; 1 for links that came without."""
        part = self._part(sentence)
        return [1.0] * (part.stop - part.start) if self.strengths is None else self.strengths[part].tolist()

    def _part(self, sentence: int) -> slice:
        if not 0 <= sentence < len(self):
            raise IndexError(f"sentence {sentence} of an alignment of {len(self)}")
        return slice(int(self.offsets[sentence]), int(self.offsets[sentence + 1]))

    def part(self, first: int, last: int) -> Alignment:
        """The sentence pairs from `first` up to, not including, `last`."""
        offsets = self.offsets[first : last + 1]
        begin, end = int(offsets[0]), int(offsets[-1])
        return Alignment(
            offsets - offsets[0],
            self.source[begin:end],
            self.target[begin:end],
            None if self.strengths is None else self.strengths[begin:end],
            None if self.scores is None else self.scores[first:last],
        )

    @classmethod
    def from_links(cls, sentences: Iterable[Iterable[tuple[int, int]]]) -> Alignment:
        """An alignment from pairs of positions."""
        lines = "".join(" ".join(f"{i}-{j}" for i, j in links) + "\n" for links in sentences)
        return cls(*parse_links(lines.encode(), 0)[:3])

    def extents(self, bitext: Bitext) -> Extents:
        """First and last link of every word; raises an error if the links do not fit the bitext."""
        return Extents(*find_extents(self.offsets, self.source, self.target, bitext.source, bitext.target))

    def save(self, path: str | os.PathLike[str], bitext: Bitext) -> None:
        """Writes links and extents as one directory of arrays that other rooms map from disk."""
        extents = self.extents(bitext)
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for name in ("offsets", "source", "target", "strengths", "scores"):
                if (array := getattr(self, name)) is not None:
                    new.add(name, array)
            for name, array in vars(extents).items():
                new.add(name, array)
            new.facts.update(pairs=len(self), links=len(self.source))

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> Alignment:
        """Maps a saved alignment."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        offsets, source, target = (
            stored.array("offsets", np.uint64),
            stored.array("source", np.uint16),
            stored.array("target", np.uint16),
        )
        strengths = stored.array("strengths", np.float32) if "strengths" in stored else None
        scores = stored.array("scores", np.float64, 2) if "scores" in stored else None
        if (
            len(offsets) == 0
            or int(offsets[0]) != 0
            or int(offsets[-1]) != len(source)
            or bool((offsets[1:] < offsets[:-1]).any())
            or len(target) != len(source)
            or (strengths is not None and len(strengths) != len(source))
            or (scores is not None and scores.shape != (len(offsets) - 1, 2))
        ):
            raise StorageError("the links do not fit their offsets", path=path, hint="build it again")
        return cls(offsets, source, target, strengths, scores)

    @classmethod
    @opens
    def open_extents(cls, path: str | os.PathLike[str]) -> Extents:
        """Maps the first and last links of a saved alignment."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        names = ("source_first", "source_last", "target_first", "target_last")
        return Extents(*(stored.array(name, np.uint16) for name in names))


def symmetrisation_of(name: str) -> Symmetrisation:
    """The native method of that name."""
    if name not in SYMMETRISATIONS:
        raise OptionError(f"there is no symmetrisation '{name}'", hint=suggestion(name, SYMMETRISATIONS))
    found: Symmetrisation = getattr(Symmetrisation, name.replace("-", "_"))
    return found


def symmetrise(to_target: Alignment, to_source: Alignment, method: SymmetrisationName) -> Alignment:
    """Joins the links of two directions, both given as (source, target).

    >>> one = Alignment.from_links([[(0, 0), (1, 1)]])
    >>> other = Alignment.from_links([[(0, 0), (2, 1)]])
    >>> symmetrise(one, other, "intersection").links(0), symmetrise(one, other, "union").links(0)
    ([(0, 0)], [(0, 0), (1, 1), (2, 1)])
    """
    sides = (to_target.offsets, to_target.source, to_target.target)
    others = (to_source.offsets, to_source.source, to_source.target)
    return Alignment(*join_links(*sides, *others, symmetrisation_of(method))[:3])


def read_links(path: str | os.PathLike[str]) -> Alignment:
    """Reads links in Pharaoh format: `0-0 1-2`, counted from 0, one line for each sentence pair."""
    return Alignment(*parse_file(path, 0)[:3])


def read_links_of(bitext: Bitext, path: str | os.PathLike[str]) -> Alignment:
    """Reads the links of a bitext, and checks that they fit it."""
    found = read_links(path)
    check_links(found, bitext, path)
    return found


def check_links(found: Alignment, bitext: Bitext, path: str | os.PathLike[str]) -> None:
    """Raises an error that names the file, and the line whose links do not fit its pair of sentences."""
    if len(found) != len(bitext):
        problem = f"has {number_of(len(found), 'line')} of links for {number_of(len(bitext), 'sentence pair')}"
        raise InputError(problem, path=path, hint="it needs one for each pair")
    sizes = [np.diff(text.offsets) - 1 for text in (bitext.source, bitext.target)]
    pairs = np.searchsorted(found.offsets, np.arange(len(found.source)), side="right") - 1
    beyond = (found.source >= sizes[0][pairs]) | (found.target >= sizes[1][pairs])
    if beyond.any():
        first = int(beyond.argmax())
        pair = int(pairs[first])
        link = int(found.source[first]), int(found.target[first])
        raise misplaced_link(path, pair + 1, link, *(int(each[pair]) for each in sizes))


def misplaced_link(
    path: str | os.PathLike[str], line: int, link: tuple[int, int], source: int, target: int
) -> InputError:
    """The error that a link is to words that a pair with so many words does not have."""
    problem = f"{link[0]}-{link[1]} links words that are not there: the lines have {source} and {target}"
    hint = "the links may count words that were cut otherwise: see --tokenizer, and --tokens of 'pentaglot align'"
    return InputError(problem, path=path, line=line, hint=hint)


def write_links(alignment: Alignment, path: str | os.PathLike[str]) -> None:
    """Writes links in Pharaoh format."""
    with open_output(Path(path)) as out:
        out.write(format_links(alignment.offsets, alignment.source, alignment.target).decode("ascii"))


def parse_file(
    path: str | os.PathLike[str], base: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint8]]:
    """Offsets, positions and sureness of the links of a file whose positions count from `base`."""
    text = "".join(line + "\n" for line in read_lines(Path(path)))
    try:
        return parse_links(text.encode(), base)
    except PentaglotError as error:
        # The native parser says "line 3: ..."; the message that people see names the file too.
        where, _, problem = str(error).partition(": ")
        raise InputError(problem, path=path, line=int(where.removeprefix("line "))) from None
