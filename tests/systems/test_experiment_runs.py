"""How experiments are done: some lines of files, systems not tuned or without some features, parts that models share,
and several steps at a time, which a kill does not lose."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.systems.test_experiment import HEAD, SYSTEMS, place
from tests.systems.training_runs import Listener

from pentaglot.corpus import read_lines
from pentaglot.errors import PentaglotError
from pentaglot.forest import Weights
from pentaglot.systems import Model, Translator
from pentaglot.systems.experiment import Laboratory, work_together
from pentaglot.systems.experiment_data import TextLines
from pentaglot.systems.experiment_file import read_experiment

__all__ = ["place"]

ONCE = HEAD.replace("[1, 2]", "[1]")
BOTH = """
[systems.phrase]
train = { system = "phrase" }

[systems.hiero]
train = { system = "hiero" }
"""


def laboratory(place: Path, text: str, name: str = "results", **more: Any) -> Laboratory:
    (place / f"{name}.toml").write_text(text, "utf-8")
    return Laboratory(read_experiment(place / f"{name}.toml"), place / name, **more)


def everything(results: Path) -> dict[str, bytes]:
    """All that an experiment leaves behind for people: weights, outputs, reports."""
    found = [*results.glob("report.*"), *results.glob("runs/**/*.txt"), *results.glob("models/*/weights.txt")]
    return {str(path.relative_to(results)): path.read_bytes() for path in found}


def test_lines_from_all_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("".join(f"{number}\n" for number in range(10)))
    taken = {many: TextLines.of(f"text[{many} evenly]", tmp_path).lines() for many in (1, 3, 5, 9, 10, 50)}
    assert taken[1] == ["0"] and taken[3] == ["0", "3", "6"] and taken[5] == ["0", "2", "4", "6", "8"]
    assert len(set(taken[9])) == 9 and taken[10] == taken[50] == [str(number) for number in range(10)]
    five, whole = TextLines.of("text[5 evenly]", tmp_path), TextLines.of("text", tmp_path)
    assert not five.is_whole and len({five.key, whole.key, TextLines.of("text[5]", tmp_path).key}) == 3
    assert five.overlaps(TextLines.of("text[1:2]", tmp_path)) and str(five).endswith("text[5 evenly]")


def test_a_test_set_and_a_training_text_from_all_over_files(place: Path) -> None:
    text = ONCE.replace('"train.de", "train.en"', '"train.de[150 evenly]", "train.en[150 evenly]"')
    text = text.replace('["test.de", "test.en", "test.en"]', '["test.de[10 evenly]", "test.en[10 evenly]"]')
    found = laboratory(place, text + SYSTEMS)
    assert found.run().segments == 10
    assert len(Model.open(found.model("phrase")).index) == 150
    assert found.plan().reasons == {}


WITHOUT = """
[systems.untuned]
train = { system = "phrase" }
tuned = false

[systems.tuned]
train = { system = "phrase" }

