"""Experiments with word order: text in the order of its references, and a grammar for each seed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.order.toy import examples
from tests.systems.small_experiment import QUICK
from tests.systems.test_experiment_runs import laboratory

from pentaglot.errors import PentaglotError
from pentaglot.forest import Weights
from pentaglot.order import OrderOptions
from pentaglot.systems import Model, Translator

HEAD = (
    """
[data]
train = ["train.source", "train.target"]
dev = ["dev.source", "dev.target"]
test = ["test.source", "test.target"]

[experiment]
seeds = [1, 2]

[train]
system = "phrase"
tokenizer = "none"
order = 2
word_classes = 0
hold_out = 0
reorder_by = "links"

[preorder]
binary_states = 2
iterations = 2
cutoff = 1

[order]
worthwhile = -1.0
orders = 1

[search]
distortion_limit = 0
"""
    + QUICK
)
PET = """
[systems.pet]
train = { preorder = "pet" }
"""
TRUE = """
[systems.true]
train = { preorder = "pet" }
true_order = true
"""
GOLD = """
[systems.gold]
train = { preorder = "gold" }
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with some text whose translations have another word order."""
    for seed, (name, number) in enumerate({"train": 200, "dev": 20, "test": 20}.items()):
        given = examples(number, seed)
        sides = {
            "source": [words for words, _ in given],
            "target": [[word.upper() for word in order.apply(words)] for words, order in given],
        }
        for side, lines in sides.items():
            (tmp_path / f"{name}.{side}").write_text("".join(" ".join(line) + "\n" for line in lines), "utf-8")
    return tmp_path


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def test_text_in_the_order_of_its_references(place: Path) -> None:
    found = laboratory(place, HEAD + PET + TRUE + GOLD)
    found.run()
    scores = {name: sum(runs) for name, runs in found.scores("test").items()}
    assert scores["gold"] > scores["pet"] and scores["true"] > scores["pet"], scores
    assert found.model("pet") == found.model("true") != found.model("gold")
    sources, references = lines_of(place / "test.source"), lines_of(place / "test.target")
    runs = place / "results" / "runs"
    for name in ("true", "gold"):
        translator = Translator(
            Model.open(found.model(name)),
            search=found.experiment.systems[name][0].search,
            order=OrderOptions(orders=1),
        ).with_weights(Weights.open(runs / name / "1" / "weights.txt"))
        both = zip(sources, references, strict=True)
        assert found.outputs(name)[0] == [translator.translate(line, order_by=by).text for line, by in both]
    weights = [(runs / name / "1" / "weights.txt").read_bytes() for name in ("pet", "true")]
    assert weights[0] == weights[1], "the true order is for what is translated, not for tuning"
    assert found.plan().reasons == {}


def test_another_reference_is_another_order(place: Path) -> None:
    laboratory(place, HEAD + PET + TRUE + GOLD).run()
    (place / "test.target").write_text("".join(f"{line}\n" for line in reversed(lines_of(place / "test.target"))))
    reasons = laboratory(place, HEAD + PET + TRUE + GOLD).plan().reasons
    assert set(reasons) == {f"test of {name}, seed {seed}" for name in ("true", "gold") for seed in (1, 2)}


def test_a_grammar_for_each_seed(place: Path) -> None:
    each = HEAD.replace("seeds = [1, 2]", 'seeds = [1, 2]\ngrammars = "each"')
    systems = PET + '[systems.typed]\n[systems.untuned]\ntrain = { preorder = "pet" }\ntuned = false\n' + GOLD
    found = laboratory(place, each + systems)
    steps = [planned.step for planned in found.plan().steps]
    models = {step.name: step.options["preorder"]["seed"] for step in steps if "preorder" in step.options}
    assert sorted(models.values()) == [1, 1, 2], "the gold order is not learnt"
    found.run()
    assert found.plan().reasons == {}
    assert len(list((place / "results" / "models").iterdir())) == 4
    grammars = {
        path.read_bytes() for path in (place / "results" / "models").glob("*/order/grammar/*") if path.is_file()
    }
    assert len(grammars) >= 2
    assert found.model("pet") == found.model("untuned") and found.outputs("untuned")[0] == found.outputs("untuned")[1]


@pytest.mark.parametrize(
    "line",
    ["", 'train = { preorder = "gold" }\n', 'train = { preorder = "pet", reorder_by = "search" }\n'],
)
def test_a_true_order_of_no_use(place: Path, line: str) -> None:
    with pytest.raises(PentaglotError, match=r"\[systems.wrong\] puts no text .* 'true_order' would change nothing"):
        laboratory(place, HEAD + PET + f"[systems.wrong]\n{line}true_order = true\n")
