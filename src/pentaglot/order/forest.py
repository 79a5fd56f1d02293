"""All trees of a permutation, or of a sentence with words that have no links, in one `Forest`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from pentaglot._core import order as core
from pentaglot.align.words import normal_form
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import Forest
from pentaglot.options import suggestion
from pentaglot.order.links import Units
from pentaglot.order.permutation import Permutation

__all__ = [
    "ATTACHMENTS",
    "OPERATORS",
    "Attachment",
    "Trees",
    "attachments_of",
    "check_attached",
    "forest_svg",
    "permutation_forest",
    "span_of",
]

Trees = Literal["all", "left", "right"]
Attachment = Literal["right-bottom", "right-top", "left-bottom", "left-top"]
ATTACHMENTS: tuple[Attachment, ...] = ("right-bottom", "right-top", "left-bottom", "left-top")
# The names of operators by the number that is the payload of an edge. Edges of words, and of operators with more than
# five children, have the number after the last.
OPERATORS = ("12", "21", "01", "10", "2413", "3142", "24153", "25314", "31524", "35142", "41352", "42513")


def permutation_forest(
    units: Units | Permutation, trees: Trees = "all", *, attach: Sequence[Attachment] = ("right-bottom",)
) -> Forest:
    """The permutation forest: every derivation is a tree, and its words are the positions of the source words in their
    new order. Node payloads are spans of words (`span_of`), edge payloads operators.

    A word without links is joined by a separate operator, 01 or 10, to the phrase on its right or left (`bottom`),
    or to the largest constituent there that all trees have (`top`). All trees of one attachment give the same order;
    with several, trees of all go into the forest. The last words of a sentence are always joined to the left, the
    first ones to the right.

    >>> forest = permutation_forest(Permutation.read("4321"))
    >>> forest.count(), forest.viterbi().words
    (5, (3, 2, 1, 0))
    """
    if trees not in core.Trees.__members__:
        raise OptionError(f"there are no trees '{trees}'", hint=suggestion(trees, core.Trees.__members__))
    units = Units.of_words(units) if isinstance(units, Permutation) else units
    if not len(units.permutation):
        raise PentaglotError("a sentence without links has no permutation forest")
    begins = np.array([*(begin for begin, _ in units.spans), units.words], np.uint16)
    loose = np.array(units.loose, np.uint8)
    return Forest.from_packed(
        core.permutation_forest(
            units.permutation.as_array, loose, begins, core.Trees.__members__[trees], attachments_of(attach)
        )
    )


def attachments_of(names: Sequence[str]) -> list[tuple[core.Side, bool]]:
    """The native form of ways to attach words."""
    for name in names:
        if name not in ATTACHMENTS:
            raise OptionError(f"there is no attachment '{name}'", hint=suggestion(name, ATTACHMENTS))
    check_attached(names)
    return [(core.Side.__members__[name.split("-")[0]], name.endswith("top")) for name in names]


def check_attached(names: Sequence[str]) -> None:
    """Raises an error if there is no way to attach words."""
    if not names:
        raise OptionError("words without links must be attached somewhere", hint="name at least one attachment")


def span_of(payload: int) -> tuple[int, int]:
    """The words that a node of a permutation forest covers, from its payload."""
    return payload >> 32, payload & 0xFFFFFFFF


def forest_svg(forest: Forest, words: Sequence[str]) -> str:
    """A picture of a permutation forest, each node named by its words, its best tree in blue.

    >>> "5 derivations" in forest_svg(permutation_forest(Permutation.read("4321")), ["a", "b", "c", "d"])
    True
    """
    shown = [normal_form(word, lowercase=False) for word in words]
    return forest.to_svg(shown.__getitem__, label=lambda node: " ".join(shown[slice(*span_of(node))]))
