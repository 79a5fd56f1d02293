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
        ("h\n1\tj\tA\t1\tA\t2\n", r"pairs.tsv:2: 'A' is compared with itself"),
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


def test_files_without_names_of_columns(tmp_path: Path) -> None:
    segments = write(tmp_path / "s.tsv", SEGMENTS.partition("\n")[2])
    found = read_direct_scores(segments, write(tmp_path / "d.tsv", "1\tA\t80\n2\tA\t5.5\n"))
    assert found.direct[[0, 2]].tolist() == [80, 5.5] and found.hypotheses == ("a house", "house", "dog")
    assert read_rankings(segments, write(tmp_path / "p.tsv", "1\tj\tA\t1\tB\t2\n")).preferred.tolist() == [[0, 1]]


@pytest.mark.parametrize("system", ["A", "sys1", "system"])
def test_a_first_row_of_a_system_is_no_names_of_columns(tmp_path: Path, system: str) -> None:
    rows = f"1\t{system}\ta house\n1\tref\tthe house\n1\tB\thouse\n"
    pairs = write(tmp_path / "p.tsv", f"1\tj\t{system}\t1\tB\t2\n")
    for head in ("", "segid\tengine\toutput\n", "number\tengine\toutput\n"):
        found = read_rankings(write(tmp_path / "s.tsv", head + rows), pairs)
        assert found.systems == (system, "B") and found.preferred.tolist() == [[0, 1]]


def test_columns_in_any_order(tmp_path: Path) -> None:
    rows = "\n".join("\t".join(reversed(line.split("\t"))) for line in SEGMENTS.splitlines())
    segments = write(tmp_path / "s.tsv", rows)
    assert read_rankings(
        segments, write(tmp_path / "p.tsv", "rank2\tsys2\trank1\tsys1\tsegid\n2\tB\t1\tA\t1\n")
    ).preferred.tolist() == [[0, 1]]
    found = read_direct_scores(segments, write(tmp_path / "d.tsv", "score\tsystem\tsegment\n7\tB\t1\n"))
    assert found.direct[1] == 7


def test_the_forms_of_wmt(tmp_path: Path) -> None:
    """DA-seglevel.csv (2017), ad-seg-scores-xx-en.csv (2016 to 2022), RR-seglevel.csv (2017 to 2020)."""
    segments = write(tmp_path / "news.de-en.segments.tsv", SEGMENTS)
    many = (
        "LP DATA SYSTEM SID HUMAN\ncs-en newstest2017 A 1 9\nde-en newstest2017 A 1 -0.5\nde-en newstest2017 A 2 0.25\n"
    )
    found = read_direct_scores(segments, write(tmp_path / "DA-seglevel.csv", many))
    assert found.direct[[0, 2]].tolist() == [-0.5, 0.25]
    both = write(tmp_path / "ad-seg-scores-de-en.csv", "SYS SID RAW.SCR Z.SCR N \nB 1 75 -0.02 1 \nA 2 100 0.62 1 \n")
    assert read_direct_scores(segments, both).direct[1:].tolist() == [-0.02, 0.62]
    assert read_direct_scores(segments, both, prefer="raw").direct[1:].tolist() == [75, 100]
    for head in ("LP DATA SID BETTER WORSE", "DATA SID BETTER WORSE", "LP SID BETTER WORSE"):  # one of 2018 was short
        rows = f"{head}\nde-en newstest2018 1 B A\nru-en newstest2018 1 A B\n"
        found = read_rankings(segments, write(tmp_path / "RR.csv", rows))
        assert found.preferred.tolist() == [[1, 0]] and found.name == "news.de-en"
    unnamed = write(tmp_path / "segments.tsv", SEGMENTS)
    with pytest.raises(
        PentaglotError, match=r"DA-seglevel.csv: has judgments of several language pairs \(cs-en, de-en\)"
    ):
        read_direct_scores(unnamed, tmp_path / "DA-seglevel.csv")
    with pytest.raises(PentaglotError, match=r"x.csv:3: 'None' is not a number"):
        read_direct_scores(segments, write(tmp_path / "x.csv", "SYS SID Z.SCR\nA 1 3\nB 1 None\n"))
    with pytest.raises(PentaglotError, match=r"x.csv:2: expected 3 columns, not 4; separate columns by tabs"):
        read_direct_scores(segments, write(tmp_path / "x.csv", "SYS SID Z.SCR\nA 1 3 5\n"))


