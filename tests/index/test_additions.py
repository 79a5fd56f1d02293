"""Additions: found at once, still there after a restart, never half seen, folded in without loss or doubling."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pentaglot._core import base
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index import Additions, Index, PrecomputationOptions, fold_in


def _main() -> Index:
    bitext = Bitext.from_sentences([["das", "Haus"], ["ein", "Baum"]], [["the", "house"], ["a", "tree"]])
    return Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1)]] * 2), PrecomputationOptions(frequent=4))


def _counts(additions: Additions, *words: str) -> list[int]:
    return [index.count(list(words)) for index in additions.snapshot.indexes]


def test_added_pairs_are_found_at_once_and_after_a_restart(tmp_path: Path) -> None:
    additions = Additions(_main(), tmp_path / "journal")
    assert _counts(additions, "Haus") == [1]
    first = additions.add(["das", "rote", "Haus"], ["the", "red", "house"], [(0, 0), (1, 1), (2, 2)])
    additions.add(["rote", "Grütze"], ["red", "jelly"], [(0, 0), (1, 1)], weight=3)
    for each in (additions, Additions(_main(), tmp_path / "journal")):
        assert _counts(each, "Haus") == [1, 1]
        assert _counts(each, "rote") == [0, 2]
        assert [pair.number for pair in each.pairs] == [1, 2]
        added = each.snapshot.added.index
        assert added.bitext.pair(1) == (["rote", "Grütze"], ["red", "jelly"])
        assert (added.weight(0), added.weight(1)) == (1, 3)
        assert each.snapshot.main.bitext.source_vocabulary.find("Haus") == added.ids(["Haus"])[0], "one meaning of ids"
    additions.weigh(first.number, 0.5)
    additions.remove(2)
    for each in (additions, Additions(_main(), tmp_path / "journal")):
        assert _counts(each, "rote") == [0, 1]
        assert each.snapshot.added.index.weight(0) == 0.5
    with pytest.raises(PentaglotError, match="no added pair 2"):
        additions.remove(2)
    assert additions.add(["x"], ["y"], []).number == 3, "numbers are never given twice"


def test_a_snapshot_never_changes() -> None:
    additions = Additions(_main())
    before = additions.snapshot
    additions.add(["neu"], ["new"], [(0, 0)])
    assert len(before.indexes) == 1 and len(additions.snapshot.indexes) == 2
    assert before.main.bitext.source_vocabulary.find("neu") == 0


def test_readers_see_whole_updates() -> None:
    additions = Additions(_main())
    wrong: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            added = additions.snapshot.added
            count = added.index.count(["neu"])
            if not len(added.pairs) == len(added.index) == count == len(added.index.bitext.target):
                wrong.append(f"{len(added.pairs)} pairs, {count} found")

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(100):
        additions.add(["neu", f"wort{number}"], [f"word{number}", "new"], [(0, 1), (1, 0)])
    done.set()
    reader.join()
    assert not wrong


def test_two_processes_see_each_other(tmp_path: Path) -> None:
    one, other = Additions(_main(), tmp_path / "journal"), Additions(_main(), tmp_path / "journal")
    one.add(["eins"], ["one"], [(0, 0)])
    assert other.add(["zwei"], ["two"], [(0, 0)]).number == 2
    assert _counts(other, "eins") == [0, 1]
    one.refresh()
    assert [pair.source for pair in one.pairs] == [("eins",), ("zwei",)]


def test_folding_in(tmp_path: Path) -> None:
    path, journal = tmp_path / "index", tmp_path / "journal"
    _main().save(path)
    assert fold_in(path, journal) == 0
    additions = Additions(Index.open(path), journal)
    additions.add(["das", "rote", "Haus"], ["the", "red", "house"], [(0, 0), (1, 1), (2, 2)])
    additions.add(["falsch"], ["wrong"], [])
    additions.weigh(1, 2)
    additions.remove(2)
    assert fold_in(path, journal) == 1
    folded = Index.open(path)
    assert folded.count(["Haus"]) == 2 and folded.count(["falsch"]) == 0
    assert folded.bitext.pair(2) == (["das", "rote", "Haus"], ["the", "red", "house"])
    assert folded.aligned.links(2) == [(0, 0), (1, 1), (2, 2)]
    assert [folded.weight(number) for number in range(3)] == [1, 1, 2]
    assert folded.options == PrecomputationOptions(frequent=4)
    # What is in the index is not taken from the journal again; who had opened the old index keeps a whole view.
    after = Additions(folded, journal)
    assert after.pairs == () and _counts(after, "Haus") == [2]
    assert _counts(additions, "Haus") == [1, 1]
    assert additions.add(["noch", "ein", "Haus"], ["another", "house"], [(2, 1)]).number == 3
    after.refresh()
    assert [pair.number for pair in after.pairs] == [3] and _counts(after, "Haus") == [2, 1]
    assert [pair.number for pair in Additions(Index.open(path), journal).pairs] == [3]
    assert fold_in(path, journal) == 1
    assert Index.open(path).count(["Haus"]) == 3
    assert fold_in(path, journal) == 0


@pytest.mark.parametrize(
    ("source", "target", "links", "weight", "message"),
    [
        ([], ["x"], [], 1, "empty side"),
        (["a b"], ["x"], [], 1, "'a b' is not a word"),
        ([""], ["x"], [], 1, "'' is not a word"),
        (["\ud800"], ["x"], [], 1, "not valid Unicode"),
        (["a"], ["x"], [(0, 1)], 1, "0-1 points to a word"),
        (["a"], ["x"], [(-1, 0)], 1, "-1-0 points to a word"),
        (["a"], ["x"], [], 0, "weight of 0"),
        (["a"], ["x"], [], float("nan"), "weight of nan"),
    ],
)
def test_what_cannot_be_added(
    tmp_path: Path, source: list[str], target: list[str], links: list[tuple[int, int]], weight: float, message: str
) -> None:
    additions = Additions(_main(), tmp_path / "journal")
    with pytest.raises(PentaglotError, match=message):
        additions.add(source, target, links, weight=weight)
    assert additions.pairs == () and not (tmp_path / "journal").exists()


_PAIR = {"source": ["a"], "target": ["x"], "links": [[0, 0]], "weight": 1}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({}, "it neither adds nor changes"),
        ({"added": 1}, "it neither adds nor changes"),
        ({"remove": None}, "it neither adds nor changes"),
        ({"weigh": 1}, "it neither adds nor changes"),
        ({"weigh": 1, "weight": -1}, "weight of -1"),
        ({"weigh": 1, "weight": 10**400}, "it neither adds nor changes"),
        (_PAIR | {"source": None}, "it neither adds nor changes"),
        (_PAIR | {"source": [1]}, "it neither adds nor changes"),
        (_PAIR | {"source": ["a b"]}, "'a b' is not a word"),
        (_PAIR | {"source": ["\ud800"]}, "not valid Unicode"),
        (_PAIR | {"target": []}, "empty side"),
        (_PAIR | {"links": [[0, 1]]}, "0-1 points to a word"),
        (_PAIR | {"links": [[0]]}, "it neither adds nor changes"),
        (_PAIR | {"links": 7}, "it neither adds nor changes"),
        (_PAIR | {"weight": float("nan")}, "weight of nan"),
    ],
)
def test_a_journal_with_strange_records_is_refused(tmp_path: Path, record: dict[str, object], message: str) -> None:
    path = tmp_path / "journal"
    Additions(_main(), path).add(["a"], ["x"], [])
    texts = [path.read_bytes().split(b"\n")[0][17:], json.dumps(_PAIR).encode(), json.dumps(record).encode()]
    checksum, lines = 0, b""
    for text in texts:
        checksum = base.checksum(text, checksum)
        lines += b"%016x %b\n" % (checksum, text)
    path.write_bytes(lines)
    with pytest.raises(StorageError, match=f"journal:3: this is not a journal record: .*{message}"):
        Additions(_main(), path)


def test_a_journal_with_fewer_records_than_were_folded_in_is_refused(tmp_path: Path) -> None:
    path, journal = tmp_path / "index", tmp_path / "journal"
    _main().save(path)
    additions = Additions(Index.open(path), journal)
    additions.add(["eins"], ["one"], [])
    older = journal.read_bytes()
    additions.add(["zwei"], ["two"], [])
    fold_in(path, journal)
    journal.write_bytes(older)
    # A pair that is added now would count as one that is in the index, and be lost.
    with pytest.raises(StorageError, match="journal: has 1 records, but 2 of them were folded into the index"):
        Additions(Index.open(path), journal)
    journal.unlink()
    assert Additions(Index.open(path), journal).add(["drei"], ["three"], []).number == 1


def _between(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> list[int]:
    """Lets something happen when the next index is folded and about to be saved; the list has one number for each
    time that one is saved."""
    real, saved = Index.save, []

    def save(self: Index, path: Path, **options: Any) -> None:
        saved.append(len(self))
        if len(saved) == 1:
            do()
        real(self, path, **options)

    monkeypatch.setattr(Index, "save", save)
    return saved


@pytest.fixture
def merged(tmp_path: Path) -> tuple[Path, Path, Additions]:
    """An index, its journal with two pairs, and somebody who has both open."""
    path, journal = tmp_path / "index", tmp_path / "journal"
    _main().save(path)
    additions = Additions(Index.open(path), journal)
    additions.add(["eins"], ["one"], [])
    additions.add(["zwei"], ["two"], [])
    return path, journal, additions


def test_what_is_done_to_a_pair_while_it_is_folded_in_is_not_lost(
    merged: tuple[Path, Path, Additions], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, journal, other = merged

    def change() -> None:
        other.remove(1)
        other.weigh(2, 5)
        other.add(["drei"], ["three"], [])

    saved = _between(monkeypatch, change)
    assert fold_in(path, journal) == 2
    assert saved == [4, 4], "folded once more"
    index = Index.open(path)
    assert [index.count([word]) for word in ("eins", "zwei", "drei")] == [0, 1, 1]
    assert [index.weight(pair) for pair in range(len(index))] == [1, 1, 5, 1]


def test_adding_does_not_keep_others_from_folding_in(
    merged: tuple[Path, Path, Additions], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, journal, other = merged
    saved = _between(monkeypatch, lambda: other.add(["drei"], ["three"], []))
    assert fold_in(path, journal) == 2
    assert saved == [4], "what is new can wait"
    assert [pair.number for pair in Additions(Index.open(path), journal).pairs] == [3]


def test_a_pair_that_others_have_folded_in_cannot_be_changed(merged: tuple[Path, Path, Additions]) -> None:
    path, journal, other = merged
    fold_in(path, journal)
    before = journal.read_bytes()
    for change in (lambda: other.remove(1), lambda: other.weigh(2, 3)):
        with pytest.raises(PentaglotError, match="no added pair [12]; it may have been removed or folded in"):
            change()
    assert journal.read_bytes() == before, "nobody is told of a change that is not made"
    Additions(Index.open(path), journal).add(["drei"], ["three"], [])
    other.remove(3)
    assert Additions(Index.open(path), journal).pairs == ()
    fold_in(path, journal)
    assert Index.open(path).count(["drei"]) == 0


def test_two_who_fold_in_at_once(merged: tuple[Path, Path, Additions], monkeypatch: pytest.MonkeyPatch) -> None:
    path, journal, other = merged

    def fold() -> None:
        other.add(["drei"], ["three"], [])
        assert fold_in(path, journal) == 3

    saved = _between(monkeypatch, fold)
    assert fold_in(path, journal) == 0
    assert saved == [4, 5], "the older one does not replace the newer"
    assert [Index.open(path).count([word]) for word in ("eins", "zwei", "drei")] == [1, 1, 1]
    assert Additions(Index.open(path), journal).pairs == ()


def test_folding_into_an_index_behind_a_link(merged: tuple[Path, Path, Additions]) -> None:
    path, journal, _ = merged
    link = path.with_name("link")
    link.symlink_to("index")
    assert fold_in(link, journal) == 2
    assert link.is_symlink() and len(Index.open(path)) == 4
