"""One sentence pair with its links as a matrix for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from pentaglot.align.words import normal_form

__all__ = ["alignment_matrix"]

_LONGEST_WORD = 18
# From the least sure to the surest; a link is drawn at least this dark.
_SHADES = ("  ", "░░", "▒▒", "▓▓", "██")
_SHOWN_FROM = 0.1


def alignment_matrix(
    source: Sequence[str],
    target: Sequence[str],
    links: Sequence[tuple[int, int]],
    strengths: NDArray[np.float64] | None = None,
) -> Text:
    """Rows are source words, columns are target words, both without joiner marks. The darker a square, the surer the
    link; likely pairs without a link are drawn dim. Without strengths every link is drawn full."""
    chosen = set(links)
    source = [normal_form(word, lowercase=False) for word in source]
    target = [normal_form(word, lowercase=False) for word in target]
    width = min(_LONGEST_WORD, max((cell_len(word) for word in source), default=0))
    drawing = Text(no_wrap=True, overflow="ignore")
    for line in _upright(target):
        drawing.append(" " * (width + 2) + line + "\n", style="bold")
    for i, word in enumerate(source):
        label = _shortened(word)
        drawing.append(" " * (width - cell_len(label)) + label + " │", style="bold")
        for j in range(len(target)):
            strength = (1.0 if (i, j) in chosen else 0.0) if strengths is None else float(strengths[i, j])
            drawing.append(*_square(strength, (i, j) in chosen))
        if i + 1 < len(source):
            drawing.append("\n")
    return drawing


def _square(strength: float, linked: bool) -> tuple[str, str]:
    level = min(len(_SHADES) - 1, int(strength * len(_SHADES)))
    if linked:
        return _SHADES[max(level, 1)], "green" if strength >= 0.5 else "yellow"
    if strength < _SHOWN_FROM:
        return "· ", "dim"
    return _SHADES[max(level, 1)], "dim"


def _shortened(word: str) -> str:
    return word if cell_len(word) <= _LONGEST_WORD else set_cell_size(word, _LONGEST_WORD - 1) + "…"


def _upright(words: Sequence[str]) -> list[str]:
    """The words as columns of letters, two cells wide, standing on the matrix."""
    shortened = [word if len(word) <= _LONGEST_WORD else word[: _LONGEST_WORD - 1] + "…" for word in words]
    height = max((len(word) for word in shortened), default=0)
    columns = [word.rjust(height) for word in shortened]
    return ["".join(set_cell_size(column[row], 2) for column in columns) for row in range(height)]
