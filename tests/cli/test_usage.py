"""What is wrong with a command line: one sentence of ours, whatever click would say and in whichever language."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

SENTENCES = [
    ("tranlsate", "no such command 'tranlsate'; did you mean 'translate'?"),
    ("corpus chekc", "no such command 'chekc'; did you mean 'check'?"),
    ("lm perplexty a b", "no such command 'perplexty'; did you mean 'perplexity'?"),
    ("align shwo a b", "no such command 'shwo'; did you mean 'show'?"),
    (
        "index 17",
        "no such command '17'; known: add, added, build, info, layer, merge, remove, weigh; see '{} index --help'",
    ),
    ("--verbos", "no such option '--verbos'; did you mean '--verbose'?"),
    ("--frobnicate", "no such option '--frobnicate'; see '{} --help'"),
    ("translate m --nbset 3", "no such option '--nbset'; did you mean '--nbest'?"),
    ("align a b --tokenizr none", "no such option '--tokenizr'; did you mean '--tokenizer'?"),
    ("translate", "missing argument 'MODEL'; see '{} translate --help'"),
    ("align a", "missing argument 'TARGET'; see '{} align --help'"),
    ("train a b", "missing option '--output'; see '{} train --help'"),
    ("translate m --nbest x", "option '--nbest' must be a whole number, at least 1; see '{} translate --help'"),
    ("translate m --nbest 0", "option '--nbest' must be a whole number, at least 1; see '{} translate --help'"),
    ("corpus check a b --max-ratio x", "option '--max-ratio' must be a number; see '{} corpus check --help'"),
    ("train a b -o c --tuner mra", "there is no tuner 'mra'; did you mean 'mira'?"),
    ("train a b -o c --casing x", "option '--casing' must be one of keep, lowercase, truecase; see '{} train --help'"),
    ("index remove m x", "argument 'NUMBER' must be a whole number; see '{} index remove --help'"),
    ("add m --weigh 1", "option '--weigh' needs 2 values; see '{} add --help'"),
    ("add m --weigh x y", "option '--weigh' must be a whole number and a number; see '{} add --help'"),
    ("find m x --most", "option '--most' needs a value; see '{} find --help'"),
    ("find m x --json=1", "option '--json' takes no value; see '{} find --help'"),
    (
        "align evaluate a b --alpha 2",
        "option '--alpha' must be a number, at least 0 and at most 1; see '{} align evaluate --help'",
    ),
    ("find m x y", "got unexpected extra argument (y); see '{} find --help'"),
]


@pytest.mark.parametrize(("arguments", "sentence"), SENTENCES, ids=[arguments for arguments, _ in SENTENCES])
def test_one_sentence(pentaglot: Run, arguments: str, sentence: str) -> None:
    done = pentaglot(*arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"pentaglot: {sentence.format('pentaglot')}\n"


@pytest.mark.parametrize("arguments", ["train {} -o model", "align {}", "index build {} -o index"])
def test_one_file_with_both_sides(pentaglot: Run, tmp_path: Path, arguments: str) -> None:
    """`corpus check` takes it, so it may well be given to other commands."""
    for name, text, complaint in (
        ("a.po", 'msgid "yes"\nmsgstr "ja"\n', "is a file of messages (PO), not plain text; make two text files of it"),
        ("a.tmx", "<tmx/>", "is a translation memory (TMX), not plain text; make two text files of it"),
        ("a.tsv", "yes\tja\n", "is a table with both sides (TSV), not plain text; make two text files of it"),
        ("a.de", "ja\n", "missing argument 'TARGET'"),
        ("bad", b"\xff", "missing argument 'TARGET'"),
    ):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        done = pentaglot(*arguments.format(name).split())
        assert (done.returncode, done.stdout) == (2, "") and complaint in done.stderr
        assert done.stderr.count("\n") == 1
    done = pentaglot(*arguments.format("none.po").split())
    assert (done.returncode, done.stdout) == (2, "") and "missing argument 'TARGET'" in done.stderr


def test_a_file_named_like_a_command_is_a_file(pentaglot: Run, tmp_path: Path) -> None:
    for name in ("shwo", "other"):
        (tmp_path / name).write_text("ja\nnein\n")
    assert pentaglot("align", "shwo", "other", "-q").stdout == "0-0\n0-0\n"


@pytest.mark.parametrize("group", ["", "align", "corpus", "index", "lm", "table"])
def test_no_arguments_show_the_help(pentaglot: Run, group: str) -> None:
    shown = pentaglot(*group.split())
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr == pentaglot(*group.split(), "--help").stdout
