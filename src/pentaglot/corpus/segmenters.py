"""Word segmenters for scripts without spaces: those that are installed, and those that a program registers.

>>> register_segmenter("two-by-two", lambda: lambda text: [text[i : i + 2] for i in range(0, len(text), 2)])
>>> load_segmenter("two-by-two")("我们去学校")
['我们', '去学', '校']
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from typing import Any

from pentaglot.errors import MissingDependencyError, OptionError
from pentaglot.options import suggestion

__all__ = ["Segment", "known_segmenters", "load_segmenter", "register_segmenter"]

Segment = Callable[[str], list[str]]


def register_segmenter(name: str, load: Callable[[], Segment]) -> None:
    """Registers a segmenter by name. `load` is called on first use and returns a function from a piece of text without
    spaces to its words; joined, they must give the text again."""
    _SEGMENTERS[name] = load


def known_segmenters() -> list[str]:
    """The names of all segmenters, whether or not their packages are installed."""
    return sorted(_SEGMENTERS)


def load_segmenter(name: str) -> Segment:
    """The segmenter of that name; any number of threads may use it."""
    if name not in _SEGMENTERS:
        raise OptionError(f"there is no segmenter '{name}'", hint=suggestion(name, _SEGMENTERS))
    segment, turn = _SEGMENTERS[name](), threading.Lock()

    def one_at_a_time(text: str) -> list[str]:
        # Not every package can cut two texts at once: MeCab's tagger keeps the text that it is at.
        with turn:
            return segment(text)

    return one_at_a_time


def _jieba() -> Segment:
    jieba = _needed("jieba", "jieba")
    jieba.setLogLevel("WARNING")
    # Without its model for unknown words the same text is cut the same way on every machine and version.
    return lambda text: list(jieba.cut(text, HMM=False))


def _fugashi() -> Segment:
    tagger = _needed("fugashi", "'fugashi[unidic-lite]'").Tagger("-Owakati")
    return lambda text: [word.surface for word in tagger(text)]


def _sudachi() -> Segment:
    dictionary = _needed("sudachipy", "sudachipy sudachidict_core").Dictionary().create()
    return lambda text: [word.surface() for word in dictionary.tokenize(text)]


def _pythainlp() -> Segment:
    tokenize = _needed("pythainlp.tokenize", "pythainlp")
    return lambda text: list(tokenize.word_tokenize(text, engine="newmm", keep_whitespace=True))


def _needed(module: str, packages: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingDependencyError(
            f"the segmenter {name} is not installed", hint=f"pip install {packages}"
        ) from error


_SEGMENTERS: dict[str, Callable[[], Segment]] = {
    "fugashi": _fugashi,
    "jieba": _jieba,
    "pythainlp": _pythainlp,
    "sudachi": _sudachi,
}
