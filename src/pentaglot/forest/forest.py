"""`Forest`: what every search builds, and the verbs that everything else is done with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pentaglot import storage
from pentaglot._core import forest as core
from pentaglot.corpus import Vocabulary
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import semirings
from pentaglot.forest.arrays import ARRAYS
from pentaglot.forest.derivation import Derivation, DerivationArrays
from pentaglot.forest.features import FeatureSpace
from pentaglot.forest.lettering import Words
from pentaglot.steady import opens

if TYPE_CHECKING:
    from pentaglot.forest.lattice import Lattice

__all__ = ["Forest"]

_KIND, _VERSION = "forest", 1
_MOST_FEATURES = 1 << 22
_SATURATED = np.iinfo(np.uint64).max


@dataclass(frozen=True, eq=False)
class Forest:
    """A packed, weighted, directed acyclic hypergraph with one score for each edge.

    Nodes are numbered in topological order, edges by their head. Forests do not change: verbs return new ones. A
    score of minus infinity takes an edge out of every derivation. Anything that adds up over edges can be added to
    the scores, so hope and fear are `forest.plus(-cost).viterbi()` and `forest.plus(cost).viterbi()`.

    >>> from pentaglot.forest import example_forest
    >>> forest = example_forest()
    >>> forest.nodes, forest.edges, forest.count()
    (3, 6, 8)
    >>> [(round(each.score, 3), each.words) for each in forest.kbest(3)]
    [(-1.5, (5, 8, 7)), (-1.75, (7, 5)), (-2.0, (5, 8, 6))]
    """

    packed: core.Forest
    scores: NDArray[np.float64] = field(repr=False)

    @classmethod
    def from_packed(cls, packed: core.Forest, weights: ArrayLike | None = None) -> Forest:
        """A native forest under a weight vector; without one every score is zero."""
        return cls(packed, np.zeros(packed.edges)).rescore(() if weights is None else weights)

    def rescore(self, weights: ArrayLike) -> Forest:
        """The same forest under another weight vector, indexed by feature id; ids beyond it weigh nothing."""
        return Forest(self.packed, self.packed.scores(np.ascontiguousarray(weights, np.float64)))

    def with_scores(self, scores: ArrayLike) -> Forest:
        """The same forest with these scores, one for each edge."""
        given = np.ascontiguousarray(scores, np.float64)
        if given.shape != (self.edges,):
            raise PentaglotError(f"there are {given.size} scores for {self.edges} edges")
        return Forest(self.packed, given)

    def plus(self, values: ArrayLike) -> Forest:
        """The same forest with something added to the score of each edge: a cost, a bonus, a penalty."""
        return self.with_scores(self.scores + np.asarray(values, np.float64))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """From another process: see `as_arrays`."""
        self.__dict__.update(state)
        self.with_scores(self.scores)

    def __repr__(self) -> str:
        return f"Forest({self.nodes} nodes, {self.edges} edges)"

    @property
    def nodes(self) -> int:
        return self.packed.nodes

    @property
    def edges(self) -> int:
        return self.packed.edges

    @property
    def goal(self) -> int:
        return self.packed.goal

    @property
    def features(self) -> int:
        """One more than the largest feature id on any edge."""
        return self.packed.feature_count

    def tails(self, edge: int) -> list[int]:
        """The tail nodes of an edge."""
        offsets = self.packed.tail_offsets
        return [int(node) for node in self.packed.tails[int(offsets[edge]) : int(offsets[edge + 1])]]

    def incoming(self, node: int) -> range:
        """The edges that derive a node."""
        offsets = self.packed.edge_offsets
        return range(int(offsets[node]), int(offsets[node + 1]))

    def template(self, edge: int) -> list[int]:
        """The target side of an edge: word ids, and `tail(k)` for what tail k yields."""
        offsets, number = self.packed.template_offsets, int(self.packed.templates[edge])
        return [int(symbol) for symbol in self.packed.symbols[int(offsets[number]) : int(offsets[number + 1])]]

    def local_vector(self, edge: int) -> dict[int, float]:
        """The features of an edge."""
        offsets = self.packed.feature_offsets
        part = slice(int(offsets[edge]), int(offsets[edge + 1]))
        vector: dict[int, float] = {}
        for name, value in zip(
            self.packed.feature_ids[part].tolist(), self.packed.feature_values[part].tolist(), strict=True
        ):
            vector[name] = vector.get(name, 0.0) + value
        return vector

    # One derivation, some, all of them.

    def viterbi(self) -> Derivation:
        """The best derivation; of equally good ones the one whose edges come first, from the root down."""
        found = self._derivations(core.viterbi(self.packed, self.scores))
        return self._first(found)

    def best_along(self, slopes: ArrayLike) -> list[tuple[float, Derivation]]:
        """The derivations that are best for some x if `slopes` times x are added to the scores of edges, and from which
        x on each is; the first from minus infinity.

        >>> from pentaglot.forest import example_forest
        >>> [(start, found.words) for start, found in example_forest().best_along([1.0, 0, 0, 0, 0, 0])]
        [(-inf, (5, 8, 7)), (1.0, (4, 8, 7))]
        """
        found, derivations = core.best_along(self.packed, self.scores, self.with_scores(slopes).scores)
        return list(zip(found.tolist(), self._derivations(derivations), strict=True))

    def kbest(self, k: int, *, distinct: bool = False) -> list[Derivation]:
        """The k best derivations, from the best down (fewer if there are no more); `distinct` gives only the best
        derivation of each string of words."""
        _at_least("k", k, 0)
        return self._derivations(core.KBest(self.packed, self.scores, distinct).next(k))

    def kbest_arrays(self, k: int, *, distinct: bool = False) -> DerivationArrays:
        """The scores, words and features of the k best derivations as arrays: faster than objects where there are many.

        >>> from pentaglot.forest import example_forest
        >>> found = example_forest().kbest_arrays(2)
        >>> found.scores.tolist(), found.words.tolist(), found.word_offsets.tolist()
        ([-1.5, -1.75], [5, 8, 7, 7, 5], [0, 3, 5])
        """
        _at_least("k", k, 0)
        return DerivationArrays(*core.kbest_arrays(self.packed, self.scores, k, distinct))

    def derivations(self, *, distinct: bool = False) -> Iterator[Derivation]:
        """All derivations from the best down, each found when it is asked for."""
        search, size = core.KBest(self.packed, self.scores, distinct), 1
        while found := self._derivations(search.next(size)):
            yield from found
            size = min(2 * size, 256)

    def sample(self, n: int, seed: int = 0) -> list[Derivation]:
        """Draws n derivations, each with probability proportional to the exponential of its score. The same seed
        gives the same ones, whatever n is."""
        _at_least("n", n, 0)
        return self._derivations(core.sample(self.packed, self.scores, n, seed % 2**64))

    def count(self) -> int:
        """How many derivations there are, exactly, however many."""
        counted = int(core.inside_outside_count(self.packed, self.scores)[0][self.goal])
        if counted < _SATURATED:
            return counted
        weights: list[int] = np.where(np.isneginf(self.scores), 0, 1).tolist()
        return semirings.inside(self.packed, semirings.COUNT, weights)[self.goal]

    def _derivations(self, found: core._Derivations) -> list[Derivation]:
        scores, offsets, edges = found[0].tolist(), found[1].tolist(), found[2]
        return [Derivation(self.packed, score, edges[offsets[i] : offsets[i + 1]]) for i, score in enumerate(scores)]

    def _first(self, found: list[Derivation]) -> Derivation:
        if not found:
            raise PentaglotError("the forest has no derivation")
        return found[0]

    # Sums over all derivations.

    def inside(self, semiring: Literal["max", "log", "count"] = "log") -> NDArray[Any]:
        """For every node the sum over its derivations; counts above 2**64 - 2 are given as 2**64 - 1."""
        return _native(semiring)(self.packed, self.scores)[0]

    def outside(self, semiring: Literal["max", "log", "count"] = "log") -> NDArray[Any]:
        """For every node the sum over the ways to complete one of its derivations to one of the goal."""
        return _native(semiring)(self.packed, self.scores)[1]

    def log_total(self) -> float:
        """The logarithm of the sum of the exponentials of all derivations' scores (the log partition function)."""
        return float(self.inside("log")[self.goal])

    def marginals(self, semiring: Literal["max", "log"] = "log") -> NDArray[np.float64]:
        """For every edge: how often it is used on average (`log`, a posterior probability unless a derivation uses
        it twice), or the score of the best derivation with it (`max`, its max-marginal)."""
        if semiring not in ("max", "log"):
            raise OptionError(f"marginals are taken with 'max' or 'log', not {semiring!r}")
        return (core.max_marginals if semiring == "max" else core.posteriors)(self.packed, self.scores)

    def expectations(self, features: int | None = None) -> NDArray[np.float64]:
        """The mean of every feature: the gradient of `log_total` with respect to the weights."""
        size = self._dimensions() if features is None else features
        return core.summed_features(self.packed, self.marginals("log"), size)

    def _dimensions(self) -> int:
        """How long a vector over all features is; raises an error if that is far more than there are features."""
        if self.features > _MOST_FEATURES + len(self.packed.feature_ids):
            raise PentaglotError(
                f"the forest has a feature {self.features - 1}", hint="say how many features there are"
            )
        return self.features

    def mean(self, values: ArrayLike) -> float:
        """The mean over derivations of a quantity that adds up over edges."""
        return self.second_moments(values, np.zeros(self.edges))[0]

    def second_moments(self, first: ArrayLike, second: ArrayLike) -> tuple[float, float, float]:
        """The means of two quantities that add up over edges, and of their product."""
        one, other = np.ascontiguousarray(first, np.float64), np.ascontiguousarray(second, np.float64)
        return core.expectations(self.packed, self.scores, one, other)[1:]

    def covariances(self, values: ArrayLike, features: int | None = None) -> NDArray[np.float64]:
        """The covariance of every feature with a quantity that adds up over edges: the gradient of its mean (of a
        risk, say) with respect to the weights."""
        size = self._dimensions() if features is None else features
        return core.covariances(self.packed, self.scores, np.ascontiguousarray(values, np.float64), size)

    def entropy(self) -> float:
        """The entropy of the distribution over derivations, in nats."""
        usable = np.where(np.isneginf(self.scores), 0.0, self.scores)
        return self.log_total() - self.mean(usable)

    # Smaller forests.

    def prune(
        self, *, threshold: float | None = None, edges: int | None = None, edges_per_node: int | None = None
    ) -> Forest:
        """Keeps the edges whose max-marginal is at most `threshold` below the best score, at most `edges` in all, at
        most `edges_per_node` into each node. All limits hold together; the best derivation is always kept."""
        for name, limit in (("edges", edges), ("edges_per_node", edges_per_node)):
            _at_least(name, 1 if limit is None else limit, 1)
        loosest = float("inf") if threshold is None else threshold
        return self.keep(core.prune(self.packed, self.scores, loosest, edges or 0, edges_per_node or 0))

    def keep(self, edges: ArrayLike) -> Forest:
        """Keeps the marked edges (one mark each), except those that no derivation of the goal can use any more."""
        packed, kept = self.packed.subforest(np.ascontiguousarray(edges, np.bool_).view(np.uint8))
        return Forest(packed, self.scores[kept])

    # To other forms and back. (The modules imported inside these methods import this one.)

    def minimum_bayes_risk(
        self,
        gain: Callable[[tuple[int, ...], tuple[int, ...]], float] | None = None,
        *,
        k: int = 100,
        scale: float = 1.0,
    ) -> Derivation:
        """The derivation, among the k best, whose words have the largest mean gain; see `risk.minimum_bayes_risk`."""
        from pentaglot.forest.risk import minimum_bayes_risk

        return minimum_bayes_risk(self, gain, k=k, scale=scale).derivation

    def to_lattice(self) -> Lattice:
        """The lattice of a forest whose derivations are paths; see `linear.to_lattice`."""
        from pentaglot.forest.linear import to_lattice

        return to_lattice(self)

    def to_svg(
        self,
        vocabulary: Words | None = None,
        *,
        label: Callable[[int], str] | None = None,
        max_edges: int = 60,
    ) -> str:
        """A self-contained picture; see `drawing.to_svg`."""
        from pentaglot.forest.drawing import to_svg

        return to_svg(self, vocabulary, label=label, max_edges=max_edges)

    def to_json(self, vocabulary: Words | None = None, features: FeatureSpace | None = None) -> str:
        """One line of JSON; see `exchange.forest_to_json`. Of a translation, `Part.to_json` knows the words."""
        from pentaglot.forest.exchange import forest_to_json

        return forest_to_json(self, vocabulary, features)

    @classmethod
    def from_json(cls, text: str, vocabulary: Vocabulary | None = None, features: FeatureSpace | None = None) -> Forest:
        """Reads what `to_json` wrote."""
        from pentaglot.forest.exchange import forest_from_json

        return forest_from_json(text, vocabulary, features)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the forest as a stored directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for name in ARRAYS:
                new.add(name, getattr(self.packed, name))
            new.add("scores", self.scores)
            new.facts.update(nodes=self.nodes, edges=self.edges, goal=self.goal)

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> Forest:
        """Reads a saved forest."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        arrays = {name: stored.array(name, kind) for name, kind in ARRAYS.items()}
        with storage.damage_at(stored.path):
            packed = core.Forest(**arrays, goal=stored.fact("goal", int))
            scores = stored.array("scores", np.float64).copy()
            if bool((np.isnan(scores) | np.isposinf(scores)).any()):
                raise PentaglotError("a score is not a number")
            return Forest(packed, np.zeros(packed.edges)).with_scores(scores)


def _native(semiring: str) -> Callable[[core.Forest, NDArray[np.float64]], tuple[NDArray[Any], NDArray[Any]]]:
    known: dict[str, Callable[[core.Forest, NDArray[np.float64]], tuple[NDArray[Any], NDArray[Any]]]] = {
        "max": core.inside_outside_max,
        "log": core.inside_outside_log,
        "count": core.inside_outside_count,
    }
    if semiring not in known:
        raise OptionError(f"unknown semiring {semiring!r}", hint="known: " + ", ".join(known))
    return known[semiring]


def _at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise OptionError(f"{name} is {value}; it must be at least {least}")
