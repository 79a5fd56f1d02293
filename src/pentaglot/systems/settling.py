"""Limits of the search that suit the word order of the training text.

How far the words of a translation move is a matter of the two languages. One limit for all would cost Japanese and
Turkish several points of BLEU, or other languages up to one (docs/translation.md has the figures).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pentaglot.align import reach
from pentaglot.rules import RuleOptions
from pentaglot.search import USUAL_DISTORTION_LIMIT, SearchOptions

__all__ = ["completed", "is_settled", "settled"]

_MOST = 15  # words; wider searches are slower, and gain little more


def is_settled(search: SearchOptions) -> bool:
    """Whether nothing is left to find in the training text."""
    return (search.input_span if search.search == "chart" else search.distortion_limit) is not None


def settled(
    search: SearchOptions, rules: RuleOptions, links: Mapping[str, NDArray[np.uint16]], offsets: NDArray[np.uint64]
) -> SearchOptions:
    """The same options with limits as wide as the words of the training text move (see `reach`): of what a rule may
    cover in the input, or of what the stack search may jump over. Limits that are given stay, and none gets less than
    usual."""
    if is_settled(search):
        return search
    chart = search.search == "chart"
    least = rules.max_span if chart else USUAL_DISTORTION_LIMIT
    furthest = reach(links["source_first"], links["source_last"], offsets, least=least, most=max(least, _MOST))
    if not chart:
        return dataclasses.replace(search, distortion_limit=furthest)
    return dataclasses.replace(search, input_span=furthest) if furthest > least else search


def completed(search: SearchOptions | None, trained: SearchOptions) -> SearchOptions:
    """Options for a model that was trained with others: where they leave open what training finds, it is as found.

    >>> completed(SearchOptions(search="stack"), SearchOptions(search="stack", distortion_limit=12)).distortion_limit
    12
    """
    if search is None or search.search != trained.search or is_settled(search):
        return search or trained
    if search.search == "chart":
        return dataclasses.replace(search, input_span=trained.input_span)
    return dataclasses.replace(search, distortion_limit=trained.distortion_limit)
