"""The rules of a development set, which do not depend on weights: looked up once, and kept in memory or, if there is no
room, in a temporary file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pentaglot._core import base
from pentaglot._core.rules import RuleTable
from pentaglot.corpus import Sentence
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import SentenceRules
from pentaglot.systems.segments import split_words
from pentaglot.systems.storeroom import FileRange, Storeroom
from pentaglot.systems.translator import Translator
from pentaglot.systems.word_lattice import WordLattice

__all__ = ["RuleShelf"]

_ROOM, _ROOM_ON_DISK = 16 << 20, 4 << 30  # bytes

_Stored = list[tuple[SentenceRules, FileRange]]  # without their tables, and where these are


class RuleShelf:
    """Keeps the rules of sentences. A very long sentence is translated in parts, and has rules for each. Rules that do
    not fit in memory go to a file, which is much faster to read than to look them up; those that do not fit there
    either are looked up again each time."""

    def __init__(
        self,
        translator: Translator,
        sentences: Sequence[Sequence[str] | WordLattice],
        *,
        room: int | None = None,
        disk: int | None = None,
        threads: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        room = _ROOM if room is None else room
        self._translator = translator
        self._parts: list[list[Sentence] | list[WordLattice]] = [
            [each] if isinstance(each, WordLattice) else split_words(each, translator.longest) for each in sentences
        ]
        self._kept: list[list[SentenceRules] | None] = []
        self._stored: dict[int, _Stored] = {}
        self._storeroom = Storeroom(_ROOM_ON_DISK if disk is None else disk)
        self._checksum = 0
        with progress.task("looking up rules", total=len(sentences)) as task:
            for found in in_order(self._look_up, self._parts, threads):
                size = sum(map(_bytes, found))
                self._keep(found, size <= room)
                room -= size if size <= room else 0
                for rules in found:
                    self._checksum = _checksum(rules, self._checksum)
                task.advance()

    def __len__(self) -> int:
        return len(self._parts)

    def rules(self, number: int) -> list[SentenceRules]:
        """The rules of the parts of a sentence."""
        kept = self._kept[number]
        if kept is not None:
            return kept
        if number in self._stored:
            return [replace(each, table=self._table(place)) for each, place in self._stored[number]]
        return self._look_up(self._parts[number])

    @property
    def fingerprint(self) -> int:
        """A fingerprint of these rules and all their features."""
        return self._checksum

    @property
    def kept(self) -> int:
        """The number of sentences that need not be looked up again."""
        return sum(each is not None for each in self._kept) + len(self._stored)

    def _keep(self, found: list[SentenceRules], in_memory: bool) -> None:
        self._kept.append(found if in_memory else None)
        if in_memory:
            return
        stored: _Stored = []
        for rules in found:
            place = self._storeroom.put(rules.table.pack())
            if place is None:
                return
            stored.append((replace(rules, table=RuleTable()), place))
        self._stored[len(self._kept) - 1] = stored

    def _table(self, place: FileRange) -> RuleTable:
        return RuleTable.unpack(self._storeroom.get(place))

    def _look_up(self, parts: list[Sentence] | list[WordLattice]) -> list[SentenceRules]:
        return [self._translator.rules_of(part) for part in parts]


def _bytes(rules: SentenceRules) -> int:
    """The approximate memory of rules: columns, symbols and links, and a little overhead for each."""
    table = rules.table
    columns = len(table.feature_ids) + table.reordering.size // max(1, table.rules)
    return (
        8 * len(table.sparse[1])
        + table.rules * (4 * columns + 60)
        + 12 * len(table.target_symbols)
        + 100 * table.patterns
    )


def _checksum(rules: SentenceRules, found: int) -> int:
    table = rules.table
    found = base.checksum("\n".join(rules.words).encode("utf-8", "surrogatepass"), found)
    if rules.conjoined:
        found = base.checksum(repr(rules.conjoined).encode(), found)
    if rules.structure is not None and rules.structure.precedence is not None:
        found = base.checksum(rules.structure.precedence.reshape(-1).view(np.uint8), found)
    columns = [table.feature(each) for each in table.feature_ids.tolist()]
    for array in (table.rule_offsets, table.target_symbols, *columns, *table.sparse, table.reordering):
        found = base.checksum(np.ascontiguousarray(array).reshape(-1).view(np.uint8), found)
    return found
