"""Links: Pharaoh files in and out, symmetrisation against a literal twin, first and last links, directories."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.align import NO_POSITION, Alignment, read_links, symmetrise, write_links
from pentaglot.align.alignment import read_links_of, symmetrisation_of
from pentaglot.corpus import Bitext
from pentaglot.errors import InputError, OptionError, PentaglotError, StorageError

Links = set[tuple[int, int]]
links = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)


def grow_diag(forward: Links, backward: Links, final: str) -> Links:
    """The pseudo-code of Koehn et al. (2003), word for word."""
    neighbours = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    union, alignment = forward | backward, forward & backward
    size = 7

    def row(i: int) -> bool:
        return any(link[0] == i for link in alignment)

    def column(j: int) -> bool:
        return any(link[1] == j for link in alignment)

    grown = True
    while grown:
        grown = False
        for i in range(size):
            for j in range(size):
                if (i, j) not in alignment:
                    continue
                for down, right in neighbours:
                    new = (i + down, j + right)
                    if (not row(new[0]) or not column(new[1])) and new in union:
                        alignment.add(new)
                        grown = True
    if final:
        for side in (forward, backward):
            for i, j in sorted(side):
                free = (not row(i) and not column(j)) if final == "and" else (not row(i) or not column(j))
                if free:
                    alignment.add((i, j))
    return alignment


@given(links, links)
def test_symmetrisation_equals_its_definition(forward: Links, backward: Links) -> None:
    sides = Alignment.from_links([forward]), Alignment.from_links([backward])
    wanted = {
        "to-target": forward,
        "to-source": backward,
        "intersection": forward & backward,
        "union": forward | backward,
        "grow-diag": grow_diag(set(forward), set(backward), ""),
        "grow-diag-final": grow_diag(set(forward), set(backward), "or"),
        "grow-diag-final-and": grow_diag(set(forward), set(backward), "and"),
    }
    for name, expected in wanted.items():
        assert set(symmetrise(*sides, name).links(0)) == expected, name  # type: ignore[arg-type]


def test_posteriors_cannot_be_joined_from_links() -> None:
    empty = Alignment.from_links([[]])
    with pytest.raises(PentaglotError, match="no posteriors"):
        symmetrise(empty, empty, "posterior-mean")
    with pytest.raises(OptionError, match="did you mean 'grow-diag'"):
        symmetrisation_of("grow-dig")
    with pytest.raises(PentaglotError, match="unequal numbers"):
        symmetrise(empty, Alignment.from_links([[], []]), "union")


@given(st.lists(links, max_size=5))
def test_pharaoh_round_trip(tmp_path_factory: pytest.TempPathFactory, sentences: list[Links]) -> None:
    path = tmp_path_factory.mktemp("links") / "links.txt"
    write_links(Alignment.from_links(sentences), path)
    back = read_links(path)
    assert [back.links(k) for k in range(len(back))] == [sorted(each) for each in sentences]


def test_pharaoh_text(tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text("1-2  0-0 1-2\r\n\n3-1")
    assert [read_links(path).links(k) for k in range(3)] == [[(0, 0), (1, 2)], [], [(3, 1)]]


@pytest.mark.parametrize(
    "bad", ["1", "1-", "-1", "a-b", "1-2-3", "1--2", "1:2", "1-70000", "99999999999-1", "1-2x", "65535-0"]
)
def test_bad_links_are_named(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "links.txt"
    path.write_text(f"0-0\n0-1 {bad}\n")
    with pytest.raises(InputError) as caught:
        read_links(path)
    assert str(caught.value).startswith(f"{path}:2: '{bad}' ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0-0\n", "1 line of links for 2 sentence pairs; it needs one for each pair"),
        (
            "2-1\n1-0 0-1\n",
            "links.txt:2: 1-0 links words that are not there: the lines have 1 and 2; the links may count",
        ),
        ("3-0\n9-9\n", "links.txt:1: 3-0 links words that are not there: the lines have 3 and 2"),
    ],
)
def test_links_that_do_not_fit_are_named(tmp_path: Path, text: str, message: str) -> None:
    bitext = Bitext.from_sentences([["a", "b", "c"], ["d"]], [["x", "y"], ["z", "z"]])
    path = tmp_path / "links.txt"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_links_of(bitext, path)
    assert message in str(caught.value)
    path.write_text("2-1\n0-1\n")
    assert read_links_of(bitext, path).links(0) == [(2, 1)]


@given(links)
def test_extents_are_first_and_last(found: Links) -> None:
    bitext = Bitext.from_sentences([["w"] * 3, ["s"] * 7], [["v"], ["t"] * 7])
    extents = Alignment.from_links([[], found]).extents(bitext)
    assert len(extents.source_first) == len(bitext.source.tokens)
    for i in range(7):
        row = sorted(j for k, j in found if k == i)
        at = 4 + i  # three words and an end before
        first, last = int(extents.source_first[at]), int(extents.source_last[at])
        assert (first, last) == ((row[0], row[-1]) if row else (NO_POSITION, NO_POSITION))
    for j in range(7):
        column = sorted(i for i, k in found if k == j)
        first, last = int(extents.target_first[2 + j]), int(extents.target_last[2 + j])
        assert (first, last) == ((column[0], column[-1]) if column else (NO_POSITION, NO_POSITION))
    assert (extents.source_first[:4] == NO_POSITION).all()


def test_links_must_fit_the_bitext() -> None:
    bitext = Bitext.from_sentences([["a", "b"]], [["x"]])
    with pytest.raises(PentaglotError, match="sentence 1: link 0-1 is outside"):
        Alignment.from_links([[(0, 1)]]).extents(bitext)
    with pytest.raises(PentaglotError, match="unequal numbers of sentences"):
        Alignment.from_links([[], []]).extents(bitext)


def test_save_and_open(tmp_path: Path) -> None:
    bitext = Bitext.from_sentences([["a", "b"], []], [["x"], ["y"]])
    alignment = Alignment.from_links([[(0, 0), (1, 0)], []])
    alignment.save(tmp_path / "a", bitext)
    opened = Alignment.open(tmp_path / "a")
    assert [opened.links(k) for k in range(2)] == [[(0, 0), (1, 0)], []]
    extents = Alignment.open_extents(tmp_path / "a")
    assert np.array_equal(extents.target_last, [1, NO_POSITION, NO_POSITION, NO_POSITION])
    (tmp_path / "a" / "source.npy").write_bytes(b"")
    with pytest.raises(StorageError, match="cut short"):
        Alignment.open(tmp_path / "a")


def test_parts() -> None:
    alignment = Alignment.from_links([[(0, 0)], [(1, 1), (2, 2)], []])
    assert [alignment.part(1, 3).links(k) for k in range(2)] == [[(1, 1), (2, 2)], []]
    assert alignment.strengths_of(1) == [1.0, 1.0]
    with pytest.raises(IndexError):
        alignment.links(3)
