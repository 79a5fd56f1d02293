"""`ReorderingGrammar`: a grammar of permutation trees over source sentences, learnt from word alignments alone."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import order as core
from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus import Tokenizer, open_vocabulary, save_vocabulary
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.options import read_options
from pentaglot.order.boundaries import Boundaries
from pentaglot.order.forest import OPERATORS
from pentaglot.order.options import GrammarOptions
from pentaglot.order.permutation import Permutation
from pentaglot.steady import opens

if TYPE_CHECKING:
    from pentaglot.order.parse import Parse

__all__ = ["Lexicon", "ReorderingGrammar", "Rules", "Terminals", "slot_columns"]

_KIND, _VERSION = "reordering grammar", 1
_ARITIES = (*map(len, OPERATORS), 1)  # the root is the last
SLOT_OPERATORS = np.repeat(np.arange(len(_ARITIES)), _ARITIES)  # of each kind of slot


@dataclass(frozen=True, eq=False)
class Terminals:
    """What slots are filled with besides operators. Number 0 is the unknown word. `words` are the terminals of words by
    themselves, by id; with classes of words, `factors` says how likely the word is in its class. Phrases of several
    words are the last terminals."""

    words: NDArray[np.uint32]
    factors: NDArray[np.float32]
    phrase_offsets: NDArray[np.uint64]
    phrase_words: NDArray[np.uint32]
    first: int  # the first of them

    @property
    def count(self) -> int:
        """How many terminals there are."""
        return self.first + len(self.phrase_offsets) - 1


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Which kinds of slots each terminal may fill."""

    offsets: NDArray[np.uint64]
    slots: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Rules:
    """Probabilities. `slots` has a row for each state of each operator, and a column for each slot of each state, that
    of the root last; `words` are those of the lexicon's entries, one for each state of their slot. A column and the
    words of its slot sum to 1."""

    states: tuple[int, ...]
    slots: NDArray[np.float32]
    words: NDArray[np.float32]

    def native(self, lexicon: Lexicon, terminals: Terminals, unseen: float = 0.0) -> core.Grammar:
        """For native code. In slots that a word was never seen in, it has the share `unseen` of the unknown word's
        probability."""
        return core.Grammar(
            np.array(self.states, np.uint32),
            np.ascontiguousarray(lexicon.offsets),
            np.ascontiguousarray(lexicon.slots),
            np.ascontiguousarray(self.slots.reshape(-1)),
            np.ascontiguousarray(self.words),
            np.ascontiguousarray(terminals.words),
            np.ascontiguousarray(terminals.factors),
            np.ascontiguousarray(terminals.phrase_offsets),
            np.ascontiguousarray(terminals.phrase_words),
            unseen,
        )


def slot_columns(states: tuple[int, ...]) -> NDArray[np.int64]:
    """Where the columns of each kind of slot begin; at the end how many there are."""
    widths = np.array([*states, 1])[SLOT_OPERATORS]
    return np.concatenate([[0], np.cumsum(widths)])


