"""Text is found however it was cut into words: every stretch of a line from one word to another, where it stands and
nowhere else."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pentaglot._core.index import GrammarLimits
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Tokenizer
from pentaglot.corpus.splitters import SPACER, plain
from pentaglot.corpus.tokenizer import Casing
from pentaglot.errors import PentaglotError
from pentaglot.index import Additions, Concordance, FindOptions, Index, find, literal
from pentaglot.index.pattern import parse_pattern

from .texts import array, index_of

_WORDS = [
    "Er",
    "er",
    "sagte",
    "Star",
    "Wars",
    "Star Wars",
    "wir",
    "Wir",
    "3,5",
    "1,234.56",
    "e-mail",
    "E-Mail",
    "don't",
    "hab'",
    "X",
    "US",
]
_MARKS = [
    '"',
    "'",
    "„",
    "“",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    "...",
    "…",
    "-",
    "–",
    "!",
    "?",
    ":",
    "%",
    "/",
    "￭",
    "▁",
    "\\",
]
_PLACEABLES = ["{0}", "%1$s", "<b>", '<A href="X Er">', "`Er US`", "File.TXT", "https://x.org/Er", "/Usr/X", "Er@x.org"]
_SPACELESS = ["彼", "は", "行", "く", "。", "、", "…", "X"]
_EVERYTHING = FindOptions(most=1_000_000, examples=1_000_000)


@st.composite
def _lines(draw: st.DrawFn) -> list[str]:
    """Lines in which punctuation touches words and itself in many ways."""
    spaceless = draw(st.booleans())
    parts = st.sampled_from(
        [*_WORDS, *_MARKS, *_MARKS, *_PLACEABLES]
        if not spaceless
        else [*_SPACELESS, *_SPACELESS, "IBM", "3", '"', *_PLACEABLES]
    )
    line = st.lists(st.tuples(parts, st.booleans()), min_size=1, max_size=9).map(
        lambda pieces: "".join(piece + " " * space for piece, space in pieces).strip()
    )
    return draw(st.lists(line, min_size=1, max_size=6))


def _tokenizers(lines: list[str]) -> list[Tokenizer]:
    modes = ("conservative", "aggressive", "none", "characters")
    casings: tuple[Casing, ...] = ("keep", "lowercase", "truecase")
    made = [
        Tokenizer(mode, casing, protect=protect)
        for mode in modes
        for casing in casings
        for protect in ((), ("Star Wars",))
    ]
    return [each.train([*lines, "ja, er und wir"]) for each in made]


def _index(sentences: list[list[str]]) -> Index:
    bitext = Bitext.from_sentences(sentences, [["t"]] * len(sentences))
    return Index.build(bitext, Alignment.from_links([[]] * len(sentences)))


def _places(line: str, words: list[str], tokenizer: Tokenizer) -> list[tuple[int, int]]:
    """Where each word stands in its line."""
    places, at = [], 0
    for word in words:
        if tokenizer.touching == "always" and word == SPACER:
            places.append((at, at + 1))
            at += 1
            continue
        while line[at] == " ":
            at += 1
        length = len(word if tokenizer.touching == "never" else plain(word))
        places.append((at, at + length))
        at += length
    assert at == len(line)
    return places


def _holding(sentences: list[list[str]], text: str, tokenizer: Tokenizer) -> set[tuple[int, int, int]]:
    """All stretches of words that are the text, by joining each stretch there is."""
    befores, afters = ("", "x ", ".", "Ja. ", "x", "x.", "x-", "x/", "x%", "x$"), ("", "x", "/x", ".5")
    wanted = {
        tokenizer.normalise(before + text + after)[len(before) :].removesuffix(after)
        for before in befores
        for after in afters
    }
    found = set()
    for number, words in enumerate(sentences):
        for begin in range(len(words)):
            for end in range(begin + 1, len(words) + 1):
                if tokenizer.detokenise(words[begin:end]) in wanted and words[begin] != SPACER != words[end - 1]:
                    found.add((number, begin, end))
    return found


def _text(lines: list[str], sentences: list[list[str]], place: tuple[int, int, int], tokenizer: Tokenizer) -> str:
    """A stretch of words as it was written."""
    number, begin, end = place
    places = _places(lines[number], sentences[number], tokenizer)
    return lines[number][places[begin][0] : places[end - 1][1]]


def _hits(found: Concordance) -> list[tuple[tuple[int, int, int], ...]]:
    hits = [hit for each in found.translations for hit in each.examples]
    assert len(hits) == found.count
    return [tuple((hit.pair, *chunk) for chunk in hit.chunks) for hit in hits]


@st.composite
def _stretches(draw: st.DrawFn, number: int, words: list[str], most: int = 1) -> list[tuple[int, int, int]]:
    """One stretch of a sentence, or two with words between them. A space is no word to begin or end with."""
    ends = [at for at, word in enumerate(words) if word != SPACER]
    assume(ends)
    first, last, *others = sorted(draw(st.lists(st.sampled_from(ends), min_size=2, max_size=2 * most)))
    if len(others) < 2 or others[0] < last + 2:
        return [(number, first, last + 1)]
    return [(number, first, last + 1), (number, others[0], others[1] + 1)]


@settings(max_examples=150)
@given(_lines(), st.data())
def test_every_stretch_of_a_line_is_found_where_it_stands(lines: list[str], data: st.DataObject) -> None:
    tokenizer = data.draw(st.sampled_from(_tokenizers(lines)))
    sentences = [tokenizer.tokenise(line) for line in lines]
    number = data.draw(st.integers(0, len(lines) - 1))
    (place,) = data.draw(_stretches(number, sentences[number]))
    text = _text(lines, sentences, place, tokenizer)
    found = find(_index(sentences), literal(text), _EVERYTHING, tokenizer=tokenizer)
    assert found.exact and (place,) in _hits(found)
    assert sorted(_hits(found)) == sorted((each,) for each in _holding(sentences, text, tokenizer))


@settings(max_examples=150)
@given(_lines(), st.data())
def test_stretches_with_gaps_between_them(lines: list[str], data: st.DataObject) -> None:
    tokenizer = data.draw(st.sampled_from(_tokenizers(lines)))
    sentences = [tokenizer.tokenise(line) for line in lines]
    number = data.draw(st.integers(0, len(lines) - 1))
    places = data.draw(_stretches(number, sentences[number], 2))
    texts = [_text(lines, sentences, place, tokenizer) for place in places]
    found = find(_index(sentences), " X ".join(map(literal, texts)), _EVERYTHING, tokenizer=tokenizer)
    assert tuple(places) in _hits(found)
    expected = [
        each
        for each in itertools.product(*(_holding(sentences, text, tokenizer) for text in texts))
        if all(one[0] == other[0] and other[1] > one[2] for one, other in itertools.pairwise(each))
    ]
    assert sorted(_hits(found)) == sorted(expected)


def test_what_looks_like_a_gap_in_a_word() -> None:
    tokenizer = Tokenizer()
    index = _index([tokenizer.tokenise(line) for line in ("彼X", "彼 彼", "彼は来ない")])
    for pattern, pairs in (("彼X", {0}), ("彼 X", {1}), ("彼は来ない", {2})):
        assert {hit[0][0] for hit in _hits(find(index, pattern, _EVERYTHING, tokenizer=tokenizer))} == pairs


@settings(max_examples=150)
@given(_lines(), st.data())
def test_text_is_found_as_it_stands(lines: list[str], data: st.DataObject) -> None:
    """Without a backslash an ellipsis or an X is a gap, which holds the ellipsis or the X."""
    tokenizer = data.draw(st.sampled_from(_tokenizers(lines)))
    sentences = [tokenizer.tokenise(line) for line in lines]
    number = data.draw(st.integers(0, len(lines) - 1))
    (place,) = data.draw(_stretches(number, sentences[number]))
    text = _text(lines, sentences, place, tokenizer)
    try:
        parse_pattern(text)
    except PentaglotError:
        return  # nothing but gaps
    found = find(_index(sentences), text, _EVERYTHING, tokenizer=tokenizer)
    assert number in {hit[0][0] for hit in _hits(found)}


@settings(max_examples=100)
@given(_lines(), st.data())
def test_in_an_index_that_does_not_know_its_tokenizer(lines: list[str], data: st.DataObject) -> None:
    """There, text is found that was cut at spaces or with joiners. Spaces are words only for who knows that."""
    tokenizer = Tokenizer(data.draw(st.sampled_from(["conservative", "aggressive", "none"])))
    sentences = [tokenizer.tokenise(line) for line in lines]
    number = data.draw(st.integers(0, len(lines) - 1))
    (place,) = data.draw(_stretches(number, sentences[number]))
    found = find(_index(sentences), literal(_text(lines, sentences, place, tokenizer)), _EVERYTHING)
    assert found.exact and (place,) in _hits(found)


def test_placeables_with_spaces_inside() -> None:
    tokenizer = Tokenizer(protect=("Star Wars",))
    lines = ['Der <a href="x y">Star Wars</a> `a  b`', "Star  Wars {0} 3,5 %", "<b> Star wars"]
    index = _index([tokenizer.tokenise(line) for line in lines])

    def pairs(pattern: str) -> list[int]:
        found = find(index, pattern, tokenizer=tokenizer)
        assert found.exact
        return sorted(hit.pair for each in found.translations for hit in each.examples)

    assert pairs("Star Wars") == [0, 1]
    assert pairs('Der <a href="x y">Star') == [], "half a placeable"
    assert pairs('Der <a href="x y">Star Wars</a>') == pairs("</a> `a b`") == [0]
    assert pairs("Wars {0}") == []
    assert pairs("Star Wars {0} 3,5 %") == pairs("{0} 3,5") == [1]
    assert pairs("<b> Star wars") == [2]


def test_in_added_pairs_and_several_texts() -> None:
    tokenizer = Tokenizer()
    lines = ['Ich habe "Star Wars" gesehen.', 'Er hat "Star Wars", sagt er.', '("Star Wars")', "Star Wars"]
    sentences = [tokenizer.tokenise(line) for line in lines]
    additions = Additions(_index(sentences[:2]))
    for words in sentences[2:]:
        additions.add(words, ["t"], [])
    found = find(additions.snapshot, '"Star Wars"', tokenizer=tokenizer)
    assert [(hit.corpus, hit.pair) for each in found.translations for hit in each.examples] == [(0, 0), (0, 1), (1, 0)]
    assert find(additions.snapshot, "Star Wars", tokenizer=tokenizer).count == 4
    assert find([_index(sentences), _index(sentences[2:])], '"Star Wars"', tokenizer=tokenizer).count == 4


def test_spaces_and_capitals_are_taken_freely_only_if_need_be() -> None:
    tokenizer = Tokenizer()
    lines = ["Das Haus, das", "Ein Haus , das", "wie das haus, das", "Katze"]
    index = _index([tokenizer.tokenise(line) for line in lines])

    def pairs(pattern: str) -> tuple[list[int], bool]:
        found = find(index, pattern, tokenizer=tokenizer)
        return sorted(hit.pair for each in found.translations for hit in each.examples), found.exact

    assert pairs("Haus, das") == ([0], True)
    assert pairs("Haus , das") == ([1], True)
    assert pairs("haus , das") == ([2], False)
    assert pairs("katze") == pairs("KATZE") == ([3], False)
    assert pairs("Hund") == ([], True)
    assert pairs("Ha us") == ([], True), "words are not put together"


def test_a_script_without_spaces_whose_tokenizer_is_not_known() -> None:
    tokenizer = Tokenizer("characters")
    index = _index([tokenizer.tokenise("彼は IBM に、行く。")])
    for pattern in ("彼は", "彼は IBM", "IBM に、", "に、行く。", "彼は…行く"):
        assert find(index, pattern).count == 1
    assert find(index, "行彼").count == 0


def test_nothing_to_read() -> None:
    index = _index([["a"]])
    assert find(index, "\x00\x01", tokenizer=Tokenizer()).count == 0
    assert find(index, "a" * 5000, tokenizer=Tokenizer("characters")).count == 0


@settings(max_examples=200)
@given(
    st.lists(st.lists(st.integers(4, 7), min_size=1, max_size=9), min_size=1, max_size=4),
    st.lists(
        st.lists(st.lists(st.integers(4, 8), min_size=1, max_size=3), max_size=3, unique_by=tuple),
        min_size=1,
        max_size=3,
    ),
    st.integers(1, 9),
    st.integers(1, 2),
)
def test_forms_of_many_lengths(sentences: list[list[int]], chunks: list[list[list[int]]], span: int, gap: int) -> None:
    """Against every choice of places and forms."""
    begins = [0, *itertools.accumulate(len(each) + 1 for each in sentences)]
    expected = []
    for sentence, begin in zip(sentences, begins, strict=False):
        spans = [
            [
                (at, at + len(form))
                for form in forms
                for at in range(len(sentence))
                if sentence[at : at + len(form)] == form
            ]
            for forms in chunks
        ]
        for chosen in itertools.product(*spans):
            apart = all(other[0] - one[1] >= gap for one, other in itertools.pairwise(chosen))
            if apart and chosen[-1][1] - chosen[0][0] <= span:
                expected.append([begin + at for each in chosen for at in each])
    forms = [[array(form) for form in each] for each in chunks]
    flat, complete = index_of(sentences).search_forms(forms, GrammarLimits(span, 9, 9, gap))
    assert complete and flat.reshape(-1, 2 * len(chunks)).tolist() == sorted(expected)
    if expected:
        some, complete = index_of(sentences).search_forms(forms, GrammarLimits(span, 9, 9, gap), len(expected) - 1 or 1)
        assert len(some) <= len(flat) and complete == (len(expected) == 1)


def test_forms_without_words_are_refused() -> None:
    with pytest.raises(PentaglotError, match="no words"):
        index_of([[4]]).search_forms([[array([])]], GrammarLimits())
    with pytest.raises(PentaglotError, match="no words"):
        index_of([[4]]).search_forms([], GrammarLimits())
