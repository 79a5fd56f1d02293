"""`Parse`: all derivations of a sentence by a reordering grammar, and the orders that they give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import order as core
from pentaglot.corpus import encode
from pentaglot.errors import OptionError, PentaglotError, refuse_text
from pentaglot.forest import Forest, Lattice
from pentaglot.options import check_number
from pentaglot.order.chart_lattice import LEAST, Division, Span, chart_lattice, parts_of
from pentaglot.order.forest import OPERATORS
from pentaglot.order.grammar import ReorderingGrammar
from pentaglot.order.order_tree import OrderTree
from pentaglot.order.permutation import Permutation

__all__ = ["Parse", "RankedOrder"]

_ALL = np.empty(0, np.uint16)
_NO_GAPS = np.empty(0, np.uint8)
_LEAF = len(OPERATORS)
_MOST = 1_000_000  # derivations that are drawn


@dataclass(frozen=True)
class RankedOrder:
    """An order with the mean share of pairs of words that other orders have the other way round."""

    permutation: Permutation
    expected_loss: float
    probability: float  # the share of drawn derivations that give it


@dataclass(frozen=True, eq=False)
class Parse:
    """The derivations of one sentence. `glued` says that no tree covers it, so it was put together, in its own order,
    from stretches that have one."""

    grammar: ReorderingGrammar
    words: tuple[int, ...]  # by their ids
    allowed: NDArray[np.uint16]
    _sums: core.Parse
    far: float = 0.0  # how much less is expected of words that are far apart; 0: exact expectations
    gaps: NDArray[np.uint8] = field(default_factory=lambda: _NO_GAPS)  # between words; see `Boundaries.gaps`

    @classmethod
    def of(
        cls,
        grammar: ReorderingGrammar,
        sentence: Sequence[str],
        *,
        prune: float = 0.0,
        far: float = 0.0,
        boundaries: bool = False,
    ) -> Parse:
        """Parses a sentence. With `prune`, nodes that the grammar without states finds less likely are not tried; with
        `far`, moves further than training sentences were long are doubted; with `boundaries`, rows of unknown words
        stay together and little moves over marks (see `OrderOptions`)."""
        refuse_text(sentence, lacks="words")
        words = list(sentence)
        if not words:
            raise PentaglotError("a sentence without words cannot be parsed")
        _check_share("prune", prune)
        if not 0 <= far < math.inf:
            raise OptionError(f"option 'far' is {far}; it must be at least 0")
        text, _ = encode([words], grammar.vocabulary)
        ids = np.ascontiguousarray(text.tokens[:-1])
        gaps = _NO_GAPS
        if boundaries and grammar.boundaries is not None:
            gaps = grammar.boundaries.gaps(text, [words])
        allowed = core.likely_nodes(grammar.native_unsplit, ids, prune, gaps) if prune > 0 else _ALL
        sums = core.Parse(grammar.native, ids, False, allowed, gaps)
        return cls(grammar, tuple(ids.tolist()), allowed, sums, far, gaps)

    @property
    def glued(self) -> bool:
        return self._sums.glued

    @property
    def log_probability(self) -> float:
        """The log-probability of the sentence in any order: summed over all derivations."""
        return self._sums.log_probability

    @cached_property
    def turned(self) -> NDArray[np.float64]:
        """For words u < v, in row u and column v, how likely v is to come before u; 0 elsewhere."""
        size = len(self.words)
        return self._sums.precedence(self.grammar.reach, self.far).reshape(size, size)

    @cached_property
    def before(self) -> NDArray[np.float64]:
        """In row u and column v how likely word u is to come before word v."""
        upper = np.triu(1.0 - self.turned, 1)
        return upper + self.turned.T

    def best_order(self, samples: int = 100, seed: int = 1) -> Permutation:
        """The order of least expected loss among all that binary trees can make, and those of some derivations drawn at
        random."""
        size = len(self.words)
        binary = core.best_binary_order(size, self.turned.reshape(-1))
        loss = float(core.expected_losses(size, self.turned.reshape(-1), binary)[0])
        drawn = self.orders(1, samples, seed) if samples else []
        if drawn and drawn[0].expected_loss < loss - 1e-9:
            return drawn[0].permutation
        return Permutation.from_order(binary.tolist())

    def draw(self, samples: int, seed: int = 1) -> list[tuple[Permutation, int]]:
        """The orders that derivations drawn at random give, and how often each was drawn; the most frequent first.
        Different derivations of one order are the same here."""
        check_number("samples", samples, 0, _MOST)
        orders, counts = self._sums.draw(samples, seed % 2**64)
        rows = orders.reshape(-1, len(self.words)).tolist()
        return [(Permutation.from_order(row), count) for row, count in zip(rows, counts.tolist(), strict=True)]

    def orders(self, k: int, samples: int = 10_000, seed: int = 1) -> list[RankedOrder]:
        """Up to k of the orders that are drawn, those of the least expected loss first (Stanojević 2017, §3.3.3); of
        equals, the more frequent one comes first. The expectation is exact."""
        check_number("k", k, 1, 2**31)
        check_number("samples", samples, 0, _MOST)
        orders, counts = self._sums.draw(samples, seed % 2**64)
        losses = core.expected_losses(len(self.words), self.turned.reshape(-1), orders)
        rows = orders.reshape(-1, len(self.words))
        chosen = np.argsort(losses, kind="stable")[:k].tolist()
        return [
            RankedOrder(Permutation.from_order(rows[i].tolist()), float(losses[i]), float(counts[i] / samples))
            for i in chosen
        ]

    def forest(self, least: float = 1e-3) -> Forest:
        """The part of the chart whose edges are used by at least this share of all derivations, written down. Scores
        are logarithms of probabilities; derivations yield positions of words in their new order, so that
        `forest.kbest(10, distinct=True)` gives orders by their best derivations."""
        _check_share("least", least)
        return Forest.from_packed(self._sums.forest(least), [1.0])

    def divisions(self, least: float = LEAST) -> list[Division]:
        """How trees divide stretches of words, whatever states they have: all ways that at least this share of all
        derivations takes. Operators that do the same (12, 01 and 10) are one way."""
        begins, ends, kinds, posts, chances = self._sums.divisions(least)
        rows = zip(begins.tolist(), ends.tolist(), kinds.tolist(), posts.reshape(-1, 4).tolist(), strict=True)
        found: dict[tuple[Span, tuple[Span, ...]], float] = {}
        for (begin, end, kind, row), chance in zip(rows, chances.tolist(), strict=True):
            way = (begin, end), parts_of((begin, end), kind, row)
            found[way] = found.get(way, 0.0) + chance
        return [Division(span, parts, chance) for (span, parts), chance in found.items()]

    def lattice(self, arcs: int = 500) -> Lattice:
        """A lattice of likely orders straight from the chart, with at most this many arcs besides those of the best
        order and the order as typed; see `chart_lattice`."""
        check_number("arcs", arcs, 0, 2**31)
        usual = [self.best_order(0), Permutation.identity(len(self.words))]
        return chart_lattice(self.divisions(), self._sums.pieces, self.before, usual, arcs=arcs)

    @cached_property
    def _best(self) -> core.Parse:
        return core.Parse(self.grammar.native, np.array(self.words, np.uint32), True, self.allowed, self.gaps)

    @property
    def best_log_probability(self) -> float:
        """The log-probability of the likeliest derivation."""
        return self._best.log_probability

    def best_trees(self) -> list[OrderTree]:
        """The likeliest derivation: one tree, or those of all stretches if it is glued."""
        begins, ends, kinds, states, _ = (each.tolist() for each in self._best.tree())
        trees: list[OrderTree] = []
        for begin, end, kind, state in reversed(list(zip(begins, ends, kinds, states, strict=True))):
            if kind == _LEAF:
                trees.append(OrderTree((begin, end)))
                continue
            name = OPERATORS[kind]
            below = tuple(trees.pop() for _ in name)
            trees.append(OrderTree((begin, end), name, state, below))
        return trees[::-1]

    def best_tree_order(self) -> Permutation:
        """The order that the likeliest derivation gives, which is not always the likeliest order."""
        return Permutation.from_order(self._best.tree()[4].tolist())


def _check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise OptionError(f"option '{name}' is {value}; it must be from 0 to 1")
