"""Links from text, with every mistake named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentaglot.errors import InputError
from pentaglot.index import Links


def test_reading(tmp_path: Path) -> None:
    file = tmp_path / "links"
    file.write_text("0-0 2-1\n\n10-3\n")
    links = Links.read(file)
    assert len(links) == 3
    assert links.offsets.tolist() == [0, 2, 2, 3]
    assert (links.source.tolist(), links.target.tolist()) == ([0, 2, 10], [0, 1, 3])


@pytest.mark.parametrize("link", ["1", "a-b", "1-", "-1", "1--1", "1-2-3", "1-99999999999", "²-1"])
def test_what_is_no_link(tmp_path: Path, link: str) -> None:
    file = tmp_path / "links"
    file.write_text(f"0-0\n0-0 {link}\n")
    with pytest.raises(InputError, match=r"links:2: .* is not a link"):
        Links.read(file)
