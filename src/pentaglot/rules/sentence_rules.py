"""`SentenceRules`: the rules of one sentence, and what its symbols mean."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import UNKNOWN, Vocabulary
from pentaglot.corpus import Sentence
from pentaglot.errors import PentaglotError
from pentaglot.index import GrammarLimits
from pentaglot.rules.corpora import View
from pentaglot.rules.fallbacks import StandIn
from pentaglot.rules.structure import Structure

__all__ = ["SENTENCE_WORDS", "LatticeInput", "Loans", "SentenceRules"]

# Far above the ids of any vocabulary, which may grow: a sentence's own words never share an id with others.
SENTENCE_WORDS = 1 << 30


def _received(packed: NDArray[np.uint8]) -> native.RuleTable:
    return native.RuleTable.unpack(packed)


# A table is sent to another process as bytes, which are checked there. It is never stored like this.
copyreg.pickle(native.RuleTable, lambda table: (_received, (table.pack(),)))


@dataclass(frozen=True)
class LatticeInput:
    """A word lattice by the symbols of its words: arcs (from, to, symbol) between nodes in order, and what each is
    worth to a feature."""

    nodes: int
    arcs: tuple[tuple[int, int, int], ...]
    scores: tuple[float, ...]
    feature: str
    words: int = 0  # on every path, if its paths are orders of one sentence
    shortened: bool = False  # whether it has so many paths that long rules may be missing

    def share(self, pop_limit: int, cells: bool = False) -> int:
        """How many hypotheses a search makes at each node, if it makes `pop_limit` at each place of a sentence. A
        lattice of orders has many nodes for each place, most of them unlikely; about twice as many are made in all. A
        chart has `cells` between nodes, which grow in number faster than the nodes."""
        times = 1 if cells else 2
        return -(-times * pop_limit * self.words // self.nodes) if times * self.words < self.nodes else pop_limit


@dataclass(frozen=True)
class Loans:
    """For symbols of placeables that were never seen, those of the known ones that they are treated like."""

    source: Mapping[int, int] = field(default_factory=dict)
    target: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SentenceRules:
    """The rules of one sentence; hooks may read its layers and metadata. Ids from SENTENCE_WORDS on are words of this
    sentence that are not in the vocabulary."""

    sentence: Sentence
    source: NDArray[np.uint32]
    table: native.RuleTable
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    copies: tuple[str, ...]  # target words of this sentence: its source words as they are, then new ones
    view: View | None = None  # where the rules were found, if in an index
    units: tuple[str, ...] = ()  # source symbols after those of the words: parts translated as one
    language_ids: NDArray[np.uint32] | None = None  # of the copies; without it they are unknown to the language model
    stand_ins: Mapping[int, StandIn] = field(default_factory=dict)  # by source side, for words treated like others
    loans: Loans = field(default_factory=Loans)  # symbols of placeables never seen, and of those that they are like
    limits: GrammarLimits = field(default_factory=GrammarLimits)  # what the rules may cover, in the input too
    lattice: LatticeInput | None = None  # what is translated in place of the sentence, if the rules are those of one
    structure: Structure | None = None  # of the sentence, for rules with labels, signatures or conditions on spans
    conjoined: tuple[tuple[int, int], ...] = ()  # features, and their conjunctions with what is known of the sentence

    def __repr__(self) -> str:
        return f"SentenceRules({' '.join(self.words)!r}, {self.table.rules} rules)"

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the sentence."""
        return self.sentence.words

    def __getstate__(self) -> dict[str, Any]:
        """Rules are sent to another process as arrays, without their index. They are never stored like this."""
        return {**self.__dict__, "view": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if len(self.source) != len(self.words):
            raise PentaglotError("rules were damaged in transfer: there is not one symbol for each word")

    def source_word(self, symbol: int) -> str:
        """The spelling of a source symbol."""
        if symbol < SENTENCE_WORDS:
            return self.source_vocabulary.word(symbol)
        return (*self.words, *self.units)[symbol - SENTENCE_WORDS]

    def target_word(self, symbol: int) -> str:
        """The spelling of a target symbol."""
        known = symbol < SENTENCE_WORDS
        return self.target_vocabulary.word(symbol) if known else self.copies[symbol - SENTENCE_WORDS]

    def target_symbol(self, word: str, copies: list[str]) -> int:
        """The symbol of a target word; one that is new is added to `copies`."""
        known = self.target_vocabulary.find(word)
        if known != UNKNOWN:
            return known
        if word not in copies:
            copies.append(word)
        return SENTENCE_WORDS + copies.index(word)

    def target_symbols(self, word: str) -> list[int]:
        """All target symbols with this spelling."""
        known = self.target_vocabulary.find(word)
        copies = [SENTENCE_WORDS + at for at, copy in enumerate(self.copies) if copy == word]
        return copies if known == UNKNOWN else [known, *copies]

    def lines(
        self, offsets: NDArray[np.uint64], symbols: NDArray[np.uint32]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """Rows of target symbols as lines of UTF-8, words separated by spaces: bytes and offsets."""
        return self.target_vocabulary.lines(offsets, symbols, SENTENCE_WORDS, self.copies)

    def source_side(self, pattern: int) -> list[str]:
        """A source side with its gaps as X1, X2, ..."""
        return [f"X{-s}" if s < 0 else self.source_word(s) for s in self.table.source(pattern).tolist()]

    def target_side(self, rule: int) -> list[str]:
        """A target side with its gaps as X1, X2, ..."""
        return [f"X{-s}" if s < 0 else self.target_word(s) for s in self.table.target(rule).tolist()]
