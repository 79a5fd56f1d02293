"""Every problem that was planted is found, at its line, and nothing else."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus.check import CheckOptions, check, leak_key
from pentaglot.corpus.check_report import PROBLEMS, CheckReport
from pentaglot.errors import InputError, OptionError

from .texts import texts


def _corpus(folder: Path, name: str, pairs: list[tuple[str, str]]) -> list[Path]:
    paths = [folder / f"{name}.de", folder / f"{name}.en"]
    for path, side in zip(paths, zip(*pairs, strict=True), strict=True):
        path.write_text("".join(f"{line}\n" for line in side), "utf-8", newline="")
    return paths


def _found(report: CheckReport) -> list[tuple[str, str, int]]:
    return [(finding.problem, Path(finding.path).name, finding.line) for finding in report.findings]


def test_every_planted_problem_is_found(tmp_path: Path) -> None:
    pairs = [
        ("Das ist gut.", "That is good."),
        ("Ein \x07 Ton", "A sound"),
        ("Eine Zeile", "A\u2028line"),
        ("Noch\x0b eine", "Another"),
        ("", "nothing"),
        ("nichts", "  "),
        ("kurz", "a very long sentence that cannot possibly be its translation"),
        ("lang " * 300, "long " * 290),
        ("London Paris", "London Paris"),
        ("Das ist gut.", "That is good."),
        ("Das ist gut.", "This is good."),
        ("Tab\tist erlaubt", "a tab is fine"),
        ("schlechte \x93Zeichen\x94", "bad “characters”"),
        ("123", "123"),
    ]
    report = check(_corpus(tmp_path, "train", pairs))
    assert _found(report) == [
        ("control character", "train.de", 2),
        ("control character", "train.de", 13),
        ("line separator", "train.de", 4),
        ("line separator", "train.en", 3),
        ("empty side", "train.de", 5),
        ("empty side", "train.en", 6),
        ("length ratio", "train.de", 7),
        ("overlong", "train.de", 8),
        ("overlong", "train.en", 8),
        ("identical sides", "train.de", 9),
        ("duplicate", "train.de", 10),
    ]
    details = {finding.line: finding.detail for finding in report.findings}
    assert details[13] == "U+0093 (“ of Windows-1252)"
    assert details[10] == "the same pair as on line 1"
    assert report.pairs == {"train": 14}


def test_the_side_that_is_too_long_is_named(tmp_path: Path) -> None:
    pairs = [("ein Satz von vielen", "one of many")] * 3 + [("kurz und gut", "x" * 60), ("y" * 55, "short and good")]
    report = check(_corpus(tmp_path, "train", pairs), options=CheckOptions(max_length=50, max_ratio=100))
    found = [(Path(each.path).name, each.line, each.detail) for each in report.findings if each.problem == "overlong"]
    assert found == [("train.en", 4, "the target has 60 characters"), ("train.de", 5, "the source has 55 characters")]


def test_length_ratios_are_those_of_the_corpus(tmp_path: Path) -> None:
    """In Chinese a sentence has a third of the characters; the limit and the report count characters alike."""
    usual = [
        (f"我们今天要去学校上课{number}", f"Today we are going to school for class {number}") for number in range(100)
    ]
    odd = [("学" * 130, "a lesson of forty characters, as it were"), ("学", "w" * 317)]
    report = check(_corpus(tmp_path, "train", [*usual, *odd]))
    assert report.ratios["train"] == pytest.approx((12 / 41) ** (102 / 112), abs=1e-3)
    found = [(each.line, each.detail) for each in report.findings if each.problem == "length ratio"]
    ratio = f"{report.ratios['train']:.2g}"
    assert found == [
        (101, f"130 against 40 characters: 3.2 to 1, where {ratio} is usual"),
        (102, f"1 against 317 characters: 0.0032 to 1, where {ratio} is usual"),
    ]
    # Pairs of letters with many bytes are as good as others.
    cyrillic = [("Мы сегодня идём в школу " * 4, "We go to school today " * 2)] * 50
    assert check(_corpus(tmp_path, "cyrillic", cyrillic), options=CheckOptions(max_ratio=2)).counts["length ratio"] == 0


def test_overlap_with_held_out_parts(tmp_path: Path) -> None:
    train = [("a b", "x y"), ("Nur  Quelle", "other"), ("andere", "Only Target"), ("neu", "new")]
    dev = [("A  b", "x Y"), ("nur quelle", "only source")]
    test = [("nur ziel", "only target"), ("nur quelle", "again")]
    report = check(
        _corpus(tmp_path, "train", train), dev=_corpus(tmp_path, "dev", dev), test=_corpus(tmp_path, "test", test)
    )
    found = {(Path(f.path).name, f.line, f.detail.replace(f"{tmp_path}/", "")) for f in report.findings}
    assert found == {
        ("train.de", 1, "both sides are also in dev (dev.de:1)"),
        ("train.de", 2, "the source is also in dev (dev.de:2)"),
        ("train.de", 2, "the source is also in test (test.de:2)"),
        ("train.en", 3, "the target is also in test (test.en:1)"),
        ("dev.de", 2, "the source is also in test (test.de:2)"),
    }
    assert set(report.counts) == {"overlap"} and report.pairs == {"train": 4, "dev": 2, "test": 2}


@pytest.mark.parametrize(("source", "target"), [(5, 3), (3, 5), (0, 2), (3, 0)])
def test_unequal_lengths(tmp_path: Path, source: int, target: int) -> None:
    (tmp_path / "a.de").write_text("".join(f"zeile {i}\n" for i in range(source)))
    (tmp_path / "a.en").write_text("".join(f"line {i}\n" for i in range(target)))
    report = check([tmp_path / "a.de", tmp_path / "a.en"])
    longer = "a.de" if source > target else "a.en"
    assert _found(report) == [("unequal lengths", longer, min(source, target) + 1)]
    assert report.findings[0].detail == f"a.de ends after {source} lines, a.en after {target}"
    assert report.pairs == {"train": min(source, target)}


def test_broken_files_are_reported_and_the_rest_is_checked(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_bytes(b"gut\nschl\xe4cht\n\xff\ngut so\n")
    (tmp_path / "a.en.gz").write_bytes(gzip.compress(b"good\nbad\n?\ngood\n" + bytes(99999))[:60])
    report = check([tmp_path / "a.de", tmp_path / "a.en.gz"])
    assert [each[:1] + each[2:] for each in _found(report)][:3] == [
        ("unreadable", 1),
        ("unequal lengths", 1),
        ("invalid UTF-8", 2),
    ]
    assert "cut short" in report.findings[0].detail and "0xe4 at column 5" in report.findings[2].detail
    with pytest.raises(InputError, match="no such file"):
        check([tmp_path / "a.de", tmp_path / "missing"])
    with pytest.raises(InputError, match="is a directory"):
        check([tmp_path, tmp_path / "a.de"])
    with pytest.raises(OptionError, match="one file or two"):
        check([])


def test_one_file_with_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("ja\tyes\nja\tyes\nn\x07ein\tno\nkein Tab\nja\tyes\n")
    report = check([path])
    assert _found(report) == [
        ("unreadable", "a.tsv", 4),
        ("control character", "a.tsv", 3),
        ("duplicate", "a.tsv", 2),
    ]
    with pytest.raises(InputError, match="no such file"):
        check([tmp_path / "missing.tmx"])


def test_examples_are_few_but_counts_are_all(tmp_path: Path) -> None:
    paths = _corpus(tmp_path, "a", [("gleich", "same")] * 100)
    report = check(paths, options=CheckOptions(examples=2))
    assert report.counts == {"duplicate": 99} and len(report.findings) == 2
    facts = json.loads(json.dumps(report.as_facts()))
    assert facts["problems"]["duplicate"]["count"] == 99
    assert facts["problems"]["duplicate"]["examples"][0] == {
        "file": str(paths[0]),
        "line": 2,
        "detail": "the same pair as on line 1",
    }


@given(data=st.binary(max_size=200), other=st.binary(max_size=200))
def test_no_bytes_stop_the_check(tmp_path_factory: pytest.TempPathFactory, data: bytes, other: bytes) -> None:
    folder = tmp_path_factory.mktemp("check")
    (folder / "a").write_bytes(data)
    (folder / "b").write_bytes(other)
    report = check([folder / "a", folder / "b"])
    assert set(report.counts) <= set(PROBLEMS)
    try:
        data.decode(), other.decode()
        assert "invalid UTF-8" not in report.counts
    except UnicodeDecodeError:
        assert report.counts["invalid UTF-8"] > 0
    assert ("unequal lengths" in report.counts) == (_line_count(data) != _line_count(other))


def _line_count(data: bytes) -> int:
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data.count(b"\n") + (data[-1:] not in (b"\n", b""))


@given(texts())
def test_case_and_spacing_do_not_make_a_sentence_new(text: str) -> None:
    assert leak_key(f"  {text}\t") == leak_key(text.lower()) == leak_key(leak_key(text))


def test_sides_with_other_placeables(tmp_path: Path) -> None:
    pairs = [
        ("Page {0} of 7", "Seite {0} von 7"),
        ("Page {0} of 7", "Seite {1} von 7"),
        ("about 30%", "%30 kadar"),
        ("12 pages", "zwölf Seiten"),
        ("<b>OK</b> 1.5", "<b>OK 1,5"),
    ]
    for name, side in (("a.en", 0), ("a.de", 1)):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs), "utf-8")
    report = check([tmp_path / "a.en", tmp_path / "a.de"])
    assert [(each.problem, each.line, each.detail) for each in report.findings] == [
        ("placeables differ", 2, "{0} against {1}"),
        ("placeables differ", 5, "</b> against nothing"),
        ("numbers differ", 4, "12 against nothing"),
        ("numbers differ", 5, "1.5 against 1,5"),
    ]


def test_the_same_unit_twice_on_one_line(tmp_path: Path) -> None:
    unit = '<tu><tuv xml:lang="de"><seg>Haus</seg></tuv><tuv xml:lang="en"><seg>house</seg></tuv></tu>'
    (tmp_path / "memory.tmx").write_text(f'<tmx version="1.4"><header srclang="de"/><body>{unit}{unit}</body></tmx>')
    report = check([tmp_path / "memory.tmx"])
    assert [(each.problem, each.detail) for each in report.findings] == [("duplicate", "the same pair as on line 1")]
