"""What a decoder returns for one sentence: candidates one by one, or all of them as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.learn.offset_rows import offsets_of

__all__ = ["Candidate", "CandidateArrays", "Found", "arrays_of"]


class Candidate(NamedTuple):
    """One translation of a sentence by a decoder. Features that are not named are zero."""

    text: str
    features: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class CandidateArrays:
    """The candidates of a sentence, best first: their texts as concatenated UTF-8, and their features.

    The id of a feature is its index in `names`, which many sentences may share; missing features are zero.

    >>> found = arrays_of([Candidate("a house", {"lm": -2.0}), Candidate("the house", {"lm": -3.0, "rare": 1.0})])
    >>> found.names, found.text_offsets.tolist(), found.feature_ids.tolist(), found.text_of(1)
    (('lm', 'rare'), [0, 7, 16], [0, 0, 1], 'the house')
    """

    names: tuple[str, ...]
    text: NDArray[np.uint8]
    text_offsets: NDArray[np.uint64]
    feature_offsets: NDArray[np.uint64]
    feature_ids: NDArray[np.uint32]
    feature_values: NDArray[np.float64] | NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.text_offsets) - 1

    def text_of(self, candidate: int) -> str:
        """The text of a candidate."""
        part = self.text[int(self.text_offsets[candidate]) : int(self.text_offsets[candidate + 1])]
        try:
            return part.tobytes().decode()
        except UnicodeDecodeError:
            raise PentaglotError("a candidate is not valid UTF-8") from None


Found = Sequence[Candidate] | CandidateArrays


def arrays_of(found: Found, sentence: int = 1) -> CandidateArrays:
    """Convert candidates to arrays if they are not. `sentence` is the number shown in messages."""
    if isinstance(found, CandidateArrays):
        return found
    ids: dict[str, int] = {}
    texts, sizes, places, values = [], [], [], []  # type: list[bytes], list[int], list[int], list[float]
    for text, features in found:
        try:
            texts.append(text.encode())
        except UnicodeEncodeError:
            raise PentaglotError(f"a candidate of sentence {sentence} cannot be encoded as UTF-8") from None
        sizes.append(len(features))
        places += [ids.setdefault(name, len(ids)) for name in features]
        values += features.values()
    return CandidateArrays(
        tuple(ids),
        np.frombuffer(b"".join(texts), np.uint8),
        offsets_of([len(text) for text in texts]),
        offsets_of(sizes),
        np.array(places, np.uint32),
        np.array(values, np.float64),
    )
