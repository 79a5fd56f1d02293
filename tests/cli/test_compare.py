"""`pentaglot compare` as a user runs it."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from pentaglot.evaluate import CompareOptions, compare

WORDS = [f"w{number}" for number in range(30)]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two systems of three runs each, and two references."""
    draw = random.Random(1)
    lines = [[draw.choice(WORDS) for _ in range(draw.randrange(3, 12))] for _ in range(50)]

    def write(name: str, share: float) -> None:
        spoilt = (" ".join(draw.choice(WORDS) if draw.random() < share else word for word in line) for line in lines)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in spoilt))

    write("one", 0)
    write("two", 0.1)
    for run in range(3):
        write(f"old.{run}", 0.4)
        write(f"new.{run}", 0.2)
    return tmp_path


def _read(files: Path, *names: str) -> list[list[str]]:
    return [(files / name).read_text().splitlines() for name in names]


BOTH = ("old=old.*", "new=new.0", "new=new.1", "new=new.2")


def test_tables(pentaglot: Run, files: Path) -> None:
    shown = pentaglot("compare", *BOTH, "-r", "one", "--reference", "two", "--metrics", "bleu,ter,length")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0].split() == ["system", "n", "BLEU", "↑", "TER", "↓", "length"]
    assert [line.split()[:2] for line in lines[1:3]] == [["old", "3"], ["new", "3"]]
    assert lines[4].split()[:4] == ["metric", "system", "against", "difference"]
    assert "50 segments, 2 references, n = 3 runs of each system." in lines
    assert any(line.startswith("BLEU|nrefs:2|case:mixed|") for line in lines)


def test_a_name_is_on_one_line(pentaglot: Run, files: Path) -> None:
    shown = pentaglot("compare", "a\n\tb=old.0", "new=new.0", "-r", "one", "--metrics", "ter", "-q")
    assert shown.returncode == 0 and [line.split()[0] for line in shown.stdout.splitlines()[1:3]] == [
        r"a\x0a\x09b",
        "new",
    ]


def test_json_says_what_python_says(pentaglot: Run, files: Path) -> None:
    arguments = ["compare", *BOTH, "-r", "one", "--json", "-q", "--shuffles", "300", "--simulate", "1", "--draws", "3"]
    shown = pentaglot(*arguments, "--threads", "1")
    assert shown.stderr == ""
    systems = {name: _read(files, *(f"{name}.{run}" for run in range(3))) for name in ("old", "new")}
    options = CompareOptions(shuffles=300, simulate=(1,), draws=3)
    wanted = compare(systems, _read(files, "one"), options).as_dictionary()
    assert json.loads(shown.stdout) == json.loads(json.dumps(wanted))
    assert pentaglot(*arguments, "--threads", "3").stdout == shown.stdout


def test_files(pentaglot: Run, files: Path) -> None:
    (files / "source").write_text("".join(f"Quelle {number}\n" for number in range(50)))
    shown = pentaglot(
        *("compare", *BOTH, "-r", "one", "-q", "--baseline", "new", "--source", "source"),
        *("--markdown", "report.md", "--latex", "report.tex", "--html", "report.html"),
    )
    assert shown.returncode == 0 and shown.stdout.startswith("system")
    assert (files / "report.md").read_text().startswith("| system | n |")
    assert r"\begin{tabular}" in (files / "report.tex").read_text()
    page = (files / "report.html").read_text()
    assert "Sentences: old" in page and "Quelle" in page
    only = pentaglot("compare", *BOTH, "-r", "one", "-q", "--markdown", "-")
    assert only.stdout.startswith("| system |") and "\nsystem " not in only.stdout


