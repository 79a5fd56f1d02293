"""A text in place of a list is a list of letters to Python; nobody means that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pentaglot import PentaglotError
from pentaglot.align import Alignment, train
from pentaglot.corpus import Bitext, Sentence, encode
from pentaglot.order import GrammarOptions, Preorderer, train_grammar
from pentaglot.systems import Translator, tune

CALLS: dict[str, tuple[Callable[[Translator], Any], str]] = {
    "translate_all": (lambda translator: translator.translate_all("Das Haus"), "lines is needed; put it into a list"),
    "translate_words": (lambda translator: translator.translate_words("Das"), "words is needed; cut it into words"),
    "sources": (lambda translator: tune(translator, "ab", ["a", "b"]), "lines is needed"),
    "references": (lambda translator: tune(translator, ["a", "b"], "ab"), "lines is needed"),
    "rules": (lambda translator: translator.rules.rules("Das Haus"), "words is needed"),
    "sentence": (lambda _: Sentence("Das Haus"), "words is needed"),
    "no line": (lambda translator: translator.translate(None), "a line is of the type NoneType; give a text"),  # type: ignore[arg-type]
    "scope": (lambda translator: translator.look_up("Haus", "part"), "no scope 'part'; did you mean 'parts'?"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("call", "message"), CALLS.values(), ids=CALLS.keys())
def test_a_translator_refuses_what_nobody_means(trained: Path, call: Callable[[Translator], Any], message: str) -> None:
    with pytest.raises(PentaglotError) as caught:
        call(Translator.open(trained))
    assert message in str(caught.value)


def test_aligners_and_preorderers_take_words() -> None:
    aligner = train(Bitext.from_sentences([["das", "Haus"]], [["the", "house"]]))
    for call in (aligner.align_pair, aligner.posteriors):
        with pytest.raises(PentaglotError, match="a text is given where a list of words is needed"):
            call(["das", "Haus"], "the house")
    text, words = encode([["I", "tea", "drink"]] * 5)
    links = Alignment.from_links([[(0, 0), (1, 2), (2, 1)]] * 5)
    preorderer = Preorderer(train_grammar(text, words, links, GrammarOptions(least_words=1, binary_states=2)))
    for sentences in ("tea", ["I drink"]):
        with pytest.raises(PentaglotError, match="list of words is needed"):
            list(preorderer.order(sentences))
    for parse in (preorderer.parse, preorderer.lattice, preorderer.knows_none, preorderer.grammar.order):
        with pytest.raises(PentaglotError, match="list of words is needed"):
            parse("I drink")
    with pytest.raises(PentaglotError, match="list of lines is needed"):
        preorderer.order_lines("I drink")
