"""Adds pairs to a trained model, aligned by the model's own aligner, and folds them into its index later."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pentaglot import guarded
from pentaglot.align import Aligner, AlignOptions
from pentaglot.align import train as train_aligner
from pentaglot.corpus import Sentence, tokenised
from pentaglot.errors import PentaglotError, StorageError, writing
from pentaglot.index import AddedPair, Index, fold_in
from pentaglot.index.added_index import AddedIndex
from pentaglot.index.joined_index import joined_index
from pentaglot.order.places import is_reordered, reordered_sentence
from pentaglot.progress import SILENT, Progress
from pentaglot.systems.further_parts import largest_vocabularies
from pentaglot.systems.linking import aligned_words
from pentaglot.systems.model import Model

__all__ = ["add_pairs", "merge", "with_folded_pairs", "word_ids_locked"]


def add_pairs(
    model: Model,
    lines: Iterable[tuple[str | Sentence, str | Sentence]],
    *,
    weight: float = 1.0,
    threads: int = 1,
    progress: Progress = SILENT,
) -> list[AddedPair]:
    """Adds pairs of raw lines to an opened model: all of them or, if one cannot be used, none. They are on disk when
    this returns."""
    cut, written = [], []
    for number, (source_line, target_line) in enumerate(lines, 1):
        words = tokenised(source_line, model.source_tokenizer), tokenised(target_line, model.target_tokenizer)
        written.append((_text(source_line), _text(target_line)))
        for side, found in zip(("source", "target"), words, strict=True):
            if not found:
                raise PentaglotError(f"pair {number} has no words on its {side} side", hint="give both sides")
        cut.append(words)
    if not cut:
        return []
    aligner = _aligner_of(model, threads, progress)
    ordering = model.ordering
    typed = None if ordering is None else ordering.aligner(model.index, threads=threads, progress=progress)
    pairs = []
    with progress.task("aligning", total=len(cut), unit="pairs") as task:
        for source, target in cut:
            if ordering is not None and typed is not None:
                links = aligned_words(typed, source.words, target.words)
                source = reordered_sentence(source, ordering.order_of_pair(source.words, links))
            pairs.append((source, target, aligned_words(aligner, source.words, target.words)))
            task.advance()
    return model.additions.add_all(pairs, weight=weight, written=written)


def _text(line: str | Sentence) -> str:
    return line if isinstance(line, str) else line.line


def merge(path: str | os.PathLike[str], *, threads: int = 1, progress: Progress = SILENT) -> int:
    """Folds the added pairs of the model at `path` into its index; returns how many there were. Processes that have the
    model open keep their state, and may go on adding."""
    directory = Path(path)
    with word_ids_locked(directory):
        model = Model.open(directory)
        return fold_in(model.index_path, model.journal_path, model.vocabularies, threads=threads, progress=progress)


def with_folded_pairs(
    index: Index, directory: Path, corpora: Iterable[str], *, threads: int = 1, progress: Progress = SILENT
) -> Index:
    """Builds a new main index for the model in a directory, with the pairs that were folded into the present one; all
    others stay in the journal. `corpora` are the further corpora to keep."""
    try:
        old = Index.open(directory / "index", bare=True)
    except PentaglotError:
        return index  # nothing to take over: the rest stays in the journal
    if old.added_from is None:
        return index
    others = {name: Index.open(directory / "corpora" / name) for name in corpora}
    pairs: list[AddedPair] = []
    for place in range(old.added_from, len(old)):
        source, target = old.bitext.pair(place)
        links = tuple(old.aligned.links(place))
        words = tuple(source), tuple(target)
        annotated = None
        if old.bitext.annotation:
            annotated = old.bitext.sentence(place, "source"), old.bitext.sentence(place, "target")
        pair = AddedPair(len(pairs) + 1, *words, links, old.weight(place), old.written(place), annotated)
        pairs.append(pair if is_reordered(index.bitext) else pair.typed)
    vocabularies = largest_vocabularies(directory, index, others)
    added = AddedIndex.empty(*vocabularies, index.bitext.annotation).added(pairs)
    whole = joined_index(index, added, threads=threads, progress=progress)
    return dataclasses.replace(whole, folded=old.folded)


@contextlib.contextmanager
def word_ids_locked(directory: Path) -> Iterator[None]:
    """Keeps other processes from assigning ids to new words at the same time."""
    with writing(directory), guarded.exclusive(directory / ".word-ids"):
        yield


def _aligner_of(model: Model, threads: int, progress: Progress) -> Aligner:
    """The aligner of the model; if it was trained with given links, an aligner is trained now and kept."""
    if model.aligner is not None:
        return model.aligner
    bitext = model.index.bitext
    if not len(bitext):
        raise StorageError("has no aligner and no text to train one on", path=model.path, hint="train the model again")
    aligner = train_aligner(bitext, AlignOptions(), threads=threads, progress=progress)
    aligner.save(model.aligner_path)
    model.__dict__["aligner"] = aligner
    return aligner