@dataclass(frozen=True, eq=False)
class ReorderingGrammar:
    """A reordering grammar. Make one with `train_grammar`, or `open` one that was saved. `unsplit` are the rules with
    one state for each operator; `log` holds the log-likelihood of the training sentences before each round.

    >>> from pentaglot.align import Alignment
    >>> from pentaglot.corpus import encode
    >>> from pentaglot.order import train_grammar
    >>> text, words = encode([["I", "tea", "drink"]] * 5)
    >>> grammar = train_grammar(text, words, Alignment.from_links([[(0, 0), (1, 2), (2, 1)]] * 5),
    ...     GrammarOptions(least_words=1, binary_states=2))
    >>> grammar.order(["I", "tea", "drink"]).apply(["I", "tea", "drink"])
    ['I', 'drink', 'tea']
    """

    vocabulary: Vocabulary
    options: GrammarOptions
    terminals: Terminals
    lexicon: Lexicon
    rules: Rules
    unsplit: Rules
    log: tuple[float, ...] = ()
    sentences: int = 0  # that it was learnt from
    tokenizer: Tokenizer | None = None  # that cut them into words
    reach: int = 0  # nine in ten of them had at most so many words; 0 if it is not known
    boundaries: Boundaries | None = None  # None for grammars of old

    def __repr__(self) -> str:
        return f"ReorderingGrammar({self.options.trees}, learnt from {self.sentences} sentences)"

    @cached_property
    def native(self) -> core.Grammar:
        return self.rules.native(self.lexicon, self.terminals, self.options.unseen)

    @cached_property
    def native_unsplit(self) -> core.Grammar:
        return self.unsplit.native(self.lexicon, self.terminals, self.options.unseen)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the grammar as a directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            for name in ("words", "factors", "phrase_offsets", "phrase_words"):
                new.add(f"terminal_{name}", getattr(self.terminals, name))
            new.add("lexicon_offsets", self.lexicon.offsets)
            new.add("lexicon_slots", self.lexicon.slots)
            for prefix, rules in (("", self.rules), ("unsplit_", self.unsplit)):
                new.add(f"{prefix}slots", rules.slots)
                new.add(f"{prefix}words", rules.words)
            if self.boundaries is not None:
                new.add("boundaries", self.boundaries.kinds)
            save_vocabulary(self.vocabulary, new.path / "vocabulary")
            if self.tokenizer is not None:
                self.tokenizer.save(new.path / "tokenizer")
            new.facts["tokenizer"] = self.tokenizer is not None
            options = {name: value for name, value in dataclasses.asdict(self.options).items() if value is not None}
            options["attach"] = list(self.options.attach)
            new.facts.update(
                options=options,
                states=list(self.rules.states),
                log=list(self.log),
                sentences=self.sentences,
                reach=self.reach,
                first_phrase=self.terminals.first,
            )

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> ReorderingGrammar:
        """Opens a saved grammar."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        vocabulary = open_vocabulary(stored.path / "vocabulary")
        terminals = Terminals(
            stored.array("terminal_words", np.uint32),
            stored.array("terminal_factors", np.float32),
            stored.array("terminal_phrase_offsets", np.uint64),
            stored.array("terminal_phrase_words", np.uint32),
            stored.fact("first_phrase", int),
        )
        lexicon = Lexicon(stored.array("lexicon_offsets", np.uint64), stored.array("lexicon_slots", np.uint8))
        states = tuple(stored.list_fact("states", int))
        made = [
            Rules(of, stored.array(f"{prefix}slots", np.float32, 2), stored.array(f"{prefix}words", np.float32))
            for prefix, of in (("", states), ("unsplit_", (1,) * len(OPERATORS)))
        ]
        tokenizer = Tokenizer.open(stored.path / "tokenizer") if stored.fact("tokenizer", bool) else None
        with storage.damage_at(stored.path):
            options = read_options(GrammarOptions, stored.fact("options", dict))
            log = tuple(stored.list_fact("log", float))
            number, reach = stored.fact("sentences", int), stored.fact("reach", int, 0)
            bounds = Boundaries(stored.array("boundaries", np.uint8)) if "boundaries" in stored else None
            rest = log, number, tokenizer, reach, bounds
            grammar = cls(vocabulary, options, terminals, lexicon, made[0], made[1], *rest)
            grammar._check()
        return grammar

    def _check(self) -> None:
        """Raises an error if the parts do not fit together."""
        if self.terminals.count != len(self.lexicon.offsets) - 1:
            raise StorageError("its lexicon does not match its words and phrases")
        if len(self.terminals.words) != len(self.vocabulary):
            raise StorageError("its words do not match its vocabulary")
        if self.boundaries is not None and len(self.boundaries.kinds) != len(self.vocabulary):
            raise StorageError("its boundaries do not match its vocabulary")
        if len(self.rules.states) != len(OPERATORS) or not all(0 < each <= 200 for each in self.rules.states):
            raise PentaglotError("its operators have impossible numbers of states")
        if not 0 <= self.reach <= self.options.most_words:
            raise StorageError("its reach is no length of its sentences")
        assert self.native and self.native_unsplit  # looks at everything else

    # The modules imported inside these import this one.

    def parse(
        self, sentence: Sequence[str], *, prune: float = 0.0, far: float = 0.0, boundaries: bool = False
    ) -> Parse:
        """All derivations of a sentence, given as words; see `parse.Parse`."""
        from pentaglot.order.parse import Parse

        return Parse.of(self, sentence, prune=prune, far=far, boundaries=boundaries)

    def order(self, sentence: Sequence[str]) -> Permutation:
        """The order of a sentence with the least expected loss."""
        return self.parse(sentence).best_order()
