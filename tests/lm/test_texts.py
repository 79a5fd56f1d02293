"""Files as a stream of texts."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pentaglot.corpus import Tokenizer, Vocabulary, read_text, sentence_ids
from pentaglot.errors import InputError, OptionError
from pentaglot.lm import TextFiles


def _words(files: TextFiles) -> list[list[str]]:
    return [files.vocabulary.words(sentence_ids(text, i)) for text in files for i in range(len(text))]


def test_same_as_reading_at_once(tmp_path: Path) -> None:
    """Also across the blocks in which files are read, with empty lines, odd spaces and a missing last line end."""
    path = tmp_path / "text.en.gz"
    path.write_bytes(gzip.compress(("the  old\thouse\n\n \nz.B. Ünïcode\u3000stays\r\n" * 60_000 + "no end").encode()))
    for tokenizer in (None, Tokenizer("none", "lowercase")):
        files = TextFiles([path], Vocabulary(), tokenizer)
        text, vocabulary = read_text(path, tokenizer=tokenizer or Tokenizer("none"))
        assert _words(files) == [vocabulary.words(sentence_ids(text, i)) for i in range(len(text))]
        assert len(list(files)) > 1
        whole = files.read_all()
        assert len(whole) == len(text) and whole.words == text.words


def test_several_files_and_closed(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("a b\n")
    (tmp_path / "two").write_text("b c")
    files = TextFiles([tmp_path / "one", tmp_path / "two"], Vocabulary())
    assert _words(files) == [["a", "b"], ["b", "c"]] == _words(files)
    vocabulary = Vocabulary()
    vocabulary.add("b")
    assert _words(TextFiles([tmp_path / "one"], vocabulary, closed=True)) == [["<unk>", "b"]]


def test_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    assert len(TextFiles([tmp_path / "empty"], Vocabulary()).read_all()) == 0


def test_bad_files(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"good\nb\xe4d\n")
    with pytest.raises(InputError, match="latin:2: not valid UTF-8"):
        list(TextFiles([tmp_path / "latin"], Vocabulary()))
    with pytest.raises(InputError, match="no such file"):
        list(TextFiles([tmp_path / "nowhere"], Vocabulary()))


def test_standard_input_is_read_once() -> None:
    files = TextFiles(["-"], Vocabulary())
    files._begun = True
    with pytest.raises(OptionError, match="cannot be read twice"):
        list(files)
