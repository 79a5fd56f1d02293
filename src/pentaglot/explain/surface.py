"""Words of a tokenised sentence as they are written in the text, with capitals and spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pentaglot.corpus import word_spans
from pentaglot.corpus.spaceless import spaced_words
from pentaglot.corpus.splitters import plain

__all__ = ["as_written", "in_line", "near"]

_LONG, _BESIDE = 45, 15
_TAG = re.compile(r"""<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|<[^<>]*>""")
_SIGNS = "~&_"  # of accelerators
_BREAKS = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]+")  # would break a line or a table


def in_line(words: Sequence[str], line: str) -> list[tuple[str, str]]:
    """For each word of a training sentence, the text before it in its line, and the word as written there. Text after
    the last word comes before one more, empty word. If the line is unknown or does not match, words are spaced by their
    join marks and as their script does it.

    >>> in_line(["das", "haus", "￭!"], "DAS  Haus! ")
    [('', 'DAS'), ('  ', 'Haus'), ('', '!')]
    >>> in_line(["das", "haus", "￭!"], "")
    [('', 'das'), (' ', 'haus'), ('', '!')]
    """
    line = _BREAKS.sub(" ", line).strip()
    spans = word_spans(words, line) if line else None
    if spans is None:
        return spaced_words(words)
    begins = [0, *(end for _, end in spans)]
    found = [(line[before:begin], line[begin:end]) for before, (begin, end) in zip(begins, spans, strict=False)]
    rest = line[begins[-1] :]
    return [*found, (rest, "")] if rest else found


def as_written(words: Sequence[str], text: str) -> list[tuple[str, str]]:
    """For each word, the text before it, and the word as written in the text; if the text does not match the words,
    they are spaced by their join marks and as their script does it. Only the text may have tags and the sign of an
    accelerator; tags at its end come before a last, empty word.

    >>> as_written(["das", "Haus", "￭,", "(￭", "klein"], "Das Haus, (Klein")
    [('', 'Das'), (' ', 'Haus'), ('', ','), (' ', '('), ('', 'Klein')]
    >>> as_written(["das", "Haus", "￭."], "a house")
    [('', 'das'), (' ', 'Haus'), ('', '.')]
    >>> as_written(["das", "Haus"], "<b>Das</b> ~Haus")
    [('<b>', 'Das'), ('</b> ', '~Haus')]
    """
    found: list[tuple[str, str]] = []
    at = 0
    for word in words:
        bare = plain(word)
        before, at = _skipped(text, at, bare)
        written = _word_at(text, at, bare)
        if written is None:
            return spaced_words(words)
        found.append((before if found else before.lstrip(), written))
        at += len(written)
    rest, at = _skipped(text, at, None)
    if at < len(text):
        return spaced_words(words)
    return [*found, (rest, "")] if rest.strip() else found


def _skipped(text: str, at: int, word: str | None) -> tuple[str, int]:
    """Spaces and tags before a word, or before the end; several spaces become one."""
    before = ""
    while at < len(text):
        if text[at].isspace():
            before += " " * (not before.endswith(" "))
            at += 1
        elif (word is None or _word_at(text, at, word) is None) and (tag := _TAG.match(text, at)):
            before += tag[0]
            at = tag.end()
        else:
            break
    return before, at


def _word_at(text: str, at: int, word: str) -> str | None:
    """A word as written there, perhaps with the sign of an accelerator inside; None if it is another word."""
    written, longer = text[at : at + len(word)], text[at : at + len(word) + 1]
    if written.casefold() == word.casefold():
        return written
    for sign in _SIGNS:
        if longer.replace(sign, "", 1).casefold() == word.casefold() and sign in longer:
            return longer
    return None


def near(words: Sequence[str], places: Sequence[int]) -> range:
    """The places of a sentence to show when some of them matter: all, or those nearby if it is long.

    >>> near(["a"] * 20, [7]), near(["a"] * 200, [70, 80])
    (range(0, 20), range(55, 96))
    """
    if len(words) <= _LONG:
        return range(len(words))
    first, last = min(places, default=0), max(places, default=0)
    return range(max(first - _BESIDE, 0), min(last + 1 + _BESIDE, len(words)))
