"""Costs on forests: hope and fear, and what translations share with references, as something that adds up over edges.

*Hope* is a derivation that scores high and costs little, *fear* one that scores high and costs much. Where costs add up
over edges, both are found exactly, however many derivations there are: `hope`, `fear`, or `Forest.plus` and any verb.
Where only whole translations have a cost, such as a metric of a sentence, derivations are looked at from the best down
until no other one can be better: `hope_and_fear`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pentaglot._core import forest as core
from pentaglot.errors import PentaglotError
from pentaglot.forest.derivation import Derivation
from pentaglot.forest.forest import Forest

__all__ = ["HopeAndFear", "Matches", "fear", "hope", "hope_and_fear", "linear_bleu", "matches"]

_MOST_EDGES = 5_000_000


@dataclass(frozen=True, eq=False)
class Matches:
    """A forest in which n-grams belong to edges, with the statistics of every edge: how many words it adds, and how
    many n-grams of each order it completes that some reference has."""

    forest: Forest
    origins: NDArray[np.uint32]  # the edge of the first forest that each edge comes from
    statistics: NDArray[np.float64]


def matches(forest: Forest, references: Sequence[Sequence[int]], order: int = 4) -> Matches:
    """The forest with its nodes split until it is known which edge completes an n-gram, and which of them references
    have.

    The derivations are the same, with the same scores. Unlike those of BLEU, counts are not clipped: an n-gram that a
    reference has once counts every time it occurs.

    >>> from pentaglot.forest import example_forest
    >>> found = matches(example_forest(), [[5, 8, 7]], order=2)
    >>> best = found.forest.viterbi()
    >>> best.words, found.statistics[best.edges].sum(axis=0).tolist()
    ((5, 8, 7), [3.0, 3.0, 2.0])
    """
    sizes = np.array([len(each) for each in references], np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64)
    words = np.array([word for each in references for word in each], np.uint32)
    packed, origins, statistics = core.ngram_forest(forest.packed, order, offsets, words, _MOST_EDGES)
    return Matches(Forest(packed, forest.scores[origins]), origins, statistics.reshape(-1, order + 1))


def linear_bleu(found: Matches, length: float, *, precision: float = 0.85, ratio: float = 0.72) -> NDArray[np.float64]:
    """For every edge a cost, so that those of a derivation add up to 1 minus an approximation of BLEU (Tromble and
    others, 2008), for references of about `length` words. `precision` is a typical one of single words, `ratio` that
    between precisions of successive orders.

    >>> from pentaglot.forest import example_forest
    >>> found = matches(example_forest(), [[5, 8, 7], [4, 8, 7]])
    >>> costs = linear_bleu(found, 3.0)
    >>> hope(found.forest, 10 * costs).words, fear(found.forest, 10 * costs).words
    ((5, 8, 7), (5, 8, 6))
    """
    orders = found.statistics.shape[1] - 1
    typical = max(1.0, length)
    slopes = [1.0 / typical, *(-1.0 / (orders * typical * precision * ratio**n) for n in range(orders))]
    costs: NDArray[np.float64] = found.statistics @ np.array(slopes)
    last = found.forest.incoming(found.forest.goal)
    costs[last.start : last.stop] += 1.0  # every derivation has one edge of the goal
    return costs


def hope(forest: Forest, costs: ArrayLike) -> Derivation:
    """The derivation with the largest score minus cost; costs add up over edges. Its score is that difference."""
    return forest.plus(-np.asarray(costs, np.float64)).viterbi()


def fear(forest: Forest, costs: ArrayLike) -> Derivation:
    """The derivation with the largest score plus cost; costs add up over edges. Its score is that sum."""
    return forest.plus(costs).viterbi()


class HopeAndFear(NamedTuple):
    """Two derivations with what they cost, and whether no others can be better (or a limit came first)."""

    hope: Derivation
    fear: Derivation
    hope_cost: float
    fear_cost: float
    exact: bool


def hope_and_fear(
    forest: Forest,
    cost: Callable[[list[tuple[int, ...]]], ArrayLike],
    *,
    most: float = 1.0,
    limit: int = 10_000,
    batch: int = 64,
) -> HopeAndFear:
    """Hope and fear by a cost of whole translations, from 0 to `most`.

    `cost` gets the words of some translations and says what each costs. Different translations are asked for from the
    best down until none that follows can win, or `limit` of them were seen.

    >>> from pentaglot.forest import example_forest
    >>> found = hope_and_fear(example_forest(), lambda texts: [float(len(words) != 2) for words in texts])
    >>> found.hope.words, found.fear.words, found.exact
    ((7, 5), (5, 8, 7), True)
    """
    best: list[tuple[tuple[float, float], Derivation, float] | None] = [None, None]
    seen = 0
    search = core.KBest(forest.packed, forest.scores, True)
    while True:
        shown = forest._derivations(search.next(min(batch, limit - seen)))
        if shown:
            costs = np.asarray(cost([each.words for each in shown]), np.float64)
            if costs.shape != (len(shown),) or not bool(((costs >= 0) & (costs <= most)).all()):
                raise PentaglotError(f"every translation needs a cost from 0 to {most}")
            for each, price in zip(shown, costs.tolist(), strict=True):
                for side, sign in enumerate((-1.0, 1.0)):
                    rank = (each.score + sign * price, each.score)
                    if best[side] is None or rank > best[side][0]:  # type: ignore[index]
                        best[side] = (rank, each, price)
        seen += len(shown)
        hoped, feared = best
        if hoped is None or feared is None:
            raise PentaglotError("the forest has no derivation")
        # What follows scores at most as much as the last one; it may cost nothing, or as much as can be.
        over = not shown or (len(shown) < batch and seen < limit)
        done = over or (shown[-1].score < hoped[0][0] and shown[-1].score + most < feared[0][0])
        if done or seen >= limit:
            return HopeAndFear(hoped[1], feared[1], hoped[2], feared[2], done)
