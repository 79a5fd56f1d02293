"""The concordance: what is found, how it is grouped, and how patterns are written."""

from __future__ import annotations

import json

import pytest

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Tokenizer
from pentaglot.errors import PentaglotError
from pentaglot.index import Additions, Concordance, FindOptions, Index, find

SOURCE = [
    "er ist nicht nur klug sondern auch reich",
    "nicht nur heute sondern auch morgen früh",
    "nicht nur sondern auch",
    "nicht nur das alte Haus sondern nur der Turm sondern auch die Kirche",
    "das X ist groß",
]
TARGET = [
    "he is not only clever but also rich",
    "not only today but early tomorrow too",
    "not only but also",
    "not only the old house but also the church",
    "the X is big",
]
LINKS = [
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7)],
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 6), (5, 5), (6, 4)],
    [(0, 0), (1, 1), (2, 2), (3, 3)],
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (9, 5), (10, 6), (11, 7), (12, 8)],
    [(0, 0), (1, 1), (2, 2), (3, 3)],
]


def _index() -> Index:
    bitext = Bitext.from_sentences([line.split() for line in SOURCE], [line.split() for line in TARGET])
    return Index.build(bitext, Alignment.from_links(LINKS))


def _groups(found: Concordance) -> dict[str, int]:
    return {each.text: each.count for each in found.translations}


def test_grouped_by_translation() -> None:
    found = find(_index(), "nicht nur X sondern auch Y")
    assert _groups(found) == {"not only … but also": 2, "not only … but … too": 1}
    assert found.count == 3 and found.complete
    best = found.translations[0]
    assert [hit.pair for hit in best.examples] == [0, 3]
    first = best.examples[0]
    assert first.chunks == ((2, 4), (5, 7)) and first.gaps == ((4, 5),)
    marked = [first.source[at] for begin, end in first.chunks for at in range(begin, end)]
    assert marked == ["nicht", "nur", "sondern", "auch"]
    assert [first.target[at] for at in first.aligned] == ["not", "only", "but", "also"]


def test_edges_need_room() -> None:
    index = _index()
    assert [hit.pair for each in find(index, "X nicht nur").translations for hit in each.examples] == [0]
    assert find(index, "nicht nur").count == 4
    assert find(index, "sondern auch X").count == 3
    assert find(index, "auch X").count == 3


def test_gaps_and_spans() -> None:
    index = _index()
    assert find(index, "nicht … sondern").count == 5, "one sentence holds two of them"
    assert find(index, "nicht ... sondern", FindOptions(min_gap=3)).count == 2
    assert find(index, "nicht X1 sondern", FindOptions(max_span=4)).count == 3
    stopped = find(index, "nicht X sondern", FindOptions(most=2))
    assert (stopped.count, stopped.complete) == (2, False)


def test_escaped_gap() -> None:
    index = _index()
    assert find(index, "das \\X").count == 1
    assert find(index, "\\X").translations[0].text == "X"


def test_unknown_and_unaligned_words() -> None:
    index = _index()
    assert find(index, "unbekannt X nicht").count == 0
    assert _groups(find(index, "der Turm")) == {"": 1}


def test_translations_are_written_as_in_the_text() -> None:
    """Words that touch there touch here."""
    source = [["nicht", "heute"], ["nicht"], ["gestern", "nicht"], ["Katze"]]
    target = [
        ["don", "￭'￭", "t", "go", "today"],
        ["I", "won", "￭'￭", "t", "￭."],
        ["not", "￭-￭", "so"],
        ["我", "喜欢", "猫"],
    ]
    links = [[(0, 0), (0, 1), (0, 2), (1, 4)], [(0, 2), (0, 3)], [(1, 0), (1, 2)], [(0, 1), (0, 2)]]
    index = Index.build(Bitext.from_sentences(source, target), Alignment.from_links(links))
    assert _groups(find(index, "nicht")) == {"don't": 1, "'t": 1, "not … so": 1}
    assert _groups(find(index, "Katze")) == {"喜欢猫": 1}


def test_in_several_indexes_with_weights() -> None:
    index = _index()
    additions = Additions(index)
    additions.add(
        ["nicht", "nur", "du", "sondern", "auch", "ich"], ["both", "you", "and", "I"], [(0, 0), (4, 2)], weight=5
    )
    found = find(additions.snapshot, "nicht nur X sondern auch")
    assert [(each.text, each.count, each.weight) for each in found.translations] == [
        ("both … and", 1, 5.0),
        ("not only … but also", 2, 2.0),
        ("not only … but … too", 1, 1.0),
    ]
    assert found.translations[0].examples[0].corpus == 1
    assert find([index, index], "Kirche").count == 2
    stopped = find([index, index], "Kirche", FindOptions(most=1))
    assert (stopped.count, stopped.complete) == (1, False)


def test_json() -> None:
    plain = json.loads(json.dumps(find(_index(), "Kirche").as_json()))
    assert plain["translations"][0]["text"] == "church"
    assert plain["translations"][0]["examples"][0]["aligned"] == [8]


@pytest.mark.parametrize(
    ("pattern", "message"), [("", "no word"), ("X", "no word"), ("X ... Y", "no word"), ("a X Y b", "side by side")]
)
def test_patterns_that_cannot_be_looked_for(pattern: str, message: str) -> None:
    with pytest.raises(PentaglotError, match=message):
        find(_index(), pattern)


def test_patterns_are_cased_like_the_text() -> None:
    found = find(_index(), "NICHT NUR X Sondern", tokenizer=Tokenizer("none", "lowercase"))
    assert (found.count, found.exact) == (4, True)
