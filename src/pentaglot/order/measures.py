"""How near the order of a translation is to that of its reference: measures of permutations.

All are between 0 and 1, the identity has 1. A permutation of one word has 1, one of none has 0, as no word was found.
Stanojević 2017, §4.2 to §4.4; for sizes 1 and 2, where his formulas divide by 0, what his programs do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Literal

from pentaglot.order.permutation import Permutation
from pentaglot.order.tree import PermutationTree, catalan, largest_operator, tree_count, tree_of

__all__ = [
    "MEASURES",
    "forest_score",
    "fuzzy",
    "hamming",
    "kendall",
    "kendall_root",
    "mean_ranks",
    "operator_size",
    "spearman",
    "tree_number",
    "tree_score",
    "tree_size",
    "ulam",
]

_BETA = 0.6


def kendall(permutation: Permutation) -> float:
    """The share of pairs of words that are in order.

    >>> kendall(Permutation.read("1324")) == 5 / 6
    True
    """
    ranks, size = permutation.ranks, len(permutation)
    if size < 2:
        return float(size)
    kept = sum(ranks[i] < ranks[j] for j in range(size) for i in range(j))
    return kept / (size * (size - 1) / 2)


def kendall_root(permutation: Permutation) -> float:
    """The square root of Kendall's measure taken as a distance from 1 (Birch et al. 2010).

    >>> kendall_root(Permutation.read("21"))
    0.0
    """
    return 1 - sqrt(1 - kendall(permutation)) if len(permutation) else 0.0


def hamming(permutation: Permutation) -> float:
    """The share of words at their place.

    >>> hamming(Permutation.read("1324"))
    0.5
    """
    size = len(permutation)
    return sum(word == rank for word, rank in enumerate(permutation.ranks)) / size if size else 0.0


def spearman(permutation: Permutation) -> float:
    """1 minus the sum of the squared distances of words from their places, as a share of its maximum.

    >>> spearman(Permutation.read("1324"))
    0.9
    """
    size = len(permutation)
    if size < 2:
        return float(size)
    squares = sum((rank - word) ** 2 for word, rank in enumerate(permutation.ranks))
    return 1 - 3 * squares / (size * (size * size - 1))


def ulam(permutation: Permutation) -> float:
    """The length, less one, of the longest row of words that are in order, as a share of its maximum.

    >>> ulam(Permutation.read("2413")) == 1 / 3
    True
    """
    size = len(permutation)
    if size < 2:
        return float(size)
    ends: list[int] = []  # the least rank at which a row of each length can end
    for rank in permutation.ranks:
        place = bisect_left(ends, rank)
        ends[place : place + 1] = [rank]
    return (len(ends) - 1) / (size - 1)


def fuzzy(permutation: Permutation) -> float:
    """How few chunks of neighbours the words are in.

    >>> round(fuzzy(Permutation.read("3412")), 4)
    0.6667
    """
    ranks, size = permutation.ranks, len(permutation)
    if size < 2:
        return float(size)
    return 1 - sum(ranks[i + 1] != ranks[i] + 1 for i in range(size - 1)) / (size - 1)


def tree_size(permutation: Permutation) -> float:
    """How many nodes the canonical tree has (|PET|): the more, the smaller its operators.

    >>> tree_size(Permutation.read("24135")) == 1 / 3
    True
    """
    size = len(permutation)
    if size < 3:
        return float(size > 0)
    nodes = sum(1 for node in tree_of(permutation).nodes() if node.children)
    return (nodes - 1) / (size - 2)


def operator_size(permutation: Permutation) -> float:
    """How small the largest operator is (Max|Op|).

    >>> round(operator_size(Permutation.read("24135")), 4)
    0.3333
    """
    size = len(permutation)
    return 1 - (largest_operator(permutation) - 2) / (size - 2) if size > 2 else float(size > 0)


def tree_number(permutation: Permutation) -> float:
    """How many trees there are (#PETs), as a share of those of the identity: words that belong together are together.

    >>> tree_number(Permutation.read("2134"))
    0.25
    """
    size = len(permutation)
    if size < 3:
        return float(size > 0 and permutation.ranks != (1, 0))
    return (tree_count(permutation) - 1) / (catalan(size - 1) - 1)


def tree_score(permutation: Permutation, beta: float = _BETA) -> float:
    """RecPET: operators that keep the order, in the canonical tree; `beta` is the weight of a node against all below.
    It changes if the permutation is inverted.

    >>> round(tree_score(Permutation.read("2134")), 4), round(tree_score(Permutation.read("1243")), 4)
    (0.84, 0.8)
    """
    if not len(permutation):
        return 0.0
    scores: dict[int, float] = {}
    for node in reversed(list(tree_of(permutation).nodes())):
        below = [scores[id(child)] for child in node.children if child.children]
        scores[id(node)] = _joined(_own(node), below, beta) if node.children else 1.0
        root = scores[id(node)]
    return root


def forest_score(
    permutation: Permutation, beta: float = _BETA, variant: Literal["local", "uniform-length"] = "local"
) -> float:
    """RecPEF: the same over all trees. `local` takes the mean over the ways to divide each stretch of words, which is
    not the mean over trees; `uniform-length` takes the mean over trees, weighs children by their length, lets single
    words count, and is stretched so that the inverted order has 0, as the released program does.

    >>> forest_score(Permutation.read("12354")) == 331 / 375
    True
    >>> forest_score(Permutation.read("4321"), variant="uniform-length")
    0.0
    """
    if variant == "local":
        return _forest_score(permutation, beta)
    size = len(permutation)
    if size < 2 or beta == 0:  # where no operator counts, all orders are alike
        return float(size > 0)
    lowest = _uniform_score(Permutation(tuple(reversed(range(size)))), beta)
    found = _uniform_score(permutation, beta)
    return max(0.0, (found - lowest) / (1 - lowest))


def _own(node: PermutationTree) -> float:
    """1 for an operator that keeps the order."""
    return float(node.is_chain and node.operator[0] == 0)


def _joined(own: float, below: Sequence[float], beta: float) -> float:
    """A node's score from its operator's and those of its children with more than one word."""
    return beta * own + (1 - beta) * sum(below) / len(below) if below else own


def _forest_score(permutation: Permutation, beta: float) -> float:
    if not len(permutation):
        return 0.0
    scores: dict[int, float] = {}
    for node in reversed(list(tree_of(permutation, "flat").nodes())):
        large = [bool(child.children) for child in node.children]
        below = [scores[id(child)] for child in node.children]
        if not node.children:
            scores[id(node)] = 1.0
        elif not node.is_chain:
            scores[id(node)] = _joined(0.0, [each for each, counts in zip(below, large, strict=True) if counts], beta)
        else:
            scores[id(node)] = _chain_score(_own(node), below, large, beta)
        root = scores[id(node)]
    return root


def _chain_score(own: float, below: list[float], large: list[bool], beta: float) -> float:
    """Of a chain of one binary operator: the mean over where each stretch of its children is divided."""
    size = len(below)
    scores = {(i, i + 1): below[i] for i in range(size)}
    counts = {(i, i + 1): large[i] for i in range(size)}
    for length in range(2, size + 1):
        for x in range(size - length + 1):
            y = x + length
            ways = []
            for k in range(x + 1, y):
                parts = [scores[part] for part in ((x, k), (k, y)) if counts[part]]
                ways.append(sum(parts) / len(parts) if parts else 1.0)
            words_only = length == 2 and not (large[x] or large[x + 1])
            scores[x, y] = own if words_only else beta * own + (1 - beta) * sum(ways) / len(ways)
            counts[x, y] = True
    return scores[0, size]


def _uniform_score(permutation: Permutation, beta: float) -> float:
    """The mean over all trees; children count by their length, words too."""
    scores: dict[int, float] = {}
    for node in reversed(list(tree_of(permutation, "flat").nodes())):
        sizes = [child.span[1] - child.span[0] for child in node.children]
        below = [scores[id(child)] for child in node.children]
        if not node.children:
            scores[id(node)] = 1.0
        elif not node.is_chain:
            mean = sum(size * each for size, each in zip(sizes, below, strict=True)) / sum(sizes)
            scores[id(node)] = (1 - beta) * mean
        else:
            scores[id(node)] = _uniform_chain(_own(node), below, sizes, beta)
        root = scores[id(node)]
    return root


def _uniform_chain(own: float, below: list[float], sizes: list[int], beta: float) -> float:
    """A way to divide a stretch counts as often as there are trees with it: products of Catalan numbers."""
    size = len(below)
    ends = [sum(sizes[:i]) for i in range(size + 1)]
    scores = {(i, i + 1): below[i] for i in range(size)}
    for length in range(2, size + 1):
        for x in range(size - length + 1):
            y, total, trees = x + length, 0.0, 0
            for k in range(x + 1, y):
                number = catalan(k - x - 1) * catalan(y - k - 1)
                words = (ends[k] - ends[x]) * scores[x, k] + (ends[y] - ends[k]) * scores[k, y]
                total += number * words / (ends[y] - ends[x])
                trees += number
            scores[x, y] = beta * own + (1 - beta) * total / trees
    return scores[0, size]


def mean_ranks(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The mean, over all columns, of each row's rank, the highest first; ties share their mean rank.

    >>> mean_ranks({"one": [0.3, 0.5], "other": [0.2, 0.5]})
    {'one': 1.25, 'other': 1.75}
    """
    columns = list(zip(*scores.values(), strict=True))
    ranks = [[1 + sum(b > a for b in column) + (column.count(a) - 1) / 2 for a in column] for column in columns]
    return {name: sum(each) / len(columns) for name, each in zip(scores, zip(*ranks, strict=True), strict=True)}


# By the names of the thesis.
MEASURES: Mapping[str, Callable[[Permutation], float]] = {
    "kendall": kendall,
    "hamming": hamming,
    "spearman": spearman,
    "ulam": ulam,
    "fuzzy": fuzzy,
    "|pet|": tree_size,
    "max|op|": operator_size,
    "#pets": tree_number,
    "recpet": tree_score,
    "recpef": forest_score,
}
