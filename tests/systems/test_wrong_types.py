"""What Python takes for something else: a text in place of a list, numbers of NumPy, and what can be read once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pentaglot import PentaglotError
from pentaglot.align import Alignment, AlignOptions, train
from pentaglot.corpus import Bitext, Sentence, encode
from pentaglot.learn import TuneOptions
from pentaglot.order import GrammarOptions, Preorderer, train_grammar
from pentaglot.rules.operators import WordPairs
from pentaglot.systems import TrainOptions, Translator, induce, tune
from pentaglot.systems import train as train_system

CALLS: dict[str, tuple[Callable[[Translator], Any], str]] = {
    "translate_all": (lambda translator: translator.translate_all("Das Haus"), "lines is needed; put it into a list"),
    "translate_words": (lambda translator: translator.translate_words("Das"), "words is needed; cut it into words"),
    "sources": (lambda translator: tune(translator, "ab", ["a", "b"]), "lines is needed"),
    "references": (lambda translator: tune(translator, ["a", "b"], "ab"), "lines is needed"),
    "induce": (lambda translator: induce(translator, "ab", [WordPairs()]), "lines is needed"),
    "choose": (lambda translator: tune(translator, ["a"], ["b"], choose=("a", ["b"])), "lines is needed"),
    "operator": (lambda translator: induce(translator, ["ab"], WordPairs()), "operators are given as a list"),  # type: ignore[arg-type]
    "preset": (lambda translator: induce(translator, ["ab"], "clark2015-bins"), "`preset_operators(NAME)`"),  # type: ignore[arg-type]
    "class": (lambda translator: induce(translator, ["ab"], [WordPairs]), "is not an operator; give such as"),  # type: ignore[list-item]
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


def test_a_development_text_may_come_line_by_line(trained: Path) -> None:
    """Several steps read it."""
    lines, options = (["Das Haus", "Ein Hund"], ["the house", "a dog"]), TuneOptions(rounds=1, size=3)
    translator = Translator.open(trained)
    found = tune(translator, *map(iter, lines), options, choose=(iter(lines[0]), iter(lines[1])))  # type: ignore[arg-type]
    assert found == tune(translator, *lines, options, choose=lines)


def test_numbers_of_other_libraries_and_what_can_be_read_once(trained: Path, tmp_path: Path) -> None:
    """A program computes its numbers, and reads its lines from files."""
    model = tmp_path / "model"
    shutil.copytree(trained, model)
    translator, lines = Translator.open(model), ["Das Haus ist alt.", "Die Katze sieht den Hund."]
    wanted = [text for text, _ in translator.translate(lines[0], nbest=2).nbest]
    assert [text for text, _ in translator.translate(lines[0], nbest=np.int64(2)).nbest] == wanted  # type: ignore[arg-type]
    assert len(next(translator.translate_all(iter(lines), nbest=np.int8(2))).nbest) == 2  # type: ignore[arg-type]
    assert translator.add("das Fahrrad", "the bicycle", weight=np.float32(2)).weight == 2.0  # type: ignore[arg-type]
    translator.weigh(1, np.float32(3))  # type: ignore[arg-type]
    assert Translator.open(model).model.additions.pairs[0].weight == 3.0

    references = ["The house is old.", "The cat sees the dog."]
    options = TuneOptions(rounds=np.int64(1), size=np.int32(5))  # type: ignore[arg-type]
    usual = tune(translator, lines, references, TuneOptions(rounds=1, size=5)).weights
    for given in (iter(references), (iter(each) for each in [references])):
        assert tune(translator, iter(lines), given, options, choose=(iter(lines), iter(references))).weights.keys() == (
            usual.keys()
        )
    assert tune(translator, iter(lines), iter(references), options).weights == usual


def test_training_takes_numbers_of_other_libraries(tmp_path: Path) -> None:
    for side, text in (("de", "das Haus\ndas Buch\n"), ("en", "the house\nthe book\n")):
        (tmp_path / f"a.{side}").write_text(text * 5)
    files = tmp_path / "a.de", tmp_path / "a.en"
    for order, align in ((3, 2), (np.int64(3), np.int64(2))):  # the second time nothing has changed
        done = train_system(
            *files,
            tmp_path / "model",
            options=TrainOptions(order=order, tune=False),  # type: ignore[arg-type]
            align=AlignOptions(iterations=align),  # type: ignore[arg-type]
            tuning=TuneOptions(rounds=np.int64(1)),  # type: ignore[arg-type]
        )
    assert not done.seconds


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
