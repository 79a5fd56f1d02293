"""Words are found in the line that they were made of, whatever the tokenizer has done to them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pentaglot.corpus import Tokenizer, normalise, word_spans
from pentaglot.corpus.splitters import SPACER, plain
from pentaglot.corpus.word_places import _any_spans, _plain_spans

LINES = [
    "»Halt!«, rief er (z.B. um 10.30 Uhr).",
    "Die Straße, die STRASSE",
    "a￭b ▁ ｟c｠",
    "İstanbul'da IŞIK ışık",
    "Ελλάς ΕΛΛΑΣ  ὁδός",
    "Zu\u0308rich\u2028im\x00 \u00a0Juni­tag",
    "한국어 \u1112\u1161\u11ab",
    "see https://x.org/A?b=C, mail a@b.de <b>1 000</b> %(name)s",
    "第3回IBM会議。 次は？",
    "ﬁne ǅ ŉ",
]
LINE = st.one_of(st.sampled_from(LINES), st.text(st.characters(exclude_categories=["Cs"])))


@pytest.mark.parametrize("casing", ["keep", "lowercase", "truecase"])
@pytest.mark.parametrize("mode", ["conservative", "aggressive", "characters"])
@pytest.mark.parametrize("language", [None, "tr"])
@given(line=LINE)
def test_every_line_has_its_own_words(line: str, casing: str, mode: str, language: str | None) -> None:
    # A few characters are always written as two, which may be two words; then there is no place for each.
    assume(all(len(unicodedata.normalize("NFC", each)) == 1 for each in line))
    tokenizer = Tokenizer(mode, casing, language=language).train(LINES)  # type: ignore[arg-type]
    words = tokenizer.tokenise(line)
    spans = word_spans(words, line)
    assert spans is not None
    before = 0
    for word, (begin, end) in zip(words, spans, strict=True):
        assert before <= begin <= end <= len(line)
        before = end
        # The other way round: what stands there becomes the word again, by itself.
        bare = "" if word == SPACER else _comparable(plain(word))
        assert _comparable(line[begin:end]) == bare or not bare.strip("￭▁")


def _comparable(text: str) -> str:
    """By Unicode's own rule for comparing without case (canonical caseless matching), spaces and dots of i aside."""
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", normalise(text)).casefold())
    return "".join(folded.replace("ı", "i").replace("\u0307", "").split())


def test_text_that_is_tokenised_already() -> None:
    tokenizer = Tokenizer("none", "lowercase")
    line = " Das  ￭ Haus▁ ▁ . "
    words = tokenizer.tokenise(line)
    spans = word_spans(words, line)
    assert spans is not None
    assert [line[begin:end] for begin, end in spans] == ["Das", "", "Haus", "", "."]


def test_other_lines() -> None:
    for line in ("", "Das", "Das Haus da", "Da Haus", "Das Hausboot", "Dass Haus"):
        assert word_spans(["das", "haus"], line) is None
    assert word_spans([], "") == [] == word_spans([], "  ")


@pytest.mark.parametrize("casing", ["keep", "lowercase"])
@pytest.mark.parametrize("mode", ["conservative", "none", "characters"])
@given(line=st.one_of(st.sampled_from(LINES), st.text("aB.ß , ￭▁\u0308İ", max_size=12)))
def test_the_quick_way_finds_the_same_places(line: str, casing: str, mode: str) -> None:
    words = Tokenizer(mode, casing).tokenise(line)  # type: ignore[arg-type]
    quick = _plain_spans(words, line)
    assert quick is None or quick == _any_spans(words, line)
