"""Packed lines are the lines that were packed; damage is told and does no harm."""

from __future__ import annotations

import contextlib
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus.kept_lines import _LONGEST, KeptLines, LineKeeper, keepable
from pentaglot.errors import StorageError

LINE = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=30)
LINES = st.lists(LINE, max_size=40).map(
    lambda lines: [line * (1 + 2000 * (at % 5 == 3)) for at, line in enumerate(lines)]
)


@given(LINES, LINES, st.data())
def test_a_list_of_lines(one: list[str], other: list[str], data: st.DataObject) -> None:
    kept = KeptLines.of(one)
    assert list(kept) == one == kept[:]
    both = kept.followed_by(KeptLines.of(other))
    assert list(both) == one + other
    number = data.draw(st.integers(0, len(both)))
    assert list(both.first(number)) == (one + other)[:number]
    for place in (-1, len(both)):
        with pytest.raises(IndexError):
            both[place]


@given(LINES, st.integers(1, 9))
def test_it_does_not_matter_how_lines_come(lines: list[str], step: int) -> None:
    keeper = LineKeeper()
    for begin in range(0, len(lines), step):
        keeper.add("".join(f"{line}\n" for line in lines[begin : begin + step]).encode())
    assert list(keeper.finish()) == lines


def test_what_cannot_be_kept_is_empty() -> None:
    long = "x" * (_LONGEST + 1)
    lines = ["first", long, "Satz\nmit Umbruch", "\ud800", "", "last"]
    assert list(KeptLines.of(lines)) == ["first", "", "Satz mit Umbruch", "", "", "last"]
    assert keepable(long) == ""
    keeper = LineKeeper()
    keeper.add(f"first\n{long}\nlast\n".encode())
    assert list(keeper.finish()) == ["first", "", "last"]


def test_text_becomes_small() -> None:
    lines = [f"Das Haus Nummer {number} steht am Ende der Straße." for number in range(5000)]
    kept = KeptLines.of(lines)
    assert kept.packed.nbytes + kept.ends.nbytes + kept.counts.nbytes < len("\n".join(lines)) / 3
    assert kept[4999] == lines[4999]


@given(st.data())
def test_damage_is_told(data: st.DataObject) -> None:
    whole = KeptLines.of([f"Zeile {number}" * 40 for number in range(200)])
    arrays = {name: getattr(whole, name).copy() for name in ("packed", "ends", "counts")}
    for _ in range(data.draw(st.integers(1, 3))):
        array = arrays[data.draw(st.sampled_from(list(arrays)))]
        value = data.draw(st.sampled_from([0, 1, 77, 255, len(whole), 2**32, 2**63, 2**64 - 1]))
        array[data.draw(st.integers(0, len(array) - 1))] = value & (2 ** (8 * array.itemsize) - 1)
    with contextlib.suppress(StorageError):
        damaged = KeptLines(**arrays, path=Path("here"))
        for number in {0, min(len(damaged), 300) - 1, min(len(damaged), 200) // 2}:
            with contextlib.suppress(StorageError, IndexError):
                assert isinstance(damaged[number], str)


@pytest.mark.parametrize("text", [b"a\nb\n", b"a", b"\xff\n", b"", b"x" * (1 << 26) + b"\n"])
def test_blocks_that_hold_something_else(text: bytes) -> None:
    packed = np.frombuffer(zlib.compress(text), np.uint8)
    kept = KeptLines(packed, np.array([len(packed)], np.uint64), np.array([1], np.uint64), Path("here"))
    with pytest.raises(StorageError, match="here"):
        kept[0]
