"""Ids of feature names, the same in all sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import learn as core
from pentaglot.errors import PentaglotError
from pentaglot.learn.found import CandidateArrays

__all__ = ["Numbering"]

_NO_ID = np.iinfo(np.uint32).max
_LARGEST = float(np.finfo(np.float32).max)


class Numbering:
    """Gives feature names the same ids in all sentences: known names keep theirs, new ones get the next ids, in order
    of first appearance.

    >>> from pentaglot.learn.found import Candidate, arrays_of
    >>> numbering = Numbering(("lm",))
    >>> found = numbering.renumbered(arrays_of([Candidate("a house", {"rare": 1.0, "odd": 0.0, "lm": -2.0})]))
    >>> numbering.names, found.feature_ids.tolist(), found.feature_values.tolist()
    (('lm', 'rare', 'odd'), [0, 1], [-2.0, 1.0])
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._ids = {name: number for number, name in enumerate(names)}

    @property
    def names(self) -> tuple[str, ...]:
        """All names so far."""
        return tuple(self._ids)

    def renumbered(self, found: CandidateArrays) -> CandidateArrays:
        """The same candidates with these ids, in rising order within each candidate, and without zeros; their names are
        those of the numbering. Only names that a candidate has are looked at: there may be a million others."""
        _check(found)
        used, places = np.unique(found.feature_ids, return_inverse=True)
        numbers = np.array([self._ids.get(found.names[each], _NO_ID) for each in used.tolist()], np.uint32)
        new = numbers[places] == _NO_ID
        if bool(new.any()):
            self._add(found, used, numbers, np.flatnonzero(new), places)
        rows = core.canonical(found.feature_offsets, numbers[places], found.feature_values.astype(np.float32))
        return replace(found, names=(), feature_offsets=rows[0], feature_ids=rows[1], feature_values=rows[2])

    def _add(
        self,
        found: CandidateArrays,
        used: NDArray[np.uint32],
        numbers: NDArray[np.uint32],
        new: NDArray[np.int64],
        places: NDArray[np.int64],
    ) -> None:
        """Gives ids to new names, by candidate and then in the order of `found.names`."""
        ends = found.feature_offsets.astype(np.int64)
        rows = np.repeat(np.arange(len(found)), ends[1:] - ends[:-1])[new]
        ordered = places[new][np.lexsort((places[new], rows))]
        for place in ordered[np.sort(np.unique(ordered, return_index=True)[1])].tolist():
            numbers[place] = self._ids.setdefault(found.names[int(used[place])], len(self._ids))


def _check(found: CandidateArrays) -> None:
    """Raise an error if the arrays contradict each other, or a value is out of range."""
    for offsets, things in ((found.text_offsets, found.text), (found.feature_offsets, found.feature_ids)):
        fits = len(offsets) > 0 and int(offsets[0]) == 0 and int(offsets[-1]) == len(things)
        if not fits or bool((offsets[1:] < offsets[:-1]).any()):
            raise PentaglotError("the decoder gave offsets that do not fit")
    if len(found.text_offsets) != len(found.feature_offsets) or len(found.feature_ids) != len(found.feature_values):
        raise PentaglotError("the decoder gave different numbers of texts and feature vectors, or of values and ids")
    if len(found.feature_ids) and int(found.feature_ids.max()) >= len(found.names):
        raise PentaglotError("the decoder gave a feature without a name")
    usable = np.abs(found.feature_values) <= _LARGEST
    if not bool(usable.all()):
        worst = int(np.argmin(usable))
        name, value = found.names[int(found.feature_ids[worst])], float(found.feature_values[worst])
        raise PentaglotError(f"the decoder gave the feature '{name}' the value {value}")
