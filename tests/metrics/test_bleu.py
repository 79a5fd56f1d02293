"""What only BLEU has: tokenisers that may be missing, and a word of warning about tokenised text."""

from __future__ import annotations

import importlib.util

import pytest

from pentaglot.errors import MissingDependencyError
from pentaglot.metrics import BLEU_TOKENIZERS, Bleu


def test_tokenised_text_is_noticed(caplog: pytest.LogCaptureFixture) -> None:
    Bleu().statistics(["A house ."] * 99, [["A house."] * 99])
    assert not caplog.records
    Bleu().statistics(["A house ."] * 100, [["A house."] * 100])
    [record] = caplog.records
    assert "not tokenised" in record.message


@pytest.mark.parametrize("name", BLEU_TOKENIZERS)
def test_every_tokeniser_works_or_says_what_to_install(name: str) -> None:
    needed = {"ja-mecab": "MeCab", "ko-mecab": "mecab_ko"}.get(name)
    bleu = Bleu(tokenize=name)  # type: ignore[arg-type]
    if needed and importlib.util.find_spec(needed) is None:
        with pytest.raises(MissingDependencyError, match=rf"sacrebleu\[{name[:2]}\]"):
            bleu.statistics(["a"], [["a"]])
    else:
        assert bleu.score(bleu.statistics(["猫 a b c d e"], [["猫 a b c d e"]])) == pytest.approx(100)
