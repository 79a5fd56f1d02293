"""Rules of a development set: the same whether they are kept or looked up again, and tuning with them, too."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.learn import Mira, TuneOptions
from pentaglot.systems import Model, Translator, shelf, tune
from pentaglot.systems.shelf import RuleShelf
from pentaglot.systems.storeroom import Storeroom

LINES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:12]
REFERENCES = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:12]


def test_kept_or_looked_up_again(trained: Path) -> None:
    translator = Translator(Model.open(trained), longest=4)
    sentences = translator.model.source_tokenizer.tokenise_all(LINES)
    large = RuleShelf(translator, sentences, threads=2)
    assert large.kept == len(large) == len(LINES)
    for room, disk in ((0, 0), (12_000, 0), (25_000, 0), (0, 50_000), (12_000, 50_000), (0, 1 << 30)):
        small = RuleShelf(translator, sentences, room=room, disk=disk)
        assert small.fingerprint == large.fingerprint
        assert (small.kept == len(LINES)) == (disk == 1 << 30)
        assert (small.kept == 0) == (room + disk == 0)
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
    options = TuneOptions(rounds=2, size=10, settings=Mira(epochs=2))
    found = []
    for room, disk in ((0, 0), (100 << 20, 0), (0, 1 << 30), (20_000, 100_000)):
        monkeypatch.setattr(shelf, "_ROOM", room)
        monkeypatch.setattr(shelf, "_ROOM_ON_DISK", disk)
        found.append(tune(Translator(Model.open(trained)), LINES, REFERENCES, options, threads=2))
    assert found[1:] == found[:-1]


def test_a_disk_without_room(monkeypatch: pytest.MonkeyPatch) -> None:
    data = np.arange(100, dtype=np.uint8)
    room = Storeroom(1000)
    first = room.put(data)
    assert first is not None

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "no space")

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        assert room.put(data) is None
    assert room.put(data) is None, "it is not tried again"
    assert room.get(first).tolist() == data.tolist()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=400))
    scarce = Storeroom(1000)
    assert scarce.put(data) is not None and scarce.put(data) is None, "a quarter of what is free"
