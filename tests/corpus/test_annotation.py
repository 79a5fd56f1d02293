"""Layers and metadata of a bitext against the sentences that they were made of."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.corpus import Annotation, Bitext, Column, Sentence
from pentaglot.corpus.bitext import kept_sentences
from pentaglot.errors import PentaglotError, StorageError

from .annotated import sentences

Pairs = list[tuple[Sentence, Sentence]]
PAIRS = st.lists(st.tuples(sentences(1), sentences(1)), min_size=1, max_size=5)


def known(sentence: Sentence, other: Sentence) -> tuple[object, ...]:
    """What a bitext keeps of a sentence, which shares its metadata with another."""
    layers = {name: values for name, values in sentence.layers.items() if set(values) != {"_"}}
    return sentence.words, layers, {**other.metadata, **sentence.metadata}


def check(bitext: Bitext, pairs: Pairs) -> None:
    assert len(bitext) == len(pairs)
    for number, (source, target) in enumerate(pairs):
        metadata = {**target.metadata, **source.metadata}
        for side, sentence in (("source", source), ("target", target)):
            found = bitext.sentence(number, side)  # type: ignore[arg-type]
            layers = {name: values for name, values in sentence.layers.items() if set(values) != {"_"}}
            assert (found.words, found.layers, found.metadata) == (sentence.words, layers, metadata)


def bitext_of(pairs: Pairs) -> Bitext:
    return Bitext.from_sentences([source for source, _ in pairs], [target for _, target in pairs])


@given(PAIRS)
@settings(max_examples=40)
def test_what_is_saved_is_opened_again(tmp_path_factory: pytest.TempPathFactory, pairs: Pairs) -> None:
    bitext = bitext_of(pairs)
    check(bitext, pairs)
    path = tmp_path_factory.mktemp("bitext") / "it"
    bitext.save(path)
    check(Bitext.open(path), pairs)
    check(Bitext.open(path, quick=True), pairs)
    for side in ("source", "target"):
        for name in bitext.annotation.layers(side):  # type: ignore[arg-type]
            column = Bitext.open(path).layer(name, side)  # type: ignore[arg-type]
            assert len(column.values) == len(getattr(bitext, side).tokens) and column.values.dtype == np.uint32


@given(PAIRS, PAIRS, st.data())
@settings(max_examples=60)
def test_texts_are_joined_and_cut_with_their_layers(one: Pairs, other: Pairs, data: st.DataObject) -> None:
    first, second = bitext_of(one), bitext_of(other)
    whole = bitext_of([*one, *other])
    annotation = first.annotation.followed_by(
        second.annotation, (first.source, first.target), (second.source, second.target)
    )
    check(dataclasses.replace(whole, annotation=annotation), [*one, *other])
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(whole), max_size=len(whole))))
    kept = dataclasses.replace(
        whole,
        source=kept_sentences(whole.source, mask),
        target=kept_sentences(whole.target, mask),
        annotation=annotation.kept(mask, whole.source, whole.target),
    )
    check(kept, [pair for pair, wanted in zip([*one, *other], mask.tolist(), strict=True) if wanted])
    cut = annotation.first(len(one), first.source, first.target)
    check(dataclasses.replace(first, annotation=cut), one)


@given(PAIRS, PAIRS)
def test_known_values_keep_their_ids(one: Pairs, other: Pairs) -> None:
    start = bitext_of(one).annotation
    found = Annotation.of_pairs(other, start)
    for side in ("source", "target"):
        for name, column in start.layers(side).items():  # type: ignore[arg-type]
            if column.vocabulary is not None:
                new = found.layers(side)[name].vocabulary  # type: ignore[arg-type]
                words = column.vocabulary.words(np.arange(4, len(column.vocabulary), dtype=np.uint32))
                assert new is not None and [new.find(word) for word in words] == list(range(4, 4 + len(words)))


def test_values_that_do_not_fit() -> None:
    numbers, strings = Sentence(["a"], {"n": [1]}), Sentence(["a"], {"n": ["1"]})
    with pytest.raises(PentaglotError, match="strings in one sentence and numbers in another"):
        bitext_of([(numbers, numbers), (strings, strings)])
    one, other = bitext_of([(numbers, numbers)]), bitext_of([(strings, strings)])
    with pytest.raises(PentaglotError, match="strings in one text and numbers in another"):
        one.annotation.followed_by(other.annotation, (one.source, one.target), (other.source, other.target))
    with pytest.raises(PentaglotError, match="cannot be a value of the layer 't'"):
        bitext_of([(Sentence(["a"], {"t": ["\ud800"]}), numbers)])
    with pytest.raises(PentaglotError, match=r"no layer 'tag' on its source side; its layers: n"):
        one.layer("tag", "source")
    with pytest.raises(PentaglotError, match="unknown side 'middle'"):
        one.layer("n", "middle")  # type: ignore[arg-type]
    with pytest.raises(PentaglotError, match="no metadata 'domain'; its metadata: none"):
        one.metadata("domain")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([4, 2, 9, 2], "values that its vocabulary lacks"),
        ([4, 4, 2, 2], "another text"),
        ([4, 2, 4, 4], "another text"),
    ],
)
def test_stored_values_are_checked_when_they_are_asked_for(tmp_path: Path, values: list[int], message: str) -> None:
    bitext = Bitext.from_sentences([Sentence(["a"], {"t": ["X"]}), Sentence(["b"])], [["a"], ["b"]])
    bitext.save(tmp_path / "it")
    column = bitext.annotation.source["t"]
    Column(np.array(values, np.uint32), column.vocabulary).save(tmp_path / "it" / "layers" / "source" / "t")
    opened = Bitext.open(tmp_path / "it")
    with pytest.raises(StorageError, match=message):
        opened.layer("t", "source")


def test_stored_heads_and_sizes_are_checked(tmp_path: Path) -> None:
    bitext = Bitext.from_sentences([Sentence(["a", "b"], {"head": [0, 1]})], [["a"]])
    bitext.save(tmp_path / "it")
    place = tmp_path / "it" / "layers" / "source" / "head"
    Column(np.array([0, 3, (1 << 32) - 1], np.uint32)).save(place)
    with pytest.raises(StorageError, match="heads that are not words"):
        Bitext.open(tmp_path / "it").sentence(0, "source")
    Column(np.array([2, 1, (1 << 32) - 1], np.uint32)).save(place)
    with pytest.raises(PentaglotError, match="depends on itself"):
        Bitext.open(tmp_path / "it").sentence(0, "source")
    Column(np.array([0, 1], np.uint32)).save(place)
    with pytest.raises(StorageError, match="it has 2 values instead of 3"):
        Bitext.open(tmp_path / "it")
    place.rename(place.with_name("a b"))
    with pytest.raises(StorageError, match="not a valid layer name"):
        Bitext.open(tmp_path / "it")
