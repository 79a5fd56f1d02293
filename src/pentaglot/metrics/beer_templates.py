"""Which features BEER has: templates, and groups of features that can be left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pentaglot.metrics import beer_order

__all__ = ["EDITS", "GROUPS", "KINDS", "TEMPLATES", "Group", "Template", "Units", "belongs"]

Template = Literal["thesis57", "release62", "release11", "edits59"]
Group = Literal["characters", "words", "f", "function", "kendall", "trees", "order", "edits", "lengths"]

# The kinds of units, in the order in which the core counts them.
_CHARACTERS = [f"char{order}" for order in range(1, 7)]
_WORDS = [f"word{order}" for order in range(1, 5)]
_ANCHORED = [f"anchored{order}" for order in range(1, 5)]
_SKIPS = ["skip1", "skip2", "skip3", "skip4", "skip"]
KINDS = [*_CHARACTERS, *_WORDS, *_ANCHORED, *_SKIPS]
EDITS = ("characters alike", "words alike")


@dataclass(frozen=True)
class Units:
    """The kinds of units of a template, and the numbers computed for each."""

    kinds: tuple[str, ...]
    numbers: tuple[str, ...]
    edits: bool = False  # how alike texts are by their edit distance
    order: bool = False  # matched words, and their order
    lengths: bool = True


_THESIS = (*_CHARACTERS[:5], *_WORDS, "skip2", "skip")
_FIVE = ("precision", "recall", "f1", "f2", "f0.5")
TEMPLATES: dict[str, Units] = {
    # As in the thesis (Stanojević 2017, §5.2).
    "thesis57": Units(_THESIS, _FIVE),
    # As in the released BEER 2.0: its character n-grams are one shorter than their names say, so the first
    # kind is how long the texts are.
    "release62": Units(("char0", *_CHARACTERS[:5], *_ANCHORED, *_SKIPS), ("precision", "recall", "f1", "g1")),
    # As in the released BEER 1.1, but without paraphrases, and with similar spellings instead of stems.
    "release11": Units(tuple(_CHARACTERS), ("precision", "recall", "f1"), order=True, lengths=False),
    # Those of the thesis, and two edit distances.
    "edits59": Units(_THESIS, _FIVE, edits=True),
}

# Groups of features that can be left out, and what the names of their features begin or end with.
GROUPS: dict[str, tuple[str, ...]] = {
    "characters": ("char",),
    "words": ("word", "anchored", "skip", *beer_order.MATCHED),
    "f": (" f1", " f2", " f0.5", " g1"),
    "function": ("function", "content"),
    "kendall": ("kendall",),
    "trees": ("trees",),
    "order": ("kendall", "trees"),
    "edits": EDITS,
    "lengths": ("words longer", "characters longer"),
}


def belongs(name: str, group: str) -> bool:
    """Whether a feature, maybe one of its pieces, is in a group."""
    if group in ("edits", "lengths"):
        return name.startswith(GROUPS[group])
    if name.startswith((*EDITS, *GROUPS["lengths"])):
        return False
    return any(mark in name if mark.startswith(" ") else name.startswith(mark) for mark in GROUPS[group])
