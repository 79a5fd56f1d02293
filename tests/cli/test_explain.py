"""`pentaglot explain` as a user runs it: in the terminal, as JSON, as a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lxml import html
from tests.cli.conftest import Run

SENTENCE = "Der Lehrer sieht das Buch."


def test_terminal(pentaglot: Run, model: Path) -> None:
    told = pentaglot("explain", model, SENTENCE, "--features")
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    assert lines[0] == SENTENCE
    assert lines[1] == pentaglot("translate", model, stdin=SENTENCE).stdout.strip()
    assert " → " in told.stdout and " of train.de" in told.stdout and "language_model" in told.stdout
    assert "times" in told.stdout and "[" in told.stdout
    assert lines[-1].startswith("score ")
    assert " of train.de" not in pentaglot("explain", model, SENTENCE, "--examples", "0").stdout
    assert "Xylofon  unknown, copied" in pentaglot("explain", model, "Xylofon").stdout


def test_several_lines(pentaglot: Run, model: Path) -> None:
    given = pentaglot("explain", model, SENTENCE, "Das Kind.", "--json")
    piped = pentaglot("explain", model, "--json", stdin=f"{SENTENCE}\nDas Kind.\n")
    assert given.stdout == piped.stdout
    records = [json.loads(line) for line in given.stdout.splitlines()]
    assert [record["source"] for record in records] == [SENTENCE, "Das Kind."]
    assert records[0]["derivations"][0]["kind"] == "joined"
    assert pentaglot("explain", model, stdin="").stdout == ""


def test_words_of_a_long_line_are_counted_from_its_beginning(pentaglot: Run, model: Path) -> None:
    """It is translated in parts."""
    told = pentaglot("explain", model, "Xylofon " * 230).stdout
    found = re.findall(r"words (\S+) → (\S+)", " ".join(told.split()))
    assert found == [(str(number), str(number)) for number in range(1, 231)]


def test_lines_of_a_file(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "two.de").write_text(f"{SENTENCE}\nDas Kind.\n")
    given = pentaglot("explain", model, SENTENCE, "Das Kind.", "--json").stdout
    assert pentaglot("explain", model, "--input", "two.de", "--json").stdout == given
    done = pentaglot("explain", model, "--html", "page.html", "-i", "two.de")
    assert done.stderr == "2 lines explained in page.html\n"
    for arguments, message in (
        (["two.de"], "two.de: is a file, not a sentence; give it with --input to explain its lines"),
        ([SENTENCE, "two.de"], "two.de: is a file, not a sentence; give it with --input to explain its lines"),
        ([SENTENCE, "-i", "two.de"], "give sentences or --input, not both; see 'pentaglot explain --help'"),
        (["-i", "none.de"], "none.de: no such file; check the path"),
    ):
        done = pentaglot("explain", model, "--html", "other.html", *arguments)
        assert (done.returncode, done.stderr) == (2, f"pentaglot: {message}\n")
    assert not (tmp_path / "other.html").exists()
    assert pentaglot("explain", model, "x" * 5000).returncode == 0


def test_page(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    done = pentaglot("explain", model, SENTENCE, "<script>", "--html", "page.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "" and done.stderr == "2 lines explained in page.html\n"
    page = (tmp_path / "page.html").read_text("utf-8")
    tree = html.document_fromstring(page)
    assert tree.findtext(".//h1") == "de-en: how it was translated"
    assert [each.text_content() for each in tree.find_class("text")][::2] == [SENTENCE, "<script>"]
    assert pentaglot("explain", model, SENTENCE, "<script>", "--html", "-").stdout == page


def test_bad_input(pentaglot: Run, model: Path) -> None:
    for arguments, message in (
        (("nothing", "x"), "there is no model here"),
        ((model, "x", "--html", "page.html", "--json"), "choose one of --html and --json"),
        ((model, "x", "--html", "nowhere/page.html"), "nowhere"),
        ((model, "x", "--html", model), "directory"),
    ):
        done = pentaglot("explain", *arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_words_that_were_never_seen(pentaglot: Run, model: Path) -> None:
    told = pentaglot("explain", model, "Das ist der Lehrerin.").stdout
    assert "guessed, like Lehrer (another form)" in " ".join(told.split())
    found = {
        kinds: pentaglot("translate", model, "--fallbacks", kinds, stdin="Lehrerin").stdout.strip()
        for kinds in ("none", "forms", "alike,forms")
    }
    assert found["none"] == "Lehrerin" != found["forms"] == found["alike,forms"]
    refused = pentaglot("translate", model, "--fallbacks", "stems", stdin="")
    assert refused.returncode == 2 and "'stems' is not one of alike, forms, compounds, lexicon" in refused.stderr


def test_text_without_spaces_is_shown_whole(pentaglot: Run, grown: Path) -> None:
    pentaglot("add", grown, "Quastenflosser" * 9, "coelacanth" * 9)
    shown = "".join(pentaglot("explain", grown, "Quastenflosser" * 9).stdout.split())
    assert f"[{'Quastenflosser' * 9}][{'coelacanth' * 9}]" in shown