def test_development_sets_names_and_compression(pentaglot: Run, files: Path) -> None:
    (files / "one.gz").write_bytes(gzip.compress((files / "one").read_bytes()))
    shown = pentaglot(
        *("compare", *BOTH, "-r", "one.gz", "--metrics", "ter"),
        *("--dev", "old=old.*", "--dev", "new=new.*", "--dev-reference", "two"),
    )
    assert shown.returncode == 0, shown.stderr
    assert "s_dev, the spread over runs on the development set: TER old" in shown.stdout
    plain = pentaglot("compare", "old.0", "new.0", "-r", "one", "--metrics", "ter")
    assert plain.stdout.splitlines()[1].startswith("old.0 ") and "Only one run of each system" in plain.stdout
    (files / "run.toml").write_text('[compare]\nmetrics = "ter"\nties = "strict"\n')
    told = pentaglot("compare", "a=old.0", "b=old.0", "-r", "one", "--config", "run.toml")
    assert "ties strict" in told.stdout and "<0.001" in told.stdout


def test_files_with_one_name_in_two_directories_are_two_systems(pentaglot: Run, files: Path) -> None:
    for name in ("old", "new"):
        (files / name).mkdir()
        (files / f"{name}.0").rename(files / name / "test.en")
    shown = pentaglot("compare", "old/test.en", "new/test.en", "old.1", "-r", "one", "--metrics", "ter", "-q")
    assert [line.split()[:2] for line in shown.stdout.splitlines()[1:4]] == [
        ["old/test.en", "1"],
        ["new/test.en", "1"],
        ["old.1", "1"],
    ]
    twice = pentaglot("compare", "old/test.en", "./old/test.en", "-r", "one")
    assert "is given twice as a run of 'test.en'" in twice.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["old=old.*", "new=new.0", "-r", "one"], "systems need equal numbers of runs, but old has 3, new has 1; "),
        (["old=old.*", "-r", "one"], "there is nothing to compare; give at least two systems"),
        ([*BOTH], "there are no references to compare with; name one with --reference"),
        ([*BOTH, "-r", "one", "-r", "short"], "short:2: has 1 line but one has 50; line n of all files"),
        ([*BOTH, "-r", "short"], "old.0:2: has 50 lines but short has 1; line n of all files must translate"),
        ([*BOTH, "-r", "empty"], "empty: is empty: there is nothing to compare"),
        (["a=old.0", "a=./old.0", "b=new.0", "-r", "one"], "old.0: is given twice as a run of 'a'; each run counts"),
        (["a=none.*", "b=new.0", "-r", "one"], "none.*: no such file; check the path"),
        (["=old.0", "b=new.0", "-r", "one"], "'=old.0' does not name a system and a file; write NAME=FILE"),
        ([*BOTH, "-r", "one", "--dev", "old=old.0"], "--dev and --dev-reference go together"),
        (
            [*BOTH, "-r", "one", "--dev", "old=old.0", "--dev-reference", "two"],
            "system 'old' has 3 runs but 1 on the development set; give the same runs on both",
        ),
        ([*BOTH, "-r", "one", "--baseline", "mid"], "there is no system 'mid' to use as the baseline; "),
        ([*BOTH, "-r", "one", "--source", "short"], "short:2: has 1 line but one has 50"),
        ([*BOTH, "-r", "one", "--metrics", "meteors"], "there is no metric 'meteors'; "),
        ([*BOTH, "-r", "one", "--simulate", "4"], "4 runs cannot be drawn from a pool of 3; give more runs"),
        ([*BOTH, "-r", "one", "--simulate", "0"], "0 runs cannot be drawn from a pool of 3; draw at least one"),
        ([*BOTH, "-r", "one", "--shuffles", "0"], "option 'shuffles' is 0; it must be at least 1"),
        ([*BOTH, "-r", "one", "--html", "none/page.html"], "none/page.html: there is no such directory to write to"),
        ([*BOTH, "-r", "broken"], "broken:2: not valid UTF-8"),
        ([], "missing argument 'NAME=FILE...'; see 'pentaglot compare --help'"),
    ],
)
def test_mistakes(pentaglot: Run, files: Path, arguments: list[str], complaint: str) -> None:
    (files / "short").write_text("only one\n")
    (files / "empty").write_text("")
    (files / "broken").write_bytes(b"good\nb\xffd\n")
    shown = pentaglot("compare", *arguments)
    assert shown.returncode == 2 and shown.stdout == ""
    assert complaint in shown.stderr and "Traceback" not in shown.stderr
    assert len(shown.stderr.splitlines()) == 1
