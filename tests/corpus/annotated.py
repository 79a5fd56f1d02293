"""Random annotated sentences, and heads without cycles."""

from __future__ import annotations

from hypothesis import strategies as st

from pentaglot.corpus import Sentence

WORDS = st.text("abcäß", min_size=1, max_size=4)
VALUES = st.sampled_from(["NOUN", "VERB", "DET", "_", "Case=Nom|Number=Sing", "größer"])


@st.composite
def heads(draw: st.DrawFn, size: int) -> list[int]:
    """Heads of a forest: each word depends on one that comes earlier in a random order, or on none."""
    order = draw(st.permutations(range(size)))
    found = [0] * size
    for rank, place in enumerate(order):
        found[place] = draw(st.sampled_from([0, *(each + 1 for each in order[:rank])]))
    return found


@st.composite
def sentences(draw: st.DrawFn, smallest: int = 0, largest: int = 8) -> Sentence:
    """Words with some of the layers `upos`, `count` and `head`, and some metadata."""
    words = draw(st.lists(WORDS, min_size=smallest, max_size=largest))
    size = len(words)
    layers: dict[str, list[str] | list[int]] = {}
    if draw(st.booleans()):
        layers["upos"] = draw(st.lists(VALUES, min_size=size, max_size=size))
    if draw(st.booleans()):
        layers["count"] = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    if draw(st.booleans()):
        layers["head"] = draw(heads(size))
    metadata = draw(st.dictionaries(st.sampled_from(["domain", "document", "id"]), WORDS))
    return Sentence(words, layers, metadata)
