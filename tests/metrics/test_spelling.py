"""Letters with marks, written as one character or as two, are the same to all metrics that are Pentaglot's own."""

from __future__ import annotations

import unicodedata

import pytest

from pentaglot.evaluate.beer_training import BeerOptions, frequent_words
from pentaglot.evaluate.judgments import Judged
from pentaglot.metrics import Matching, Meteor, ScoringOptions, chosen_metrics

LINES = [
    "Họ đã dự một cuộc họp quan trọng.",
    "그들은 어제 회의에 참석했습니다.",
    "पढ़ने के लिए सड़क पर",
    "Škoda však přijela včera večer.",
]


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", ["beer", "recpef", "kendall", "ribes", "meteor"])
def test_composed_and_decomposed_letters_are_equal(name: str, lowercase: bool) -> None:
    [metric] = chosen_metrics(ScoringOptions(metrics=name, lowercase=lowercase))
    for form in ("NFC", "NFD"):
        said = [unicodedata.normalize(form, line) for line in LINES]
        assert metric.costs(metric.statistics(said, [LINES])) == pytest.approx([0] * len(LINES))
        assert metric.costs(metric.statistics(LINES, [said])) == pytest.approx([0] * len(LINES))


def test_links_and_function_words() -> None:
    said, wanted = "e\u0301te\u0301 a\u0300 midi", "à midi été"
    assert Matching("exact").links(said, wanted) == [(0, 2), (1, 0), (2, 1)]
    found = Matching("exact").orders([said], [wanted], function_words=["a\u0300"])
    assert found["exact function words"].tolist() == [1]
    listed, unlisted = Meteor(function_words=("A\u0300",)), Meteor()  # METEOR ignores case
    assert listed.statistics([said], [[wanted]]).tolist() != unlisted.statistics([said], [[wanted]]).tolist()


def test_function_words_that_beer_learns() -> None:
    people = Judged("set", ("1",), ("a",), ("x",), ("a\u0300 midi",), None, None, None)  # type: ignore[arg-type]
    assert frequent_words([people], BeerOptions()) == ("midi", "à")
    references = (" ".join(["the"] * 2 + [f"w{number}" for number in range(1998)]),)  # one in a thousand is enough
    people = Judged("set", ("1",), ("a",), ("x",), references, None, None, None)  # type: ignore[arg-type]
    assert frequent_words([people], BeerOptions()) == ("the",)
