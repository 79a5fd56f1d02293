"""From files to ids: right, the same with any number of threads, and clear about what cannot be read."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from pentaglot.corpus import Tokenizer, encode, read_bitext, read_pairs, read_text
from pentaglot.errors import InputError

WORDS = Tokenizer()
SPACES = Tokenizer("none")


def _lines(number: int) -> list[str]:
    return [f"Satz {i % 97}, „mit\u00a0Zeichen“ (a{i % 13}) e\u0301 \U0001f600 ￭!" for i in range(number)]


def test_reading_is_tokenising_and_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.de.gz"
    lines = [*_lines(2000), "", "  ", "letzte"]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    text, vocabulary = read_text(path, tokenizer=WORDS)
    expected, expected_vocabulary = encode(WORDS.tokenise(line) for line in lines)
    assert np.array_equal(text.tokens, expected.tokens) and np.array_equal(text.offsets, expected.offsets)
    assert len(text) == len(lines)
    assert vocabulary.words(np.unique(text.tokens)) == expected_vocabulary.words(np.unique(expected.tokens))


@pytest.mark.parametrize("mode", ["conservative", "none", "characters"])
def test_threads_do_not_change_the_result(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "a.de"
    path.write_text("\n".join(_lines(5000)), "utf-8")
    one, one_vocabulary = read_text(path, tokenizer=Tokenizer(mode), threads=1)
    for threads in (2, 8):
        many, many_vocabulary = read_text(path, tokenizer=Tokenizer(mode), threads=threads)
        assert one.tokens.tobytes() == many.tokens.tobytes() and one.offsets.tobytes() == many.offsets.tobytes()
        assert all(map(np.array_equal, one_vocabulary.flatten(), many_vocabulary.flatten()))


def test_a_given_vocabulary_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.de"
    path.write_text("bekannt neu\n", "utf-8")
    _, vocabulary = encode([["bekannt"]])
    size = len(vocabulary)
    text, same = read_text(path, tokenizer=SPACES, vocabulary=vocabulary)
    assert same is vocabulary and len(vocabulary) == size
    assert text.tokens.tolist() == [vocabulary.find("bekannt"), 0, 2]


def test_unequal_lengths_name_both_files(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("eins\nzwei\ndrei\n")
    (tmp_path / "a.en").write_text("one\ntwo\n")
    with pytest.raises(InputError) as caught:
        read_bitext(tmp_path / "a.de", tmp_path / "a.en", source_tokenizer=WORDS, target_tokenizer=WORDS)
    assert str(caught.value).startswith(f"{tmp_path}/a.de: has 3 lines, but {tmp_path}/a.en has 2; ")


def test_bitext(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("Ja, gut.\n\n")
    (tmp_path / "a.en").write_text("Yes, good.\n\n")
    bitext = read_bitext(tmp_path / "a.de", tmp_path / "a.en", source_tokenizer=WORDS, target_tokenizer=SPACES)
    assert bitext.pair(0) == (["Ja", "￭,", "gut", "￭."], ["Yes,", "good."])
    assert bitext.pair(1) == ([], [])


def test_bad_input(tmp_path: Path) -> None:
    def failing(name: str) -> str:
        with pytest.raises(InputError) as caught:
            read_text(tmp_path / name, tokenizer=WORDS, threads=2)
        return str(caught.value)

    assert "no such file" in failing("missing")
    assert "is a directory" in failing(".")
    (tmp_path / "empty").write_bytes(b"")
    assert failing("empty") == f"{tmp_path}/empty: is empty; a corpus needs at least one line"
    (tmp_path / "latin1").write_bytes("a\nä".encode("latin-1"))
    assert f"{tmp_path}/latin1:2: not valid UTF-8" in failing("latin1")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"ein Satz\n" * 9999)[:-9])
    assert "cut.gz: the compressed file is cut short" in failing("cut.gz")


@pytest.mark.parametrize("mode", ["conservative", "none", "characters"])
def test_two_sides_read_at_once_are_those_read_one_by_one(tmp_path: Path, mode: str) -> None:
    cut = Tokenizer(mode)
    lines = _lines(3000)
    (tmp_path / "a.de").write_text("\n".join(lines), "utf-8")
    (tmp_path / "a.en").write_text("\n".join(reversed(lines)), "utf-8")
    for threads in (1, 2, 8):
        both = read_bitext(
            tmp_path / "a.de", tmp_path / "a.en", source_tokenizer=cut, target_tokenizer=cut, threads=threads
        )
        source, _ = read_text(tmp_path / "a.de", tokenizer=cut)
        target, _ = read_text(tmp_path / "a.en", tokenizer=cut)
        assert both.source.tokens.tobytes() == source.tokens.tobytes()
        assert both.target.tokens.tobytes() == target.tokens.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_side_is_complained_about_first(tmp_path: Path, threads: int) -> None:
    (tmp_path / "a.de").write_bytes(b"gut\n\xff\n")
    (tmp_path / "a.en").write_bytes(b"\xff\n")
    with pytest.raises(InputError, match=r"a\.de:2: not valid UTF-8"):
        read_bitext(
            tmp_path / "a.de", tmp_path / "a.en", source_tokenizer=SPACES, target_tokenizer=SPACES, threads=threads
        )


def test_large_numbers_of_lines_are_written_alike(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("x\n" * 2000, "utf-8")
    (tmp_path / "a.en").write_text("x\n" * 2300, "utf-8")
    with pytest.raises(InputError, match=r"has 2,000 lines, but .*a.en has 2,300;"):
        read_bitext(tmp_path / "a.de", tmp_path / "a.en", source_tokenizer=SPACES, target_tokenizer=SPACES)
    with pytest.raises(InputError, match=r"ends after 2,000 lines, but .*a.en has 2,300;"):
        list(read_pairs([tmp_path / "a.de", tmp_path / "a.en"]))
