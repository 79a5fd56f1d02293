"""The features of BEER 1.1 about matched words and their order (Stanojević 2017, §5.2; paraphrases are left out).

They come from rows of `Matching.orders`: one from the translation to the reference and, for symmetric features, one
from the reference to the translation, of which the mean is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot.metrics.matched_words import WordOrders
from pentaglot.metrics.matching import Matching
from pentaglot.metrics.word_order import brevity_penalty

__all__ = ["MATCHED", "ORDERED", "copies_matched", "copies_ordered", "matched", "order_counts", "ordered"]

Matrix = NDArray[np.float64]

# Kinds of words, of each of which precision and recall are computed; and what is said of their order.
MATCHED = ("exact", "similar", "function", "content")
ORDERED = ("kendall", "kendall scaled", "trees number", "trees straight", "trees turned", "trees four", "trees more")


def order_counts(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    cut: bool,
    symmetric: bool,
    function_words: Sequence[str],
    threads: int,
) -> Matrix:
    """Rows of numbers from which all these features are computed."""
    matching = Matching("similar", cut=cut)
    sides = [(hypotheses, references), (references, hypotheses)][: 2 if symmetric else 1]
    found = [matching.orders(*each, function_words=function_words, threads=threads).rows for each in sides]
    return np.concatenate(found, axis=1)


def _sides(counts: Matrix, symmetric: bool) -> list[WordOrders]:
    return [WordOrders(rows) for rows in np.split(counts, 2 if symmetric else 1, axis=1)]


def matched(counts: Matrix, symmetric: bool) -> tuple[Matrix, Matrix, Matrix]:
    """Of each kind of words: those in common, those of the translation, those of the reference."""
    found = _sides(counts, symmetric)
    first = found[0]
    words, wanted = first["words"], first["reference words"]
    functions, wanted_functions = first["function words"], first["reference function words"]

    def mean(*names: str) -> Matrix:
        total = np.sum([each[name] for each in found for name in names], axis=0)
        return np.asarray(total / len(found))

    function = mean("exact function words", "stem function words")
    common = [mean("exact"), mean("similar"), function, mean("exact", "similar") - function]
    said = [words, words, functions, words - functions]
    asked = [wanted, wanted, wanted_functions, wanted - wanted_functions]
    return np.stack(common, axis=1), np.stack(said, axis=1), np.stack(asked, axis=1)


def ordered(counts: Matrix, symmetric: bool) -> Matrix:
    """What is said of the order of matched words: Kendall's measure, the same with a brevity penalty, and trees."""
    found = _sides(counts, symmetric)
    longest = found[0]["reference words"]
    if symmetric:
        longest = np.maximum(longest, found[0]["words"])
    rows = []
    for each in found:
        scaled = each["kendall"] * brevity_penalty(each["units"], longest)
        trees = [each[name] for name in ("tree-number", "straight", "turned", "four", "more")]
        rows.append(np.stack([each["kendall"], scaled, *trees], axis=1))
    means: Matrix = np.mean(rows, axis=0)
    return means


def copies_matched(counts: Matrix, symmetric: bool, of_either: bool) -> NDArray[np.bool_]:
    """Of which kinds copies of the references, or of either text, have words: these match, none of them only as
    similar."""
    _, said, wanted = matched(counts, symmetric)
    there: NDArray[np.bool_] = wanted > 0
    if of_either:
        there |= said > 0
    there[:, MATCHED.index("similar")] = False
    return there


def copies_ordered(counts: Matrix, symmetric: bool, of_either: bool) -> Matrix:
    """The order of copies of the references, or of the longer texts."""
    first = _sides(counts, symmetric)[0]
    words = first["reference words"]
    if of_either:
        words = np.maximum(words, first["words"])
    found = np.zeros((len(counts), len(ORDERED)))
    found[:, :3] = (words > 0)[:, None]
    found[:, 3] = words > 1
    return found
