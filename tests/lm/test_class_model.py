"""Language models over classes of words: by their definition, and stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pentaglot import storage
from pentaglot.corpus import encode
from pentaglot.errors import StorageError
from pentaglot.lm import BuildOptions, ClassModel, ClassOptions, build
from pentaglot.search import LanguageUse

SENTENCES = [
    f"{article} {adjective} {noun} {verb}".split()
    for article in ("the", "a")
    for adjective in ("old", "new", "red")
    for noun in ("house", "tree", "dog", "cat")
    for verb in ("stands", "falls")
]


def test_it_is_a_model_of_the_text_in_classes() -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=3))
    named = [[f"class{model.classes[words.find(word)]}" for word in sentence] for sentence in SENTENCES]
    plain = build(*encode(named), BuildOptions(order=3), few_words=True)
    assert model.language.score(named).totals() == pytest.approx(plain.score(named).totals())


def test_no_class_has_words_of_two_kinds() -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=3))
    kinds = [{int(model.classes[words.find(word)]) for word in kind} for kind in zip(*SENTENCES, strict=True)]
    assert sum(map(len, kinds)) == len(set.union(*kinds))


def test_ids_are_those_of_the_language_model() -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=3))
    find = model.language.vocabulary.find
    assert model.ids[words.find("dog")] == find(f"class{model.classes[words.find('dog')]}")
    words.add("new word")
    use = LanguageUse.of_classes("classes", model, words)
    assert len(use.ids) == len(words)
    assert use.ids[words.find("dog")] == model.ids[words.find("dog")]
    assert use.ids[words.find("new word")] == find("never seen")


def test_another_text_in_the_same_classes() -> None:
    text, words = encode(SENTENCES)
    model = ClassModel.build(text, words, ClassOptions(classes=6, order=3))
    half, _ = encode(SENTENCES[::2], words)
    less = ClassModel.of_classes(half, model.classes, 3)
    assert np.array_equal(less.classes, model.classes) and less.language.order == 3
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
    with storage.create(tmp_path / "bad", kind="class model", version=1) as new:
        new.add("classes", np.full(len(model.classes), 4_000_000_000, np.uint32))
        model.language.save(new.path / "lm")
    with pytest.raises(StorageError, match="classes that there are not"):
        ClassModel.open(tmp_path / "bad")
