"""`pentaglot corpus` as a user meets it: output, exit codes, one sentence for each mistake."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.console import run_page

from pentaglot.cli.main import main
from pentaglot.corpus.prepared_corpus import PreparedCorpus

from .conftest import Run


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.de").write_text("".join(f"Satz {i}, ja.\n" for i in range(60)), "utf-8")
    Path("a.en").write_text("".join(f"Sentence {i}, yes.\n" for i in range(60)), "utf-8")


def _run(*arguments: str) -> int:
    try:
        main(["corpus", *arguments])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def _problem(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence of a command that must fail."""
    before = sorted(map(str, Path().rglob("*")))
    assert _run(*arguments) == 2
    captured = capsys.readouterr()
    lines = [line for line in captured.err.splitlines() if line.startswith("pentaglot: ")]
    assert len(lines) == 1 and "Traceback" not in captured.err
    assert sorted(map(str, Path().rglob("*"))) == before, "nothing is left half-written"
    return lines[0].removeprefix("pentaglot: ")


def test_check_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("check", "a.de", "a.en", "--strict") == 0
    assert capsys.readouterr().out == "No problems in 60 pairs in train.\n"


def test_check_shows_problems(capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.de").write_bytes(b"[bold]Haus\nNein\xff\n\n" + "a\u2028b\n".encode() + b"[bold]Haus\n")
    Path("b.en").write_bytes(b"[bold]Haus\nno\n\nc\nhouse\nmore\n")
    assert _run("check", "b.de", "b.en", "--dev", "b.de", "b.en", "--test", "a.de", "a.en") == 0
    out = capsys.readouterr().out
    assert "  b.de:2: not valid UTF-8 (byte 0xff at column 5)\n" in out
    assert "  b.en:6: b.de ends after 5 lines, b.en after 6\n" in out
    assert "  b.de:4: U+2028 (line separator)\n" in out
    assert "  b.de:1: “[bold]Haus”\n" in out, "text is not taken for markup"
    assert "5 pairs in train, 5 pairs in dev, 60 pairs in test" in " ".join(out.split())
    assert _run("check", "b.de", "b.en", "--strict") == 1
    capsys.readouterr()
    assert _run("check", "b.de", "b.en", "--json", "--examples", "1") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["pairs"] == {"train": 5}
    assert report["problems"]["unequal lengths"]["examples"] == [
        {"file": "b.en", "line": 6, "detail": "b.de ends after 5 lines, b.en after 6"}
    ]


def test_check_of_broken_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert _problem(capsys, "check", "a.de", "nope.en") == "nope.en: no such file; check the path"
    assert "this is a directory" in _problem(capsys, "check", ".", "a.en")
    Path("cut.gz").write_bytes(gzip.compress(b"x\n" * 9999)[:-9])
    assert _run("check", "a.de", "cut.gz") == 0
    assert "the compressed file is cut short" in capsys.readouterr().out


def test_prepare(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("prepare", "a.de", "a.en", "-o", "out", "--dev-size", "5", "--source-casing", "truecase") == 0
    out = capsys.readouterr().out
    assert "Prepared corpus in out" in out and "49" in out
    corpus = PreparedCorpus.open("out")
    assert corpus.facts["pairs"] == {"read": 60, "train": 49, "dev": 5, "test": 6}
    assert corpus.tokenizers[0].casing == "truecase"
    Path("options.toml").write_text('[prepare]\nseed = 7\ndev-size = 3\nsource_tokenizer = "none"\n')
    assert _run("prepare", "a.de", "a.en", "-o", "out", "--config", "options.toml", "--dev-size", "2") == 0
    assert PreparedCorpus.open("out").facts["pairs"]["dev"] == 2
    assert PreparedCorpus.open("out").facts["options"]["source_tokenizer"] == "none"


def test_prepare_of_broken_input(capsys: pytest.CaptureFixture[str]) -> None:
    def problem(*inputs: str) -> str:
        return _problem(capsys, "prepare", *inputs, "-o", "out")

    assert problem("nope.de", "a.en") == "nope.de: no such file; check the path"
    assert problem(".", "a.en").startswith(".: this is a directory, a file is needed")
    Path("short").write_text("one\n")
    assert problem("a.de", "short").startswith("short: ends after 1 line, but a.de has 60; ")
    Path("latin").write_bytes("gut\nschön\n".encode("latin-1"))
    assert problem("latin", "a.en").startswith("latin:2: not valid UTF-8 (byte 0xf6 at column 4); ")
    Path("cut.gz").write_bytes(gzip.compress(b"x\n" * 9999)[:-9])
    assert problem("cut.gz", "a.en").startswith("cut.gz: the compressed file is cut short")
    Path("empty").touch()
    assert problem("empty", "empty").startswith("empty: the corpus has no pairs")
    assert "this line has no ' ||| '" in problem("a.de")
    assert "no tokenizer 'moses'" in problem("a.de", "a.en", "--source-tokenizer", "moses")
    assert "'dev_size' is -1; it must be at least 0" in problem("a.de", "a.en", "--dev-size", "-1")
    Path("full").mkdir()
    Path("full/of things").touch()
    assert "is a directory with other things in it" in _problem(capsys, "prepare", "a.de", "a.en", "-o", "full")


def test_convert(capsys: pytest.CaptureFixture[str]) -> None:
    languages = ("--source-language", "de", "--target-language", "en")
    assert _run("convert", "a.de", "a.en", *languages, "-o", "a.tmx.gz") == 0
    assert _run("convert", "a.tmx.gz", *languages, "-o", "b.po") == 0
    assert _run("convert", "b.po", "-o", "b.tsv.zst") == 0
    assert _run("convert", "b.tsv.zst", "-o", "b.txt") == 0
    assert _run("convert", "b.txt", "-o", "b.de", "-p", "b.en") == 0
    assert Path("b.de").read_bytes() == Path("a.de").read_bytes()
    assert Path("b.en").read_bytes() == Path("a.en").read_bytes()
    assert "60 pairs written" in capsys.readouterr().err
    assert "both languages are needed" in _problem(
        capsys, "convert", "a.tmx.gz", "--source-language", "de", "-o", "c.tsv"
    )
    assert "must name its languages" in _problem(capsys, "convert", "a.de", "a.en", "-o", "c.tmx")


def test_tokenise_and_back(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Hallo, Welt! ￭▁\n\n  zwei\u00a0Wörter \n"
    for mode in ("conservative", "aggressive", "characters"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert _run("tokenise", "--tokenizer", mode, "-o", "tokens") == 0
        assert _run("detokenise", "tokens", "--tokenizer", mode, "-o", "again") == 0
        assert Path("again").read_text("utf-8") == "Hallo, Welt! ￭▁\n\nzwei Wörter\n"
    assert _run("prepare", "a.de", "a.en", "-o", "out", "--source-casing", "lowercase") == 0
    Path("new.de").write_text("Satz 99, ja.\n")
    capsys.readouterr()
    assert _run("tokenise", "new.de", "--using", "out/source.tokenizer", "-o", "new.tokens") == 0
    assert Path("new.tokens").read_text() == "satz 99 ￭, ja ￭.\n"
    assert _run("detokenise", "new.tokens", "--using", "out/source.tokenizer", "--recase", "-o", "new.again") == 0
    assert Path("new.again").read_text() == "Satz 99, ja.\n"
    assert "leave out" in _problem(capsys, "tokenise", "a.de", "--using", "out/source.tokenizer", "--lowercase")
    assert "there is no tokenizer here" in _problem(capsys, "tokenise", "a.de", "--using", "nowhere")


def test_the_page_says_what_happens(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "commands" / "corpus.md"
    assert run_page(page, tmp_path / "page", os.environ, Path(sys.executable).parent) >= 8


def test_in_a_pipe_that_closes() -> None:
    Path("long").write_text("Wort, Wort.\n" * 200_000)
    command = [sys.executable, "-m", "pentaglot", "corpus", "tokenise", "long"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == "Wort ￭, Wort ￭.\n".encode()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_a_corpus_without_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("none.de", "none.en", "none.po"):
        Path(name).write_text("")
    for given in (["none.de", "none.en"], ["none.po"]):
        assert _run("check", *given, "--strict", "-q") == 1
        assert f"{given[0]}:1: there is not a single pair" in capsys.readouterr().out
    Path("one.de").write_text("Haus\n")
    Path("one.en").write_text("house\n")
    assert _run("check", "one.de", "one.en", "-q") == 0
    assert capsys.readouterr().out == "No problems in 1 pair in train.\n"
    assert _run("convert", "one.de", "one.en", "-o", "one.tsv") == 0
    assert capsys.readouterr().err == "1 pair written\n"


def test_help_is_language(capsys: pytest.CaptureFixture[str]) -> None:
    _run("--help")
    assert " Report what is wrong with a corpus" in capsys.readouterr().out


@pytest.mark.parametrize("side", ["source", "target"])
def test_codes_of_languages(pentaglot: Run, side: str) -> None:
    codes = {"source": "pt-BR", "target": "zh_Hans"}
    for command in (("corpus", "prepare"), ("corpus", "check"), ("corpus", "convert"), ("train",)):
        wrong = [f"--{each}-language={'turkish!' if each == side else code}" for each, code in codes.items()]
        output = () if command[-1] == "check" else ("-o", "out")
        done = pentaglot(*command, "a.de", "a.en", *wrong, *output)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
        assert "'turkish!' is not the code of a language; write one such as tr" in done.stderr
    right = [f"--{each}-language={code}" for each, code in codes.items()]
    assert pentaglot("corpus", "convert", "a.de", "a.en", *right, "-o", "a.tmx").returncode == 0
