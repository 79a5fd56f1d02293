"""Segmenters are found by name, and none can damage the text."""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pentaglot.corpus import segmenters
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.segmenters import known_segmenters, load_segmenter, register_segmenter
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.errors import MissingDependencyError, OptionError

from .texts import texts


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmenters, "_SEGMENTERS", dict(segmenters._SEGMENTERS))


@pytest.mark.parametrize(
    ("name", "module", "install"),
    [
        ("jieba", "jieba", "pip install jieba"),
        ("fugashi", "fugashi", "pip install 'fugashi"),
        ("sudachi", "sudachipy", "pip install sudachipy sudachidict_core"),
        ("pythainlp", "pythainlp.tokenize", "pip install pythainlp"),
    ],
)
def test_a_missing_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str, install: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependencyError) as caught:
        Tokenizer(name).tokenise("文")
    assert install in str(caught.value)


def _twos(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


class _Word:
    def __init__(self, surface: Any) -> None:
        self.surface = surface


@pytest.mark.parametrize("name", ["jieba", "fugashi", "sudachi", "pythainlp"])
def test_packages_are_called_as_they_want(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Stand-ins with the interfaces of the four packages."""
    stand_ins = {
        "jieba": types.SimpleNamespace(setLogLevel=lambda level: None, cut=lambda text, **_: iter(_twos(text))),
        "fugashi": types.SimpleNamespace(Tagger=lambda options: lambda text: [_Word(w) for w in _twos(text)]),
        "sudachipy": types.SimpleNamespace(
            Dictionary=lambda: types.SimpleNamespace(
                create=lambda: types.SimpleNamespace(
                    tokenize=lambda text: [_Word(lambda word=word: word) for word in _twos(text)]
                )
            )
        ),
        "pythainlp.tokenize": types.SimpleNamespace(word_tokenize=lambda text, engine, keep_whitespace: _twos(text)),
    }
    for module, stand_in in stand_ins.items():
        monkeypatch.setitem(sys.modules, module, stand_in)
    monkeypatch.setitem(sys.modules, "pythainlp", types.SimpleNamespace())
    assert Tokenizer(name).tokenise("我们去学校 好") == ["我们", "去学", "校", "▁", "好"]


BROKEN: list[Callable[[str], list[str]]] = [
    lambda text: [text.upper()],
    lambda text: [],
    lambda text: [*text, "x"],
    lambda text: ["", *text, ""],
    lambda text: list(text[::-1]),
]


@pytest.mark.usefixtures("registry")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts(), broken=st.sampled_from(BROKEN))
def test_a_segmenter_cannot_damage_the_text(text: str, broken: Callable[[str], list[str]]) -> None:
    register_segmenter("broken", lambda: broken)
    tokenizer = Tokenizer("broken")
    words = tokenizer.tokenise(text)
    assert tokenizer.detokenise(words) == normalise(text)
    assert all(words) and not any(" " in word for word in words)


@pytest.mark.usefixtures("registry")
def test_names() -> None:
    register_segmenter("mine", lambda: list)
    assert "mine" in known_segmenters()
    assert load_segmenter("mine")("ab") == ["a", "b"]
    with pytest.raises(OptionError, match="there is no segmenter 'jiba'; did you mean 'jieba'"):
        load_segmenter("jiba")


@pytest.mark.usefixtures("registry")
def test_threads_take_turns() -> None:
    """A segmenter that keeps its text in itself, as MeCab's does, is never asked by two threads at once."""

    class Tagger:
        text = ""

        def __call__(self, text: str) -> list[str]:
            self.text = text
            time.sleep(0.001)  # others have their chance
            return _twos(self.text)

    register_segmenter("forgetful", Tagger)
    tokenizer = Tokenizer("forgetful")
    lines = [chr(0x4E00 + number) * 4 for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(tokenizer.tokenise, lines))
    assert found == [_twos(line) for line in lines]
