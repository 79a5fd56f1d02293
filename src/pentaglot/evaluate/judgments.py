"""`Judged`: translations of a test set, and judgments of them by people."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot.corpus.compression import shown
from pentaglot.errors import InputError
from pentaglot.evaluate.judgment_columns import Form, judgment_rows

__all__ = ["Judged", "language_pair", "read_direct_scores", "read_rankings"]

StrPath = str | os.PathLike[str]

_BLANK = -1.0  # the rank of a translation that was shown and not ranked
_LARGEST = 1e100  # number


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

    @property
    def ranks_systems(self) -> bool:
        """Whether translations by different systems were compared."""
        return any(self.systems[better] != self.systems[worse] for better, worse in self.preferred.tolist())


_SEGMENTS = (Form(("segment", "system", "text"), (0, 1, 2), 3, words=("ref", "src")),)
_BETTER = Form(("segment", "better", "worse"))
_FIVE = Form(("segment", *(f"{column}{number}" for number in range(1, 6) for column in ("system", "rank"))))
_PAIRS = (
    _BETTER,
    _FIVE,
    Form(("segment", "system1", "rank1", "system2", "rank2"), (0, 2, 3, 4, 5), 6, numbers=(3, 5)),
)
_SCORES = Form(("segment", "system", "score"), (0, 1, 2), 3, numbers=(2,))
_BOTH = {kind: Form(("segment", "system", kind)) for kind in ("standardised", "raw")}


def read_rankings(segments: StrPath, pairs: StrPath, *, skip_unknown: bool = False) -> Judged:
    """Read rankings as WMT publishes them. `segments` has the columns segment, system (or `ref`, `src`) and text;
    `pairs` has segment, judge, system, rank, system, rank, where lower ranks are better, or names the columns SID,
    BETTER and WORSE (from WMT 2017 on), or those of five systems and their ranks (to 2014), of which -1 is none.
    Rankings of missing translations are an error, or are skipped on request."""
    found = _Translations.read(segments)
    preferred, tied = [], []
    for number, form, (segment, *rest) in judgment_rows(pairs, _PAIRS, languages=str(segments)):
        ranks = [0.0, 1.0] if form is _BETTER else [_number(text, pairs, number) for text in rest[1::2]]
        ranked = zip(rest if form is _BETTER else rest[::2], ranks, strict=True)
        judged_ones = [each for each in ranked if form is not _FIVE or each[1] != _BLANK]
        for (one, rank), (other, other_rank) in combinations(judged_ones, 2):
            places = [found.place(segment, system) for system in (one, other)]
            if None in places:
                if skip_unknown:
                    continue
                raise found.missing(segment, one if places[0] is None else other, pairs, number)
            if one == other:
                raise InputError(f"'{one}' is compared with itself", path=shown(pairs), line=number)
            if rank == other_rank:
                tied.append(places)
            else:
                preferred.append(places if rank < other_rank else places[::-1])
    if not preferred:
        raise InputError("has no preferences", path=shown(pairs), hint="some translations must have different ranks")
    return found.judged(_name(pairs, segments), preferred, tied, {})


def read_direct_scores(
    segments: StrPath,
    scores: StrPath,
    *,
    skip_unknown: bool = False,
    prefer: Literal["standardised", "raw"] = "standardised",
) -> Judged:
    """Read direct assessments: `scores` has the columns segment, system and score, where higher is better, in this
    order or named like this, or as WMT names them: SID, SYSTEM or SYS, HUMAN or Z.SCR and RAW.SCR, of which one is
    preferred. `segments` is as for `read_rankings`."""
    found = _Translations.read(segments)
    given: dict[int, list[float]] = {}
    forms = (_BOTH[prefer], _SCORES, *_BOTH.values(), _SCORES)
    for number, _, (segment, system, score) in judgment_rows(scores, forms, languages=str(segments)):
        place = found.place(segment, system)
        if place is None:
            if skip_unknown:
                continue
            raise found.missing(segment, system, scores, number)
        given.setdefault(place, []).append(_number(score, scores, number))
    if not given:
        raise InputError("has no scores", path=shown(scores))
    return found.judged(_name(scores, segments), [], [], given)


@dataclass(frozen=True)
class _Translations:
    path: StrPath
    texts: dict[tuple[str, str], str]
    references: dict[str, str]
    places: dict[tuple[str, str], int]

    @classmethod
    def read(cls, path: StrPath) -> _Translations:
        texts: dict[tuple[str, str], str] = {}
        references: dict[str, str] = {}
        for number, _, (segment, system, text) in judgment_rows(path, _SEGMENTS, text=True):
            if system == "src":
                continue
            if (segment in references) if system == "ref" else ((segment, system) in texts):
                raise InputError(
                    f"there are two texts of segment '{segment}' by '{system}'", path=shown(path), line=number
                )
            if system == "ref":
                references[segment] = text
            else:
                texts[segment, system] = text
        kept = {key: text for key, text in texts.items() if key[0] in references}
        if not kept:
            raise InputError(
                "has no translation with a reference", path=shown(path), hint="a reference is called 'ref'"
            )
        return cls(path, kept, references, {key: place for place, key in enumerate(kept)})

    def place(self, segment: str, system: str) -> int | None:
        return self.places.get((segment, system))

    def missing(self, segment: str, system: str, path: StrPath, line: int) -> InputError:
        return InputError(
            f"there is no translation of segment '{segment}' by '{system}' in {shown(self.path)}",
            path=shown(path),
            line=line,
            hint="leave such judgments out with --skip-unknown",
        )

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


def _number(text: str, path: StrPath, line: int) -> float:
    try:
        found = float(text)
    except ValueError:
        found = np.nan
    if not np.isfinite(found) or "_" in text:
        raise InputError(f"'{text}' is not a number", path=shown(path), line=line)
    if abs(found) > _LARGEST:
        raise InputError(f"the number {text} is too large", path=shown(path), line=line)
    return found


def language_pair(name: str) -> tuple[str, str] | None:
    """The last language pair in the name of a test set.

    >>> language_pair("my-set.cs-en"), language_pair("mine")
    (('cs', 'en'), None)
    """
    found: list[tuple[str, str]] = re.findall(r"(?<![a-z])([a-z]{2,3})-([a-z]{2,3})(?![a-z])", name)
    return found[-1] if found else None


def _name(judgments: StrPath, segments: StrPath) -> str:
    """A test set is called after its judgments, or after its segments if only their file names a language pair."""
    name, other = _stem(judgments), _stem(segments)
    return other if language_pair(other) and not language_pair(name) else name


def _stem(path: StrPath) -> str:
    name = Path(shown(path)).name.removesuffix(".gz").removesuffix(".tsv").removesuffix(".csv")
    return name.removesuffix(".pairs").removesuffix(".scores").removesuffix(".segments")
