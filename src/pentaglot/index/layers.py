"""Layers for an existing index."""

from __future__ import annotations

import os

import numpy as np

from pentaglot.corpus import Annotation, Beside
from pentaglot.corpus.bitext import kept_sentences
from pentaglot.index.index import Index
from pentaglot.index.origin import original_text
from pentaglot.index.replacing import add_layers

__all__ = ["annotate"]

StrPath = str | os.PathLike[str]


def annotate(path: StrPath, beside: Beside, source: StrPath | None = None, target: StrPath | None = None) -> Annotation:
    """Gives the index at `path` layers and metadata from files beside its text, or from treebanks of it, and returns
    them. Without `source` and `target`, the lines that the index keeps are the text. Pairs that were added later keep
    the values that they have. Nothing else in the index is rebuilt.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from pentaglot.align import Alignment
    >>> from pentaglot.corpus import Bitext
    >>> place = Path(tempfile.mkdtemp())
    >>> bitext = Bitext.from_sentences([["das", "Haus"]], [["the", "house"]])
    >>> Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1)]])).save(place / "index")
    >>> _ = (place / "tags").write_text("DET NOUN\\n")
    >>> _ = annotate(place / "index", Beside(source_layers={"upos": place / "tags"}))
    >>> Index.open(place / "index").layer("upos", "source").spelt(0, 2)
    ['DET', 'NOUN']
    """
    index, text = Index.open(path, bare=True), original_text(path)
    new = beside.annotation(text, (source, target))
    if index.added_from is not None:
        added = np.arange(len(index)) >= index.added_from
        bitext = index.bitext
        rest = bitext.annotation.kept(added, bitext.source, bitext.target).only(new)
        sides = kept_sentences(bitext.source, added), kept_sentences(bitext.target, added)
        new = new.followed_by(rest, (text.source, text.target), sides)
    add_layers(path, new)
    return new
