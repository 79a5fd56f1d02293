"""Parts of an index on disk: they come back as they were, and never with another text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index import PrecomputationOptions
from pentaglot.index.parts import (
    build_alignment,
    build_suffixes,
    facts_of,
    fingerprint,
    joined_alignment,
    load_part,
    options_of,
    save_part,
)

sentences = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=5)


def bitext(source: list[list[str]]) -> Bitext:
    return Bitext.from_sentences(source, [["t"] * len(words) for words in source])


def test_there_and_back(tmp_path: Path) -> None:
    text = bitext([["a", "b"], ["b"]]).source
    arrays = build_suffixes(text)
    save_part(tmp_path / "part", "suffixes", arrays, facts_of(fingerprint(text), None))
    found, facts = load_part(tmp_path / "part", "suffixes", fingerprint(text))
    assert facts["text"] == fingerprint(text)
    assert sorted(found) == sorted(arrays)
    for name, array in arrays.items():
        assert np.array_equal(found[name], array)


def test_another_text_is_refused(tmp_path: Path) -> None:
    one, other = bitext([["a", "b"]]).source, bitext([["a"], ["b"]]).source
    assert fingerprint(one) != fingerprint(other)
    save_part(tmp_path / "part", "suffixes", build_suffixes(one), facts_of(fingerprint(one), None))
    with pytest.raises(StorageError, match="made for another text"):
        load_part(tmp_path / "part", "suffixes", fingerprint(other))


@given(sentences)
def test_suffixes_are_sorted(source: list[list[str]]) -> None:
    text = bitext(source).source
    tokens = text.tokens.tolist()
    order = build_suffixes(text)["suffixes"].tolist()
    assert sorted(order) == list(range(len(tokens)))
    assert order == sorted(order, key=lambda at: tokens[at:])


def test_options_are_kept(tmp_path: Path) -> None:
    options = PrecomputationOptions(frequent=7, max_span=5)
    assert options_of(facts_of("x", options), tmp_path) == options
    assert options_of(facts_of("x", None), tmp_path) == PrecomputationOptions()


@given(sentences, sentences, st.randoms(use_true_random=False))
def test_links_of_two_texts_joined_are_those_of_both(
    one: list[list[str]], other: list[list[str]], draw: object
) -> None:
    def linked(source: list[list[str]]) -> list[list[tuple[int, int]]]:
        return [
            [(i, j) for i in range(len(words)) for j in range(len(words)) if draw.random() < 0.5] for words in source
        ]

    links = linked(one), linked(other)
    parts = [
        build_alignment(bitext(source), Alignment.from_links(each))
        for source, each in zip((one, other), links, strict=True)
    ]
    whole = build_alignment(bitext(one + other), Alignment.from_links(links[0] + links[1]))
    joined = joined_alignment(*parts, source_tokens=len(bitext(one).source.tokens))
    assert sorted(joined) == sorted(whole)
    for name, array in whole.items():
        assert np.array_equal(joined[name], array), name


def test_every_pair_needs_links() -> None:
    with pytest.raises(PentaglotError, match="the alignment has 1 line, but there are 2"):
        build_alignment(bitext([["a"], ["b"]]), Alignment.from_links([[]]))
