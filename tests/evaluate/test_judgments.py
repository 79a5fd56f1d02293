"""Reading what people said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pentaglot import PentaglotError
from pentaglot.evaluate import read_direct_scores, read_rankings

SEGMENTS = "segid\ttype\ttext\n1\tsrc\tQuelle\n1\tref\tthe house\n1\tA\ta house\n1\tB\thouse\n2\tref\tdogs\n2\tA\tdog\n"


@pytest.fixture
def segments(tmp_path: Path) -> Path:
    path = tmp_path / "set.segments.tsv"
    path.write_text(SEGMENTS, "utf-8")
    return path


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_rankings(segments: Path, tmp_path: Path) -> None:
    lines = "segid\tjudge\ts1\tr1\ts2\tr2\n1\tj\tA\t1\tB\t2\n1\tj\tA\t3\tB\t2\n1\tk\tA\t2\tB\t2\n"
    found = read_rankings(segments, write(tmp_path / "set.pairs.tsv", lines))
    assert found.name == "set" and found.system_names == ("A", "B") and len(found) == 3
    assert found.preferred.tolist() == [[0, 1], [1, 0]] and found.tied.tolist() == [[0, 1]]
    assert found.hypotheses == ("a house", "house", "dog") and found.references == ("the house", "the house", "dogs")


def test_direct_scores(segments: Path, tmp_path: Path) -> None:
    found = read_direct_scores(segments, write(tmp_path / "s.tsv", "s\tt\tx\n1\tA\t80\n1\tA\t60\n2\tA\t5.5\n"))
    assert found.direct[[0, 2]].tolist() == [70, 5.5] and np.isnan(found.direct[1])


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("h\n1\tj\tA\t1\tC\t2\n", r"pairs.tsv:2: there is no translation of segment '1' by 'C' in .*--skip-unknown"),
        ("h\n9\tj\tA\t1\tB\t2\n", r"pairs.tsv:2: there is no translation of segment '9' by 'A'"),
        ("h\n1\tj\tA\tone\tB\t2\n", r"pairs.tsv:2: 'one' is not a number"),
        ("h\n1\tj\tA\tnan\tB\t2\n", r"pairs.tsv:2: 'nan' is not a number"),
        ("h\n1\tj\tA\t1\tB\n", r"pairs.tsv:2: expected 6 columns, not 5"),
        ("h\n1\tj\tA\t2\tB\t2\n", r"pairs.tsv: has no preferences"),
        ("", r"pairs.tsv: has no preferences"),
    ],
)
def test_wrong_rankings(segments: Path, tmp_path: Path, lines: str, problem: str) -> None:
    with pytest.raises(PentaglotError, match=problem):
        read_rankings(segments, write(tmp_path / "pairs.tsv", lines))


def test_unknown_ones_can_be_left_out(segments: Path, tmp_path: Path) -> None:
    pairs = write(tmp_path / "pairs.tsv", "h\n1\tj\tA\t1\tC\t2\n1\tj\tA\t1\tB\t2\n")
    assert read_rankings(segments, pairs, skip_unknown=True).preferred.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("h\n1\tA\tx\n", "has no translation with a reference"),
        ("h\n1\tref\tx\n1\tref\ty\n", "segments.tsv:3: there are two texts of segment '1' by 'ref'"),
        ("h\n1\tref\tx\n1\tA\ty\n1\tA\ty\n", "segments.tsv:4: there are two texts of segment '1' by 'A'"),
        ("h\n1\tref\n", "segments.tsv:2: expected 3 columns, not 2"),
    ],
)
def test_wrong_segments(tmp_path: Path, lines: str, problem: str) -> None:
    with pytest.raises(PentaglotError, match=problem):
        read_rankings(write(tmp_path / "segments.tsv", lines), write(tmp_path / "pairs.tsv", "h\n"))
