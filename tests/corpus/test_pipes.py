"""Treebanks from pipes, which can be read only once and may come in small pieces, keep their layers."""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from pentaglot.corpus import Beside, Sentence
from pentaglot.corpus.lines import read_lines, read_lines_or_sentences

ROWS = "1 Das das DET _ _ 2 det _ _", "2 Haus Haus NOUN _ _ 0 root _ _"
TREE = "# sent_id = a1\n# text = Das Haus\n" + "".join(row.replace(" ", "\t") + "\n" for row in ROWS) + "\n"
Pipe = Callable[..., str]


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipe]:
    """Standard input to which text comes piece by piece, and which stays open until the test ends."""
    done = threading.Event()
    opened: list[io.TextIOWrapper] = []
    late: list[tuple[str, ...]] = []

    def run(*pieces: str, open_end: bool = False) -> str:
        reading, writing = os.pipe()

        def write() -> None:
            for piece in pieces:
                os.write(writing, piece.encode())
                time.sleep(0.05)
            if open_end and not done.wait(5):
                late.append(pieces)
            os.close(writing)

        threading.Thread(target=write, daemon=True).start()
        opened.append(io.TextIOWrapper(os.fdopen(reading, "rb")))
        monkeypatch.setattr(sys, "stdin", opened[-1])
        return "-"

    yield run
    done.set()
    for each in opened:
        each.close()
    assert not late, "read only when the pipe was closed"


@pytest.mark.parametrize("cut", [len(TREE), 15, 3, 40, 34, 45])
def test_layers_come_through_a_pipe(piped: Pipe, cut: int) -> None:
    pieces = [piece for piece in (TREE[:cut], TREE[cut:]) if piece]
    ((number, sentence),) = read_lines_or_sentences(piped(*pieces))
    assert number == 1 and isinstance(sentence, Sentence)
    assert sentence.layers["upos"] == ("DET", "NOUN") and sentence.metadata["id"] == "a1"
    ((_, sentence),) = Beside(domain="law").sources(piped(*pieces))
    assert sentence.layers["head"] == (2, 0) and sentence.metadata["domain"] == "law"
    assert list(read_lines(piped(*pieces))) == ["Das Haus"]


def test_text_from_a_pipe(piped: Pipe) -> None:
    assert list(read_lines_or_sentences(piped("# a", " b\nc", "\nd"))) == [(1, "# a b"), (2, "c"), (3, "d")]
    assert list(read_lines_or_sentences(piped("# sent_id = 1\n", "no treebank\n"))) == [
        (1, "# sent_id = 1"),
        (2, "no treebank"),
    ]
    assert list(read_lines_or_sentences(piped())) == []


@pytest.mark.parametrize("line", ["# 1", "#text", "#newdocs", "# text of a song", "1", "Ja."])
def test_a_line_is_read_as_soon_as_it_is_there(piped: Pipe, line: str) -> None:
    """Whoever sends one line and waits for its translation gets it."""
    assert next(read_lines_or_sentences(piped(line + "\n", open_end=True))) == (1, line)
