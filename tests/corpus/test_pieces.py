"""Reading by pieces gives what tokenising whole lines gives: same ids, same order of new words, for any text."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pentaglot._core.corpus import PieceBuilder, TextBuilder, Vocabulary, not_plain
from pentaglot.corpus import Tokenizer
from pentaglot.errors import PentaglotError

TOKENIZERS = [
    Tokenizer(mode, casing)  # type: ignore[arg-type]
    for mode in ("conservative", "aggressive", "none")
    for casing in ("keep", "lowercase")
]
PLAIN = "".join(chr(code) for code in range(0x20, 0x10000) if chr(code) == " " or not not_plain([chr(code)]))
WORDS = st.text(alphabet="aZ1ßé.,'-(/:%@#&αΣς中か한 ", max_size=25) | st.text(alphabet=PLAIN, max_size=15)
LINES = st.lists(
    WORDS.map(lambda line: " ".join(line.split(" "))) | st.text(max_size=12).map(lambda line: line.replace("\n", "")),
    max_size=8,
)


def _by_pieces(blocks: list[list[str]], tokenizer: Tokenizer) -> tuple[list[int], list[int], Vocabulary]:
    vocabulary = Vocabulary()
    builder = TextBuilder(vocabulary)
    pieces = PieceBuilder(builder)
    for lines in blocks:
        new, whole = pieces.read("".join(line + "\n" for line in lines).encode())
        pieces.answer(tokenizer.tokenise_all(new), tokenizer.tokenise_all(whole))
    tokens, offsets = builder.finish()
    return tokens.tolist(), offsets.tolist(), vocabulary


@pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=lambda t: f"{t.mode}-{t.casing}")
@given(blocks=st.lists(LINES, max_size=3))
@example(blocks=[["das Haus", "das  Haus", " das", "das ", "", " "], ["Haus das neue", "10.30 Uhr, z.B. so!"]])
@example(blocks=[["ΟΔΟΣ ΣΟΦΟΣ. Σ", "İ I", "a\u0301 a \u0301a"]])
def test_pieces_are_whole_lines(tokenizer: Tokenizer, blocks: list[list[str]]) -> None:
    vocabulary = Vocabulary()
    builder = TextBuilder(vocabulary)
    builder.append_sentences([tokenizer.tokenise(line) for lines in blocks for line in lines])
    tokens, offsets = builder.finish()
    assert tokenizer.by_pieces
    found = _by_pieces(blocks, tokenizer)
    assert found[:2] == (tokens.tolist(), offsets.tolist())
    assert all(map(np.array_equal, found[2].flatten(), vocabulary.flatten()))


@pytest.mark.parametrize("tokenizer", TOKENIZERS[:4], ids=lambda t: f"{t.mode}-{t.casing}")
def test_every_plain_character_beside_a_space(tokenizer: Tokenizer) -> None:
    lines = [f"a {c} b{c} {c}c d" for c in PLAIN if c != " "]
    assert not not_plain(lines)
    for line in lines:
        words = [word for piece in line.split(" ") for word in tokenizer.tokenise(piece)]
        assert tokenizer.tokenise(line) == words


def test_text_with_context_is_not_read_by_pieces() -> None:
    assert not Tokenizer("characters").by_pieces
    assert not Tokenizer(casing="truecase").by_pieces


def test_answers_must_fit_the_questions() -> None:
    pieces = PieceBuilder(TextBuilder(Vocabulary()))
    assert pieces.read(b"das Haus\ndas\x01 Buch\n") == (["das", "Haus"], ["das\x01 Buch"])
    with pytest.raises(PentaglotError, match="2 lines in place of 3"):
        pieces.answer([["das"]], [["das", "Buch"]])
    with pytest.raises(PentaglotError, match="before the last ones were answered"):
        pieces.read(b"mehr\n")
    pieces.answer([["das"], ["Haus"]], [["das", "Buch"]])
    assert pieces.read(b"Haus\n") == ([], [])
    with pytest.raises(TypeError):
        pieces.answer([], ["Haus"])  # type: ignore[list-item]


def test_bytes_that_are_no_characters_are_no_danger() -> None:
    for bad in (b"\xf0", b"\x80abc", b"\xe4\xb8", b"ab\xff\xff", b"\xc3"):
        with pytest.raises(PentaglotError, match="not valid UTF-8"):
            PieceBuilder(TextBuilder(Vocabulary())).read(bad)


def test_plain_characters_are_known_in_both_encodings() -> None:
    """The native reader decodes UTF-8 itself: it must find the same characters plain as `not_plain` does."""
    for code in [*range(0x20, 0x3000), *range(0x3000, sys.maxunicode, 97)]:
        if 0xD800 <= code < 0xE000 or chr(code) == " ":
            continue
        builder = PieceBuilder(TextBuilder(Vocabulary()))
        pieces, whole = builder.read(f"{chr(code)}\n".encode())
        assert bool(whole) == bool(not_plain([chr(code)])) and len(pieces) + len(whole) == 1
