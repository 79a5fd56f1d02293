"""The letters of a language: which capital belongs to which small letter.

>>> letters_of("tr").upper("iki ışık")
'İKİ IŞIK'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["PLAIN", "CaseMapping", "guess_dotted", "letters_of"]


@dataclass(frozen=True)
class CaseMapping:
    """Lower and upper case in a language; `dotted` where i and ı are two letters, each with its own capital."""

    dotted: bool = False

    def lower(self, text: str) -> str:
        return text.replace("İ", "i").replace("I", "ı").lower() if self.dotted else text.lower()

    def upper(self, text: str) -> str:
        return text.replace("i", "İ").upper() if self.dotted else text.upper()

    def capitalised(self, word: str) -> str:
        """A word with a capital first letter."""
        return ("İ" if self.dotted and word[:1] == "i" else word[:1].title()) + word[1:]


_DOTTED_LANGUAGES = frozenset(("tr", "tur", "az", "aze", "azj", "azb", "crh", "gag"))
_DOTTED, PLAIN = CaseMapping(dotted=True), CaseMapping()
# Of a hundred letters of Turkish about five are ı; elsewhere there are names.
_DOTLESS_SHARE = 0.01


def letters_of(language: str | None) -> CaseMapping:
    """The letters of a language, given as a code such as tr or tr-TR."""
    return _DOTTED if (language or "").lower().replace("_", "-").split("-")[0] in _DOTTED_LANGUAGES else PLAIN


def guess_dotted(lines: Iterable[str]) -> bool:
    """Whether a text seems to be in a language with a dotless i.

    >>> guess_dotted(["Kullanıcı dosyayı açar."]), guess_dotted(["The user opens the file."])
    (True, False)
    """
    letters = dotless = 0
    for line in lines:
        letters += sum(map(str.isalpha, line))
        dotless += line.count("ı")
    return dotless > _DOTLESS_SHARE * letters
