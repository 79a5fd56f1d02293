"""How lines begin and end is learnt from pairs, and applied to new ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import Tokenizer
from pentaglot.corpus.edges import Edges, final_mark
from pentaglot.corpus.joints import Joints
from pentaglot.errors import StorageError

LINES = ["Das Haus.", "das haus", "家。", "»Halt!«", "Wirklich?", "", "3 Häuser:", "iPhone"]


@given(st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(LINES)), max_size=200))
def test_most_beginnings_and_nine_in_ten_ends_of_twenty(pairs: list[tuple[str, str]]) -> None:
    """Against a count by hand of what each line begins and ends with."""
    first = dict(zip(LINES, ("large", "small", "no", "large", "large", None, "large", "no"), strict=True))
    last = dict(zip(LINES, (".", "", "。", "!", "?", "", ":", ""), strict=True))
    edges = Edges.learn(pairs)
    for how in ("large", "small", "no"):
        begun = Counter(first[target] for source, target in pairs if first[source] == how)
        large, small = begun["large"], begun["small"]
        usual = large + small >= 20 and large != small
        assert edges.begins.get(how) == ((large > small) if usual else None)
    for mark in ".。!?:":
        ended = Counter(last[target] for source, target in pairs if last[source] == mark)
        most = max(ended.values(), default=0)
        usual_end = [end for end, count in ended.items() if count == most and 10 * most >= 9 * ended.total() >= 180]
        assert edges.ends.get(mark, "") == (usual_end or [""])[0]


@pytest.mark.parametrize(
    ("source", "target", "line", "words", "expected"),
    [
        ("das haus", "The house", "das buch", "the book", "The book"),  # small letters that say nothing
        ("Das Haus", "The house", "das buch", "the book", "the book"),  # seldom seen: somebody wants it so
        ("Das Haus", "the house", "Das Buch", "the book", "the book"),  # a text without capitals
        ("家 です", "The house", "本 です", "the book", "The book"),
        ("家 です", "the house", "本 です", "the book", "the book"),
        ("Das Haus", "The house", "iPhone kaputt", "the phone is broken", "The phone is broken"),
    ],
)
def test_beginnings(source: str, target: str, line: str, words: str, expected: str) -> None:
    tokenizer = Tokenizer(casing="truecase").train([target] * 30).with_edges([(source, target)] * 30)
    assert tokenizer.recase(words, line) == expected


def test_a_beginning_has_to_be_chosen_so_most_decide() -> None:
    """Greek verses begin with a small letter unless somebody speaks; most of their translations do not."""
    pairs = [("καὶ λέγει", "He says it"), ("ἐν ἀρχῇ", "The beginning")] * 40 + [("ὅτι οὕτως", "for so it is")] * 10
    text = ["And he says it.", "In the beginning.", "There for so it is."]
    tokenizer = Tokenizer(casing="truecase").train(text).with_edges(pairs)
    assert tokenizer.recase("the word", "καὶ λόγος") == "The word"


def test_names_say_nothing_about_beginnings() -> None:
    """German nouns have capitals anywhere; that asks for none on other words."""
    pairs = [("file", "Datei")] * 30 + [("open the file", "öffnet die Datei")] * 25
    tokenizer = Tokenizer(casing="truecase").train(["Er öffnet die Datei."] * 3).with_edges(pairs)
    assert tokenizer.recase("öffnet alles", "open all") == "öffnet alles"


def test_a_mark_that_came_to_stand_inside_goes_to_the_end() -> None:
    edges = Edges.learn([("Opens it.", "Onu açar.")] * 20 + [("Is it so?", "Öyle mi?")] * 20 + [("Ah!", "Ah")] * 20)

    def ended(words: str, line: str) -> str:
        source = Tokenizer().tokenise(line)
        found, links = edges.with_mark_last(words.split(), [(at,) for at in range(len(words.split()))], source, line)
        assert sorted(links) == [(at,) for at in range(len(found))]
        assert [words.split()[at] for (at,) in links] == [*found]
        return Tokenizer().detokenise(list(found))

    assert ended("yazıcı açar ￭. pencere", "Opens the printer dialog.") == "yazıcı açar pencere."
    assert ended("ne istediğiniz ￭? oluştur", "What do you want to create?") == "ne istediğiniz oluştur?"
    # There already, not asked for, another, or one of those inside is meant.
    for words, line in (
        ("bu ￭. açar ￭.", "Opens it."),
        ("açar ￭. bu", "Opens it"),
        ("açar ￭. bu ￭!", "Opens it."),
        ("açar ￭? bu", "Opens it."),
        ("ah ￭! bu", "Ah!"),
        ("bir ￭. iki", "One. Two."),
        ("bu ￭. „ iki ￭. ￭“", "One. “Two.”"),
        ("bu", "Opens it."),
    ):
        assert ended(words, line) == Tokenizer().detokenise(words.split())


def test_nothing_is_moved_to_the_end_of_nothing() -> None:
    assert Edges(ends={".": "."}).with_mark_last([], [], ["x", "￭."], "x.") == ([], [])
    assert [final_mark(line) for line in ("", "...", "»", "50 %", "Wie ?")] == ["", ".", "", "", "?"]


def test_stored_with_the_tokenizer(tmp_path: Path) -> None:
    tokenizer = Tokenizer().with_edges([("家。", "The house.")] * 20)
    assert tokenizer.edges == Edges({"no": True}, {"。": "."})
    joined = Joints({". large": True}, ("etc",))
    cased = Tokenizer(edges=Edges({"no": True}, {"。": "."}, joined))
    cased.save(tmp_path / "cased")
    assert Tokenizer.open(tmp_path / "cased") == cased
    tokenizer.save(tmp_path / "t")
    assert Tokenizer.open(tmp_path / "t") == tokenizer
    Tokenizer().save(tmp_path / "old")
    assert Tokenizer.open(tmp_path / "old").edges is None


def test_damage_is_told(tmp_path: Path) -> None:
    Tokenizer(edges=Edges({"no": "yes"}, {})).save(tmp_path / "t")  # type: ignore[dict-item]
    with pytest.raises(StorageError, match="'begins' is not what it should be"):
        Tokenizer.open(tmp_path / "t")
    Tokenizer(edges=Edges({}, {}, Joints({". no": "yes"}))).save(tmp_path / "j")  # type: ignore[dict-item]
    with pytest.raises(StorageError, match="'joints' is not what it should be"):
        Tokenizer.open(tmp_path / "j")
