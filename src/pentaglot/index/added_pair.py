"""A sentence pair that was added at run time."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pentaglot.corpus import Sentence
from pentaglot.order.places import order_of, typed_sentence

__all__ = ["AddedPair"]


@dataclass(frozen=True)
class AddedPair:
    """A sentence pair that was added at run time."""

    number: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    weight: float = 1.0
    written: tuple[str, str] = ("", "")  # the two lines as they were given, if they are known
    annotated: tuple[Sentence, Sentence] | None = None  # the same words, if more is known about them

    @property
    def sentences(self) -> tuple[Sentence, Sentence]:
        """Both sides, with layers and metadata."""
        return self.annotated or (Sentence(self.source), Sentence(self.target))

    @property
    def typed(self) -> AddedPair:
        """The same with its source words as they were typed."""
        source, target = self.sentences
        order = order_of(source)
        if not order:
            return self
        source = typed_sentence(source)
        links = tuple(sorted((order[i], j) for i, j in self.links))
        annotated = (source, target) if source.layers or source.metadata or target.layers or target.metadata else None
        return replace(self, source=source.words, links=links, annotated=annotated)
