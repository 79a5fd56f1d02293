"""Layers of an index: the same as those of its sentences, whatever is added, removed, folded in or annotated later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.corpus.annotated import sentences

from pentaglot._core import base
from pentaglot.align import Alignment
from pentaglot.corpus import Annotation, Beside, Bitext, Sentence
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index import (
    Additions,
    Index,
    PrecomputationOptions,
    add_layers,
    annotate,
    fold_in,
    replace_precomputation,
    replace_target_suffixes,
)

Pairs = list[tuple[Sentence, Sentence]]
PAIRS = st.lists(st.tuples(sentences(1), sentences(1)), min_size=1, max_size=4)


def built(pairs: Pairs, options: PrecomputationOptions | None = None) -> Index:
    bitext = Bitext.from_sentences([source for source, _ in pairs], [target for _, target in pairs])
    return Index.build(bitext, Alignment.from_links([[(0, 0)]] * len(pairs)), options)


def contents(index: Index) -> list[tuple[Any, ...]]:
    """All that an index knows about its pairs, in words."""
    sides = [(index.bitext.sentence(n, "source"), index.bitext.sentence(n, "target")) for n in range(len(index))]
    return [known(*pair) for pair in sides]


def known(source: Sentence, target: Sentence) -> tuple[Any, ...]:
    metadata = {**target.metadata, **source.metadata}
    layers = [
        {name: values for name, values in side.layers.items() if set(values) != {"_"}} for side in (source, target)
    ]
    return source.words, target.words, *layers, metadata


@given(PAIRS, PAIRS, st.data())
@settings(max_examples=30, deadline=None)
def test_additions_carry_their_layers(
    tmp_path_factory: pytest.TempPathFactory, main: Pairs, added: Pairs, data: st.DataObject
) -> None:
    place = tmp_path_factory.mktemp("index")
    built(main).save(place / "index")
    additions = Additions(Index.open(place / "index"), place / "index.additions")
    for source, target in added:
        additions.add(source, target, [(0, 0)])
    gone = data.draw(st.sets(st.integers(1, len(added))))
    for number in gone:
        additions.remove(number)
    left = [known(*pair) for number, pair in enumerate(added, 1) if number not in gone]
    again = Additions(Index.open(place / "index"), place / "index.additions")
    for each in (additions, again):
        assert contents(each.snapshot.added.index) == left
        assert contents(each.snapshot.main) == [known(*pair) for pair in main]
    # Values have the same ids in both.
    for side in ("source", "target"):
        of_main = again.snapshot.main.bitext.annotation.layers(side)  # type: ignore[arg-type]
        of_added = again.snapshot.added.index.bitext.annotation.layers(side)  # type: ignore[arg-type]
        for name, column in of_main.items():
            if column.vocabulary is not None:
                ids = range(4, len(column.vocabulary))
                assert [of_added[name].vocabulary.word(id) for id in ids] == [column.vocabulary.word(id) for id in ids]
    fold_in(place / "index", place / "index.additions")
    assert contents(Index.open(place / "index")) == [*(known(*pair) for pair in main), *left]


PLAIN: Pairs = [
    (Sentence(["das", "Haus"]), Sentence(["the", "house"])),
    (Sentence(["ein", "Baum"]), Sentence(["a", "tree"])),
]


def test_a_layer_is_added_without_a_rebuild(tmp_path: Path) -> None:
    path = tmp_path / "index"
    built(PLAIN, PrecomputationOptions(frequent=4)).save(path)
    before = {file.relative_to(path): file.stat().st_ino for file in path.rglob("*.npy")}
    old = Index.open(path)
    (tmp_path / "tags").write_text("DET NOUN\nART NOUN\n")
    (tmp_path / "domains").write_text("law\nart\n")
    annotate(path, Beside({"upos": tmp_path / "tags"}, metadata={"genre": tmp_path / "domains"}))
    index = Index.open(path)
    assert index.layer("upos", "source").spelt(0, 2) == ["DET", "NOUN"]
    assert index.metadata("genre").spelt(0, 2) == ["law", "art"]
    tokens, tags = index.bitext.source.tokens, index.layer("upos", "source")
    assert len(tokens) == len(tags.values) and not tags.values.flags.writeable
    after = {file.relative_to(path): file.stat().st_ino for file in path.rglob("*.npy")}
    assert before.items() <= after.items()
    assert not old.bitext.annotation and index.count(["Haus"]) == old.count(["Haus"]) == 1
    # Another layer, and another value of one, leave the rest alone; so does what else is made anew.
    (tmp_path / "tags").write_text("X Y\nX Y\n")
    annotate(path, Beside({"upos": tmp_path / "tags"}, {"upos": tmp_path / "tags"}))
    replace_target_suffixes(path)
    replace_precomputation(path, PrecomputationOptions(frequent=2))
    found = Index.open(path, verify=True).bitext.sentence(1, "source")
    assert (found.layers, found.metadata) == ({"upos": ("X", "Y")}, {"genre": "art"})


def test_pairs_that_were_folded_in_keep_their_values(tmp_path: Path) -> None:
    built(PLAIN).save(tmp_path / "index")
    additions = Additions(Index.open(tmp_path / "index"), tmp_path / "index.additions")
    additions.add(Sentence(["neu"], {"upos": ["ADJ"]}, {"domain": "law"}), ["new"], [(0, 0)])
    fold_in(tmp_path / "index", tmp_path / "index.additions")
    (tmp_path / "tags").write_text("DET NOUN\nART NOUN\n")
    annotate(tmp_path / "index", Beside({"upos": tmp_path / "tags"}, domain="art"))
    bitext = Index.open(tmp_path / "index").bitext
    found = [bitext.sentence(number, "source") for number in range(3)]
    assert [each.layers["upos"] for each in found] == [("DET", "NOUN"), ("ART", "NOUN"), ("ADJ",)]
    assert [each.metadata["domain"] for each in found] == ["art", "art", "law"]


def test_layers_of_another_text_are_refused(tmp_path: Path) -> None:
    built(PLAIN).save(tmp_path / "index")
    other = Bitext.from_sentences([Sentence(["a"], {"t": ["X"]})], [["a"]]).annotation
    with pytest.raises(PentaglotError, match="the layer 't' is damaged: it has 2 values for 6 words"):
        add_layers(tmp_path / "index", other)
    with pytest.raises(PentaglotError, match="belongs to another text"):
        add_layers(tmp_path / "index", Annotation(pairs={"t": other.source["t"].first(1)}))
    assert not Index.open(tmp_path / "index").bitext.annotation


def test_an_index_in_memory_takes_layers_too() -> None:
    index = built(PLAIN)
    annotation = Bitext.from_sentences(
        [source.with_layers({"n": [1, 2]}) for source, _ in PLAIN], [target for _, target in PLAIN]
    ).annotation
    assert index.with_annotation(annotation).layer("n", "source").spelt(3, 5) == [1, 2]
    assert not index.bitext.annotation


def journal(path: Path, record: dict[str, Any]) -> Path:
    """A journal with one record that somebody else wrote."""
    checksum, lines = 0, []
    for each in ({"journal": "x"}, {"source": ["a", "b"], "target": ["c"], "links": [], "weight": 1.0} | record):
        text = json.dumps(each).encode()
        checksum = base.checksum(text, checksum)
        lines.append(b"%016x %b\n" % (checksum, text))
    path.write_bytes(b"".join(lines))
    return path


@pytest.mark.parametrize(
    "record",
    [
        {"source_layers": []},
        {"source_layers": {"upos": "AB"}},
        {"source_layers": {"upos": ["A"]}},
        {"source_layers": {"upos": ["A", 1]}},
        {"source_layers": {"upos": ["A", ""]}},
        {"source_layers": {"upos": ["A", "\ud800"]}},
        {"source_layers": {"a/b": ["A", "B"]}},
        {"source_layers": {"head": [2, 1]}},
        {"source_layers": {"head": [0, True]}},
        {"target_layers": {"head": [2]}},
        {"metadata": "law"},
        {"metadata": {"domain": 1}},
        {"metadata": {"domain": "\ud800"}},
    ],
)
def test_what_a_journal_says_is_checked(tmp_path: Path, record: dict[str, Any]) -> None:
    with pytest.raises(StorageError, match="not a journal record") as caught:
        Additions(built(PLAIN), journal(tmp_path / "journal", record))
    assert caught.value.line == 2


def test_old_journals_and_indexes_open_as_before(tmp_path: Path) -> None:
    index = built(PLAIN)
    index.save(tmp_path / "index")
    assert not (tmp_path / "index" / "text" / "layers").exists()
    opened = Index.open(tmp_path / "index")
    pair = Additions(opened, journal(tmp_path / "journal", {})).pairs[0]
    assert pair.annotated is None and pair.sentences[0] == Sentence(["a", "b"])
    with pytest.raises(PentaglotError, match="no layer 'upos' on its source side; its layers: none"):
        opened.layer("upos", "source")
