"""Nothing that stands in a text, a model, a file's name or an error is obeyed by the terminal; pipes get every byte."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import PENTAGLOT, read_terminal

from pentaglot.cli import showing
from pentaglot.cli.console import Console
from pentaglot.cli.showing import visible
from pentaglot.systems import TrainOptions, Translator, train

EVIL = "\x1b]0;evil\x07"
CSI = "\x9b31m"
NAME = "e\x1b[31mvil[bold]:smile:"
# But for what a terminal needs to begin and end a line.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model and files full of control characters, under names with them."""
    folder = tmp_path_factory.mktemp("showing") / NAME
    folder.mkdir()
    source = [f"das {EVIL} Haus", f"ein {CSI} Haus", "das Buch", f"{EVIL} {CSI} Buch \x7f"] * 5
    target = [f"the {EVIL} house", f"a {CSI} house", "the book", f"{EVIL} {CSI} book \x7f"] * 5
    for name, lines in (("de", source), ("en", target)):
        (folder / f"{NAME}.{name}").write_text("\n".join(lines) + "\n")
    train(
        folder / f"{NAME}.de",
        folder / f"{NAME}.en",
        folder / NAME,
        options=TrainOptions(order=2, tokenizer="none", casing="keep"),
    )
    Translator.open(folder / NAME).add(f"mein {EVIL}", f"my {EVIL}")
    return folder


def _on_a_terminal(folder: Path, *arguments: str, stdin: str = "", colour: bool = False) -> tuple[int, str]:
    """Runs a command whose standard output and error are a terminal; gives what that terminal got."""
    looks = {"TERM": "xterm-256color", "COLORTERM": "truecolor"} if colour else {"TERM": "dumb", "NO_COLOR": "1"}
    environment = {**os.environ, "COLUMNS": "200", **looks}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PENTAGLOT, *arguments], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    assert process.stdin is not None
    process.stdin.write(stdin.encode())
    process.stdin.close()
    shown = read_terminal(ours)
    return process.wait(timeout=60), shown


