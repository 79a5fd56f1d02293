"""`Preorderer`: puts the words of new sentences into the order of the other language."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import order as core
from pentaglot.corpus import Text, Tokenizer, encode
from pentaglot.errors import refuse_text
from pentaglot.forest import Lattice
from pentaglot.options import check_number, checked
from pentaglot.order.boundaries import is_mark
from pentaglot.order.grammar import ReorderingGrammar
from pentaglot.order.links import sentence_lengths
from pentaglot.order.options import OrderOptions
from pentaglot.order.order_lattice import order_lattice
from pentaglot.order.parse import Parse
from pentaglot.order.permutation import Permutation

__all__ = ["LONGEST", "Preordered", "Preorderer"]

_TOGETHER = 512
_DRAWN_FOR_LATTICE = 1000  # derivations
LONGEST = 20_000  # words of a line that is ordered


@dataclass(frozen=True)
class Preordered:
    """A sentence in its new order. `expected_loss` is the share of pairs of words that are expected to stand the other
    way round. A sentence that no tree covers is `glued` together from parts, a long one is `cut` first, and one of more
    than 20,000 words is `kept` as it was typed. One whose words are all unknown to the grammar, but for marks, is
    `unknown`."""

    words: list[str]
    permutation: Permutation
    log_probability: float
    expected_loss: float
    glued: bool
    cut: bool
    kept: bool = False
    unknown: bool = False


@dataclass(frozen=True, eq=False)
class Preorderer:
    """A reordering grammar and how orders are chosen by it.

    >>> from pentaglot.align import Alignment
    >>> from pentaglot.order import GrammarOptions, train_grammar
    >>> text, words = encode([["I", "tea", "drink"]] * 5)
    >>> links = Alignment.from_links([[(0, 0), (1, 2), (2, 1)]] * 5)
    >>> grammar = train_grammar(text, words, links, GrammarOptions(least_words=1, binary_states=2))
    >>> [each.words for each in Preorderer(grammar).order([["I", "tea", "drink"], []])]
    [['I', 'drink', 'tea'], []]
    """

    grammar: ReorderingGrammar
    options: OrderOptions = field(default_factory=OrderOptions)

    def __post_init__(self) -> None:
        checked(self.options)

    @classmethod
    def open(cls, path: str | os.PathLike[str], options: OrderOptions | None = None) -> Preorderer:
        """Opens one with a saved grammar."""
        return cls(ReorderingGrammar.open(path), options or OrderOptions())

    @property
    def tokenizer(self) -> Tokenizer:
        """How the grammar's sentences were cut into words; at spaces if it does not say."""
        return self.grammar.tokenizer or Tokenizer("none")

    def order(self, sentences: Iterable[Sequence[str]], *, threads: int = 1) -> Iterator[Preordered]:
        """The sentences, given as words, in their new order, some hundreds at a time. The result does not depend on
        `threads`."""
        remaining, done = iter(sentences), 0
        while batch := list(islice(remaining, _TOGETHER)):
            for words in batch:
                refuse_text(words, lacks="words")
            yield from self._order(list(map(list, batch)), done, threads)
            done += len(batch)

    def order_one(self, words: Sequence[str]) -> Preordered:
        """One sentence in its new order."""
        return next(self.order([words]))

    def parse(self, words: Sequence[str]) -> Parse:
        """All derivations of a sentence, by the same options."""
        given = self.options
        return self.grammar.parse(words, prune=given.prune, far=given.far, boundaries=given.boundaries)

    def knows_none(self, words: Sequence[str]) -> bool:
        """Whether all words of a sentence, but for marks, are unknown to the grammar."""
        refuse_text(words, lacks="words")
        text, _ = encode([list(words)], self.grammar.vocabulary)
        return bool(words) and _all_unknown(words, self._strange(text))

    def lattice(self, words: Sequence[str], orders: int | None = None, parse: Parse | None = None) -> Lattice:
        """A lattice of several orders of a sentence, as many as the options say or as are drawn: those of the least
        expected loss, and the order as typed. Its labels are places of words; see `order_lattice`. If it had more arcs
        than the options allow, there are fewer orders, but never fewer than the best and the one as typed. A sentence
        of more words than the options allow has one order. With `lattice_from="chart"` it is made of likely trees
        instead. A `parse` of the sentence by the same options saves making one."""
        orders = check_number("orders", self.options.orders if orders is None else orders, 1, 1000)
        if orders == 1 or len(words) > self.options.longest or len(words) < 2:
            return Lattice.from_sequences([self.order_one(words).permutation.order])
        parse = parse or self.parse(words)
        if self.options.lattice_from == "chart":
            return parse.lattice(self.options.arcs)
        samples = _DRAWN_FOR_LATTICE if self.options.samples is None else self.options.samples
        drawn = parse.orders(orders, samples, self.options.seed)
        usual = [parse.best_order(0), Permutation.identity(len(words))]
        found = list(dict.fromkeys([*usual, *(each.permutation for each in drawn)]))
        return self._within_arcs(found[:orders], parse)

    def _within_arcs(self, orders: list[Permutation], parse: Parse) -> Lattice:
        # The time of the search grows with arcs: the orders of long sentences share few of them.
        made = order_lattice(orders, parse.before)
        while len(made.arcs) > self.options.arcs and len(orders) > 2:
            orders = orders[: max(2, min(len(orders) * self.options.arcs // len(made.arcs), len(orders) - 1))]
            made = order_lattice(orders, parse.before)
        return made

    def order_lines(self, lines: Iterable[str], *, threads: int = 1) -> Iterator[Preordered]:
        """The same for lines of text, which are cut into words as the grammar's own."""
        refuse_text(lines, lacks="lines")
        return self.order(map(self.tokenizer.tokenise, lines), threads=threads)

    def _gaps(self, text: Text, sentences: list[list[str]]) -> NDArray[np.uint8]:
        bounds = self.grammar.boundaries if self.options.boundaries else None
        return np.empty(0, np.uint8) if bounds is None else bounds.gaps(text, sentences)

    def _order(self, batch: list[list[str]], number: int, threads: int) -> Iterator[Preordered]:
        known = [words if len(words) <= LONGEST else [] for words in batch]
        text, _ = encode(known, self.grammar.vocabulary)
        choice = core.OrderChoice.__members__[self.options.choice.replace("-", "_")]
        ranks, notes, chances, losses = core.preorder(
            self.grammar.native,
            self.grammar.native_unsplit,
            text,
            self._gaps(text, known),
            choice,
            self.options.draws,
            (self.options.seed + number) % 2**64,
            self.options.longest,
            self.options.least_gain,
            self.options.prune,
            self.grammar.reach,
            self.options.far,
            threads,
        )
        ends = np.cumsum([len(words) for words in known]).tolist()
        strange = self._strange(text)
        for words, end, note, chance, loss in zip(
            batch, ends, notes.tolist(), chances.tolist(), losses.tolist(), strict=True
        ):
            if len(words) > LONGEST:
                yield Preordered(words, Permutation.identity(len(words)), 0.0, 0.0, False, False, kept=True)
                continue
            permutation = Permutation(tuple(ranks[end - len(words) : end].tolist()))
            glued, cut = bool(note & core.WAS_GLUED), bool(note & core.WAS_CUT)
            unknown = bool(words) and _all_unknown(words, strange[end - len(words) : end])
            yield Preordered(permutation.apply(words), permutation, chance, loss, glued, cut, unknown=unknown)

    def _strange(self, text: Text) -> NDArray[np.bool_]:
        """Which words of all sentences are unknown to the grammar."""
        ends = np.cumsum(sentence_lengths(text).astype(np.int64) + 1) - 1
        unknown: NDArray[np.bool_] = self.grammar.terminals.words[np.delete(text.tokens, ends)] == 0
        return unknown


def _all_unknown(words: Sequence[str], strange: NDArray[np.bool_]) -> bool:
    marks = [is_mark(word) for word in words] if strange.any() else []
    return any(strange) and not all(marks) and bool((strange | marks).all())
