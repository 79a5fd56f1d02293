"""Readers of an index that is replaced all the time see the old one or the new one, and never an error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.index import Additions, Index, PrecomputationOptions

OPENS = 100
_WRITE = """
import sys
from pathlib import Path
from pentaglot import placing
from pentaglot.index import Additions, Index, fold_in
if sys.argv[2] == "by turns":
    placing._swap = lambda one, other: False
index, journal = Path(sys.argv[1]), Path(sys.argv[1] + ".additions")
number = 0
while True:
    Additions(Index.open(index), journal).add(["neu", f"wort{number}"], ["new", f"word{number}"], [(0, 0), (1, 1)])
    if number % 3:
        fold_in(index, journal)
    if not number:
        print("begun", flush=True)
    number += 1
"""


def small() -> Index:
    sentences = [[f"w{number % 7}", "x", f"w{number % 5}"] for number in range(50)]
    bitext = Bitext.from_sentences(sentences, sentences)
    links = Alignment.from_links([[(0, 0), (2, 2)]] * len(sentences))
    return Index.build(bitext, links, PrecomputationOptions(frequent=5), both_sides=True)


@contextmanager
def merging(place: Path, way: str) -> Iterator[None]:
    """Another process that adds pairs to an index and folds them in, all the time."""
    with subprocess.Popen([sys.executable, "-c", _WRITE, str(place), way], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == b"begun\n"
            yield
            assert process.poll() is None, "it is still at work"
        finally:
            process.kill()


@pytest.mark.parametrize("way", ["at once", "by turns"])
def test_opening_while_merging(tmp_path: Path, way: str) -> None:
    place = tmp_path / "index"
    small().save(place)
    sizes, total = set(), 0
    with merging(place, way):
        for _ in range(OPENS):
            additions = Additions(Index.open(place), tmp_path / "index.additions")
            main, *added = additions.snapshot.indexes
            sizes.add(len(main))
            before, total = total, sum(index.count(["neu"]) for index in (main, *added))
            assert total >= before, "nothing is lost"
            assert total == len(main) - 50 + len(additions.pairs), "nothing is counted twice"
            assert main.count(["x"]) == 50
            for number in range(total):
                assert sum(index.count([f"wort{number}"]) for index in (main, *added)) == 1
    assert len(sizes) > 1, "it was replaced"
