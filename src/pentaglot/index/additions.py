"""Sentence pairs added to an index at run time: used by the next lookup, kept in a journal, folded in later."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pentaglot.corpus import Vocabulary
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index.added_index import AddedIndex
from pentaglot.index.added_pair import AddedPair
from pentaglot.index.index import Index
from pentaglot.index.joined_index import joined_index
from pentaglot.index.journal import Journal
from pentaglot.index.journal_lines import Record
from pentaglot.index.records import check_record, checked_weight, pair_of, record_of
from pentaglot.index.snapshot import Snapshot
from pentaglot.index.stored_index import folded_into
from pentaglot.order.places import is_reordered
from pentaglot.progress import SILENT, Progress

__all__ = ["Additions", "OutdatedError"]


class Additions:
    """Pairs added to `main`. With a `path` they are kept in a journal there; without, they are lost when the process
    ends.

    Any number of threads may read `snapshot` while one adds: they keep what they have until they ask again.

    >>> from pentaglot.align import Alignment
    >>> from pentaglot.corpus import Bitext
    >>> main = Index.build(Bitext.from_sentences([["Haus"]], [["house"]]), Alignment.from_links([[(0, 0)]]))
    >>> additions = Additions(main)
    >>> pair = additions.add(["das", "Haus"], ["the", "house"], [(0, 0), (1, 1)])
    >>> [index.count(["Haus"]) for index in additions.snapshot.indexes]
    [1, 1]
    >>> additions.remove(pair.number)
    >>> len(additions.snapshot.indexes)
    1
    """

    def __init__(
        self,
        main: Index,
        path: str | os.PathLike[str] | None = None,
        vocabularies: tuple[Vocabulary, Vocabulary] | None = None,
    ) -> None:
        """`vocabularies` are given if there are larger ones than those of `main`, with the same ids for its words."""
        self._journal = None if path is None else Journal(path, check_record)
        self._lock = threading.Lock()
        self._next = 1
        self._records = 0
        self._places: dict[int, int] = {}  # of added pairs: the number of their record
        words = vocabularies or (main.bitext.source_vocabulary, main.bitext.target_vocabulary)
        nothing = AddedIndex.empty(*words, main.bitext.annotation)
        self._snapshot = Snapshot(main, nothing)
        if self._journal is not None:
            records = self._journal.read()
            folded = _folded_records(main.folded, self._journal)
            self._next += sum("source" in record for record in records[:folded])
            self._records = folded
            self._apply(records[folded:])

    @property
    def snapshot(self) -> Snapshot:
        """What to search now."""
        return self._snapshot

    @property
    def pairs(self) -> tuple[AddedPair, ...]:
        """All pairs that were added and not removed or folded in."""
        return self._snapshot.added.pairs

    def add(
        self,
        source: Sequence[str],
        target: Sequence[str],
        links: Sequence[tuple[int, int]],
        *,
        weight: float = 1.0,
        written: tuple[str, str] = ("", ""),
    ) -> AddedPair:
        """Adds one pair; the next snapshot has it, and so has every later process. Layers and metadata of annotated
        sentences are kept. Its lines as they were `written` are shown to people."""
        return self.add_all([(source, target, links)], weight=weight, written=[written])[0]

    def add_all(
        self,
        pairs: Sequence[tuple[Sequence[str], Sequence[str], Sequence[tuple[int, int]]]],
        *,
        weight: float = 1.0,
        written: Sequence[tuple[str, str]] | None = None,
    ) -> list[AddedPair]:
        """Adds several pairs at once: all of them or, if one cannot be used, none."""
        weight = checked_weight(weight)
        lines = [("", "")] * len(pairs) if written is None else written
        records = [record_of(*pair, weight, each) for pair, each in zip(pairs, lines, strict=True)]
        with self._lock:
            before = self._next
            self._write(records)
            return [pair for pair in self.pairs if pair.number >= before][-len(records) :] if records else []

    def remove(self, *numbers: int) -> None:
        """Removes added pairs: all of them or, if one is not there, none."""
        self._change({number: {"remove": number} for number in numbers})

    def weigh(self, number: int, weight: float) -> None:
        """Makes an added pair count `weight` times."""
        weight = checked_weight(weight)
        self._change({number: {"weigh": number, "weight": weight}})

    def refresh(self) -> None:
        """Reads what other processes have written since."""
        with self._lock:
            self._refresh()

    def _refresh(self) -> None:
        if self._journal is not None:
            self._apply(self._journal.read())

    def _write(self, records: list[Record]) -> None:
        self._apply(records if self._journal is None else self._journal.append(*records))

    def _change(self, changes: Mapping[int, Record]) -> None:
        with self._lock:
            self._refresh()
            known = {pair.number for pair in self.pairs}
            for number in changes:
                if number not in known:
                    raise _no_pair(number)
            if self._journal is None:
                self._apply(list(changes.values()))
            else:
                found = self._journal.append(*changes.values(), unless=lambda seen: self._check_numbers(changes, seen))
                self._apply(found)

    def _check_numbers(self, numbers: Iterable[int], seen: list[Record]) -> None:
        """Raises an error about a pair that others have just removed or folded in: changes to it would be lost."""
        folded = 0
        main = self._snapshot.main
        if self._journal is not None and main.path is not None:
            folded = _folded_records(folded_into(main.path), self._journal, len(seen))
        for number in numbers:
            if {"remove": number} in seen or self._places[number] <= folded:
                raise _no_pair(number)

    @contextlib.contextmanager
    def unchanged(self) -> Iterator[None]:
        """Locks the journal while an index with these pairs is put in place; raises an error if one of them has
        changed, or if another process has put such an index there."""
        if self._journal is None:
            yield
            return
        main, numbers = self._snapshot.main, {pair.number for pair in self.pairs}
        with self._journal.held() as unread:
            if any(record.get("remove", record.get("weigh")) in numbers for record in unread):
                raise OutdatedError("pairs were changed while they were folded in")
            if main.path is not None and folded_into(main.path) != main.folded:
                raise OutdatedError("another process has folded pairs in")
            yield

    def _apply(self, records: list[Record]) -> None:
        added, waiting = self._snapshot.added, []
        for record in records:
            self._records += 1
            if "source" in record:
                waiting.append(pair_of(record, self._next, reordered=is_reordered(self._snapshot.main.bitext)))
                self._places[self._next] = self._records
                self._next += 1
                continue
            added, waiting = added.added(waiting), []
            if "weigh" in record:
                added = added.weighed(record["weigh"], record["weight"])
            elif any(pair.number == record["remove"] for pair in added.pairs):
                added = added.removed(record["remove"])
        # One assignment: a reader sees all of it or nothing.
        self._snapshot = dataclasses.replace(self._snapshot, added=added.added(waiting))

    def folded(self, *, threads: int = 1, progress: Progress = SILENT) -> Index:
        """One index of the main text and the added pairs, in that order."""
        with self._lock:
            self._refresh()
            main, added = self._snapshot.main, self._snapshot.added
            name = "" if self._journal is None else f"{self._journal.name}:{self._journal.records}"
        if not added.pairs:
            return main
        return dataclasses.replace(joined_index(main, added, threads=threads, progress=progress), folded=name)


class OutdatedError(PentaglotError):
    """The pairs changed while they were folded in."""


def _no_pair(number: int) -> PentaglotError:
    return PentaglotError(f"there is no added pair {number}", hint="it may have been removed or folded in")


def _folded_records(folded: str, journal: Journal, unread: int = 0) -> int:
    """How many records of a journal are already in an index, by its note `folded`; `unread` records are at hand but not
    yet counted by the journal."""
    name, _, noted = folded.rpartition(":")
    if not name or name != journal.name:
        return 0
    there = journal.records + unread
    if not noted.isdecimal() or int(noted) > there:
        raise StorageError(
            f"has {there} records, but {noted} of them were folded into the index",
            path=journal.path,
            hint="restore a copy, or remove it if nothing was added since",
        )
    return int(noted)
