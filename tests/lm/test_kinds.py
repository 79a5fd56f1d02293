"""Language models of either kind, and files of word classes."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pentaglot.corpus import encode
from pentaglot.errors import InputError
from pentaglot.lm import BuildOptions, ClassModel, LanguageModel, build, open_language, read_classes

WORDS = ["the", "old", "house", "castle"]


@pytest.fixture
def tags(tmp_path: Path) -> Path:
    logging.disable()
    model = build(*encode([["D", "N"], ["D", "J", "N"]]), BuildOptions(order=2))
    logging.disable(logging.NOTSET)
    model.save(tmp_path / "tags.arpa")
    (tmp_path / "tags.tsv").write_text("the\tD\nold\tJ\nhouse\tN\ncastle\tX\n")
    return tmp_path / "tags.arpa"


def test_each_kind_is_opened_as_what_it_is(tags: Path) -> None:
    plain = open_language(tags)
    assert isinstance(plain, LanguageModel) and plain.find_all(["the", "D"]).tolist() == [0, plain.vocabulary.find("D")]
    classes = open_language(tags, tags.with_suffix(".tsv"))
    assert isinstance(classes, ClassModel)
    find = plain.vocabulary.find
    assert classes.find_all(WORDS).tolist() == [find("D"), find("J"), find("N"), 0]
    classes.save(tags.parent / "stored")
    again = open_language(tags.parent / "stored")
    assert isinstance(again, ClassModel) and again.order == 2
    assert again.find_all(WORDS).tolist() == classes.find_all(WORDS).tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the\tD\nhouse\n", "tags.tsv:2: not a word, a tab and a class"),
        ("the\tD\nhouse\t\n", "tags.tsv:2: not a word, a tab and a class"),
        ("the\tD\nhouse\tN S\n", "tags.tsv:2: not a word, a tab and a class"),
        ("the\tD\nhouse\tN\tX\n", "tags.tsv:2: not a word, a tab and a class"),
        ("the\tD\n\n", "tags.tsv:2: not a word, a tab and a class"),
        ("the\tD\n\tN\n", "tags.tsv:2: there must be exactly one word before the tab"),
        ("the house\tD\n", "tags.tsv:1: there must be exactly one word before the tab"),
        ("the\tD\nhouse\tN\nthe\tJ\n", "tags.tsv:3: the word 'the' has a class already"),
        ("", "tags.tsv: has no classes"),
    ],
)
def test_bad_lines(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "tags.tsv").write_text(text)
    with pytest.raises(InputError) as caught:
        read_classes(tmp_path / "tags.tsv")
    assert message in str(caught.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "tags.tsv").write_bytes(b"the\tD\nh\xff\tN\n")
    with pytest.raises(InputError, match="tags.tsv:2"):
        read_classes(tmp_path / "tags.tsv")


def test_classes_of_another_model(tags: Path) -> None:
    file = tags.with_suffix(".tsv")
    file.write_text("the\tdeterminer\nhouse\tnoun\n")
    with pytest.raises(InputError, match="has no class that .*tags.arpa knows"):
        open_language(tags, file)
