"""The experiments with word order are some that `pentaglot experiment` accepts and plans."""

from __future__ import annotations

import gzip
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.order.toy import examples

from pentaglot.learn import chosen_metric
from pentaglot.metrics import BeerModel
from pentaglot.plans import Plan
from pentaglot.systems.experiment import Laboratory
from pentaglot.systems.experiment_file import Experiment, read_experiment, read_experiments

FILES = Path(__file__).resolve().parents[2] / "examples" / "experiments"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Corpora as `--data` names them, of toy sentences."""
    for corpus, sides in (
        ("tanaka.ja-en", ("en", "ja")),
        ("multi30k.de-en", ("de", "en")),
        ("newstest.de-en", ("de", "en")),
    ):
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
    assert kinds["typed-6"] is None and {"left", "right", "itg", "pet"} <= {each for each in kinds.values() if each}
    assert read.systems["pet-6"][0].train.reorder_by == "grammar"
    assert read.systems["pet-6-by-links"][0].train.reorder_by == "links"
    assert read.systems["pet-by-search-12"][0].train.reorder_by == "search"
    assert read.systems["pet-chart-lattice"][0].order.lattice_from == "chart"
    assert [each.order.orders for name in ("pet-6", "pet-lattice") for each in read.systems[name]] == [1, 100]
    steps = planned(read, data / "results")
    trained = [each for each in steps if each.startswith("model ")]
    assert len(trained) == len(set(trained)) == 11, "systems that differ in how many orders are tried share a model"
    assert sum(each.startswith("weights of ") for each in steps) == 3 * len(read.systems)


def test_systems_in_the_true_order(data: Path) -> None:
    read = read_experiments(FILES / "preorder-gold.toml", data)
    assert [each.pair for each in read] == ["en-ja", "ja-en"]
    true = {name for name, variants in read[0].systems.items() if variants[0].orders_by_reference}
    assert true == {"pet-true-6", "gold-6", "gold-0"}
    for each in read:
        trained = [name for name in planned(each, data / each.pair) if name.startswith("model ")]
        assert len(trained) == 3, "as typed, by a grammar, and in the true order"


def test_all_trees_and_binary_ones_with_a_grammar_for_each_seed(data: Path) -> None:
    for each in read_experiments(FILES / "preorder-seeds.toml", data):
        steps = planned(each, data / each.pair)
        assert sum(name.startswith("model ") for name in steps) == 2 * len(each.options.seeds) == 10


def test_systems_for_news_in_other_word_orders(data: Path) -> None:
    read = read_experiment(FILES / "preorder-news.toml", data)
    assert [variants[0].train.preorder for variants in read.systems.values()] == [None, "pet", "itg", "pet"]
    assert sum(name.startswith("model ") for name in planned(read, data / "results")) == 3


def test_systems_tuned_by_order_and_by_beer(data: Path) -> None:
    file = data / "beer-tuning.toml"
    shutil.copy(FILES / "beer-tuning.toml", file)
    model = BeerModel.shipped()
    for name in ("plain", "self-trained", "symmetric"):
        model.save(data / f"{name}.toml")
    read = read_experiment(file, data)
    metrics = {name: chosen_metric(variants[0].tuning).name for name, variants in read.systems.items()}
    assert metrics["recpef"].lower() == "recpef" and [*metrics.values()].count("BEER") == 4
    assert read.systems["beer-plain"][0].tuning.beer_model == str(data / "plain.toml")
    before = Laboratory(read, data / "results").plan()
    assert sum(each.step.name.startswith("model ") for each in before.steps) == 1
    keys = [_weight_keys(before)]
    replace(model, weights=tuple(2.0 * each for each in model.weights)).save(data / "plain.toml")
    keys.append(_weight_keys(Laboratory(read_experiment(file, data), data / "results").plan()))
    changed = {name for name, key in keys[0].items() if keys[1][name] != key}
    assert changed == {f"weights of beer-plain, seed {seed}" for seed in (1, 2, 3)}


def _weight_keys(plan: Plan) -> dict[str, str]:
    steps = [each.step for each in plan.steps]
    return {step.name: step.key for step in steps if step.name.startswith("weights of ")}