DE, EN = f"{NAME}.de", f"{NAME}.en"
LINE = f"das {EVIL} Haus {CSI} unbekannt{EVIL}"
COMMANDS: dict[str, list[str]] = {
    "explain": ["explain", NAME, LINE, "--features"],
    "explain --json": ["explain", NAME, LINE, "--json"],
    "explain --html": ["explain", NAME, LINE, "--html", f"{NAME}.html"],
    "rules": ["rules", NAME, EVIL],
    "rules, nothing": ["rules", NAME, f"nichts {EVIL}"],
    "rules --plain": ["rules", NAME, EVIL, "--plain"],
    "rules --json": ["rules", NAME, CSI, "--json"],
    "find": ["find", NAME, f"X {EVIL} X"],
    "find --plain": ["find", NAME, CSI, "--plain"],
    "find --json": ["find", NAME, CSI, "--json"],
    "add": ["add", NAME, LINE, f"the {EVIL} {CSI}"],
    "add --list": ["add", NAME, "--list"],
    "add --json": ["add", NAME, "--json"],
    "index added": ["index", "added", NAME],
    "index info": ["index", "info", NAME],
    "translate": ["translate", NAME, DE],
    "translate --nbest": ["translate", NAME, DE, "--nbest", "2"],
    "translate --json": ["translate", NAME, DE, "--json"],
    "tokenise": ["corpus", "tokenise", DE, "--tokenizer", "none"],
    "convert": ["corpus", "convert", DE, EN, "-o", "-"],
    "check": ["corpus", "check", DE, EN],
    "check --json": ["corpus", "check", DE, EN, "--json"],
    "prepare": ["corpus", "prepare", DE, EN, "-o", f"{NAME}.prepared"],
    "align": [
        "align",
        DE,
        EN,
        "--tokenizer",
        "none",
        "--save",
        f"{NAME}.aligner",
        "-o",
        f"{NAME}.links",
        "--tokens",
        "-",
        f"{NAME}.t",
    ],
    "align show": ["align", "show", "--load", NAME, LINE, LINE],
    "align lexicon": ["align", "lexicon", "--load", NAME],
    "lm build": ["lm", "build", DE, "-o", f"{NAME}.arpa"],
    "lm score": ["lm", "score", f"{NAME}/lm", DE],
    "table": ["table", "extract", NAME, "-o", f"{NAME}.table"],
    "evaluate": ["evaluate", DE, EN, "--baseline", DE],
    "train": ["train", DE, EN, "-o", f"{NAME}.again", "--tokenizer", "none", "--casing", "keep"],
    "train again": ["train", DE, EN, "-o", NAME, "--tokenizer", "none", "--casing", "keep", "--order", "2"],
    "no such file": ["translate", NAME, f"nothing{EVIL}"],
    "no such model": ["find", f"nothing{EVIL}", "x"],
    "no such command": [f"trans{EVIL}"],
    "no such option": ["translate", f"--{EVIL}"],
    "verbose": ["-v", "corpus", "prepare", DE, EN, "-o", f"{NAME}.more", "--dev-size", "500"],
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_terminal_obeys_no_text(hostile: Path, arguments: list[str]) -> None:
    _, shown = _on_a_terminal(hostile, *arguments)
    assert shown
    # What draws progress bars moves the cursor; nothing else does.
    drawn = re.sub(r"\x1b\[\?25[hl]|\x1b\[2K|\x1b\[1A|\r+(?=\x1b|[^\n])", "", shown)
    assert CONTROL.search(drawn) is None, shown
    assert "Traceback" not in shown


def test_what_is_hidden_is_shown(hostile: Path) -> None:
    for command in ("explain", "rules", "find", "translate", "add --list"):
        assert r"\x1b]0;evil" in _on_a_terminal(hostile, *COMMANDS[command])[1]
    assert r"nothing\x1b]0;evil\x07: no such file" in _on_a_terminal(hostile, *COMMANDS["no such file"])[1]


def test_our_own_colours_stay(hostile: Path) -> None:
    _, shown = _on_a_terminal(hostile, "rules", NAME, EVIL, colour=True)
    assert "\x1b[1;36m\\x1b]0;evil\x1b[0m" in shown
    assert EVIL not in shown and "\x1b]0" not in shown


def test_pipes_get_every_byte(hostile: Path) -> None:
    def piped(*arguments: str) -> bytes:
        return subprocess.run([*PENTAGLOT, *arguments], cwd=hostile, capture_output=True, check=True).stdout

    lines = (hostile / DE).read_bytes()
    assert piped("corpus", "tokenise", DE, "--tokenizer", "none") == lines
    assert EVIL.encode() in piped("translate", NAME, DE) and CSI.encode() in piped("translate", NAME, DE)
    _on_a_terminal(hostile, *COMMANDS["add"])
    assert EVIL.encode() in piped("add", NAME, "--list")
    assert json.loads(piped("find", NAME, CSI, "--json"))["pattern"] == CSI
    # What people read has no use for them, there either.
    assert b"\x1b" not in piped("rules", NAME, EVIL) and b"\x1b" not in piped("explain", NAME, LINE)


def test_names_that_are_no_text(tmp_path: Path) -> None:
    name = b"caf\xe9.de"
    (tmp_path / os.fsdecode(name)).write_text("ja\n\n")
    (tmp_path / "en").write_text("yes\nno\n")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    arguments = [*PENTAGLOT, "corpus", "check", name, "en", "-q"]
    done = subprocess.run(arguments, cwd=tmp_path, env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"caf\udce9.de:2: the source is empty" in done.stdout
    done = subprocess.run([*arguments, "--json"], cwd=tmp_path, env=environment, capture_output=True)
    assert done.returncode == 0 and name in done.stdout
    # Signs that an old encoding lacks are named, not fatal.
    done = subprocess.run(
        [*PENTAGLOT, "--help"], env={**os.environ, "PYTHONIOENCODING": "ascii:strict"}, capture_output=True
    )
    assert done.returncode == 0


def test_visible() -> None:
    assert visible("a\tb\nc") == "a\tb\nc"
    assert visible("a\tb\nc\r", one_line=True) == r"a\x09b\x0ac\x0d"
    assert visible("\x00\x1b\x7f\x85\x9b\u2028\ud800é漢\u200d🙂") == r"\x00\x1b\x7f\x85\x9b\u2028\ud800é漢" + "\u200d🙂"


def test_bytes_may_come_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, "utf-8", write_through=True)
    monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    terminal = showing._Terminal(stream)
    for piece in (b"a\xc2", b"\x9b31m\xc3", b"\xa9", b"\x1b", b"[1m\n"):
        terminal.buffer.write(piece)
    terminal.write("é\x07\n")
    terminal.flush()
    assert raw.getvalue().decode() == "a\\x9b31mé\\x1b[1m\né\\x07\n"


def test_strings_are_taken_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    Console().print("[bold]a[/b] :smile: [link]")
    assert capsys.readouterr().out == "[bold]a[/b] :smile: [link]\n"


def test_every_command_uses_our_console() -> None:
    """rich's own would let what a text holds through."""
    folder = Path(showing.__file__).parent
    users = [
        path.name for path in folder.glob("*.py") if re.search(r"rich.console import .*\bConsole\b", path.read_text())
    ]
    assert users == []
