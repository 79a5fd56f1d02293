"""Reading steadily: once more if it was replaced meanwhile, and the error that there is if it was not."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pentaglot import placing, steady
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.steady import read_steadily


def _replace(path: Path, text: str) -> None:
    with placing.new_directory(path) as new:
        (new / "text").write_text(text)
        placing.put_in_place(new, path)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    _replace(tmp_path / "a", "0")
    return tmp_path / "a"


def _reading(place: Path, replacing: int, error: Callable[[], Exception] | None = None) -> tuple[list[str], object]:
    """What was read, by a reader during whose first readings the place is replaced."""
    seen: list[str] = []

    def read() -> str:
        seen.append((place / "text").read_text())
        if len(seen) <= replacing:
            _replace(place, str(len(seen)))
            if error is not None:
                raise error()
        return seen[-1]

    return seen, read_steadily([place.parent / "other", place], read)


@pytest.mark.parametrize("error", [None, lambda: PentaglotError("damaged"), lambda: FileNotFoundError(2, "gone")])
def test_what_is_replaced_is_read_again(place: Path, error: Callable[[], Exception] | None) -> None:
    assert _reading(place, 0, error) == (["0"], "0")
    assert _reading(place, 3, error) == (["0", "1", "2", "3"], "3")


def test_a_part_that_is_replaced_alone(place: Path) -> None:
    seen = []

    def read() -> str:
        seen.append((place / "text").read_text())
        if len(seen) == 1:
            with placing.new_file(place / "text") as out:
                out.write(b"part")
        return seen[-1]

    assert read_steadily([place], read) == "part" and seen == ["0", "part"]


def test_errors_that_stay_are_raised(place: Path) -> None:
    def fail() -> None:
        calls.append(1)
        raise StorageError("damaged")

    calls: list[int] = []
    for paths in ([place], [place.parent / "missing"], []):
        with pytest.raises(StorageError, match="damaged"):
            read_steadily(paths, fail)
    assert len(calls) == 3
    with pytest.raises(ZeroDivisionError):
        read_steadily([place], lambda: _replace(place, "1") or 1 // 0)  # type: ignore[func-returns-value]


def test_it_does_not_go_on_for_ever(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady, "_TRIES", 5)
    with pytest.raises(StorageError, match=r"replaced again and again"):
        _reading(place, 100)


def test_readers_wait_while_names_are_changed_by_turns(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two names cannot be swapped, there is nothing at the place for a moment."""
    gone, renamed = threading.Event(), placing._renamed

    def slowly(new: Path, path: Path) -> bool:
        gone.set()
        time.sleep(0.1)
        return renamed(new, path)

    monkeypatch.setattr(placing, "_swap", lambda one, other: False)
    monkeypatch.setattr(placing, "_renamed", slowly)
    writer = threading.Thread(target=_replace, args=(place, "1"))
    writer.start()
    assert gone.wait(60)
    assert not place.exists()
    assert read_steadily([place], lambda: (place / "text").read_text()) == "1"
    writer.join()


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("once",))
    writer.start()
    assert read_steadily([tmp_path / "pipe"], (tmp_path / "pipe").read_text) == "once"
    writer.join()
