"""Word classes from a layer of a text, such as its tags."""

from __future__ import annotations

import numpy as np

from pentaglot._core.corpus import FIRST_WORD, Text, Vocabulary
from pentaglot.corpus import Column
from pentaglot.errors import PentaglotError

__all__ = ["classes_of_layer"]


def classes_of_layer(text: Text, vocabulary: Vocabulary, layer: Column, name: str = "layer") -> dict[str, str]:
    """The class of each word: the value that it has most often in the layer; of equally frequent ones, the value that
    the layer had first. Words without a known value have no class.

    >>> from pentaglot.corpus import Sentence, encode
    >>> from pentaglot.corpus.layer_builder import LayerBuilder
    >>> sentences = [Sentence(["the", "set"], {"tag": ["D", "N"]}), Sentence(["set", "set"], {"tag": ["V", "N"]})]
    >>> builder = LayerBuilder()
    >>> for sentence in sentences:
    ...     builder.append(sentence)
    >>> text, words = encode([list(each.words) for each in sentences])
    >>> sorted(classes_of_layer(text, words, builder.finish()["tag"]).items())
    [('set', 'N'), ('the', 'D')]
    """
    if layer.vocabulary is None:
        hint = "word classes come from a layer of names, such as tags"
        raise PentaglotError(f"the layer '{name}' has numbers, not names", hint=hint)
    layer.check(name, text)
    tokens, values = np.asarray(text.tokens), np.asarray(layer.values)
    known = (tokens >= FIRST_WORD) & (values >= FIRST_WORD)
    if not known.any():
        raise PentaglotError(f"the layer '{name}' has no values", hint="word classes come from a layer with values")
    pairs = tokens[known].astype(np.uint64) << np.uint64(32) | values[known]
    found, counts = np.unique(pairs, return_counts=True)  # by word, then by value
    words = (found >> np.uint64(32)).astype(np.uint32)
    order = np.lexsort((-counts, words))  # a stable sort, so that the first of equal counts stays first
    first = order[np.unique(words[order], return_index=True)[1]]
    chosen = (found[first] & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return dict(zip(vocabulary.words(words[first]), layer.vocabulary.words(chosen), strict=True))
