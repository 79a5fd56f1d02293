"""Language models over classes of words: by their definition, and stored."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot.corpus import encode
from pentaglot.corpus.vocabulary import END, FIRST_WORD, NULL, START, UNKNOWN
from pentaglot.errors import StorageError
from pentaglot.lm import BuildOptions, ClassModel, ClassOptions, build

SENTENCES = [
    f"{article} {adjective} {noun} {verb}".split()
    for article in ("the", "a")
    for adjective in ("old", "new", "red")
    for noun in ("house", "tree", "dog", "cat")
    for verb in ("stands", "falls")
]


def class_of(model: ClassModel, word: str) -> str:
    return model.names.word(int(model.classes[model.words.find(word)]))


def test_it_is_a_model_of_the_text_in_classes() -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=3))
    named = [[class_of(model, word) for word in sentence] for sentence in SENTENCES]
    plain = build(*encode(named), BuildOptions(order=3), few_words=True)
    assert model.language.score(named).totals() == pytest.approx(plain.score(named).totals())


def test_no_class_has_words_of_two_kinds() -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=3))
    kinds = [{class_of(model, word) for word in kind} for kind in zip(*SENTENCES, strict=True)]
    assert sum(map(len, kinds)) == len(set.union(*kinds))


def test_ids_are_those_of_the_language_model() -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=3))
    find = model.language.vocabulary.find
    assert model.ids[words.find("dog")] == find(class_of(model, "dog")) != UNKNOWN
    words.add("new")
    words.add("never")
    ids = model.map_vocabulary(words)
    assert len(ids) == len(words)
    assert ids[words.find("dog")] == model.ids[words.find("dog")]
    assert ids[words.find("never")] == UNKNOWN
    assert model.find_all(["dog", "never"]).tolist() == [ids[words.find("dog")], UNKNOWN]
    assert model.find_all([]).tolist() == []
    assert [ids[START], ids[END], ids[NULL]] == [START, END, UNKNOWN]


def test_another_text_in_the_same_classes() -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=3))
    half, others = encode([*SENTENCES[::2], ["a", "castle"]])  # other ids, and a word that has no class
    less = model.estimated_from(half, others)
    assert np.array_equal(less.classes, model.classes) and less.order == 3
    named = [[class_of(model, word) for word in sentence] for sentence in SENTENCES[::2]]
    plain = build(*encode([*named, [class_of(model, "a"), "<unk>"]]), BuildOptions(order=3), few_words=True)
    assert less.language.score(named).totals() == pytest.approx(plain.score(named).totals())
    assert less.language.score([["class1"]]).totals() != model.language.score([["class1"]]).totals()


def test_stored_and_opened(tmp_path: Path) -> None:
    text, words = encode(SENTENCES)
    for threads in (1, 2):
        ClassModel.build(text, words, ClassOptions(classes=6, order=3), threads=threads).save(tmp_path / str(threads))
    model, same = (ClassModel.open(tmp_path / name) for name in ("1", "2"))
    assert np.array_equal(model.ids, same.ids)
    for file in (tmp_path / "1").rglob("*.npy"):
        assert file.read_bytes() == (tmp_path / "2" / file.relative_to(tmp_path / "1")).read_bytes()


def test_classes_that_there_are_not(tmp_path: Path) -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=2))
    too_large, too_many = model.classes.copy(), np.append(model.classes, np.uint32(4))
    too_large[-1] = 4_000_000_000
    for number, classes in enumerate((too_large, too_many, np.full(len(model.classes), 4, np.uint32))):
        dataclasses.replace(model, classes=classes).save(tmp_path / str(number))
        with pytest.raises(StorageError, match="classes that do not exist"):
            ClassModel.open(tmp_path / str(number))


def test_models_without_words_of_their_own(tmp_path: Path) -> None:
    """They were written for a while, and belong to the vocabulary of their text, which may have grown since."""
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=2))

    def write(name: str, numbers: NDArray[np.uint32]) -> None:
        with storage.create(tmp_path / name, kind="class model", version=1) as new:
            new.add("classes", numbers)
            model.language.save(new.path / "lm")

    numbers = model.classes - np.uint32(FIRST_WORD)
    numbers[:FIRST_WORD] = 0
    write("old", numbers)
    words.add("later")
    opened = ClassModel.open(tmp_path / "old", words)
    assert np.array_equal(opened.ids, model.ids) and len(opened.words) == len(numbers)
    assert opened.find_all(["later"]).tolist() == [UNKNOWN]
    with pytest.raises(StorageError, match="has no words itself"):
        ClassModel.open(tmp_path / "old")
    write("bad", np.full(len(numbers), 4_000_000_000, np.uint32))
    write("long", np.zeros(len(words) + 1, np.uint32))
    for name in ("bad", "long"):
        with pytest.raises(StorageError, match="classes that do not exist"):
            ClassModel.open(tmp_path / name, words)
