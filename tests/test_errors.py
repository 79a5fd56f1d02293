"""Errors say what, where and what to do, in one sentence."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from pentaglot import errors
from pentaglot.errors import InputError, OutputError, PentaglotError, describe_os_error, reading, writing


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PentaglotError("it is broken"), "it is broken"),
        (PentaglotError("it is broken", hint="mend it"), "it is broken; mend it"),
        (InputError("it is broken", path="a/b.txt"), "a/b.txt: it is broken"),
        (InputError("it is broken", path=Path("b.txt"), line=3, hint="mend it"), "b.txt:3: it is broken; mend it"),
        (InputError("it is broken", line=3), "it is broken"),
    ],
)
def test_text(error: PentaglotError, text: str) -> None:
    assert str(error) == text


def test_every_kind_is_a_pentaglot_error() -> None:
    kinds = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert len(kinds) >= 6
    assert all(issubclass(kind, PentaglotError) for kind in kinds)


def test_reading_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt: no such file; check the path"), reading("other"):
        (tmp_path / "none.txt").read_text()
    with pytest.raises(InputError, match=r"this is a directory"), reading(tmp_path):
        tmp_path.read_text()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="part of this path is a file"), reading(tmp_path):
        (tmp_path / "file" / "below").read_text()
    with pytest.raises(InputError, match=r"^given: strange$"), reading("given"):
        raise OSError("strange")


def test_writing_names_the_output() -> None:
    with pytest.raises(OutputError, match=r"^out: no space left on the device; .*nothing was changed$"), writing("out"):
        raise OSError(errno.ENOSPC, "No space left on device", "/some/temporary/name")
    with pytest.raises(KeyError), writing("out"):
        raise KeyError("other errors pass")


def test_errors_without_a_sentence_of_ours() -> None:
    assert describe_os_error(OSError(errno.EPIPE, "Broken pipe")) == ("Broken pipe", "")
    assert describe_os_error(OSError("just words")) == ("just words", "")
