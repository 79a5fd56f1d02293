"""Small trained models on the sample corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentaglot.learn import Mira, TuneOptions
from pentaglot.systems import TrainOptions, train

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="session", params=["hiero", "phrase"])
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model directory, tuned on a few sentences."""
    place = tmp_path_factory.mktemp("systems") / request.param
    dev = place.parent / "dev.de", place.parent / "dev.en"
    for path, name in zip(dev, ("train.de", "train.en"), strict=True):
        path.write_text("".join((EXAMPLES / name).read_text("utf-8").splitlines(keepends=True)[:30]), "utf-8")
    train(
        EXAMPLES / "train.de",
        EXAMPLES / "train.en",
        place,
        dev=dev,
        options=TrainOptions(system=request.param, order=3),
        tuning=TuneOptions(rounds=2, size=20, settings=Mira(epochs=5)),
        threads=2,
    )
    return place
