"""Broken lines are read on, and told of once each with the right number."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import compression
from pentaglot.corpus.compression import StrPath
from pentaglot.corpus.inspection import tolerant_lines


def _told(path: Path) -> tuple[list[str], list[tuple[str, int]]]:
    told: list[tuple[str, int]] = []

    def tell(problem: str, where: StrPath, line: int, detail: str) -> None:
        assert where == path and detail
        told.append((problem, line))

    return list(tolerant_lines(path, tell)), told


@given(
    lines=st.lists(st.text("ab\x01\x07\x0b\x85\u2028é\t", max_size=5), max_size=20),
    blocks=st.integers(3, 40),
)
def test_agrees_with_looking_at_each_line(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], blocks: int
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a"
    path.write_text("".join(line + "\n" for line in lines), "utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compression, "_BLOCK", blocks)
        read, told = _told(path)
    assert read == lines
    expected = []
    for number, line in enumerate(lines, 1):
        if set(line) & set("\x01\x07"):
            expected.append(("control character", number))
        if set(line) & set("\x0b\x85\u2028"):
            expected.append(("line separator", number))
    assert sorted(told) == sorted(expected)


def test_carriage_returns(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"dos\r\nmac\rmac\r\n")
    assert _told(path) == (["dos", "mac\rmac"], [("line separator", 2)])


def test_counting(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1\n2\n3\n")
    lines = tolerant_lines(path, lambda *_: None)
    assert next(lines) == "1" and lines.lines_read == 1
    assert list(lines) == ["2", "3"] and lines.lines_read == 3
