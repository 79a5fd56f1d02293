"""Rules of a development set: the same whether they are kept or looked up again, and tuning with them, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.learn import TuneOptions
from pentaglot.systems import Model, Translator, shelf, tune
from pentaglot.systems.shelf import RuleShelf

LINES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:12]
REFERENCES = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:12]


def test_kept_or_looked_up_again(trained: Path) -> None:
    translator = Translator(Model.open(trained), longest=4)
    sentences = translator.model.source_tokenizer.tokenise_all(LINES)
    large = RuleShelf(translator, sentences, threads=2)
    assert large.kept == len(large) == len(LINES)
    for room in (0, 10_000, 25_000):
        small = RuleShelf(translator, sentences, room=room)
        assert small.fingerprint == large.fingerprint
        assert small.kept < len(LINES)
        for number in range(len(LINES)):
            both = small.rules(number), large.rules(number)
            assert [found.words for found in both[0]] == [found.words for found in both[1]]
            assert len(both[0]) > 1
            for one, other in zip(*both, strict=True):
                assert one.table.target_symbols.tolist() == other.table.target_symbols.tolist()
                for feature in one.table.feature_ids.tolist():
                    assert one.table.feature(feature).tolist() == other.table.feature(feature).tolist()
    assert RuleShelf(translator, sentences[1:]).fingerprint != large.fingerprint


def test_room_does_not_matter_to_tuning(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = TuneOptions(rounds=2, size=10, mira_epochs=2)
    found = []
    for room in (0, 100 << 20):
        monkeypatch.setattr(shelf, "_ROOM", room)
        found.append(tune(Translator(Model.open(trained)), LINES, REFERENCES, options, threads=2))
    assert found[0] == found[1]
