"""Pairs of tags around the words that translate what they stood around, always balanced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pentaglot.systems.inline import Inline


def _put(source: str, target: str) -> str:
    """`target` has words with the place of their source word after a slash."""
    inline, _ = Inline.taken_out(source.split())
    words = [(word, (int(place),) if place else ()) for word, _, place in (e.partition("/") for e in target.split())]
    return " ".join(word for word, _ in inline.put_back(words))


def test_tags_go_with_their_words() -> None:
    assert _put("a <b> b </b> c", "C/2 B/1 A/0") == "C <b> B </b> A"
    assert _put("<i> a <b> b </b> </i> c", "C/2 B/1 x A/0") == "C <i> <b> B </b> x A </i>"
    assert _put("<b> a b </b> c", "A/0 C/2 B/1 x B/1") == "A C <b> B x B </b>"  # the longest run
    assert _put("<b> a </b> <i> b </i>", "A/0 B/1 A/0") == "<b> A </b> <i> B </i> A"
    assert _put("a <b> b </b> c", "A/0 C/2") == "A <b> </b> C"
    assert _put("a <b> b </b>", "A/0") == "A <b> </b>"
    assert Inline.taken_out(["<b x='>'>", "a", "</b>"])[1] == ["a"]
    assert _put("<i> a <b> b </b> </i> c", "B/1 C/2 A/0 A/0") == "B C <i> A A <b> </b> </i>"


def test_what_does_not_pair_stays_a_word() -> None:
    inline, words = Inline.taken_out(["a", "<br>", "b", "</i>", "<p>", "<b>", "c", "</p>", "<x/>"])
    assert words == ["a", "<br>", "b", "</i>", "<b>", "c", "<x/>"]
    assert [(pair.begin, pair.end) for pair in inline.pairs] == [(4, 6)]


def test_what_touches_still_touches() -> None:
    inline, words = Inline.taken_out(["<b>￭", "a", "￭</b>"])
    assert words == ["a"]
    assert [word for word, _ in inline.put_back([("x", ()), ("￭a￭", (0,)), ("y", ())])] == [
        "x", "￭<b>￭", "￭a￭", "￭</b>￭", "y"
    ]  # fmt: skip
    spaceless, _ = Inline.taken_out(["<b>", "字", "</b>"], joined=True)
    assert [word for word, _ in spaceless.put_back([("a", (0,))])] == ["<b>￭", "a", "￭</b>"]


def test_words_do_not_touch_what_is_not_there() -> None:
    """A full stop before a closing tag is the full stop that the training text has."""
    inline, words = Inline.taken_out(["<b>￭", "go", "￭.￭", "</b>", "now"])
    assert words == ["go", "￭.", "now"]
    made = inline.put_back([("geh", (0,)), ("￭.", (1,)), ("jetzt", (2,))])
    assert _line([word for word, _ in made]) == "<b>geh.</b> jetzt"
    _, words = Inline.taken_out(["(￭", "<b>￭", "go", "￭</b>", "￭)"])
    assert words == ["(￭", "go", "￭)"]


JOINED = st.builds(
    "{}{}{}".format, st.sampled_from(["", "￭"]), st.sampled_from(["w", "<b>", "</b>"]), st.sampled_from(["", "￭"])
)


@given(st.lists(JOINED, max_size=10))
def test_a_line_that_stays_as_it_is_stays_so(source: list[str]) -> None:
    inline, left = Inline.taken_out(source)
    made = inline.put_back([(word, (at,)) for at, word in enumerate(left)])
    assert _line([word for word, _ in made]) == _line(source)


def _line(words: list[str]) -> str:
    """Words with spaces between those that do not touch."""
    return " ".join(words).replace("￭ ￭", "").replace("￭ ", "").replace(" ￭", "").strip("￭")


def test_tags_in_tags_in_tags() -> None:
    deep = ["<b>"] * 3000 + ["a"] + ["</b>"] * 3000
    inline, left = Inline.taken_out(deep)
    assert left == ["<b>"] * 2900 + ["a"] + ["</b>"] * 2900
    made = [word for word, _ in inline.put_back([(word, (at,)) for at, word in enumerate(left)])]
    assert made == deep


SOURCES = st.lists(st.sampled_from(["w", "<b>", "</b>", "<i>", "</i>", "<u>", "</u>"]), max_size=14)


@given(SOURCES, st.lists(st.lists(st.integers(0, 9), max_size=2), max_size=8))
def test_always_balanced(source: list[str], links: list[list[int]]) -> None:
    inline, left = Inline.taken_out(source)
    made = [word for word, _ in inline.put_back([("x", tuple(places)) for places in links])]
    assert made.count("x") == len(links)
    opened = []
    for word in made:
        if word.startswith("</"):
            assert opened.pop() == word[2:]
        elif word.startswith("<"):
            opened.append(word[1:])
    assert not opened
    assert sorted(word for word in made if word != "x") == sorted(_paired(source, left))


def _paired(source: list[str], left: list[str]) -> list[str]:
    rest = list(source)
    for word in left:
        rest.remove(word)
    return rest
