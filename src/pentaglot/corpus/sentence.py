"""`Sentence`: words with layers (a value for each word) and metadata (values for the sentence)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, overload

from pentaglot.corpus.heads import checked_heads, moved_heads
from pentaglot.corpus.word_places import word_spans
from pentaglot.errors import PentaglotError, refuse_text

__all__ = ["HEAD", "LARGEST_NUMBER", "Layer", "Sentence", "check_layer_name"]

Layer = tuple[Any, ...]  # strings, or numbers

HEAD = "head"  # the layer that has the numbers of words
LARGEST_NUMBER = (1 << 32) - 2

_NAME = re.compile(r"\w[\w.-]*")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Sentence(Sequence[str]):
    """An immutable sequence of words with layers and metadata.

    A layer has one value for each word, by a name such as `lemma` or `upos`: strings, or whole numbers from 0 on. The
    layer `head` has the number of the word that each word depends on, counted from 1, or 0 (or None) for a word that
    depends on none. `metadata` (`domain`, `document`, `id`) are strings by name. `text` is the sentence as it was
    written and `spans` where its words stand in it; equality ignores both.

    >>> sentence = Sentence(["the", "old", "house"], {"upos": ["DET", "ADJ", "NOUN"], "head": [3, 3, 0]})
    >>> sentence[1], sentence[1:].words, sentence[1:].layers["head"], sentence[:2].layers["head"]
    ('old', ('old', 'house'), (2, 0), (0, 0))

    Where a sentence is cut, or words are taken out, a word whose head is gone depends on the nearest of its ancestors
    that is left; on none if there is none.
    """

    words: tuple[str, ...]
    layers: Mapping[str, Layer] = field(default_factory=lambda: _NOTHING)
    metadata: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    text: str = field(default="", compare=False, repr=False)
    spans: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)

    # The constructor also takes lists and dictionaries.
    def __init__(
        self,
        words: Sequence[str],
        layers: Mapping[str, Sequence[Any]] = _NOTHING,
        metadata: Mapping[str, str] = _NOTHING,
        text: str = "",
        spans: Sequence[tuple[int, int]] = (),
    ) -> None:
        refuse_text(words, lacks="words")
        set_ = object.__setattr__
        set_(self, "words", tuple(words))
        checked = {name: _checked(name, values, len(self.words)) for name, values in layers.items()}
        set_(self, "layers", MappingProxyType(checked) if checked else _NOTHING)
        set_(self, "metadata", MappingProxyType(dict(metadata)) if metadata else _NOTHING)
        if not all(isinstance(each, str) for pair in self.metadata.items() for each in pair):
            raise PentaglotError("the metadata of a sentence has names or values that are not strings")
        set_(self, "text", text)
        set_(self, "spans", tuple(spans) if text and spans else self._found_spans())
        within = all(0 <= begin <= end <= len(text) for begin, end in self.spans)
        if not within or (text and len(self.spans) != len(self.words)):
            raise PentaglotError("a word of the sentence stands outside its text")

    @classmethod
    def of(cls, words: Sequence[str]) -> Sentence:
        """The sentence itself, or one of plain words."""
        return words if isinstance(words, Sentence) else cls(words)

    def __reduce__(self) -> tuple[type[Sentence], tuple[Any, ...]]:
        return Sentence, (self.words, dict(self.layers), dict(self.metadata), self.text, self.spans)

    def __hash__(self) -> int:
        return hash((self.words, frozenset(self.layers.items()), frozenset(self.metadata.items())))

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sentence: ...
    def __getitem__(self, place: int | slice) -> str | Sentence:
        return self.select(range(*place.indices(len(self)))) if isinstance(place, slice) else self.words[place]

    @cached_property
    def line(self) -> str:
        """The sentence as it was written, or else its words separated by spaces."""
        return self.text or " ".join(self.words)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where the words stand in `line`."""
        if self.text:
            return self.spans
        found, at = [], 0
        for word in self.words:
            found.append((at, at + len(word)))
            at += len(word) + 1
        return tuple(found)

    def value(self, layer: str, place: int) -> Any:
        """The value of a layer for a word; raises an error if there is no such layer."""
        self.check_has([layer])
        return self.layers[layer][place]

    def check_has(self, layers: Sequence[str], who: str = "") -> None:
        """Raises an error if the sentence lacks a layer that `who` needs."""
        for name in layers:
            if name not in self.layers:
                known = ", ".join(self.layers) or "none"
                needed = f"; {who} needs it" if who else ""
                raise PentaglotError(
                    f"a sentence has no layer '{name}'{needed}",
                    hint=f"its layers are: {known}; give a .conllu file, or a file of values with --source-layer",
                )

    def spaced(self) -> Sentence:
        """The same sentence, written as its words separated by spaces."""
        return replace(self, text="", spans=()) if self.text else self

    def with_layers(self, layers: Mapping[str, Sequence[Any]]) -> Sentence:
        """The same sentence with layers added or replaced."""
        return Sentence(self.words, {**self.layers, **layers}, self.metadata, self.text, self.spans)

    def with_metadata(self, metadata: Mapping[str, str]) -> Sentence:
        """The same sentence with metadata added or replaced."""
        return Sentence(self.words, self.layers, {**self.metadata, **metadata}, self.text, self.spans)

    def select(self, places: Sequence[int]) -> Sentence:
        """The words at some places, in that order, with their layers."""
        words = [self.words[place] for place in places]
        layers = {name: [values[place] for place in places] for name, values in self.layers.items() if name != HEAD}
        if HEAD in self.layers:
            layers[HEAD] = moved_heads(self.layers[HEAD], places)
        text, spans = "", []
        if self.text and places and list(places) == list(range(places[0], places[0] + len(places))):
            begin, end = self.spans[places[0]][0], self.spans[places[-1]][1]
            text = self.text[begin:end]
            spans = [(self.spans[place][0] - begin, self.spans[place][1] - begin) for place in places]
        ordered = {name: layers[name] for name in self.layers}
        return Sentence(words, ordered, self.metadata, text, spans)

    def _found_spans(self) -> tuple[tuple[int, int], ...]:
        if not self.text:
            return ()
        found = word_spans(self.words, self.text)
        if found is None:
            raise PentaglotError(f"the words of a sentence are not those of its text: {self.text!r}")
        return tuple(found)


def check_layer_name(name: str) -> None:
    """Raises an error if a layer cannot have this name.

    >>> check_layer_name("upos")
    """
    if not _NAME.fullmatch(name):
        raise PentaglotError(f"a layer cannot be called '{name}'", hint="use letters and digits, such as 'lemma'")


def _checked(name: str, values: Sequence[Any], words: int) -> Layer:
    check_layer_name(name)
    if isinstance(values, str) or len(values) != words:
        raise PentaglotError(
            f"the layer '{name}' has {len(values)} values for {words} words", hint="it needs one for each word"
        )
    if name == HEAD:
        return checked_heads(values)
    if all(isinstance(value, str) for value in values) or all(
        type(value) is int and 0 <= value <= LARGEST_NUMBER for value in values
    ):
        return tuple(values)
    raise PentaglotError(f"the values of the layer '{name}' must be all strings or all whole numbers from 0 on")
