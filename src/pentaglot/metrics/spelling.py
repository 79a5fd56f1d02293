"""How texts are spelled when words and characters are compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from pentaglot.errors import refuse_text

__all__ = ["spelled"]


def spelled(texts: Iterable[str], *, lowercase: bool = False) -> tuple[str, ...]:
    """Texts in the composed form of Unicode, on request without capitals: letters with marks that are written as one
    character or as two are the same.

    >>> spelled(["cafe\\u0301"]) == ("café",), spelled(["Été"], lowercase=True)
    (True, ('été',))
    """
    refuse_text(texts, lacks="texts")
    cased = (text.lower() for text in texts) if lowercase else texts
    return tuple(unicodedata.normalize("NFC", text) for text in cased)
