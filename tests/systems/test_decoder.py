"""What learners are shown, against translations as everybody else gets them: as words and named features."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.systems.conftest import EXAMPLES

from pentaglot.forest import matches
from pentaglot.learn import Candidate, CandidateArrays, KBestLists
from pentaglot.metrics import Bleu
from pentaglot.rules import SentenceRules
from pentaglot.systems import Model, Translator
from pentaglot.systems.decoder import SentenceDecoder, tunable
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.translation import join_hypotheses

BLEU = Bleu(tokenize="none")
# Words that nobody knows are copied; one of them stands in a reference, one is a known word of the other language.
ODD = ["Xyzzy plugh Haus house 17:45 .", "unbekanntes Wort Xyzzy Xyzzy"]
REFERENCES = ["Xyzzy house house 17:45 .", "the Xyzzy Xyzzy plugh"]


def _sentences(translator: Translator) -> tuple[list[list[str]], list[str]]:
    lines, wanted = ((EXAMPLES / name).read_text("utf-8").splitlines()[:8] for name in ("test.de", "test.en"))
    model = translator.model
    sources = model.source_tokenizer.tokenise_all([*ODD, *lines])
    return sources, [" ".join(each) for each in model.target_tokenizer.tokenise_all([*REFERENCES, *wanted])]


def _by_dictionaries(
    translator: Translator, shelf: RuleShelf, size: int, distinct: bool = True
) -> list[list[Candidate]]:
    found = []
    for number in range(len(shelf)):
        parts = [translator.hypotheses(part, size, distinct=distinct) for part in shelf.rules(number)]
        joined = join_hypotheses(parts, size)
        found.append([Candidate(" ".join(each.words), tunable(translator, each.features)) for each in joined])
    return found


def _lists(found: object, references: list[str]) -> KBestLists:
    nothing = KBestLists.empty(len(references))
    return nothing.novel(
        found,  # type: ignore[arg-type]
        lambda texts, owners: BLEU.statistics(texts, [[references[each] for each in owners]]),
    )


def _assert_equal(one: KBestLists, other: KBestLists) -> None:
    assert one.names == other.names
    for name in ("sentences", "text", "text_offsets", "feature_offsets", "feature_ids", "feature_values", "statistics"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def _hook(found: SentenceRules) -> dict[str, NDArray[np.float32]]:
    """Names that depend on the sentence, in an order that is not theirs."""
    table, first = found.table, found.words[0]
    return {
        f"z {first}": np.ones(table.rules, np.float32),
        f"a {first}": np.arange(table.rules, dtype=np.float32) % 3,
    }


@pytest.mark.parametrize("longest", [100, 4])
@pytest.mark.parametrize("hooks", [(), (_hook,)], ids=["plain", "hooks"])
def test_arrays_say_what_dictionaries_say(trained: Path, longest: int, hooks: tuple[object, ...]) -> None:
    """Names in the same order and numbers to the last bit, with any number of threads: weights depend on both."""
    translator = Translator(Model.open(trained), longest=longest, hooks=hooks)  # type: ignore[arg-type]
    sources, references = _sentences(translator)
    shelf = RuleShelf(translator, sources)
    wanted = _lists(_by_dictionaries(translator, shelf, 15), references)
    assert len(wanted) > 5 * len(sources)
    for threads in (1, 2):
        decoder = SentenceDecoder(translator, shelf, threads=threads)
        found = list(decoder.kbest(translator.weights, 15))
        assert len(found) == len(decoder) == len(sources)
        assert any(isinstance(each, CandidateArrays) for each in found)
        _assert_equal(_lists(found, references), wanted)


@pytest.mark.parametrize("longest", [100, 4])
def test_derivations_of_the_same_words(trained: Path, longest: int) -> None:
    """They are candidates of their own if they need not be distinct: soft losses add them up."""
    translator = Translator(Model.open(trained), longest=longest)
    sources, references = _sentences(translator)
    shelf = RuleShelf(translator, sources)
    decoder = SentenceDecoder(translator, shelf, distinct=False, threads=2)
    found = _lists(decoder.kbest(translator.weights, 15), references)
    _assert_equal(found, _lists(_by_dictionaries(translator, shelf, 15, distinct=False), references))
    texts = [found.texts(sentence) for sentence in range(found.sentence_count)]
    assert any(len(set(each)) < len(each) for each in texts)
    shown = _lists(SentenceDecoder(translator, shelf).kbest(translator.weights, 15), references)
    assert found.texts(2)[0] == shown.texts(2)[0] and len(set(shown.texts(2))) == len(shown.texts(2))


def test_statistics_know_a_word_by_its_letters(trained: Path) -> None:
    """A word that was copied matches the same word of a reference, and of the vocabulary."""
    translator = Translator.open(trained)
    sources, references = _sentences(translator)
    found = _lists(
        SentenceDecoder(translator, RuleShelf(translator, sources)).kbest(translator.weights, 10), references
    )
    for sentence, reference in enumerate(references[: len(ODD)]):
        place = int(found.sentences[sentence])
        for text in found.texts(sentence):
            matched = sum(min(text.split().count(word), reference.split().count(word)) for word in set(text.split()))
            assert found.statistics[place][0] == len(text.split()) and found.statistics[place][2] == matched
            assert matched >= 2, "both words that nobody knows"
            place += 1


def test_other_weights_show_other_translations(trained: Path) -> None:
    translator = Translator.open(trained)
    sources, _ = _sentences(translator)
    shelf = RuleShelf(translator, sources)
    decoder = SentenceDecoder(translator, shelf)
    other = {**translator.weights, "language_model": 0.0, "words": 2.0}
    shown = [each.text_of(0) for each in decoder.kbest(other, 1) if isinstance(each, CandidateArrays)]
    wanted = [each[0].text for each in _by_dictionaries(translator.with_weights(other), shelf, 1)]
    assert shown == wanted
    assert shown != [each[0].text for each in _by_dictionaries(translator, shelf, 1)]


def test_forests_are_those_of_the_candidates(trained: Path) -> None:
    translator = Translator(Model.open(trained), longest=5)
    sources, _ = _sentences(translator)
    shelf = RuleShelf(translator, sources)
    found = list(SentenceDecoder(translator, shelf, threads=2).forests(translator.weights))
    wanted = _by_dictionaries(translator, shelf, 40)
    assert any(len(shelf.rules(number)) > 1 for number in range(len(shelf)))
    for sentence, candidates in zip(found, wanted, strict=True):
        listed = sentence.forest.kbest(5, distinct=True)
        # A copied word and the same word of the vocabulary, or a second copy of it, are one here.
        texts = list(dict.fromkeys(each.text for each in candidates))
        assert [" ".join(map(sentence.word, each.words)) for each in listed] == texts[:5]
        named = {sentence.features.name(at): value for at, value in listed[0].features.items()}
        assert tunable(translator, named) == pytest.approx(dict(candidates[0].features), abs=1e-4)


def test_words_of_forests_are_those_of_references(trained: Path) -> None:
    """Also words that only a sentence has, in any of its parts."""
    translator = Translator(Model.open(trained), longest=3)
    sources, references = _sentences(translator)
    decoder = SentenceDecoder(translator, RuleShelf(translator, sources))
    for sentence, reference in zip(decoder.forests(translator.weights), references, strict=True):
        ids = sentence.ids(reference.split())
        known = [at for at, id in enumerate(ids) if id != 2**31 - 1]
        assert [sentence.word(ids[at]) for at in known] == [reference.split()[at] for at in known]
        found = matches(sentence.forest, [ids], 2)
        best = found.forest.viterbi()
        words = list(map(sentence.word, best.words))
        shared = found.statistics[best.edges].sum(axis=0).tolist()
        assert shared[:2] == [len(words), sum(word in reference.split() for word in words)]
        pairs = set(itertools.pairwise(reference.split()))
        assert shared[2] == sum(pair in pairs for pair in itertools.pairwise(words))
    assert sentence.ids(["nobody says this"]) == [2**31 - 1]