[systems.without]
train = { system = "phrase" }
without = ["language_model", "translation"]
"""


def test_systems_that_are_not_tuned_or_lack_features(place: Path) -> None:
    found = laboratory(place, HEAD + WITHOUT)
    names = [each.step.name for each in found.plan().steps]
    assert names.count("test of untuned, not tuned") == 1 and not any("weights of untuned" in name for name in names)
    report = found.run()
    assert report.runs == 2, "which are the same for what is not tuned"
    first, second = (names.index(f"test of tuned, seed {seed}") for seed in (1, 2))
    assert first < names.index("weights of tuned, seed 2") < second, "a run that is stopped has something to compare"
    one, two = found.outputs("untuned")
    lines = list(read_lines(place / "test.de"))
    assert one == two == [each.text for each in Translator.open(found.model("untuned")).translate_all(lines)]
    assert found.model("untuned") == found.model("without")
    weights = Weights.open(place / "results" / "runs" / "without" / "1" / "weights.txt")
    assert weights["language_model"] == weights["translation"] == 0 != weights["words"]
    assert found.outputs("without") != found.outputs("tuned")
    [facts, _] = found.facts("tuned")
    assert facts["sentences"] == len(lines) and facts["seconds"] > 0 and facts["unknown"] >= 0
    assert found.plan().reasons == {}
    other = laboratory(place, HEAD + WITHOUT.replace('"translation"', '"coherence"')).plan().reasons
    assert {name.partition(",")[0] for name in other} == {f"{each} of without" for each in ("weights", "dev", "test")}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("tuned = 0", "has 'tuned' = 0; true or false"),
        ('tuned = false\ntune = { tuner = "mert" }', "is not tuned, so 'tune' would change nothing; leave it out"),
        ('tuned = false\nsweep = { "tune.size" = [1, 2] }', "is not tuned, so 'tune.size' would change nothing"),
        ('tuned = false\nsweep = { induce = ["gimpel2012"] }', "is not tuned, so 'induce' would change nothing"),
        ('without = "rules"', "has 'without' = 'rules'; a list of features"),
        ('without = ["rule"]', "is without 'rule', which is no feature; did you mean 'rules'?"),
    ],
)
def test_mistakes(place: Path, line: str, complaint: str) -> None:
    with pytest.raises(PentaglotError) as found:
        laboratory(place, HEAD + BOTH + f"[systems.wrong]\n{line}\n")
    assert str(found.value).startswith(f"{place / 'results.toml'}") and f"[systems.wrong] {complaint}" in str(
        found.value
    )
    assert not (place / "results").exists()


def test_models_share_what_is_equal_in_them(place: Path) -> None:
    told = Listener()
    found = laboratory(place, ONCE + BOTH, progress=told)
    found.run()
    [said] = [each for each in told.said if each.startswith("taken from ")]
    assert said.endswith(": prepare, align, language model, word choice, letters, index")
    assert sum(each.startswith("aligning") for each in told.begun) == 1
    alone = laboratory(place, ONCE + BOTH.replace('"phrase" }', '"phrase", order = 3, frequent = 9 }'), "alone")
    alone.run()
    assert found.outputs("hiero") == alone.outputs("hiero")


def test_several_steps_at_a_time_give_the_same(place: Path) -> None:
    told = Listener()
    one = laboratory(place, HEAD + BOTH, "results")
    one.run()
    before = everything(place / "results")
    (place / "results").rename(place / "first")
    two = laboratory(place, HEAD + BOTH, "results", processes=2, threads=2, progress=told)
    two.run()
    assert everything(place / "results") == before
    assert any("(14 of 14)" in each for each in told.said) and two.plan().reasons == {}


def test_several_experiments_at_a_time(place: Path) -> None:
    told = Listener()
    both = [laboratory(place, ONCE + BOTH, name) for name in ("one", "two")]
    work_together(both, processes=2, progress=told)
    assert all(each.plan().reasons == {} for each in both)
    assert both[0].outputs("hiero") == both[1].outputs("hiero")
    assert any(each.startswith("two: test of hiero, seed 1") for each in told.said)
    last = max(at for at, each in enumerate(told.said) if each.startswith("one: "))
    assert any(each.startswith("two: ") for each in told.said[:last]), "none waits for the whole of another"
    assert not (place / "one" / "report.md").exists()


def test_a_mistake_elsewhere_is_told_here(place: Path) -> None:
    (place / "results").mkdir()
    (place / "results" / "runs").write_text("in the way")
    with pytest.raises(PentaglotError, match="runs/(phrase|hiero)/1: a part of this path is a file") as found:
        laboratory(place, ONCE + BOTH, processes=2).run()
    assert found.value.path in [place / "results" / "runs" / name / "1" for name in ("phrase", "hiero")]


SCRIPT = """
import sys
from pathlib import Path
from pentaglot.systems.experiment import Laboratory
from pentaglot.systems.experiment_file import read_experiment
if __name__ == "__main__":
    Laboratory(read_experiment(Path(sys.argv[1])), Path(sys.argv[2]), processes=2).run()
"""


def test_a_kill_keeps_what_was_done(place: Path) -> None:
    """Whatever it was that was done; the rest is done by the next run, with the same result."""
    whole = laboratory(place, HEAD + BOTH, "whole")
    whole.run()
    cut = laboratory(place, HEAD + BOTH, "cut")
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, place / "cut.toml", place / "cut"])
    marks = place / "cut" / ".experiment"
    for _ in range(1200):
        if len(list(marks.glob("weights of *.done"))) >= 2 or process.poll() is not None:
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(0.5)  # for those whose parent is gone
    kept = [each.step.name for each in cut.plan().steps if not each.reason]
    assert sum(name.startswith("model ") for name in kept) == 2
    assert sum(name.startswith("weights of ") for name in kept) >= 2
    cut.run()
    reports = [json.loads((place / name / "report.json").read_text("utf-8")) for name in ("whole", "cut")]
    assert reports[0] == reports[1]
    assert {name: data for name, data in everything(place / "cut").items() if name.startswith("runs")} == {
        name: data for name, data in everything(place / "whole").items() if name.startswith("runs")
    }
