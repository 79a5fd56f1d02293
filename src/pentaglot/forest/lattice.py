"""`Lattice`: a forest whose derivations are paths. Word lattices are what decoders read, phrase lattices what a stack
decoder leaves behind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot.errors import PentaglotError
from pentaglot.forest.builder import ForestBuilder, tail
from pentaglot.forest.derivation import Derivation
from pentaglot.forest.forest import Forest

__all__ = ["Arc", "Lattice", "Path"]


@dataclass(frozen=True)
class Arc:
    """A step from one node to another with some words (one in a word lattice, perhaps none)."""

    start: int
    end: int
    words: tuple[int, ...] = ()
    score: float = 0.0
    features: Mapping[int, float] = field(default_factory=dict)
    payload: int = 0


@dataclass(frozen=True)
class Path:
    """One way through a lattice, by the numbers of its arcs."""

    score: float
    arcs: tuple[int, ...]
    words: tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """An acyclic graph of words. Node 0 is the start, nodes are in topological order (every arc goes to a higher
    number), and a path may end in any of the `finals`.

    >>> arcs = [Arc(0, 1, (4,), -0.5), Arc(0, 1, (5,), -1.0), Arc(1, 2, (6,)), Arc(0, 2, (7,), -2.0)]
    >>> lattice = Lattice.from_arcs(arcs)
    >>> lattice.count(), lattice.best_path().words
    (3, (4, 6))
    >>> [path.score for path in lattice.kbest(9)]
    [-0.5, -1.0, -2.0]
    """

    nodes: int
    arcs: tuple[Arc, ...]
    finals: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.finals or any(not 0 <= node < self.nodes for node in self.finals):
            raise PentaglotError("a lattice needs a final node among its nodes")
        if len(set(self.finals)) != len(self.finals):
            raise PentaglotError("a final node of the lattice is named twice")
        for number, arc in enumerate(self.arcs):
            if not 0 <= arc.start < arc.end < self.nodes:
                raise PentaglotError(
                    f"arc {number} goes from node {arc.start} to node {arc.end}, but nodes are numbered from 0 to "
                    f"{self.nodes - 1} and every arc goes to a higher number"
                )

    @classmethod
    def from_arcs(cls, arcs: Iterable[Arc], *, start: int = 0, finals: Sequence[int] | None = None) -> Lattice:
        """Renumbers nodes with any numbers in topological order. Without `finals`, paths end where no arc leaves."""
        given = list(arcs)
        names = {start, *(finals or ()), *(each.start for each in given), *(each.end for each in given)}
        order = _topological(names, given, start)
        ends = sorted(names - {each.start for each in given}) if finals is None else list(finals)
        renamed = tuple(
            Arc(order[each.start], order[each.end], each.words, each.score, each.features, each.payload)
            for each in given
        )
        return cls(len(order), renamed, tuple(sorted(order[each] for each in ends)))

    @classmethod
    def from_words(cls, words: Iterable[int]) -> Lattice:
        """The lattice of one sentence."""
        arcs = tuple(Arc(place, place + 1, (word,)) for place, word in enumerate(words))
        return cls(len(arcs) + 1, arcs, (len(arcs),))

    @classmethod
    def from_columns(cls, columns: Iterable[Sequence[tuple[int | None, float]]]) -> Lattice:
        """A confusion network: for each place some words with their scores; None is the empty word.

        >>> Lattice.from_columns([[(4, 0.0), (None, -1.0)], [(5, 0.0)]]).kbest(2)[1].words
        (5,)
        """
        arcs, size = [], 0
        for size, column in enumerate(columns, 1):
            if not column:
                raise PentaglotError(f"column {size} of the confusion network is empty")
            arcs += [Arc(size - 1, size, () if word is None else (word,), score) for word, score in column]
        return cls(size + 1, tuple(arcs), (size,))

    @classmethod
    def from_sequences(cls, sequences: Iterable[Sequence[int]]) -> Lattice:
        """The smallest lattice with exactly these sequences, each on one path.

        >>> lattice = Lattice.from_sequences([[4, 5, 6], [4, 7, 6], [4, 6]])
        >>> lattice.nodes, len(lattice.arcs), lattice.count()
        (4, 5, 3)
        """
        root = _Trie()
        for sequence in sequences:
            node = root
            for word in sequence:
                node = node.next.setdefault(word, _Trie())
            node.final = True
        return _minimised(root)

    @cached_property
    def forest(self) -> Forest:
        """The same paths as a forest. The payload of an edge is the number of its arc plus one, or 0 for the edges
        that begin and end a path."""
        builder = ForestBuilder()
        nodes = [builder.node(payload) for payload in range(self.nodes)]
        builder.edge(nodes[0])
        scores = [0.0]
        by_end = sorted(range(len(self.arcs)), key=lambda number: self.arcs[number].end)
        for number in by_end:
            arc = self.arcs[number]
            builder.edge(nodes[arc.end], [nodes[arc.start]], [tail(0), *arc.words], arc.features, number + 1)
            scores.append(arc.score)
        goal = nodes[self.finals[0]]
        if len(self.finals) > 1:
            goal = builder.node(self.nodes)
            for final in self.finals:
                builder.edge(goal, [nodes[final]])
                scores.append(0.0)
        return builder.finish(goal, trim=False).with_scores(scores)

    def best_path(self) -> Path:
        """The best path."""
        return self._path(self.forest.viterbi())

    def kbest(self, k: int, *, distinct: bool = False) -> list[Path]:
        """The k best paths, or the best path of each of the k best strings."""
        return [self._path(each) for each in self.forest.kbest(k, distinct=distinct)]

    def count(self) -> int:
        """How many paths there are."""
        return self.forest.count()

    def _path(self, derivation: Derivation) -> Path:
        arcs = tuple(int(payload) - 1 for payload in derivation.payloads.tolist()[::-1] if payload)
        return Path(derivation.score, arcs, derivation.words)

    def prune(self, *, threshold: float | None = None, arcs: int | None = None) -> Lattice:
        """Keeps the arcs whose best path is at most `threshold` worse than the best of all, and at most `arcs` of them.
        (Forward-backward pruning: Sixtus and Ortmanns 1999.) The best path is always kept."""
        forest = self.forest
        if arcs is not None:  # the forest's own edges, one at the start and one for each end, do not count
            arcs += 1 + (len(self.finals) if len(self.finals) > 1 else 0)
        left = forest.prune(threshold=threshold, edges=arcs)
        kept = sorted(int(payload) - 1 for payload in left.packed.edge_payloads.tolist() if payload)
        ends = [int(left.packed.node_payloads[node]) for node in self._ends(left)]
        return Lattice.from_arcs([self.arcs[number] for number in kept], finals=ends)

    def _ends(self, forest: Forest) -> list[int]:
        if len(self.finals) == 1:
            return [forest.goal]
        return [node for edge in forest.incoming(forest.goal) for node in forest.tails(edge)]

    def split_words(self) -> Lattice:
        """The same paths with at most one word on an arc: score, features and payload stay with the first."""
        arcs: list[Arc] = []
        fresh = self.nodes
        for arc in self.arcs:
            between = list(range(fresh, fresh + max(0, len(arc.words) - 1)))
            fresh += len(between)
            stops = [arc.start, *between, arc.end]
            arcs.append(Arc(stops[0], stops[1], arc.words[:1], arc.score, arc.features, arc.payload))
            arcs += [Arc(stops[i], stops[i + 1], (word,)) for i, word in enumerate(arc.words) if i]
        return Lattice.from_arcs(arcs, finals=self.finals)

    def longest(self) -> NDArray[np.int64]:
        """For every two nodes the largest number of words on a path from one to the other; -1 if there is none.
        One topological sweep for all starts together (Gimpel 2012, vine limits)."""
        lengths = np.full((self.nodes, self.nodes), -1, np.int64)  # [end, start], so that a row is contiguous
        np.fill_diagonal(lengths, 0)
        for arc in sorted(self.arcs, key=lambda each: each.end):
            before = lengths[arc.start]
            np.maximum(lengths[arc.end], np.where(before < 0, -1, before + len(arc.words)), out=lengths[arc.end])
        return lengths.T


class _Trie:
    def __init__(self) -> None:
        self.next: dict[int, _Trie] = {}
        self.final = False


def _minimised(root: _Trie) -> Lattice:
    """Joins states with the same future, from the leaves up."""
    states: dict[tuple[bool, tuple[tuple[int, int], ...]], int] = {}
    names: dict[int, int] = {}
    stack = [(root, False)]
    while stack:
        node, visited = stack.pop()
        if not visited:
            stack.append((node, True))
            stack.extend((each, False) for each in node.next.values())
            continue
        future = tuple(sorted((word, names[id(each)]) for word, each in node.next.items()))
        names[id(node)] = states.setdefault((node.final, future), len(states))
    arcs = [Arc(state, end, (word,)) for (_, future), state in states.items() for word, end in future]
    finals = [state for (final, _), state in states.items() if final]
    if not finals:
        raise PentaglotError("a lattice needs at least one sequence")
    return Lattice.from_arcs(arcs, start=names[id(root)], finals=finals)


def _topological(names: set[int], arcs: list[Arc], start: int) -> dict[int, int]:
    """New numbers for nodes: the start first, then by the longest way from it, so that a layered lattice keeps its
    layers together."""
    leaving: dict[int, list[int]] = {name: [] for name in names}
    waiting = dict.fromkeys(names, 0)
    for arc in arcs:
        leaving[arc.start].append(arc.end)
        waiting[arc.end] += 1
    if waiting[start]:
        raise PentaglotError(f"the start of the lattice, node {start}, has an arc that leads to it")
    depth = dict.fromkeys(names, 0)
    ready = [name for name in names if not waiting[name]]
    done = 0
    while ready:
        name = ready.pop()
        done += 1
        for end in leaving[name]:
            depth[end] = max(depth[end], depth[name] + 1)
            waiting[end] -= 1
            if not waiting[end]:
                ready.append(end)
    if done != len(names):
        raise PentaglotError("the lattice has a cycle")
    sequence = sorted(names, key=lambda name: (name != start, depth[name], name))
    return {name: number for number, name in enumerate(sequence)}
