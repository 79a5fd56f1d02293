"""Pairs in every format come back as they went in, and every broken file is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus.pair import Pair, one_line
from pentaglot.corpus.pairs import read_pairs, write_pairs
from pentaglot.errors import InputError, OptionError, OutputError

LANGUAGES = ("de", "en")
NAMES = [["a.de", "a.en"], ["a.tsv"], ["a.tmx"], ["a.po"], ["a.pairs"]]
# What every format can hold: XML has no control characters, and the ends of a side are not kept.
SIDES = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff\ufffe\uffff")).map(str.strip)


@pytest.mark.parametrize("compression", ["", ".gz", ".zst"])
@pytest.mark.parametrize("names", NAMES, ids=" ".join)
def test_round_trip(tmp_path: Path, names: list[str], compression: str) -> None:
    pairs = [
        Pair("Häuser & <Höfe> „x“ \\ \\n", 'houses "and" yards'),
        Pair("eins", "one"),
        Pair("eins", "one again"),
        Pair("日本語\u2028テスト", "</seg> ]]> &amp; \U0001f600"),
        Pair("ende", "end"),
    ]
    paths = [tmp_path / (name + compression) for name in names]
    assert write_pairs(paths, pairs, LANGUAGES) == 5
    assert [pair[:2] for pair in read_pairs(paths, LANGUAGES)] == [pair[:2] for pair in pairs]
    lines = [pair.line for pair in read_pairs(paths)]
    assert lines == sorted(set(lines)) and lines[0] >= 1


@pytest.mark.parametrize("names", NAMES, ids=" ".join)
@given(pairs=st.lists(st.tuples(SIDES, SIDES)))
def test_round_trip_of_any_text(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], pairs: list[tuple[str, str]]
) -> None:
    if names != ["a.de", "a.en"] and names != ["a.tsv"]:
        pairs = [(source, target) for source, target in pairs if source and target]
    if names == ["a.tmx"] and not pairs:
        return
    folder = tmp_path_factory.mktemp("pairs")
    paths = [folder / name for name in names]
    write_pairs(paths, [Pair(*pair) for pair in pairs], LANGUAGES)
    assert [pair[:2] for pair in read_pairs(paths)] == pairs


@pytest.mark.parametrize("names", NAMES, ids=" ".join)
def test_failure_leaves_nothing(tmp_path: Path, names: list[str]) -> None:
    def failing() -> list[Pair]:
        yield Pair("a", "b")  # type: ignore[misc]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pairs([tmp_path / name for name in names], failing(), LANGUAGES)
    assert list(tmp_path.iterdir()) == []


def test_lines_inside_a_segment_become_spaces(tmp_path: Path) -> None:
    write_pairs([tmp_path / "a.tsv"], [Pair("a\nb\tc", " d\r\n e ")])
    assert list(read_pairs([tmp_path / "a.tsv"])) == [Pair("a b c", "d e", 1)]
    assert one_line("a\n\nb") == "a b"


def test_unequal_files(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("1\n2\n3\n4\n")
    (tmp_path / "a.en").write_text("1\n2\n")
    for one, other in (("a.de", "a.en"), ("a.en", "a.de")):
        with pytest.raises(InputError, match=r"a\.en: ends after 2 lines, but .*a\.de has 4; "):
            list(read_pairs([tmp_path / one, tmp_path / other]))


def test_columns(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("ja\tyes\tweb\t0.9\nnein\n")
    pairs = read_pairs([tmp_path / "a.tsv"])
    assert next(pairs) == Pair("ja", "yes", 1, "web")
    with pytest.raises(InputError, match=r"a\.tsv:2: this line has no tab between source and target"):
        next(pairs)
    (tmp_path / "a.txt").write_text("ja ||| yes\n||| only\nonly |||\na|||b ||| c ||| d\nnein\n")
    pairs = read_pairs([tmp_path / "a.txt"])
    assert [next(pairs)[:2] for _ in range(4)] == [("ja", "yes"), ("", "only"), ("only", ""), ("a|||b", "c ||| d")]
    with pytest.raises(InputError, match=r"a\.txt:5: this line has no ' \|\|\| ' between"):
        next(pairs)
    with pytest.raises(OptionError, match="holds '|||' itself"):
        write_pairs([tmp_path / "b.txt"], [Pair("a ||| b", "c")])
    assert not (tmp_path / "b.txt").exists()


@pytest.mark.parametrize("names", NAMES, ids=" ".join)
def test_bad_files(tmp_path: Path, names: list[str]) -> None:
    paths = [tmp_path / name for name in names]
    with pytest.raises(InputError, match="no such file"):
        list(read_pairs(paths))
    for path in paths:
        path.mkdir()
    with pytest.raises(InputError, match="this is a directory"):
        list(read_pairs(paths))
    with pytest.raises(OutputError, match="is a directory"):
        write_pairs(paths, [], LANGUAGES)


def test_standard_streams() -> None:
    with pytest.raises(OptionError, match="both sides cannot come from standard input"):
        list(read_pairs(["-", "-"]))
    with pytest.raises(OptionError, match="both be written to standard output"):
        write_pairs(["-", "-"], [])
