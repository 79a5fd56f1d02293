"""Keeps placeables: only rules whose two sides have the same numbers, addresses and placeholders."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import Vocabulary
from pentaglot.corpus import Placeables
from pentaglot.errors import StorageError
from pentaglot.rules.sentence_rules import SENTENCE_WORDS

__all__ = ["PlaceableRules"]

_Codes = tuple[NDArray[np.int32], NDArray[np.uint64]]


class PlaceableRules:
    """Removes rules from tables. Target words are checked when they first occur; any number of threads may use it."""

    def __init__(self, placeables: Placeables, exempt: int) -> None:
        """Rules whose feature `exempt` is not 0 are always kept."""
        self.placeables = placeables
        self._exempt = exempt
        self._lock = Lock()
        self._seen = np.zeros(0, np.bool_)
        self._codes: dict[int, int] = {}
        self._arrays = _arrays({})

    def keep(
        self,
        table: native.RuleTable,
        words: Sequence[str],
        source: NDArray[np.uint32],
        vocabulary: Vocabulary,
        copies: Sequence[str] = (),
    ) -> None:
        """Removes the rules that lose, add or change a placeable; `source` has the ids of the words, and `copies` are
        the target words of the sentence itself, if rules have any."""
        different = dict(zip(source.tolist(), words, strict=True))
        codes = {symbol: code for symbol, word in different.items() if (code := self._code(word))}
        symbols = table.target_symbols
        own = {SENTENCE_WORDS + at: code for at, word in enumerate(copies) if (code := self._code(word))}
        copied = (symbols >= SENTENCE_WORDS) & (symbols < SENTENCE_WORDS + len(copies))
        target = self._target_codes(symbols[~copied], vocabulary)
        if own:  # their symbols follow all others
            target = np.concatenate([target[0], _arrays(own)[0]]), np.concatenate([target[1], _arrays(own)[1]])
        native.keep_placeables(table, *_arrays(codes), *target, self._exempt)

    def _target_codes(self, symbols: NDArray[np.int32], vocabulary: Vocabulary) -> _Codes:
        symbols = symbols[symbols >= 0]
        if len(symbols) and int(symbols.max()) >= len(vocabulary):
            raise StorageError("the index is damaged: a target word is not in the vocabulary")
        with self._lock:
            if len(vocabulary) > len(self._seen):
                self._seen = np.concatenate([self._seen, np.zeros(len(vocabulary) - len(self._seen), np.bool_)])
            new = np.unique(symbols[~self._seen[symbols]])
            self._seen[new] = True
            found = {
                number: code
                for number, word in zip(new.tolist(), vocabulary.words(new.astype(np.uint32)), strict=True)
                if (code := self._code(word))
            }
            if found:
                self._codes |= found
                self._arrays = _arrays(self._codes)
            return self._arrays

    def _code(self, word: str) -> int:
        return sum(map(_number, self.placeables.atoms(word))) % (1 << 64)


def _arrays(codes: dict[int, int]) -> _Codes:
    ordered = sorted(codes)
    return np.array(ordered, np.int32), np.array([codes[symbol] for symbol in ordered], np.uint64)


def _number(atom: str) -> int:
    """A pseudo-random number, the same in every process."""
    return int.from_bytes(hashlib.blake2b(atom.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
