"""The index as a whole: built in memory and read from disk it is the same; parts are replaced alone and never mixed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core.corpus import NULL
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index import (
    GrammarLimits,
    Index,
    PrecomputationOptions,
    parts,
    replace_alignment,
    replace_precomputation,
)

SOURCE = ["das alte Haus", "das Haus ist alt", "", "ein Haus und noch ein Haus und ein Baum"]
TARGET = ["the old house", "the house is old", "", "a house and another house and a tree"]
LINKS = [[(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 1), (2, 2), (3, 3)], [], [(0, 0), (0, 3), (0, 6), (0, 1), (8, 7)]]


def _bitext() -> Bitext:
    return Bitext.from_sentences([line.split() for line in SOURCE], [line.split() for line in TARGET])


def _index(**arguments: object) -> Index:
    return Index.build(_bitext(), Alignment.from_links(LINKS), PrecomputationOptions(frequent=5), **arguments)


def test_opened_is_what_was_built(tmp_path: Path) -> None:
    built = _index(weights=np.array([1, 2, 0.5, 1], np.float32))
    built.save(tmp_path / "index")
    opened = Index.open(tmp_path / "index", verify=True)
    assert opened.options == built.options
    assert len(opened) == 4 and opened.weight(1) == 2.0
    for part, arrays in built.arrays.items():
        for name, array in arrays.items():
            assert np.array_equal(opened.arrays[part][name], array), f"{part} {name}"
    assert [opened.aligned.links(number) for number in range(4)] == [sorted(line) for line in LINKS]
    sentence = opened.ids(["ein", "Haus", "und", "das", "Haus", "ist", "ein", "Baum"])
    one, other = built.finder().find(sentence), opened.finder(cache_bytes=10_000).find(sentence)
    assert len(one) == len(other)
    for node in range(1, len(one)):
        assert one.occurrences(node).tolist() == other.occurrences(node).tolist()


def test_building_is_deterministic(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    lines = [[f"w{word}" for word in rng.zipf(1.4, 15).clip(1, 60)] for _ in range(300)]
    links = Alignment.from_links([[(at, at) for at in range(15)]] * 300)
    one, many = (
        Index.build(Bitext.from_sentences(lines, lines), links, PrecomputationOptions(frequent=50), threads=threads)
        for threads in (1, 8)
    )
    for part, arrays in one.arrays.items():
        for name, array in arrays.items():
            assert array.tobytes() == many.arrays[part][name].tobytes(), f"{part} {name}"


def test_another_alignment(tmp_path: Path) -> None:
    path = tmp_path / "index"
    _index().save(path)
    suffixes = (path / "suffixes" / "contents.toml").stat().st_mtime_ns
    replace_alignment(path, Alignment.from_links([[], [(3, 0)], [], []]))
    opened = Index.open(path)
    assert [opened.aligned.links(number) for number in range(4)] == [[], [(3, 0)], [], []]
    assert (path / "suffixes" / "contents.toml").stat().st_mtime_ns == suffixes
    with pytest.raises(PentaglotError, match="sentence 1: link 3-0 is outside the sentence pair"):
        replace_alignment(path, Alignment.from_links([[(3, 0)], [], [], []]))
    with pytest.raises(PentaglotError, match="1 line, but there are 4 sentence pairs"):
        replace_alignment(path, Alignment.from_links([[]]))


def test_another_alignment_comes_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links and the chances that are counted from them belong together."""
    path = tmp_path / "index"
    _index().save(path)
    before = Index.open(path)
    real = parts.save_part

    def save(place: Path, kind: str, *others: Any) -> None:
        if kind == "lexicon":
            raise KeyboardInterrupt
        real(place, kind, *others)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(parts, "save_part", save)
        replace_alignment(path, Alignment.from_links([[], [(3, 0)], [], []]))
    after = Index.open(path)
    for kind, arrays in before.arrays.items():
        assert all(np.array_equal(array, after.arrays[kind][name]) for name, array in arrays.items())
    (tmp_path / "link").symlink_to("index")
    replace_alignment(tmp_path / "link", Alignment.from_links([[], [(3, 0)], [], []]))
    assert (tmp_path / "link").is_symlink() and Index.open(path).aligned.links(1) == [(3, 0)]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["index", "link"]


def test_other_lists(tmp_path: Path) -> None:
    path = tmp_path / "index"
    Index.build(_bitext(), Alignment.from_links(LINKS)).save(path)
    assert Index.open(path).precomputed is None
    replace_precomputation(path, PrecomputationOptions(frequent=3, min_gap=1))
    opened = Index.open(path)
    assert opened.precomputed is not None and len(opened.precomputed) == 3
    assert opened.options == PrecomputationOptions(frequent=3, min_gap=1)


def test_parts_of_another_text_are_refused(tmp_path: Path) -> None:
    _index().save(tmp_path / "one")
    Index.build(Bitext.from_sentences([["x"]], [["y"]]), Alignment.from_links([[]])).save(tmp_path / "other")
    shutil.rmtree(tmp_path / "one" / "suffixes")
    shutil.copytree(tmp_path / "other" / "suffixes", tmp_path / "one" / "suffixes")
    with pytest.raises(StorageError, match="made for another text"):
        Index.open(tmp_path / "one")


