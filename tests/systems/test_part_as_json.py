"""The forest of a translation as `pentaglot forest` reads it: words and names of features, not numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentaglot.corpus import Vocabulary
from pentaglot.forest import FeatureSpace, Forest
from pentaglot.systems import Translator


def test_there_and_back(trained: Path) -> None:
    translator = Translator.open(trained)
    found = translator.translate("Die Katze sieht den Zwiebelfisch X1.", nbest=5)
    (part,) = found.parts
    vocabulary, space = Vocabulary(), FeatureSpace()
    again = Forest.from_json(part.to_json(translator.features), vocabulary, space)
    for derivation, (_, hypothesis) in zip(again.kbest(5, distinct=True), found.nbest, strict=True):
        assert tuple(vocabulary.word(word) for word in derivation.words) == tuple(hypothesis.words)
        assert derivation.score == pytest.approx(hypothesis.score, rel=1e-5)
        named = {space.name(feature): value for feature, value in derivation.features.items()}
        assert named == pytest.approx(dict(hypothesis.features), rel=1e-4)
