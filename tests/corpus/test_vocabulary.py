"""Vocabularies against a dictionary, in memory and on disk, whole and damaged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus.vocabulary import (
    END,
    FIRST_WORD,
    NULL,
    START,
    UNKNOWN,
    Vocabulary,
    open_vocabulary,
    save_vocabulary,
)
from pentaglot.errors import PentaglotError, StorageError

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ["<s>", "</s>", "<unk>", "a\0b"]
)


def _twin(words: list[str]) -> dict[str, int]:
    twin: dict[str, int] = {}
    for word in words:
        twin.setdefault(word, FIRST_WORD + len(twin))
    return twin


def _check(vocabulary: Vocabulary, twin: dict[str, int]) -> None:
    assert len(vocabulary) == FIRST_WORD + len(twin)
    for word, id in twin.items():
        assert vocabulary.find(word) == id and vocabulary.word(id) == word
    assert vocabulary.words(np.array(list(twin.values()), np.uint32)) == list(twin)
    assert vocabulary.find("not in here") == UNKNOWN


@given(st.lists(WORDS, max_size=40), st.lists(WORDS, max_size=40))
def test_agrees_with_a_dictionary(tmp_path_factory: pytest.TempPathFactory, words: list[str], more: list[str]) -> None:
    vocabulary, twin = Vocabulary(), _twin(words)
    assert [vocabulary.add(word) for word in words] == [twin[word] for word in words]
    _check(vocabulary, twin)
    path = tmp_path_factory.mktemp("vocabulary") / "v"
    save_vocabulary(vocabulary, path)
    mapped = open_vocabulary(path)
    _check(mapped, twin)
    # Words may be added to a mapped one; they live in memory, and the file stays as it is.
    twin = _twin([*words, *more])
    assert [mapped.add(word) for word in more] == [twin[word] for word in more]
    _check(mapped, twin)
    assert len(open_vocabulary(path)) == len(vocabulary)
    again = path.with_name("w")
    save_vocabulary(mapped, again)
    _check(open_vocabulary(again), twin)


@given(st.lists(st.tuples(WORDS, st.integers(0, 3))))
def test_renumbering_by_frequency(counted: list[tuple[str, int]]) -> None:
    counts_of = dict(counted)
    vocabulary = Vocabulary()
    for word in counts_of:
        vocabulary.add(word)
    counts = np.array([0] * FIRST_WORD + list(counts_of.values()), np.uint64)
    renumbered, new_ids = vocabulary.by_frequency(counts)
    kept = sorted((word for word in counts_of if counts_of[word]), key=lambda word: (-counts_of[word], word.encode()))
    _check(renumbered, _twin(kept))
    for word in counts_of:
        assert new_ids[vocabulary.find(word)] == renumbered.find(word)
    assert new_ids[:FIRST_WORD].tolist() == [UNKNOWN, START, END, NULL]


def test_many_words(tmp_path: Path) -> None:
    words = [f"{i:x}wort{'ü' * (i % 5)}" for i in range(10_000)]
    vocabulary = Vocabulary()
    for word in words:
        vocabulary.add(word)
    save_vocabulary(vocabulary, tmp_path / "v")
    _check(open_vocabulary(tmp_path / "v"), _twin(words))


def test_the_special_ids_have_no_spelling() -> None:
    vocabulary = Vocabulary()
    assert [vocabulary.word(id) for id in (UNKNOWN, START, END, NULL)] == ["<unk>", "<s>", "</s>", "<null>"]
    assert vocabulary.find("<s>") == UNKNOWN
    assert vocabulary.add("<s>") == FIRST_WORD


def test_what_is_no_word() -> None:
    vocabulary = Vocabulary()
    for call in (vocabulary.add, vocabulary.find):
        with pytest.raises(PentaglotError, match="U\\+D83D, half of a surrogate pair"):
            call("a\ud83d")
    with pytest.raises(TypeError):
        vocabulary.add(b"bytes")  # type: ignore[arg-type]
    assert len(vocabulary) == FIRST_WORD
    with pytest.raises(PentaglotError, match="word id 4 is out of range: the vocabulary has 4 ids"):
        vocabulary.word(4)
    with pytest.raises(PentaglotError, match="out of range"):
        vocabulary.words(np.array([2**32 - 1], np.uint32))
    with pytest.raises(PentaglotError, match="one count for each id"):
        vocabulary.by_frequency(np.zeros(3, np.uint64))


def test_equal_words_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        vocabulary = Vocabulary()
        for word in ("eins", "zwei", "drei"):
            vocabulary.add(word)
        save_vocabulary(vocabulary, tmp_path / name)
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_damage_is_named(tmp_path: Path) -> None:
    vocabulary = Vocabulary()
    for word in ("eins", "zwei"):
        vocabulary.add(word)
    save_vocabulary(vocabulary, tmp_path / "v")
    for name in ("bytes", "offsets", "slots"):
        file = tmp_path / "v" / f"{name}.npy"
        whole = file.read_bytes()
        file.write_bytes(whole[:-1])
        with pytest.raises(StorageError, match="cut short"):
            open_vocabulary(tmp_path / "v")
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        with pytest.raises(StorageError, match="altered"):
            open_vocabulary(tmp_path / "v")
        file.write_bytes(whole)
    from pentaglot import storage

    with storage.create(tmp_path / "v", kind="vocabulary", version=99):
        pass
    with pytest.raises(StorageError, match=r"newer Pentaglot \(vocabulary format 99"):
        open_vocabulary(tmp_path / "v")
    with storage.create(tmp_path / "v", kind="vocabulary", version=1) as new:
        new.add("bytes", np.zeros(3, np.uint8))
        new.add("offsets", np.array([0, 9], np.uint64))
        new.add("slots", np.zeros(16, np.uint32))
    with pytest.raises(PentaglotError, match="offsets do not fit"):
        open_vocabulary(tmp_path / "v")


def test_ids_in_another_vocabulary() -> None:
    one, other = Vocabulary(), Vocabulary()
    for word in ("the", "old", "house"):
        one.add(word)
    for word in ("house", "castle", "the"):
        other.add(word)
    assert one.ids_in(other).tolist() == [0, 1, 2, 3, other.find("the"), 0, other.find("house")]
    assert Vocabulary().ids_in(other).tolist() == [0, 1, 2, 3]
