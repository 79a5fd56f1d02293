"""A sentence and its translation as they are given to a command, with the links between them."""

from __future__ import annotations

from pathlib import Path

from pentaglot.align import Aligner
from pentaglot.corpus import Tokenizer
from pentaglot.errors import OptionError

__all__ = ["linked"]


def linked(
    words: tuple[str, ...], target: str | None, links: str | None, aligner: Path | None
) -> tuple[tuple[str, ...], list[tuple[int, int]]]:
    """The words of the translation and the links to them: as they are given, or by an aligner."""
    if (links is not None or aligner is not None) and target is None:
        raise OptionError("links need a TARGET", hint="give a translation of SOURCE")
    if target is None:
        return (), []
    if links is not None:
        other = tuple(target.split())
        return other, _pairs(links, len(words), len(other))
    if aligner is None:
        return tuple(target.split()), []
    opened = Aligner.open(aligner)
    other = tuple((opened.tokenizers[1] if opened.tokenizers else Tokenizer("none")).tokenise(target))
    return other, opened.align_pair(words, other)


def _pairs(links: str, words: int, others: int) -> list[tuple[int, int]]:
    """Links as they are written, checked."""
    found = []
    for each in links.split():
        one, _, other = each.partition("-")
        if not (one.isascii() and one.isdigit() and other.isascii() and other.isdigit()):
            raise OptionError(f"'{each}' is not a link such as 3-4")
        if max(len(one), len(other)) > 9:
            raise OptionError(f"'{each[:20]}…' has a position that is too large")
        if int(one) >= words or int(other) >= others:
            raise OptionError(f"'{each}' links words that are not there: the sentences have {words} and {others}")
        found.append((int(one), int(other)))
    return sorted(set(found))
