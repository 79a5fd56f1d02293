"""The experiment with word order is one that `pentaglot experiment` accepts."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.order.toy import examples

from pentaglot.systems.experiment_file import read_experiment

FILE = Path(__file__).resolve().parents[2] / "examples" / "experiments" / "preorder.toml"


def test_the_file_is_read(tmp_path: Path) -> None:
    shutil.copy(FILE, tmp_path / "preorder.toml")
    for name in ("train", "dev", "test"):
        for side in ("en", "ja"):
            lines = (" ".join(words) + "\n" for words, _ in examples(20))
            (tmp_path / f"{name}.{side}").write_text("".join(lines), "utf-8")
    read = read_experiment(tmp_path / "preorder.toml")
    orders = {name: variants[0].train.preorder for name, variants in read.systems.items()}
    assert orders["none"] is None and {"left", "right", "itg", "pet"} <= {each for each in orders.values() if each}
    assert read.systems["pet-by-grammar"][0].train.reorder_by == "grammar"
