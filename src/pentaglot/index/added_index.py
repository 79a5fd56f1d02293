"""The small index of added pairs: every change gives a new one and leaves the old as it was."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import index as native
from pentaglot._core.corpus import END, mapped_vocabulary
from pentaglot.align import Alignment
from pentaglot.corpus import Annotation, Bitext, Text, Vocabulary, Written
from pentaglot.index import parts
from pentaglot.index.added_pair import AddedPair
from pentaglot.index.index import Index
from pentaglot.index.parts import Arrays

__all__ = ["AddedIndex", "extended_vocabulary", "joined", "joined_annotation"]


@dataclass(frozen=True, eq=False)
class AddedIndex:
    """Added pairs and their index; `pairs` are its sentences in order."""

    pairs: tuple[AddedPair, ...]
    index: Index

    @classmethod
    def empty(
        cls, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary, known: Annotation | None = None
    ) -> AddedIndex:
        """An empty index; words have the ids of these vocabularies, and values of layers those of `known`."""
        nothing = Text(np.empty(0, np.uint32), np.zeros(1, np.uint64))
        annotation = Annotation() if known is None else known.empty()
        bitext = Bitext(nothing, nothing, source_vocabulary, target_vocabulary, annotation=annotation)
        return cls((), Index.build(bitext, Alignment.from_links([])))

    def added(self, pairs: list[AddedPair]) -> AddedIndex:
        """Returns an index with more pairs at the end. Costs a copy of the arrays and a binary search for each new
        word."""
        if not pairs:
            return self
        old = self.index.bitext
        source_vocabulary = extended_vocabulary(old.source_vocabulary, [pair.source for pair in pairs])
        target_vocabulary = extended_vocabulary(old.target_vocabulary, [pair.target for pair in pairs])
        new = Bitext(
            _text([pair.source for pair in pairs], source_vocabulary),
            _text([pair.target for pair in pairs], target_vocabulary),
            source_vocabulary,
            target_vocabulary,
            annotation=_annotation(pairs, old),
        )
        alignment = parts.build_alignment(new, Alignment.from_links([list(pair.links) for pair in pairs]))
        both = parts.joined_alignment(self.index.arrays["alignment"], alignment, len(old.source.tokens))
        bitext = Bitext(
            joined(old.source, new.source),
            joined(old.target, new.target),
            source_vocabulary,
            target_vocabulary,
            annotation=joined_annotation(old, new),
        )
        suffixes = native.add_suffixes(bitext.source.tokens, self.index.arrays["suffixes"]["suffixes"])
        return self._with(self.pairs + tuple(pairs), bitext, suffixes, both)

    def removed(self, number: int) -> AddedIndex:
        """Without the pair of this number."""
        at = [pair.number for pair in self.pairs].index(number)
        old = self.index.bitext
        begin, end = (int(offset) for offset in old.source.offsets[at : at + 2])
        target_begin, target_end = (int(offset) for offset in old.target.offsets[at : at + 2])
        before = self.index.arrays["alignment"]
        alignment = {
            name: np.delete(before[name], slice(*bounds))
            for name, bounds in (
                ("source_first", (begin, end)),
                ("source_last", (begin, end)),
                ("target_first", (target_begin, target_end)),
                ("target_last", (target_begin, target_end)),
            )
        }
        inner = before["inner_tokens"]
        kept = (inner < begin) | (inner >= end)
        alignment["inner_tokens"] = np.where(inner >= end, inner - np.uint32(end - begin), inner)[kept]
        alignment["inner_places"] = before["inner_places"][kept]
        others = np.arange(len(old)) != at
        bitext = Bitext(
            _without(old.source, at),
            _without(old.target, at),
            old.source_vocabulary,
            old.target_vocabulary,
            annotation=old.annotation.kept(others, old.source, old.target),
        )
        suffixes = native.remove_suffixes(self.index.arrays["suffixes"]["suffixes"], begin, end)
        return self._with(self.pairs[:at] + self.pairs[at + 1 :], bitext, suffixes, alignment)

    def weighed(self, number: int, weight: float) -> AddedIndex:
        """With another weight for the pair of this number."""
        pairs = tuple(replace(pair, weight=weight) if pair.number == number else pair for pair in self.pairs)
        weights = _weights(pairs)
        lexicon = parts.build_lexicon(self.index.aligned, weights)
        arrays = self.index.arrays | {"lexicon": lexicon}
        return AddedIndex(pairs, Index.from_arrays(self.index.bitext, arrays, None, weights))

    def _with(
        self, pairs: tuple[AddedPair, ...], bitext: Bitext, suffixes: NDArray[np.uint32], alignment: Arrays
    ) -> AddedIndex:
        weights = _weights(pairs)
        ends, before = native.sentence_marks(bitext.source.tokens)
        ranks = native.first_ranks(bitext.source.tokens)
        aligned = native.AlignedText(bitext.source, bitext.target, **alignment)
        arrays: dict[str, Arrays] = {
            "suffixes": {"suffixes": suffixes, "first_ranks": ranks, "ends": ends, "before": before},
            "alignment": alignment,
            "lexicon": parts.build_lexicon(aligned, weights),
        }
        bitext = replace(bitext, written=_written(pairs))
        return AddedIndex(pairs, Index.from_arrays(bitext, arrays, None, weights))


def extended_vocabulary(vocabulary: Vocabulary, sentences: list[tuple[str, ...]]) -> Vocabulary:
    """The same vocabulary if it knows all words, else a copy that does; the old one may be in use and is left alone."""
    unknown = [word for words in sentences for word in words if not vocabulary.find(word)]
    if not unknown:
        return vocabulary
    larger = mapped_vocabulary(*vocabulary.flatten())
    for word in unknown:
        larger.add(word)
    return larger


def _text(sentences: list[tuple[str, ...]], vocabulary: Vocabulary) -> Text:
    tokens = [id for words in sentences for id in (*(vocabulary.find(word) for word in words), END)]
    offsets = np.zeros(len(sentences) + 1, np.uint64)
    np.cumsum([len(words) + 1 for words in sentences], out=offsets[1:])
    return Text(np.array(tokens, np.uint32), offsets)


def joined(one: Text, other: Text) -> Text:
    """One text after the other."""
    shifted = other.offsets[1:] + np.uint64(len(one.tokens))
    return Text(np.concatenate([one.tokens, other.tokens]), np.concatenate([one.offsets, shifted]))


def joined_annotation(one: Bitext, other: Bitext) -> Annotation:
    """The annotation of one bitext followed by another's."""
    return one.annotation.followed_by(other.annotation, (one.source, one.target), (other.source, other.target))


def _annotation(pairs: list[AddedPair], known: Bitext) -> Annotation:
    if not known.annotation and all(pair.annotated is None for pair in pairs):
        return Annotation()
    return Annotation.of_pairs((pair.sentences for pair in pairs), known.annotation)


def _without(text: Text, sentence: int) -> Text:
    offsets = text.offsets
    begin, end = int(offsets[sentence]), int(offsets[sentence + 1])
    kept = np.concatenate([offsets[: sentence + 1], offsets[sentence + 2 :] - np.uint64(end - begin)])
    return Text(np.delete(text.tokens, slice(begin, end)), kept)


def _written(pairs: tuple[AddedPair, ...]) -> Written | None:
    if not any(any(pair.written) for pair in pairs):
        return None
    return Written(tuple(pair.written[0] for pair in pairs), tuple(pair.written[1] for pair in pairs))


def _weights(pairs: tuple[AddedPair, ...]) -> NDArray[np.float32]:
    return np.array([pair.weight for pair in pairs], np.float32)
