"""What only BLEU has: n-grams counted natively, tokenisers that may be missing, a warning about tokenised text."""

from __future__ import annotations

import importlib.util
import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from pentaglot._core import metrics as core
from pentaglot.errors import MissingDependencyError, OptionError, PentaglotError
from pentaglot.metrics import BLEU_TOKENIZERS, Bleu


def test_tokenised_text_is_noticed(caplog: pytest.LogCaptureFixture) -> None:
    Bleu().statistics(["A house ."] * 99, [["A house."] * 99])
    assert not caplog.records
    Bleu().statistics(["A house ."] * 100, [["A house."] * 100])
    [record] = caplog.records
    assert "not tokenised" in record.message
    Bleu(tokenize="none").statistics(["A house ."] * 100, [["A house ."] * 100])
    assert len(caplog.records) == 1, "here the text is meant to be tokenised"


@pytest.mark.parametrize("name", BLEU_TOKENIZERS)
def test_every_tokeniser_works_or_says_what_to_install(name: str) -> None:
    needed = {"ja-mecab": "MeCab", "ko-mecab": "mecab_ko"}.get(name)
    bleu = Bleu(tokenize=name)  # type: ignore[arg-type]
    if needed and importlib.util.find_spec(needed) is None:
        with pytest.raises(MissingDependencyError, match=rf"sacrebleu\[{name[:2]}\]"):
            bleu.statistics(["a"], [["a"]])
    else:
        assert bleu.score(bleu.statistics(["猫 a b c d e"], [["猫 a b c d e"]])) == pytest.approx(100)


# Few words, so that they repeat; all that Python takes for white space, and characters that only resemble it.
words = st.sampled_from(["a", "A", "b", "ä", "猫", "\u200b", "\u2060", "x.", "\u0420", "\u2801"])
spaces = st.sampled_from([*" \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000", "  "])
texts = st.lists(st.one_of(words, words, spaces), max_size=14).map("".join) | st.lists(words, max_size=9).map(" ".join)


@given(st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[texts] * (n + 1)), min_size=1, max_size=6)))
def test_statistics_are_those_of_sacrebleu(segments: list[tuple[str, ...]]) -> None:
    hypotheses, *references = (list(column) for column in zip(*segments, strict=True))
    # Several hypotheses in a row for the same references, as in k-best lists.
    hypotheses = [*hypotheses, *hypotheses[::-1]]
    references = [[*reference, *reference[-1:] * len(reference)] for reference in references]
    for lowercase in (False, True):
        theirs = sacrebleu.BLEU(tokenize="none", lowercase=lowercase, force=True)
        wanted = theirs._extract_corpus_statistics(hypotheses, references)
        found = Bleu(tokenize="none", lowercase=lowercase).statistics(hypotheses, references)
        assert found.astype(int).tolist() == wanted


def test_white_space_is_that_of_python() -> None:
    every = [chr(code) for code in range(0x11000) if not 0xD800 <= code < 0xE000]
    found = core.bleu_statistics(tuple(f"a{each}b" for each in every), (("",) * len(every),)).reshape(-1, 10)
    assert np.array_equal(found[:, 0], [len(f"a{each}b".split()) for each in every])


def test_native_input_is_checked() -> None:
    with pytest.raises(PentaglotError, match="segment 2 cannot be encoded as UTF-8"):
        Bleu(tokenize="none").statistics(["a", "\ud800"], [["a", "a"]])
    with pytest.raises(PentaglotError, match="one segment in every"):
        core.bleu_statistics(("a", "b"), (("a",),))
    with pytest.raises(PentaglotError, match="no references"):
        core.bleu_statistics(("a",), ())


entities = ["&", "&amp;", "&quot;", "&lt;", "&gt;", "&amp;lt;", "<skipped>", "<skip<skipped>ped>"]
pieces = st.sampled_from([*"aB7.,-'\"<>/{~\n\t é猫。𝟘$@_:\u00a0", "42", "--", "...", "-\n", "3.5", "1,000", *entities])


@given(st.lists(pieces, max_size=25).map("".join) | st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_tokeniser_13a_is_that_of_sacrebleu(text: str) -> None:
    for lowercase in (False, True):
        theirs = sacrebleu.BLEU(lowercase=lowercase, force=True)
        [found] = Bleu(lowercase=lowercase)._tokenised([text])
        assert found.split() == theirs._preprocess_segment(text).split()


def test_the_example_of_the_survey() -> None:
    """Lopez 2008, figure 2.17: one hypothesis and four references."""
    hypothesis = "Although the northern wind shrieked across the sky , but was still very clear ."
    references = [
        "However , the sky remained clear under the strong north wind .",
        "Although a north wind was howling , the sky remained clear and blue .",
        "The sky was still crystal clear , though the north wind was howling .",
        "Despite the strong northerly winds , the sky remains very clear .",
    ]
    for reference_length, length in (("closest", 14), ("shortest", 12)):
        bleu = Bleu(lowercase=True, smoothing="none", reference_length=reference_length)  # type: ignore[arg-type]
        [row] = bleu.statistics([hypothesis], [[each] for each in references])
        assert row.tolist() == [15, length, 11, 4, 1, 0, 15, 14, 13, 12]
        assert bleu.score(row[None]) == 0
        matched, counted = row[2:6], row[6:]
        assert np.prod(matched[:2] / counted[:2]) ** (1 / 2) == pytest.approx(0.45774, abs=1e-5)
        assert np.prod(matched[:3] / counted[:3]) ** (1 / 3) == pytest.approx(0.25260, abs=1e-5)


@pytest.mark.parametrize(
    ("hypothesis", "every", "higher"),
    [
        ("please return the auto .", 0.537285, 0.531830),
        ("return the car .", 0.778801, 0.778801),
        ("please return the car .", 1.0, 1.0),
        ("", 0.0, 0.0),
        ("x", (1 / 2) ** 0.25 * math.exp(1 - 5), 0.0),
    ],
)
def test_bleu_plus_one(hypothesis: str, every: float, higher: float) -> None:
    """Gimpel 2012, spec 7.6."""
    metrics = [Bleu(tokenize="none", sentence_smoothing=each) for each in ("plus-one", "plus-one-higher")]
    found = [1 - float(each.costs(each.statistics([hypothesis], [["please return the car ."]]))[0]) for each in metrics]
    assert found == pytest.approx([every, higher], abs=1e-6)


def test_settings_that_do_not_exist() -> None:
    for name in ("tokenize", "smoothing", "reference_length", "sentence_smoothing"):
        with pytest.raises(OptionError, match=f"option '{name}' cannot be 'odd'; "):
            Bleu(**{name: "odd"})
