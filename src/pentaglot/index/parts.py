"""The parts of an index on disk, each a stored directory that can be rebuilt alone.

Every part remembers which text it belongs to, so that parts of different corpora are never mixed up.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import base
from pentaglot._core import index as native
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Text
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index.limits import PrecomputationOptions
from pentaglot.options import read_options
from pentaglot.wording import number_of

__all__ = [
    "Arrays",
    "build_alignment",
    "build_lexicon",
    "build_precomputation",
    "build_suffixes",
    "facts_of",
    "fingerprint",
    "joined_alignment",
    "load_part",
    "options_of",
    "save_part",
]

Arrays = dict[str, NDArray[Any]]

_VERSION = 1
# Parts above this size are checked by samples on opening: nothing is read that is not used.
_WHOLE_CHECK_BYTES = 1 << 20


def fingerprint(text: Text) -> str:
    """A key that identifies a text."""
    return f"{base.checksum(text.tokens.view(np.uint8), len(text)):016x}"


def save_part(path: Path, kind: str, arrays: Arrays, facts: dict[str, Any]) -> None:
    """Writes one part, replacing an older one."""
    with storage.create(path, kind=kind, version=_VERSION) as new:
        for name, array in arrays.items():
            new.add(name, array)
        new.facts.update(facts)


def load_part(path: Path, kind: str, text: str, *, verify: bool | None = None) -> tuple[Arrays, dict[str, Any]]:
    """Maps one part that belongs to the text with this fingerprint."""
    stored = storage.open_directory(
        path, kind=kind, version=_VERSION, verify=verify, whole_check_bytes=_WHOLE_CHECK_BYTES
    )
    if stored.facts.get("text") != text:
        raise StorageError(f"this {kind} was made for another text", path=path, hint="build it again")
    return {name: stored.array(name) for name in stored.names()}, stored.facts


def build_suffixes(text: Text) -> Arrays:
    """The suffix array of a text and the arrays that speed up lookups in it."""
    ends, before = native.sentence_marks(text.tokens)
    return {
        "suffixes": native.suffix_array(text.tokens),
        "first_ranks": native.first_ranks(text.tokens),
        "ends": ends,
        "before": before,
    }


def joined_alignment(one: Arrays, other: Arrays, source_tokens: int) -> Arrays:
    """The links of a text of `source_tokens` source tokens, followed by those of another."""
    both = {name: np.concatenate([one[name], other[name]]) for name in one}
    both["inner_tokens"] = np.concatenate([one["inner_tokens"], other["inner_tokens"] + np.uint32(source_tokens)])
    return both


def build_alignment(bitext: Bitext, alignment: Alignment) -> Arrays:
    """For every word the first and last word it is linked to, and further links."""
    if len(alignment) != len(bitext):
        raise PentaglotError(
            f"the alignment has {number_of(len(alignment), 'line')}, but there are {len(bitext)} sentence pairs",
            hint="each pair needs its links",
        )
    links = (alignment.offsets, alignment.source, alignment.target)
    names = ("source_first", "source_last", "target_first", "target_last", "inner_tokens", "inner_places")
    return dict(zip(names, native.arrange_links(bitext.source, bitext.target, *links), strict=True))


def build_lexicon(aligned: native.AlignedText, weights: NDArray[np.float32] | None = None) -> Arrays:
    """Word translation probabilities in both directions, and the counts behind them."""
    return native.count_words(aligned, weights)


def build_precomputation(
    index: native.SourceIndex, text: Text, suffixes: NDArray[np.uint32], options: PrecomputationOptions, threads: int
) -> Arrays:
    """The lists of frequent sequences and of their combinations."""
    shared = native.common_prefixes(text.tokens, suffixes)
    return dict(native.precompute(index, shared, options.compiled(), threads))


def facts_of(text: str, options: PrecomputationOptions | None) -> dict[str, Any]:
    """The facts stored with the arrays of a part."""
    return {"text": text} if options is None else {"text": text, "options": asdict(options)}


def options_of(facts: dict[str, Any], path: Path) -> PrecomputationOptions:
    """The options that lists were precomputed with."""
    return read_options(PrecomputationOptions, facts.get("options", {}), path=path)
