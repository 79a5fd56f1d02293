"""`Judged`: translations of a test set, and judgments of them by people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot.corpus import read_lines
from pentaglot.errors import InputError

__all__ = ["Judged", "read_direct_scores", "read_rankings"]

StrPath = str | os.PathLike[str]


@dataclass(frozen=True, eq=False)
class Judged:
    """One test set. `preferred` has a row (better, worse) of numbers of translations for each time that somebody found
    one better than another, `tied` has one for each time that somebody found two equally good. `direct` has the mean
    of the direct scores of each translation, nan if it has none."""

    name: str
    segments: tuple[str, ...]  # of each translation, by id
    systems: tuple[str, ...]
    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    preferred: NDArray[np.int64]
    tied: NDArray[np.int64]
    direct: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.hypotheses)

    @property
    def system_names(self) -> tuple[str, ...]:
        """All systems, by name."""
        return tuple(sorted(set(self.systems)))


def read_rankings(segments: StrPath, pairs: StrPath, *, skip_unknown: bool = False) -> Judged:
    """Read rankings as WMT publishes them. `segments` has the columns segment, system (or `ref`, `src`) and text;
    `pairs` has segment, judge, system, rank, system, rank, where lower ranks are better. Columns are separated by tabs
    and named in the first line. Rankings of missing translations are an error, or are skipped on request."""
    found = _Translations.read(segments)
    preferred, tied = [], []
    for number, (segment, _, one, rank, other, other_rank) in _rows(pairs, 6):
        places = [found.place(segment, system) for system in (one, other)]
        if None in places:
            if skip_unknown:
                continue
            what = one if places[0] is None else other
            raise InputError(
                f"there is no translation of segment '{segment}' by '{what}' in {segments}",
                path=pairs,
                line=number,
                hint="leave such judgments out with --skip-unknown",
            )
        ranks = [_number(text, pairs, number) for text in (rank, other_rank)]
        if ranks[0] == ranks[1]:
            tied.append(places)
        else:
            preferred.append(places if ranks[0] < ranks[1] else places[::-1])
    if not preferred:
        raise InputError("has no preferences", path=pairs, hint="some translations must have different ranks")
    return found.judged(_stem(pairs), preferred, tied, {})


def read_direct_scores(segments: StrPath, scores: StrPath, *, skip_unknown: bool = False) -> Judged:
    """Read direct assessments: `scores` has the columns segment, system and score, where higher is better. `segments`
    is as for `read_rankings`."""
    found = _Translations.read(segments)
    given: dict[int, list[float]] = {}
    for number, (segment, system, score) in _rows(scores, 3):
        place = found.place(segment, system)
        if place is None:
            if skip_unknown:
                continue
            raise InputError(
                f"there is no translation of segment '{segment}' by '{system}' in {segments}",
                path=scores,
                line=number,
                hint="leave such judgments out with --skip-unknown",
            )
        given.setdefault(place, []).append(_number(score, scores, number))
    if not given:
        raise InputError("has no scores", path=scores)
    return found.judged(_stem(scores), [], [], given)


@dataclass(frozen=True)
class _Translations:
    texts: dict[tuple[str, str], str]
    references: dict[str, str]
    places: dict[tuple[str, str], int]

    @classmethod
    def read(cls, path: StrPath) -> _Translations:
        texts: dict[tuple[str, str], str] = {}
        references: dict[str, str] = {}
        for number, (segment, system, text) in _rows(path, 3):
            if system == "src":
                continue
            if (segment in references) if system == "ref" else ((segment, system) in texts):
                raise InputError(f"there are two texts of segment '{segment}' by '{system}'", path=path, line=number)
            if system == "ref":
                references[segment] = text
            else:
                texts[segment, system] = text
        kept = {key: text for key, text in texts.items() if key[0] in references}
        if not kept:
            raise InputError("has no translation with a reference", path=path, hint="a reference is called 'ref'")
        return cls(kept, references, {key: place for place, key in enumerate(kept)})

    def place(self, segment: str, system: str) -> int | None:
        return self.places.get((segment, system))

    def judged(self, name: str, preferred: list[list[int | None]], tied: list[list[int | None]],
               given: dict[int, list[float]]) -> Judged:  # fmt: skip
        direct = np.full(len(self.texts), np.nan)
        for place, scores in given.items():
            direct[place] = np.mean(scores)
        return Judged(
            name,
            tuple(segment for segment, _ in self.texts),
            tuple(system for _, system in self.texts),
            tuple(self.texts.values()),
            tuple(self.references[segment] for segment, _ in self.texts),
            np.array(preferred, np.int64).reshape(-1, 2),
            np.array(tied, np.int64).reshape(-1, 2),
            direct,
        )


def _rows(path: StrPath, columns: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(read_lines(path), 1):
        if number == 1 or not line.strip():
            continue
        fields = line.split("\t", columns - 1)
        if len(fields) != columns:
            raise InputError(f"expected {columns} columns, not {len(fields)}", path=path, line=number)
        yield number, fields


def _number(text: str, path: StrPath, line: int) -> float:
    try:
        found = float(text)
    except ValueError:
        found = np.nan
    if not np.isfinite(found):
        raise InputError(f"'{text}' is not a number", path=path, line=line)
    return found


def _stem(path: StrPath) -> str:
    return Path(path).name.removesuffix(".gz").removesuffix(".tsv").removesuffix(".pairs").removesuffix(".scores")
