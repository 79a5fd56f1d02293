"""Matrices of links in the terminal."""

from __future__ import annotations

import numpy as np
from rich.cells import cell_len

from pentaglot.cli.alignment_matrix import alignment_matrix


def test_rows_columns_and_shades() -> None:
    strengths = np.array([[0.95, 0.0], [0.3, 0.55]])
    drawn = alignment_matrix(["ja", "nein"], ["y", "no"], [(0, 0), (1, 1)], strengths).plain.split("\n")
    assert drawn == ["        n ", "      y o ", "  ja │██· ", "nein │░░▒▒"]


def test_links_without_strengths_are_full() -> None:
    assert alignment_matrix(["a"], ["b", "c"], [(0, 1)]).plain.endswith("a │· ██")


def test_wide_and_long_words_keep_the_grid() -> None:
    drawn = alignment_matrix(["日本", "w" * 50], ["語", "v" * 50, "é"], [(0, 0)]).plain.split("\n")
    assert len({cell_len(line) for line in drawn}) == 1
    assert len(drawn) == 18 + 2 and "…" in drawn[-1]


def test_joiner_marks_are_not_drawn() -> None:
    assert alignment_matrix(["Ja", "￭!"], ["￭!"], [(1, 0)]).plain.split("\n") == ["    ! ", "Ja │· ", " ! │██"]


def test_empty_sentences() -> None:
    assert alignment_matrix([], [], []).plain == ""
