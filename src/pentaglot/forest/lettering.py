"""Words in pictures and pages: how wide they are, shortening and escaping them.

>>> safe("a < b & c"), shortened("Donaudampfschifffahrt", 10)
('a &lt; b &amp; c', 'Donaudamp…')
>>> width("il") < width("mm") < width("漢字漢")
True
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable

from pentaglot.corpus import Vocabulary

__all__ = ["Words", "is_right_to_left", "rimmed", "safe", "shortened", "spelt", "width"]

# What spells words by their ids: a vocabulary, or a function for other ids.
Words = Vocabulary | Callable[[int], str]

_NARROW = frozenset("iIjlft.,:;!|'’`()[]{}/ ")
_BROAD = frozenset("mwMW@%—…")


def safe(text: str) -> str:
    """Text for XML and HTML; characters that they forbid become a replacement sign."""
    return html.escape("".join("\ufffd" if _forbidden(each) else each for each in text))


def spelt(words: Words, id: int) -> str:
    """The spelling of a word."""
    return words(id) if callable(words) else words.word(id)


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def rimmed(place: str, text: str) -> str:
    """Text of an SVG picture with a white rim, which keeps it readable where lines pass behind it: twice, as not all
    programs know `paint-order`. `place` are attributes.

    >>> rimmed('x="1" y="2"', "a").count("<text ")
    2
    """
    rim = 'aria-hidden="true" style="fill:#ffffff;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round"'
    return f"<text {place} {rim}>{safe(text)}</text><text {place}>{safe(text)}</text>"


def width(text: str, size: float = 13.0) -> float:
    """About how wide a text is in a sans-serif font of some size; rather too wide than too narrow."""
    return size * sum(map(_ems, text))


def is_right_to_left(text: str) -> bool:
    """Whether more letters of the text are written from right to left than from left to right.

    >>> is_right_to_left("שלום"), is_right_to_left("peace"), is_right_to_left("12")
    (True, False, False)
    """
    classes = [unicodedata.bidirectional(each) for each in text]
    return sum(each in ("R", "AL") for each in classes) > classes.count("L")


def _ems(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if character in _NARROW:
        return 0.36
    return 0.9 if character in _BROAD else 0.7 if character.isupper() else 0.56


def _forbidden(character: str) -> bool:
    return character < " " or character in "\x7f\ufffe\uffff" or 0xD800 <= ord(character) < 0xE000