def test_columns_between_commas(tmp_path: Path) -> None:
    segments = write(tmp_path / "s.tsv", SEGMENTS)
    for text in ("SYS,SID,Z.SCR,N\nA,1,-0.5,3\n", '"sid", "system", "score"\n"1", "A", "-0.5"\n', "1,A,-0.5\n"):
        assert read_direct_scores(segments, write(tmp_path / "d.csv", text)).direct[0] == -0.5
    assert read_direct_scores(segments, write(tmp_path / "d.csv", "SYS SID Z.SCR\nA 1 3\n")).direct[0] == 3


def test_raw_rankings_of_wmt(tmp_path: Path) -> None:
    """Two systems a row, by codes of languages (2015, 2016); five, by names, with ranks left blank (2012 to 2014)."""
    segments = write(tmp_path / "news.de-en.segments.tsv", SEGMENTS)
    two = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
    two += "ger,eng,1,1,judge1,A,3,B,1,1\ncze,eng,1,1,judge1,A,1,B,3,2\nger,eng,1,1,judge2,A,2,B,2,3\n"
    found = read_rankings(segments, write(tmp_path / "two.csv", two))
    assert found.preferred.tolist() == [[1, 0]] and found.tied.tolist() == [[0, 1]]

    more = SEGMENTS + "1\tC\tmouse\n1\tD\tcat\n"
    segments = write(tmp_path / "more.de-en.segments.tsv", more)
    shown = ",".join(f"system{number}Number,system{number}Id" for number in range(1, 6))
    ranks = ",".join(f"system{number}rank" for number in range(1, 6))
    five = f"srclang,trglang,srcIndex,documentId,segmentId,judgeID,{shown},{ranks}\n"
    five += "German,English,1,-1,99,j,1,A,2,B,3,C,4,D,5,E,2,1,2,4,-1\n"
    five += "Czech,English,1,-1,99,j,1,A,2,B,3,C,4,D,5,E,1,2,3,4,5\n"
    found = read_rankings(segments, write(tmp_path / "five.csv", five))
    better = {tuple(found.systems[place] for place in pair) for pair in found.preferred.tolist()}
    assert better == {("B", "A"), ("B", "C"), ("B", "D"), ("A", "D"), ("C", "D")} and len(found.preferred) == 5
    assert [found.systems[place] for place in found.tied.ravel().tolist()] == ["A", "C"]
    with pytest.raises(PentaglotError, match=r"several language pairs \(cs-en, de-en\)"):
        read_rankings(write(tmp_path / "unnamed.tsv", more), tmp_path / "five.csv")


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("1\tA\t1e308\n", "scores:1: the number 1e308 is too large"),
        ("seg\tsys\tscore\n1\tA\t1_0\n", "scores:2: '1_0' is not a number"),
        ("no\tengine\toutput\tn\n1\tA\t1\t3\n", "scores:2: .*; name them in the first line: segment, system, score"),
        ("1\tA\t1\t3\n", "scores:1: expected 3 columns, not 4; name them in the first line"),
        ("sid\tsys\tscore\n1\tA\t1\t3\n", "scores:2: expected 3 columns, not 4; the first line names them"),
    ],
)  # fmt: skip
def test_wrong_scores(segments: Path, tmp_path: Path, lines: str, problem: str) -> None:
    with pytest.raises(PentaglotError, match=problem):
        read_direct_scores(segments, write(tmp_path / "scores", lines))


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