@pytest.mark.parametrize("part", ["suffixes", "alignment", "lexicon"])
def test_missing_parts_are_named(tmp_path: Path, part: str) -> None:
    _index().save(tmp_path / "index")
    shutil.rmtree(tmp_path / "index" / part)
    with pytest.raises(StorageError, match=f"{part}: there is no {part} here"):
        Index.open(tmp_path / "index")


def test_damage_is_named(tmp_path: Path) -> None:
    _index().save(tmp_path / "index")
    file = tmp_path / "index" / "suffixes" / "suffixes.npy"
    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(StorageError, match="altered"):
        Index.open(tmp_path / "index")


def test_empty_text() -> None:
    index = Index.build(Bitext.from_sentences([], []), Alignment.from_links([]), PrecomputationOptions())
    assert len(index) == 0 and index.count(["x"]) == 0
    assert len(index.finder().find(index.ids(["x", "y"]))) == 4, "root, gap, and two words that do not occur"


def test_lexicon_by_hand() -> None:
    index = _index()
    source, target = index.bitext.source_vocabulary, index.bitext.target_vocabulary
    house = index.lexicon.find(source.find("Haus"), target.find("house"))
    # Haus: linked to house twice, twice without a link; house: linked to Haus twice, to ein once, once without a link.
    assert house == (pytest.approx(2 / 4), pytest.approx(2 / 4))
    assert index.lexicon.find(source.find("Haus"), NULL) == (pytest.approx(2 / 4), pytest.approx(2 / 7))
    assert index.lexicon.find(source.find("Haus"), target.find("tree")) == (0.0, 0.0)
    assert index.lexicon.find(10_000, 4) == (0.0, 0.0)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_links_and_lexicon_against_counting(data: st.DataObject) -> None:
    words = st.lists(st.sampled_from("abc"), max_size=6)
    pairs = data.draw(st.lists(st.tuples(words, words), max_size=5))
    lines = []
    for source, target in pairs:
        places = [(i, j) for i in range(len(source)) for j in range(len(target))]
        lines.append(data.draw(st.lists(st.sampled_from(places), max_size=12)) if places else [])
    bitext = Bitext.from_sentences([source for source, _ in pairs], [target for _, target in pairs])
    index = Index.build(bitext, Alignment.from_links(lines))
    counted: dict[tuple[int, int], int] = {}
    for number, ((source, target), line) in enumerate(zip(pairs, lines, strict=True)):
        assert index.aligned.links(number) == sorted(set(line))
        source_ids = [bitext.source_vocabulary.find(word) for word in source]
        target_ids = [bitext.target_vocabulary.find(word) for word in target]
        linked = [(source_ids[i], target_ids[j]) for i, j in set(line)]
        linked += [(word, NULL) for i, word in enumerate(source_ids) if i not in {i for i, _ in line}]
        linked += [(NULL, word) for j, word in enumerate(target_ids) if j not in {j for _, j in line}]
        for pair in linked:
            counted[pair] = counted.get(pair, 0) + 1
    for (source_id, target_id), count in counted.items():
        of_source = sum(each for (one, _), each in counted.items() if one == source_id)
        of_target = sum(each for (_, one), each in counted.items() if one == target_id)
        expected = (pytest.approx(count / of_source), pytest.approx(count / of_target))
        assert index.lexicon.find(source_id, target_id) == expected


def test_a_very_long_sentence() -> None:
    words = ["a"] * 70_000
    index = Index.build(Bitext.from_sentences([words], [words]), Alignment.from_links([[(5, 5), (65_000, 7)]]))
    assert index.aligned.links(0) == [(5, 5), (65_000, 7)]
    assert index.count(["a", "a"]) == 69_999


def test_bytes_a_token() -> None:
    """Text, suffixes, sentence numbers, target text and alignment stay below 24 bytes a source token."""
    rng = np.random.default_rng(1)
    lines = [[str(word) for word in rng.zipf(1.2, 12).clip(1, 500)] for _ in range(2000)]
    links = Alignment.from_links([[(at, at) for at in range(12)] + [(0, 3), (0, 5), (4, 9)]] * 2000)
    index = Index.build(Bitext.from_sentences(lines, lines), links)
    text = index.bitext
    size = sum(side.tokens.nbytes + side.offsets.nbytes for side in (text.source, text.target))
    size += sum(array.nbytes for part in ("suffixes", "alignment") for array in index.arrays[part].values())
    assert size / text.source.words <= 24


def test_limits_narrow_the_stored_window() -> None:
    index = Index.build(_bitext(), Alignment.from_links(LINKS), PrecomputationOptions(frequent=10, min_gap=1))
    plain = Index.build(_bitext(), Alignment.from_links(LINKS))
    sentence = index.ids(["ein", "Haus", "und", "ein", "Haus", "und", "ein", "Baum"])
    for span in (3, 4, 6, 10):
        limits = GrammarLimits(max_span=span, min_gap=2)
        one, other = index.finder(limits).find(sentence), plain.finder(limits).find(sentence)
        for node in range(1, len(other)):
            assert one.occurrences(node).tolist() == other.occurrences(node).tolist()
