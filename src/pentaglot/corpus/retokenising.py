"""Annotated sentences in the words of a tokenizer, which may cut them differently from the annotation.

Layers are carried over by the places of words in the text. A word gets the values of the annotated word that it is, or
is part of; of several that it spans, those of the first that depends on none of the others. Later pieces of an
annotated word depend on its first piece; all others depend on the first piece of their head. What has no annotated word
gets `_`, or 0 in layers of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from pentaglot.corpus.heads import without_cycles
from pentaglot.corpus.sentence import HEAD, Sentence
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.corpus.word_places import word_spans
from pentaglot.errors import PentaglotError

__all__ = ["NO_VALUE", "annotated_line", "carried_over", "places_in", "tokenised"]

NO_VALUE = "_"

Spans = Sequence[tuple[int, int]]


def tokenised(line: str | Sentence, tokenizer: Tokenizer) -> Sentence:
    """The words that a tokenizer makes of a line, with layers and metadata if it is an annotated one.

    >>> annotated = Sentence(["I", "can", "not", "."], {"head": [3, 3, 0, 3]}, text="I cannot.")
    >>> found = tokenised(annotated, Tokenizer())
    >>> found.words, found.layers["head"]
    (('I', 'cannot', '￭.'), (2, 0, 2))
    """
    if isinstance(line, str):
        return Sentence(tokenizer.tokenise(line))
    sentence = annotated_line(line, tokenizer)
    words = tokenizer.tokenise(sentence.line)
    return carried_over(sentence, words, places_in(words, sentence.line))


def annotated_line(sentence: Sentence, tokenizer: Tokenizer) -> Sentence:
    """The sentence as text for a tokenizer; one that cuts only at spaces takes the words as they are."""
    return sentence.spaced() if tokenizer.mode == "none" else sentence


def places_in(words: Sequence[str], line: str) -> Spans:
    """Where words stand in the line that they were made of."""
    spans = word_spans(words, line)
    if spans is None:
        hint = "use the tokenizer 'none', which takes words as they are"
        raise PentaglotError(f"the words of this line cannot be found in it: {line!r}", hint=hint)
    return spans


def carried_over(sentence: Sentence, words: Sequence[str], spans: Spans) -> Sentence:
    """The sentence with other words, which stand at these places of its line."""
    line = sentence.line
    if list(spans) == list(sentence.places):
        return Sentence(words, sentence.layers, sentence.metadata, line, spans)
    owners, pieces = _owners(sentence, spans)
    layers: dict[str, Sequence[str] | Sequence[int]] = {}
    for name, values in sentence.layers.items():
        if name == HEAD:
            layers[name] = _heads(sentence, owners, pieces)
        elif all(isinstance(value, str) for value in values):
            layers[name] = [NO_VALUE if owner is None else str(values[owner]) for owner in owners]
        else:
            layers[name] = [0 if owner is None else int(values[owner]) for owner in owners]
    return Sentence(words, layers, sentence.metadata, line, spans)


def _owners(sentence: Sentence, spans: Spans) -> tuple[list[int | None], dict[int, int]]:
    """For each new word the annotated word that it stands for; for each annotated word the first new one in it."""
    heads = sentence.layers.get(HEAD)
    owners: list[int | None] = []
    pieces: dict[int, int] = {}
    places, first = sentence.places, 0
    for number, (begin, end) in enumerate(spans):
        while first < len(places) and places[first][1] <= begin:
            first += 1
        covered = []
        for place in range(first, len(places)):
            if places[place][0] >= end:
                break
            covered.append(place)
        for place in covered:
            pieces.setdefault(place, number)
        outside = [place for place in covered if heads is None or int(heads[place]) - 1 not in covered]
        owners.append(next(iter(outside or covered), None))
    return owners, pieces


def _heads(sentence: Sentence, owners: Sequence[int | None], pieces: dict[int, int]) -> list[int]:
    heads = sentence.layers[HEAD]
    found = []
    for number, owner in enumerate(owners):
        if owner is None:
            found.append(0)
            continue
        first = pieces[owner]
        if first < number and owners[first] == owner:
            found.append(first + 1)
            continue
        head = int(heads[owner]) - 1
        while head >= 0 and pieces.get(head, number) == number:
            head = int(heads[head]) - 1
        found.append(0 if head < 0 else pieces[head] + 1)
    # Words that are cut at quite other places may come to depend on each other.
    return without_cycles(found)
