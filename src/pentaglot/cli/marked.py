"""Sentences in the terminal with some of their words marked."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.text import Text

from pentaglot.explain.surface import in_line, near

__all__ = ["marked"]


def marked(
    words: Sequence[str], places: Collection[int], written: str = "", *, coloured: bool, style: str = "bold yellow"
) -> Text:
    """The words as they are `written` in their line, some of them marked: in colour for people, in brackets where there
    is none. Of a long sentence only what is near them."""
    line, shown = Text(), near(words, sorted(places))
    line.append("… " if shown.start else "", style="dim")
    for place, (before, word) in enumerate(in_line(words, written)):
        if place not in shown and not (place == len(words) == shown.stop):
            continue
        inside = place in places
        opening, closing = inside and place - 1 not in places, inside and place + 1 not in places
        line.append("" if place == shown.start else before, style=style if inside and not opening else "")
        if coloured:
            line.append(word, style=style if inside else "")
        else:
            line.append("[" * opening + word + "]" * closing)
    line.append(" …" if shown.stop < len(words) else "", style="dim")
    return line
