"""Scripts without spaces between words, and how their lines are cut."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, cached_property

from pentaglot.corpus.splitters import (
    INNER_SPACE,
    JOINER,
    SPACER,
    UNESCAPE,
    Change,
    PlainText,
    Spans,
    Touching,
    escaped_line,
    plain,
)

__all__ = ["SPACELESS", "SpacelessSplitter", "characters", "spaced_words", "spaceless"]

# Han with its radicals and extensions, kana, Bopomofo, Thai, Lao, Tibetan, Burmese, Khmer.
SPACELESS = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u30ff"
    "\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003fffd"
)


class SpacelessSplitter(PlainText):
    """For scripts without spaces: `segment` cuts the pieces between spaces into words."""

    by_pieces = False  # the spaces are words too
    touching: Touching = "always"

    def __init__(self, segment: Callable[[], Callable[[str], list[str]]], spans: Spans | None = None) -> None:
        self._load = segment
        self._spans = spans

    def split(self, lines: list[str], change: Change | None) -> list[list[str]]:
        return [self._words(escaped_line(line, change)) for line in lines]

    def join(self, words: list[str]) -> str:
        return "".join(words).replace(SPACER, " ").translate(UNESCAPE)

    @cached_property
    def _segment(self) -> Callable[[str], list[str]]:
        return self._load()

    def _words(self, line: str) -> list[str]:
        words, at = list[str](), 0
        for start, end in self._spans(line) if self._spans is not None else ():
            words += [*self._cut(line[at:start]), line[start:end].replace(" ", INNER_SPACE)]
            at = end
        return words + self._cut(line[at:])

    def _cut(self, text: str) -> list[str]:
        words: list[str] = []
        for number, piece in enumerate(text.split(" ")):
            if number:
                words.append(SPACER)
            found = [word for word in self._segment(piece) if word] if piece else []
            # A segmenter that changes the text or cuts at spaces is not trusted with this piece.
            if "".join(found) != piece or any(" " in word for word in found):
                found = characters(piece)
            words.extend(found)
        return words


def characters(text: str) -> list[str]:
    """Each character of a script without spaces, with its marks, as a word; letters and digits of other scripts stay
    together.

    >>> characters("第3回IBM会議")
    ['第', '3', '回', 'IBM', '会', '議']
    """
    return _character_pattern().findall(text)


def spaceless(word: str) -> bool:
    """Whether a word is of a script that has no spaces between words, or a punctuation mark of one.

    >>> [spaceless(word) for word in ("会議", "。", "IBM", ".")]
    [True, True, False, False]
    """
    return _spaceless_pattern().search(word) is not None


@cache
def _spaceless_pattern() -> re.Pattern[str]:
    return re.compile(rf"[{SPACELESS}\u3000-\u303f\uff01-\uff65]")


@cache
def _character_pattern() -> re.Pattern[str]:
    scripts = SPACELESS
    # Combining marks, also of scripts with spaces, whose words (Arabic or Hindi in a Chinese text) stay together.
    ranges = ((0x300, 0x1C00), (0x1DC0, 0x1E00), (0x3000, 0x3100), (0xFE00, 0xFE10), (0xE0100, 0xE01F0))
    marks = "".join(
        re.escape(chr(code))
        for low, high in ranges
        for code in range(low, high)
        if unicodedata.category(chr(code))[0] == "M"
    )
    return re.compile(rf"(?![{marks}])[{scripts}][{marks}]*|(?:(?![{scripts}])[\w{marks}])+|.", re.DOTALL)


def spaced_words(words: Sequence[str]) -> list[tuple[str, str]]:
    """Words as a reader knows them, each with the space before it, if there is one: by join marks and scripts.

    >>> spaced_words(["don", "￭'￭", "t", "say", "猫", "が"])
    [('', 'don'), ('', "'"), ('', 't'), (' ', 'say'), ('', '猫'), ('', 'が')]
    """
    found = []
    for before, word in zip((JOINER, *words), words, strict=False):
        touching = before.endswith(JOINER) or word.startswith(JOINER) or spaceless(before) or spaceless(word)
        found.append(("" if touching else " ", plain(word)))
    return found
