"""Translators: sensible output, any line survived, the same bytes with any number of threads."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import sacrebleu
from tests.systems.conftest import EXAMPLES

from pentaglot import PentaglotError
from pentaglot.errors import OptionError
from pentaglot.search import Cancellation, SearchOptions
from pentaglot.systems import Fixed, Model, Request, Translator


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text("utf-8").splitlines()


def test_translates_unseen_sentences(trained: Path) -> None:
    translator = Translator.open(trained)
    found = [translation.text for translation in translator.translate_all(lines("test.de"))]
    assert sacrebleu.corpus_bleu(found, [lines("test.en")]).score > 55


def test_threads_do_not_matter(trained: Path) -> None:
    translator = Translator.open(trained)
    one, many = (
        [
            (each.text, each.score, each.nbest[0][1].features)
            for each in translator.translate_all(texts, nbest=3, threads=n)
        ]
        for texts, n in ((lines("test.de")[:15], 1), (lines("test.de")[:15], 8))
    )
    assert one == many


ODD = ["", " ", "|||", "<s> </s> <unk>", "[X,1] X1 X", "\x00\x07", "𝔘𝔫𝔦 日本語 العربية", "x" * 1_000_000, "a\u2028b"]


@pytest.mark.parametrize("line", ODD, ids=range(len(ODD)))
def test_survives(trained: Path, line: str) -> None:
    translator = Translator.open(trained)
    text = translator.translate(line).text
    assert "\n" not in text
    assert bool(text) == bool(translator.model.source_tokenizer.tokenise(line))


def test_a_very_long_line(trained: Path) -> None:
    translator = Translator.open(trained)
    sentence = lines("test.de")[0]
    translation = translator.translate(" ".join([sentence] * 200))
    assert len(translation.parts) > 10
    assert all(len(part.rules.words) <= translator.longest for part in translation.parts)
    assert len(translation.text.split()) > 200


@pytest.mark.slow
def test_a_hundred_thousand_words(trained: Path) -> None:
    model = Model.open(trained)
    quick = dataclasses.replace(model.description.search, pop_limit=2, stack_size=2, translations=2)
    words = (f"{lines('test.de')[0]} " * 20_000).split()[:100_000]
    (translation,) = Translator(model, search=quick).translate_all([" ".join(words)], threads=2)
    assert len(translation.text.split()) > 50_000
    assert translation.parts == ()


def test_nbest_is_sorted_and_different(trained: Path) -> None:
    translation = Translator.open(trained).translate(lines("test.de")[1], nbest=10)
    scores = [each.score for _, each in translation.nbest]
    assert len(scores) > 1
    assert scores == sorted(scores, reverse=True)
    assert len({each.words for _, each in translation.nbest}) == len(scores)
    assert translation.text == translation.nbest[0][0]


def test_the_texts_of_a_list_differ(trained: Path) -> None:
    found = [each.nbest for each in Translator.open(trained).translate_all(lines("test.de"), nbest=50)]
    assert all(len({text for text, _ in each}) == len(each) for each in found)
    assert max(map(len, found)) > 10


def test_features_make_up_the_score(trained: Path) -> None:
    translator = Translator.open(trained)
    for _, each in translator.translate(lines("test.de")[2], nbest=5).nbest:
        total = sum(value * translator.weights.get(name, 0.0) for name, value in each.features.items())
        assert each.score == pytest.approx(total, rel=1e-5)


def test_other_weights_share_the_rest(trained: Path) -> None:
    translator = Translator.open(trained)
    wordy = translator.with_weights({**translator.weights, "words": 50.0})
    line = lines("test.de")[0]
    assert len(wordy.translate(line).text.split()) >= len(translator.translate(line).text.split())
    assert wordy.rules is translator.rules
    assert translator.weights["words"] != 50.0


def test_a_line_in_parts_has_a_list(trained: Path) -> None:
    translator = Translator(Model.open(trained), longest=6)
    translation = translator.translate(" ".join(lines("test.de")[:4]), nbest=5)
    assert len(translation.parts) > 1
    assert len(translation.nbest) == 5
    assert len({text for text, _ in translation.nbest}) > 1
    assert translation.score == pytest.approx(sum(part.hypotheses[0].score for part in translation.parts))
    (kept,) = translator.translate_all([translation.source], nbest=5)
    assert kept.parts == () and kept.text == translation.text and kept.score == translation.score


def test_limits_give_the_best_so_far(trained: Path) -> None:
    model = Model.open(trained)
    line = lines("test.de")[0]
    hurried = Translator(model, search=SearchOptions(search=model.description.search.search, hypotheses=3))
    translation = hurried.translate(line)
    assert translation.limited and translation.text
    assert not Translator(model).translate(line).limited
    assert Translator(model, search=SearchOptions(seconds=1e-9)).translate(line).limited


def test_forcing_finds_at_least_what_the_search_found(trained: Path) -> None:
    translator = Translator.open(trained)
    for line in lines("test.de")[:6]:
        for _, each in translator.translate(line, nbest=3).nbest:
            reference = translator.model.target_tokenizer.detokenise(list(each.words))
            forced = translator.force(line, reference)
            assert forced.reachable and forced.hypothesis is not None and forced.forest is not None
            assert forced.hypothesis.words == each.words == forced.words == forced.reached
            assert forced.hypothesis.score >= each.score - 1e-3
            assert {derivation.words for derivation in forced.forest.kbest(20)} == {forced.forest.viterbi().words}
            total = sum(value * translator.weights.get(name, 0.0) for name, value in forced.hypothesis.features.items())
            assert forced.hypothesis.score == pytest.approx(total, rel=1e-5)


def test_what_cannot_be_forced(trained: Path) -> None:
    translator = Translator.open(trained)
    line = lines("test.de")[0]
    best = list(translator.translate(line).nbest[0][1].words)
    join = translator.model.target_tokenizer.detokenise
    forced = translator.force(line, join([*best[:2], "zorblax", *best[2:]]))
    assert not forced.reachable and forced.forest is None
    assert forced.reached == tuple(best[:2])
    assert not translator.force(line, "").reachable
    assert not translator.force("", "something").reachable
    with pytest.raises(PentaglotError, match="too long for a translation that is partly given"):
        translator.force("a " * 300, "a")


def test_translations_begin_as_they_must(trained: Path) -> None:
    translator = Translator.open(trained)
    for line in lines("test.de")[:5]:
        free = translator.translate(line, nbest=10)
        for text, each in free.nbest:
            for size in (1, len(text) // 3, len(text) // 2, len(text)):
                found = translator.translate(line, prefix=text[:size])
                assert found.text.startswith(text[:size])
                assert found.score <= free.score + 1e-3
                if size == len(text):
                    assert found.score >= each.score - 1e-2
                assert "given" not in found.nbest[0][1].features


@pytest.mark.parametrize(
    "prefix", ["Zorblax", "Zorblax, the green ", "The THE (the) the 17 zorblaxes", "x" * 300, "  A "]
)
def test_any_beginning_is_obeyed(trained: Path, prefix: str) -> None:
    translator = Translator.open(trained)
    for line in (*lines("test.de")[:2], "Haus", "|||"):
        found = translator.translate(line, prefix=prefix, nbest=3)
        assert all(text.startswith(prefix.rstrip()) for text, _ in found.nbest)
    assert translator.translate("", prefix=prefix).text == prefix


def test_long_beginnings(trained: Path) -> None:
    """Too long ones are refused at once, and a limit ends the search for others, too."""
    translator = Translator.open(trained)
    line = lines("test.de")[0]
    with pytest.raises(PentaglotError, match="begin with 5000 given words; give at most 250"):
        translator.translate(line, prefix="Zorblax " * 5000)
    long = "Zorblax the " * 120
    assert translator.translate("", prefix=long * 10).text == long * 10
    assert translator.translate(line, prefix=long).text.startswith(long.rstrip())
    hasty = dataclasses.replace(translator.search_options, hypotheses=100)
    found = Translator(translator.model, search=hasty).translate(" ".join([line] * 8), prefix=long)
    assert found.limited and found.text.startswith(long.rstrip())


def test_a_limit_counts_what_a_constraint_costs(trained: Path) -> None:
    """Without one, a search under a constraint ends after a million hypotheses."""
    translator = Translator.open(trained)
    found = [
        Translator(translator.model, search=dataclasses.replace(translator.search_options, hypotheses=most))
        .translate(lines("test.de")[0], prefix="Zorblax the old ")
        .limited
        for most in (0, 10, 10**6)
    ]
    assert found == [False, True, False]


def test_values_that_make_no_sense(trained: Path) -> None:
    model = Model.open(trained)
    for longest in (0, -1, 1001, 2**64, 1.5, True):
        with pytest.raises(OptionError, match="'longest'"):
            Translator(model, longest=longest)  # type: ignore[arg-type]
    one_by_one = Translator(model, longest=1).translate("Das Haus ist alt.")
    assert [len(part.rules.words) for part in one_by_one.parts] == [1] * 5
    translator = Translator(model)
    for nbest in (0, -1, 2**64):
        for ask in (translator.translate, translator.translate_words, translator.translate_all):
            with pytest.raises(OptionError, match="'nbest'"):
                ask("a", nbest=nbest)  # type: ignore[operator]
    for threads in (0, -1, 2**40):
        with pytest.raises(OptionError, match="'threads'"):
            translator.translate_all(["a"], threads=threads)
    for search in (
        {"pop_limit": 0},
        {"pop_limit": 2**32},
        {"seconds": -1.0},
        {"seconds": float("nan")},
        {"input_gap": 0},
    ):
        with pytest.raises(OptionError, match=f"'{next(iter(search))}'"):
            Translator(model, search=dataclasses.replace(model.description.search, **search))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'max_span'"):
        Translator(model, rules=dataclasses.replace(model.description.rules, max_span=0))


def test_cancelling_reaches_every_part_of_the_work(trained: Path) -> None:
    translator = Translator.open(trained)
    stop = Cancellation()
    stop.cancel()
    words = translator.model.source_tokenizer.tokenise(lines("test.de")[0])
    with pytest.raises(PentaglotError, match="cancelled"):
        translator.rules.rules(words, stop)
    for demand in ({}, {"prefix": "Zorblax "}):
        with pytest.raises(PentaglotError, match="cancelled"):
            translator.translate(lines("test.de")[0], cancellation=stop, **demand)  # type: ignore[arg-type]


def test_stacks_leave_gaps_alone(trained: Path) -> None:
    """A model of rules with gaps can be searched by stacks; then it looks for rules without gaps only."""
    model = Model.open(trained)
    translator = Translator(model, search=dataclasses.replace(model.description.search, search="stack"))
    assert translator.rules.options.max_gaps == 0
    assert translator.translate(lines("test.de")[0]).text


def test_fixed_parts_stay_letter_by_letter(trained: Path) -> None:
    translator = Translator.open(trained)
    strange = "<b>Zorblax & söhne|||ﬁ  [X,1]</b>"
    for line in lines("test.de")[:5]:
        words = line.split()
        for first in range(len(words)):
            start = len(" ".join(words[:first])) + bool(first)
            marks = [Fixed(start, start + len(words[first].rstrip(".,")), strange)]
            for text, _ in translator.translate(line, fixed=marks, nbest=3).nbest:
                assert text.count(strange) == 1
    whole = translator.translate("Das Haus", fixed=[Fixed(0, 8, "QuX")])
    assert whole.text == "QuX"
    assert translator.translate("Das Haus", fixed=[Fixed(4, 8, "")]).text
    with pytest.raises(PentaglotError, match="overlap"):
        translator.translate("Das Haus", fixed=[Fixed(0, 4, "a"), Fixed(3, 8, "b")])


def test_fixed_parts_and_a_beginning(trained: Path) -> None:
    translator = Translator.open(trained)
    line = lines("test.de")[0]
    mark = Fixed(0, len(line.split()[0]), "QuX")
    begun = translator.translate(line, fixed=[mark]).text[:12]
    (found,) = translator.translate_all([Request(line, begun, (mark,))], threads=2)
    assert found.text.startswith(begun) and "QuX" in found.text
