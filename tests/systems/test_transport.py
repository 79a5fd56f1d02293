"""What goes to other processes: translators as paths and options; rules, forests and language models as arrays."""

from __future__ import annotations

import copyreg
import functools
import logging
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.systems.conftest import EXAMPLES
from tests.systems.transported import short_rules, shown

from pentaglot.corpus import encode
from pentaglot.errors import PentaglotError
from pentaglot.forest import Forest, example_forest
from pentaglot.forest.arrays import ARRAYS
from pentaglot.lm import BuildOptions, ClassModel, ClassOptions, LanguageModel, build
from pentaglot.parallel import in_processes
from pentaglot.rules import SentenceRules
from pentaglot.systems import Model, Translator
from pentaglot.systems.holding_out import choose_pairs, drafted

SOURCES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:12]


def copied(thing: object) -> object:
    return pickle.loads(pickle.dumps(thing))


@pytest.fixture
def translator(trained: Path) -> Translator:
    """One that differs from its model in every way."""
    logging.disable()
    language = build(*encode([["the", "dog"], ["the", "old", "dog"]]), BuildOptions(order=2))
    logging.disable(logging.NOTSET)
    model = Model.open(trained)
    weights = dict(model.weights) | {"short": -0.2, "language_model@dogs": 0.05, "words": 0.3}
    return Translator(model, weights=weights, hooks=[short_rules], languages={"dogs": language}, longest=6)


def test_translations_are_the_same_elsewhere(translator: Translator) -> None:
    here = [shown(translator, line) for line in SOURCES]
    assert list(in_processes(functools.partial(shown, translator), SOURCES, processes=2)) == here


def test_whole_translations_come_back(translator: Translator) -> None:
    for line, there in zip(SOURCES[:4], in_processes(translator.translate, SOURCES[:4], processes=2), strict=True):
        here = translator.translate(line)
        assert there.text == here.text
        for one, other in zip(here.parts, there.parts, strict=True):
            assert_same_rules(one.rules, other.rules)
            assert_same_forest(one.forest, other.forest)


def assert_same_forest(one: Forest, other: Forest) -> None:
    assert all(np.array_equal(getattr(one.packed, name), getattr(other.packed, name)) for name in ARRAYS)
    assert np.array_equal(one.scores, other.scores) and one.goal == other.goal


def assert_same_rules(one: SentenceRules, other: SentenceRules) -> None:
    assert np.array_equal(one.table.pack(), other.table.pack())
    assert np.array_equal(one.source, other.source) and other.view is None
    assert (one.words, one.copies, one.units, one.limits) == (other.words, other.copies, other.units, other.limits)
    assert one.stand_ins.keys() == other.stand_ins.keys()
    sides = [[each.target_side(rule) for rule in range(each.table.rules)] for each in (one, other)]
    assert sides[0] == sides[1]


def test_rules_that_came_are_searched_alike(translator: Translator) -> None:
    rules = translator.rules.rules(["Der", "Lehrer", "sieht", "das", "Xylophon", "."])
    there = copied(rules)
    assert isinstance(there, SentenceRules)
    assert_same_rules(rules, there)
    assert_same_forest(translator.forest(rules), translator.forest(there))


def test_arrays_that_do_not_fit_are_refused(translator: Translator) -> None:
    rules = translator.rules.rules(["Der", "Lehrer"])
    state = rules.__getstate__()
    with pytest.raises(PentaglotError, match="one symbol for each word"):
        rules.__setstate__(state | {"source": rules.source[:1]})
    unpack, (packed,) = pickle_parts(rules.table)
    with pytest.raises(PentaglotError, match="cut short"):
        unpack(packed[:-9])
    forest = example_forest()
    make, arrays = pickle_parts(forest.packed)
    with pytest.raises(PentaglotError):
        make(*arrays[:3], arrays[3] + np.uint32(9), *arrays[4:])
    with pytest.raises(PentaglotError, match="5 scores for 6 edges"):
        forest.__setstate__({"packed": forest.packed, "scores": forest.scores[:-1]})


def pickle_parts(thing: Any) -> tuple[Any, Any]:
    make, given = copyreg.dispatch_table[type(thing)](thing)  # type: ignore[misc]
    return make, given


def test_language_models() -> None:
    logging.disable()
    text, words = encode([["the", "old", "dog"], ["the", "dog"], ["a", "dog"]])
    model, classes = build(text, words, BuildOptions(order=2)), ClassModel.build(text, words, ClassOptions(3, 2))
    logging.disable(logging.NOTSET)
    there = copied(model)
    assert isinstance(there, LanguageModel) and there.counts == model.counts
    assert there.score([["the", "dog"]]).totals() == model.score([["the", "dog"]]).totals()
    other = copied(classes)
    assert isinstance(other, ClassModel)
    assert other.find_all(["dog", "cat"]).tolist() == classes.find_all(["dog", "cat"]).tolist()
    state = model.__getstate__()
    with pytest.raises(PentaglotError, match="does not belong to the language model"):
        model.__setstate__(state | {"vocabulary": encode([["a"]])[1]})


def test_what_was_added_is_there_elsewhere(trained: Path, tmp_path: Path) -> None:
    mine = Translator.open(shutil.copytree(trained, tmp_path / "model"))
    mine.add("Welpe sieht", "puppy gnarks")
    assert next(in_processes(mine.translate, ["Welpe sieht"], processes=1)).text == mine.translate("Welpe sieht").text


def test_a_draft_stays(trained: Path, tmp_path: Path) -> None:
    model = Model.open(trained)
    held_out = choose_pairs(model.index.bitext, 5)
    with (
        drafted(model, held_out, None, place=tmp_path / "draft") as draft,
        pytest.raises(PentaglotError, match="only in memory"),
    ):
        pickle.dumps(Translator(draft))


def test_errors_come_back_as_they_are(translator: Translator) -> None:
    with pytest.raises(PentaglotError, match="nbest"):
        list(in_processes(functools.partial(translator.translate, nbest=0), SOURCES[:1], processes=1))
