"""The sample corpus is what its grammar writes, and its gold alignment fits it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_files_are_what_the_grammar_writes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, EXAMPLES / "write_corpus.py", tmp_path], check=True)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["test.de", "test.en", "test.gold", "train.de", "train.en"]
    for name in names:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_gold_links_are_inside_the_sentences() -> None:
    lines = [(EXAMPLES / f"test.{end}").read_text("utf-8").splitlines() for end in ("de", "en", "gold")]
    for german, english, gold in zip(*lines, strict=True):
        sizes = [len(re.findall(r"\w+|[.,?]", side)) for side in (german, english)]
        links = [re.fullmatch(r"(\d+)([-p])(\d+)", link) for link in gold.split()]
        assert links and all(link and 1 <= int(link[1]) <= sizes[0] and 1 <= int(link[3]) <= sizes[1] for link in links)
        assert {int(link[1]) for link in links if link} == set(range(1, sizes[0] + 1)), "every German word has a link"
