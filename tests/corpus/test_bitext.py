"""Bitexts come back from disk as they were, quickly, and are checked when opened."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot import storage
from pentaglot._core.corpus import TextBuilder
from pentaglot.corpus.bitext import Bitext, Text, encode, sentence_ids
from pentaglot.corpus.vocabulary import END, FIRST_WORD, UNKNOWN, Vocabulary
from pentaglot.errors import PentaglotError, StorageError

WORD = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
SENTENCES = st.lists(st.tuples(st.lists(WORD, max_size=6), st.lists(WORD, max_size=6)), max_size=10)


@given(SENTENCES)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[list[str], list[str]]]) -> None:
    bitext = Bitext.from_sentences([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    path = tmp_path_factory.mktemp("bitext") / "b"
    bitext.save(path)
    for each in (bitext, Bitext.open(path)):
        assert len(each) == len(pairs)
        assert [each.pair(number) for number in range(len(pairs))] == pairs


@given(SENTENCES)
def test_ids_fall_with_frequency(pairs: list[tuple[list[str], list[str]]]) -> None:
    sentences = [pair[0] for pair in pairs]
    text, vocabulary = encode(sentences)
    words = [word for sentence in sentences for word in sentence]
    order = sorted(set(words), key=lambda word: (-words.count(word), word.encode()))
    assert [vocabulary.find(word) for word in order] == list(range(FIRST_WORD, FIRST_WORD + len(order)))
    assert text.words == len(words) and len(text) == len(sentences)
    expected = [id for sentence in sentences for id in [*map(vocabulary.find, sentence), END]]
    assert text.tokens.tolist() == expected


def test_a_given_vocabulary_is_closed() -> None:
    _, vocabulary = encode([["a", "b", "a"]])
    text, same = encode([["b", "c", "a"]], vocabulary)
    assert same is vocabulary and vocabulary.find("c") == UNKNOWN
    assert sentence_ids(text, 0).tolist() == [vocabulary.find("b"), UNKNOWN, vocabulary.find("a")]
    with pytest.raises(IndexError):
        sentence_ids(text, 1)


def test_sides_of_different_length() -> None:
    with pytest.raises(PentaglotError, match="the source has 2 sentences but the target 1"):
        Bitext.from_sentences([["a"], ["b"]], [["x"]])


def test_what_is_no_sentence() -> None:
    with pytest.raises(PentaglotError, match="half of a surrogate pair"):
        encode([["a\udc00"]])
    with pytest.raises(TypeError):
        encode([["a", 3]])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        encode(["a sentence that was not split"])  # type: ignore[list-item]


def test_a_refused_sentence_leaves_no_words_behind() -> None:
    builder = TextBuilder(Vocabulary())
    builder.append_sentences([["a"]])
    with pytest.raises(PentaglotError):
        builder.append_sentences([["b"], ["c", "\udc00"]])
    builder.append_sentences([["d"]])
    tokens, offsets = builder.finish()
    assert tokens.tolist() == [4, 2, 5, 2, 6, 2] and offsets.tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize(
    ("tokens", "offsets"),
    [
        ([4, 2], [0, 1, 2]),
        ([4, 2], [0]),
        ([4, 2], [1, 2]),
        ([4, 5], [0, 2]),
        ([4, 2, 2], [0, 3, 2]),
        ([2], []),
        ([2], [0, 9]),
    ],
)
def test_arrays_that_are_no_text(tokens: list[int], offsets: list[int]) -> None:
    with pytest.raises(PentaglotError):
        Text(np.array(tokens, np.uint32), np.array(offsets, np.uint64))


def test_equal_text_gives_equal_bytes(tmp_path: Path) -> None:
    sentences = [[f"w{i * i % 31}", f"v{i % 7}"] for i in range(300)]
    for name in ("a", "b"):
        Bitext.from_sentences(sentences, sentences).save(tmp_path / name)
    for file in (tmp_path / "a").rglob("*.*"):
        if file.is_file():
            assert file.read_bytes() == (tmp_path / "b" / file.relative_to(tmp_path / "a")).read_bytes()


def test_damage_is_named(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    Bitext.from_sentences([["a", "b"]], [["c"]]).save(whole)
    files = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file())
    assert len(files) == 1 + 4 + 2 * 4
    for name in files:
        broken = tmp_path / "broken"
        for damage in ("cut", "flip", "lose"):
            shutil.rmtree(broken, ignore_errors=True)
            shutil.copytree(whole, broken)
            data = (broken / name).read_bytes()
            if damage == "lose":
                (broken / name).unlink()
            else:
                (broken / name).write_bytes(data[:-1] if damage == "cut" else data[:-1] + bytes([data[-1] ^ 1]))
            with pytest.raises(StorageError) as caught:
                Bitext.open(broken)
            assert str(broken) in str(caught.value)
    with storage.create(tmp_path / "new", kind="bitext", version=99):
        pass
    with pytest.raises(StorageError, match="newer Pentaglot"):
        Bitext.open(tmp_path / "new")


def test_parts_that_do_not_fit_each_other(tmp_path: Path) -> None:
    Bitext.from_sentences([["a", "b", "c"]], [["x"]]).save(tmp_path / "a")
    Bitext.from_sentences([["a"]], [["x"]]).save(tmp_path / "b")
    shutil.rmtree(tmp_path / "a" / "source.vocab")
    shutil.copytree(tmp_path / "b" / "source.vocab", tmp_path / "a" / "source.vocab")
    with pytest.raises(StorageError, match="the source text has words that its vocabulary lacks"):
        Bitext.open(tmp_path / "a")


def test_quick_opening_checks_samples(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(400_000)]
    Bitext.from_sentences([words], [words]).save(tmp_path / "bitext")
    file = tmp_path / "bitext" / "source_tokens.npy"
    damaged = bytearray(file.read_bytes())
    damaged[5000] ^= 1  # in a page that the samples leave out
    file.write_bytes(damaged)
    assert len(Bitext.open(tmp_path / "bitext", quick=True)) == 1
    for arguments in ({}, {"quick": True, "verify": True}):
        with pytest.raises(StorageError, match="altered"):
            Bitext.open(tmp_path / "bitext", **arguments)
