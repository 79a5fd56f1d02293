"""Which scripts a text is written in, and so how it has to be cut into words.

>>> chosen_mode(["The house is old."]), chosen_mode(["จบแล้วค่ะ ขอบคุณมากที่ช่วยเหลือเรา"]) in ("characters", "pythainlp")
('conservative', True)
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable

from pentaglot.corpus.spaceless import SPACELESS

__all__ = ["chosen_mode", "has_spaces"]

_SIGN = re.compile(rf"[{SPACELESS}]")
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")
_THAI = re.compile("[\u0e00-\u0e7f]")
# The segmenters of a script, with the modules that they need.
_SEGMENTERS = (
    (_KANA, (("fugashi", "fugashi"), ("sudachi", "sudachipy"))),
    (_THAI, (("pythainlp", "pythainlp"),)),
    (_HAN, (("jieba", "jieba"),)),
)
# Words of text that was cut already have two or three characters, and hardly ever more than six of Thai.
_LONGEST_WORDS = 6.0


def has_spaces(lines: Iterable[str]) -> bool:
    """Whether there are spaces between the words of a text, by its script or because it was cut before.

    >>> has_spaces(["我们 去 学校 。"]), has_spaces(["我们去学校。今天天气很好。"]), has_spaces(["학교에 갑니다."])
    (True, False, True)
    """
    letters = spaceless = telling = pieces = 0
    for line in lines:
        found = [each for each in (len(_SIGN.findall(piece)) for piece in line.split()) if each]
        spaceless += sum(found)
        letters += sum(map(str.isalpha, line))
        # One word is one word, cut or not.
        if len(found) > 1 or sum(found) > _LONGEST_WORDS:
            telling += sum(found)
            pieces += len(found)
    return spaceless <= letters / 2 or 0 < telling <= _LONGEST_WORDS * pieces


def chosen_mode(lines: Iterable[str]) -> str:
    """The name of a tokenizer for a text: `conservative` where there are spaces between words; else a segmenter of its
    script that is installed, or `characters`."""
    lines = list(lines)
    if has_spaces(lines):
        return "conservative"
    text = "".join(lines)
    total = len(_SIGN.findall(text))
    for script, segmenters in _SEGMENTERS:
        # Japanese has kana and Han, about half and half; a few kana do not make a Chinese text Japanese.
        if 10 * len(script.findall(text)) > total:
            installed = (name for name, module in segmenters if importlib.util.find_spec(module) is not None)
            return next(installed, "characters")
    return "characters"
