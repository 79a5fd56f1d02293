"""The reader of console blocks itself, so that a page whose output is wrong cannot pass."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.docs.console import commands, first_missing, run_page

PAGE = """# Page
```console
$ echo one; echo two; echo three
one
…
th…ee
$ cat examples/test.de | head -n 1
```
```bash
not run
```
"""


def test_commands() -> None:
    first, second = commands(PAGE)
    assert (first.line, first.text, first.shown) == (3, "echo one; echo two; echo three", ["one", "…", "th…ee"])
    assert (second.line, second.shown) == (7, [])


def test_comparison() -> None:
    output = "score   12.5\nready\n"
    assert first_missing(["score 12.5", "ready"], output) is None
    assert first_missing(["score …", "", "…"], output) is None
    assert first_missing(["ready", "score 12.5"], output) == "score 12.5"
    assert first_missing(["score 12"], output) == "score 12"


def test_run(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert run_page(page, tmp_path / "a", os.environ, Path(sys.executable).parent) == 2
    page.write_text("```console\n$ echo one\ntwo\n```\n")
    with pytest.raises(AssertionError, match=r"page\.md:2: echo one"):
        run_page(page, tmp_path / "b", os.environ, Path(sys.executable).parent)
    page.write_text("```console\n$ false | true\n```\n")
    with pytest.raises(AssertionError, match="exit code 1"):
        run_page(page, tmp_path / "c", os.environ, Path(sys.executable).parent)
