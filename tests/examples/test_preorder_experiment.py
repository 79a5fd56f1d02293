"""The experiments with word order are some that `pentaglot experiment` accepts and plans."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.order.toy import examples

from pentaglot.systems.experiment import Laboratory
from pentaglot.systems.experiment_file import Experiment, read_experiment

FILES = Path(__file__).resolve().parents[2] / "examples" / "experiments"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Corpora as `--data` names them, of toy sentences."""
    for corpus, sides in (("tanaka.ja-en", ("en", "ja")), ("multi30k.de-en", ("de", "en"))):
        (tmp_path / corpus).mkdir()
        for seed, name in enumerate(("train", "dev", "test")):
            for side in sides:
                lines = "".join(" ".join(words) + "\n" for words, _ in examples(500, seed))
                (tmp_path / corpus / f"{name}.{side}.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def planned(experiment: Experiment, place: Path) -> list[str]:
    return [each.step.name for each in Laboratory(experiment, place).plan().steps]


def test_systems_in_other_word_orders(data: Path) -> None:
    read = read_experiment(FILES / "preorder.toml", data)
    kinds = {name: variants[0].train.preorder for name, variants in read.systems.items()}
    assert kinds["none"] is None and {"left", "right", "itg", "pet"} <= {each for each in kinds.values() if each}
    assert read.systems["pet-by-grammar"][0].train.reorder_by == "grammar"
    assert read.systems["pet-by-search"][0].train.reorder_by == "search"
    assert read.systems["pet-chart-lattice"][0].order.lattice_from == "chart"
    assert [each.order.orders for name in ("pet", "pet-lattice") for each in read.systems[name]] == [1, 100]
    steps = planned(read, data / "results")
    trained = [each for each in steps if each.startswith("model ")]
    assert len(trained) == len(set(trained)) == 11, "systems that differ in how many orders are tried share a model"
    assert sum(each.startswith("weights of ") for each in steps) == 3 * (1 + len(read.systems))
