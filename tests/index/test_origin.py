"""What an index was built from can be had again, whatever was folded in behind it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Written
from pentaglot.errors import PentaglotError
from pentaglot.index import Additions, Index, PrecomputationOptions, find, fold_in, parts
from pentaglot.index.origin import (
    index_seal,
    links_seal,
    original_links,
    original_text,
    part_seal,
    text_seal,
)


def build(seed: int, pairs: int = 20) -> tuple[Bitext, Alignment]:
    chance = random.Random(seed)
    sides = [[[f"w{chance.randrange(9)}" for _ in range(chance.randrange(1, 8))] for _ in range(pairs)] for _ in "st"]
    links = [
        [(i, j) for i in range(len(one)) for j in range(len(other)) if chance.random() < 0.3]
        for one, other in zip(*sides, strict=True)
    ]
    return Bitext.from_sentences(*sides), Alignment.from_links(links)


@pytest.mark.parametrize("seed", range(5))
def test_before_and_after_folding(tmp_path: Path, seed: int) -> None:
    bitext, links = build(seed)
    place, journal = tmp_path / "index", tmp_path / "journal"
    bitext.save(tmp_path / "text")
    arranged = parts.build_alignment(bitext, links)
    parts.save_part(tmp_path / "links", "alignment", arranged, parts.facts_of(parts.fingerprint(bitext.source), None))
    Index.build(bitext, links, PrecomputationOptions(frequent=5), both_sides=True).save(place)
    seals = text_seal(tmp_path / "text"), links_seal(tmp_path / "links")
    sealed = index_seal(place), part_seal(place / "precomputation"), part_seal(place / "target_suffixes")
    for _ in range(3):
        assert (text_seal(place), links_seal(place)) == seals
        assert index_seal(place) == sealed[0]
        assert (part_seal(place / "precomputation"), part_seal(place / "target_suffixes")) == sealed[1:]
        found = original_text(place)
        assert [found.pair(at) for at in range(len(found))] == [bitext.pair(at) for at in range(len(bitext))]
        for name, array in original_links(place).items():
            np.testing.assert_array_equal(array, arranged[name])
        additions = Additions(Index.open(place), journal)
        additions.add(["w1", f"new{len(additions.pairs)}"], ["w2", "neu"], [(0, 0), (1, 1), (0, 1)], weight=2)
        fold_in(place, journal)
    assert Index.open(place).folded.endswith(":3")
    assert len(Index.open(place)) == len(bitext) + 3


def test_lines_as_they_were_written(tmp_path: Path) -> None:
    """They go with the text through all that is done to it; pairs of an older index have none."""
    bitext, links = build(3)
    lines = [[" ".join(bitext.pair(at)[side]).upper() for at in range(len(bitext))] for side in (0, 1)]
    new = ("W1  Neu", "W2 New")
    for written in (Written(lines[0], lines[1], ("t.s", "t.t")), None):
        place, journal = tmp_path / str(written is None) / "index", tmp_path / str(written is None) / "journal"
        Index.build(replace(bitext, written=written), links).save(place)
        additions = Additions(Index.open(place), journal)
        additions.add(["w1"], ["w2"], [])
        gone = additions.add(["w2"], ["w1"], [], written=("W2", "W1"))
        additions.add(["w1", "neu"], ["w2", "new"], [(0, 0)], written=new)
        additions.remove(gone.number)
        for kept in (additions, Additions(Index.open(place), journal)):
            assert [pair.written for pair in kept.pairs] == [("", ""), new]
            assert [kept.snapshot.indexes[1].written(at) for at in (0, 1)] == [("", ""), new]
            (hit,) = find(kept.snapshot, "neu").translations[0].examples
            assert (hit.source_line, hit.target_line, hit.file) == (*new, "")
        for number in range(2):
            fold_in(place, journal)
            index, first = Index.open(place), len(bitext)
            expected = list(zip(*lines, strict=True)) if written else [("", "")] * first
            assert [index.written(at) for at in range(first)] == expected
            assert [index.written(at) for at in range(first, first + 2)] == [("", ""), new]
            assert (index.file_of(first - 1), index.file_of(first)) == ("t.s" if written else "", "")
            found = original_text(place).written
            assert found is not None and [found.pair(at) for at in range(first)] == expected
            if number == 0:
                Additions(index, journal).add(["w1"], ["w3"], [], written=("ẞ\n1", "\ud800"))
        assert index.written(first + 2) == ("ẞ 1", "")


def test_other_texts_and_links_have_other_seals(tmp_path: Path) -> None:
    seals = set()
    bitext, links = build(1)
    upper = Bitext.from_sentences(
        *([[word.upper() for word in bitext.pair(at)[side]] for at in range(len(bitext))] for side in (0, 1))
    )
    none = Alignment.from_links([[] for _ in range(len(bitext))])
    for number, (text, chosen) in enumerate([build(1), build(2), (upper, links), (bitext, none)]):
        Index.build(text, chosen).save(tmp_path / str(number))
        seals.add(index_seal(tmp_path / str(number)))
    assert len(seals) == 4


def test_what_is_damaged_has_no_seal(tmp_path: Path) -> None:
    Index.build(*build(3), PrecomputationOptions(frequent=5)).save(tmp_path / "index")
    whole = index_seal(tmp_path / "index")
    lists = tmp_path / "index" / "precomputation" / "begin.npy"
    lists.write_bytes(lists.read_bytes()[:-1])
    assert index_seal(tmp_path / "index") == whole, "the lists are not its own"
    with pytest.raises(PentaglotError, match="cut short"):
        part_seal(tmp_path / "index" / "precomputation")
    suffixes = tmp_path / "index" / "suffixes" / "suffixes.npy"
    suffixes.write_bytes(suffixes.read_bytes()[:-1])
    with pytest.raises(PentaglotError, match="cut short"):
        index_seal(tmp_path / "index")
    assert text_seal(tmp_path / "index"), "the text is"
