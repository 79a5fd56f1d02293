"""A warning about text without spaces between words."""

from __future__ import annotations

import pytest

from pentaglot.evaluate import CompareOptions, compare
from pentaglot.metrics import Bleu, Chrf, Length, Metric, Ter, note_on_spaces

CHINESE = ["我们去学校。今天天气很好。", "他们昨天没有来学校上课。"]
THAI = ["ขอบคุณมากที่ช่วยเหลือเรา"]


@pytest.mark.parametrize(
    ("metrics", "named"),
    [
        ([Bleu(), Chrf(), Ter()], "BLEU and TER take"),
        ([Ter(), Chrf()], "TER takes"),
        ([Length()], "length takes"),
        ([Bleu(tokenize="none")], "BLEU takes"),
        ([Bleu(tokenize="zh"), Chrf(), Ter(normalized=True, asian_support=True)], None),
        ([Bleu(tokenize="char"), Length(Bleu(tokenize="char"))], None),
        ([Chrf()], None),
    ],
)
@pytest.mark.parametrize("text", [CHINESE, THAI])
def test_metrics_of_words(metrics: list[Metric], named: str | None, text: list[str]) -> None:
    note = note_on_spaces(metrics, text)
    assert note is None if named is None else note is not None and note.startswith(f"{named} text without spaces")


@pytest.mark.parametrize(
    "text", [["The house is old."], ["我们 去 学校 。", "今天 天气 很 好 。"], ["학교에 갑니다."], ["", ""], []]
)
def test_text_with_spaces_or_none_at_all(text: list[str]) -> None:
    assert note_on_spaces([Bleu(), Ter()], text) is None


def test_a_report_says_so() -> None:
    systems = {"a": [CHINESE], "b": [["我们去学校。", "他们没有来。"]]}
    told = [compare(systems, [CHINESE], CompareOptions(tokenize=each, metrics="bleu")).notes for each in ("13a", "zh")]
    assert [any("without spaces" in note for note in notes) for notes in told] == [True, False]
