"""Holds out pairs of the training text for a while, to choose weights on.

A model knows its training text by heart, so its score on that text means nothing. A draft made from all pairs but a few
hundred translates those; weights that suit the draft suit the model.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import placing
from pentaglot.corpus import Bitext, Text
from pentaglot.corpus.bitext import kept_sentences
from pentaglot.index import Additions, Index, PrecomputationOptions
from pentaglot.index.parts import Arrays
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import Letters, WordChoice, extract_table
from pentaglot.systems.model import Model

__all__ = ["choose_pairs", "drafted", "links_of_pairs", "usual_number"]

_ONE_IN, _MOST, _FEWEST = 20, 500, 100
_LONGEST = 60  # words: very long pairs are seldom one sentence, and slow to translate


def usual_number(pairs: int) -> int:
    """How many of `pairs` are held out: one in twenty, at most 500; none if fewer than 100.

    >>> usual_number(1_000), usual_number(5_000), usual_number(1_000_000)
    (0, 250, 500)
    """
    number = min(pairs // _ONE_IN, _MOST)
    return number if number >= _FEWEST else 0


def choose_pairs(bitext: Bitext, number: int) -> NDArray[np.int64]:
    """The numbers of pairs that can be held out, from all over a text: each has words on both sides, not too many, and
    shares neither side with another pair, which would give away the answer."""
    fit = np.ones(len(bitext), bool)
    for text in (bitext.source, bitext.target):
        words = _lengths(text) - 1  # without the end of the sentence
        fit &= (words > 0) & (words <= _LONGEST)
        fit &= _is_single(text)
    found = np.flatnonzero(fit)
    places = np.arange(min(number, len(found))) * len(found) // max(1, min(number, len(found)))
    return found[places]


def _is_single(text: Text) -> NDArray[np.bool_]:
    """Which sentences of a text occur only once."""
    numbers: dict[bytes, int] = {}
    single = np.ones(len(text), bool)
    tokens, offsets = np.asarray(text.tokens), text.offsets.tolist()
    for number, (begin, end) in enumerate(pairwise(offsets)):
        first = numbers.setdefault(tokens[begin:end].tobytes(), number)
        if first != number:
            single[[first, number]] = False
    return single


@contextlib.contextmanager
def drafted(
    model: Model,
    held_out: NDArray[np.int64],
    lists: PrecomputationOptions | None,
    *,
    place: Path,
    estimate: Callable[[Model, Bitext], Model] = lambda model, bitext: model,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Iterator[Model]:
    """The model without some pairs of its text, for the duration of the block. `estimate` replaces the language models
    by ones that have not seen these pairs. Temporary files are kept beside `place`."""
    kept = np.ones(len(model.index), bool)
    kept[held_out] = False
    bitext = _without(model.index.bitext, kept)
    links = links_of_pairs(model.index, kept)
    index = Index.build_linked(
        bitext, links, lists, both_sides=model.description.rules.inverse, threads=threads, progress=progress
    )
    draft = dataclasses.replace(
        estimate(model, bitext),
        stored=False,
        index=index,
        choice=None if model.choice is None else WordChoice.learn(bitext, threads=threads, progress=progress),
        letters=Letters.learn(bitext, links, threads=threads, progress=progress),
        additions=Additions(index, vocabularies=model.vocabularies),
    )
    if model.table is None:
        yield draft
        return
    with placing.new_directory(place) as beside:
        rules = model.description.rules
        table = extract_table(index, beside / "table", rules, threads=threads, progress=progress)
        yield dataclasses.replace(draft, table=table)


def _without(bitext: Bitext, kept: NDArray[np.bool_]) -> Bitext:
    sides = (kept_sentences(bitext.source, kept), kept_sentences(bitext.target, kept))
    annotation = bitext.annotation.kept(kept, bitext.source, bitext.target)
    return dataclasses.replace(bitext, source=sides[0], target=sides[1], written=None, annotation=annotation)


def _lengths(text: Text) -> NDArray[np.int64]:
    offsets = text.offsets.astype(np.int64)
    return offsets[1:] - offsets[:-1]


def links_of_pairs(index: Index, kept: NDArray[np.bool_]) -> Arrays:
    """The links of some pairs, in the form of an index of these pairs alone."""
    arrays = index.arrays["alignment"]
    masks = {
        side: np.repeat(kept, _lengths(text))
        for side, text in (("source", index.bitext.source), ("target", index.bitext.target))
    }
    found = {name: np.asarray(array)[masks[side]] for name, array in arrays.items() if (side := name[:6]) in masks}
    inner = masks["source"][arrays["inner_tokens"]]
    moved = np.cumsum(masks["source"]) - 1
    found["inner_tokens"] = moved[arrays["inner_tokens"][inner]].astype(np.uint32)
    found["inner_places"] = np.asarray(arrays["inner_places"])[inner]
    return {name: np.ascontiguousarray(found[name]) for name in arrays}
