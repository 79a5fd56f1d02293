"""Experiments: what is shared, what is done again and why, what is chosen where, and what cannot be run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pentaglot.errors import PentaglotError
from pentaglot.evaluate import compare
from pentaglot.systems.experiment import Laboratory
from pentaglot.systems.experiment_file import read_experiment

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

HEAD = """
[data]
train = ["train.de", "train.en"]
dev = ["dev.de", "dev.en"]
test = ["test.de", "test.en", "test.en"]
choose = ["choose.de", "choose.en"]

[experiment]
seeds = [1, 2]

[train]
order = 2
word_classes = 0
hold_out = 0

[tune]
rounds = 1
size = 10
mira = { epochs = 2 }

[compare]
metrics = "bleu,ter"
shuffles = 100
resamples = 40
"""
SYSTEMS = """
[systems.phrase]
train = { system = "phrase" }

[systems.pulled]
train = { system = "phrase" }
tune = { mira = { pull = 0.0 } }
"""
SWEPT = """
[systems.swept]
train = { system = "phrase" }
sweep = { "rules.max_span" = [1, 4] }
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with some text in it."""
    parts = {"train": slice(0, 300), "dev": slice(300, 320), "choose": slice(320, 340), "test": slice(340, 370)}
    for side in ("de", "en"):
        lines = (EXAMPLES / f"train.{side}").read_text("utf-8").splitlines(keepends=True)
        for name, part in parts.items():
            (tmp_path / f"{name}.{side}").write_text("".join(lines[part]), "utf-8")
    return tmp_path


def _laboratory(place: Path, text: str, **more: int) -> Laboratory:
    (place / "plan.toml").write_text(text, "utf-8")
    return Laboratory(read_experiment(place / "plan.toml"), place / "results", **more)


def test_from_a_file_to_a_report(place: Path) -> None:
    first = _laboratory(place, HEAD + SYSTEMS, threads=2)
    names = [each.step.name for each in first.plan().steps]
    assert sum(name.startswith("model ") for name in names) == 1, "both systems have one model"
    assert len(names) == 1 + 4 + 8 and set(first.plan().reasons.values()) == {"it was not done yet"}
    report = first.run()
    assert report.systems == ("phrase", "pulled") and report.runs == 2 and report.references == 2
    assert [metric.name for metric in report.metrics] == ["BLEU", "TER"]
    assert all(system.s_dev is not None for system in report.metrics[0].systems)
    results = place / "results"
    forms = {name: (results / f"report.{name}").read_bytes() for name in ("md", "tex", "html", "json")}
    outputs = {
        name: [(results / "runs" / name / str(seed) / "test.txt").read_text().splitlines() for seed in (1, 2)]
        for name in report.systems
    }
    references = [(place / "test.en").read_text("utf-8").splitlines()] * 2
    again = compare(outputs, references, first.experiment.compare)
    assert [each.systems[0].scores for each in again.metrics] == [each.systems[0].scores for each in report.metrics]

    second = _laboratory(place, HEAD + SYSTEMS)
    assert second.plan().reasons == {}
    assert second.run() == report
    assert {name: (results / f"report.{name}").read_bytes() for name in forms} == forms

    changed = _laboratory(place, HEAD + SYSTEMS.replace("pull = 0.0", "pull = 0.1"))
    assert {name.partition(",")[0] for name in changed.plan().reasons} == {
        f"{part} of pulled" for part in ("weights", "dev", "test")
    }
    assert "pull of settings of tune changed from 0.0 to 0.1" in changed.plan().reasons["weights of pulled, seed 1"]
    (results / "runs" / "phrase" / "1" / "test.txt").write_text("spoilt\n")
    assert second.plan().reasons == {"test of phrase, seed 1": "runs/phrase/1/test.txt was changed since"}
    (place / "test.de").write_text((place / "test.de").read_text("utf-8").upper(), "utf-8")
    renewed = _laboratory(place, HEAD + SYSTEMS).plan().reasons
    assert all(name.startswith("test of ") for name in renewed) and len(renewed) == 4


def test_tables_within_tables_are_merged_and_swept(place: Path) -> None:
    swept = SWEPT.replace("rules.max_span", "tune.mira.pull").replace("[1, 4]", "[0.25, 0.75]")
    found = _laboratory(place, HEAD + SYSTEMS + swept).experiment.systems
    settings = {each.name: (each.tuning.settings.pull, each.tuning.settings.epochs) for each in found["swept"]}
    assert settings == {"swept tune.mira.pull=0.25": (0.25, 2), "swept tune.mira.pull=0.75": (0.75, 2)}
    [pulled] = found["pulled"]
    assert (pulled.tuning.settings.pull, pulled.tuning.settings.epochs, pulled.tuning.size) == (0.0, 2, 10)


def test_a_sweep_chooses_on_a_set_of_its_own(place: Path) -> None:
    laboratory = _laboratory(place, HEAD + SYSTEMS + SWEPT)
    planned = [each.step.name for each in laboratory.plan().steps]
    assert sum(name.startswith("model ") for name in planned) == 1, "limits of rules need no other model"
    assert "choose of swept rules.max_span=1, seed 2" in planned
    assert not any(name.startswith("test of swept") for name in planned), "that comes after the choice"
    laboratory.run()
    found = json.loads((place / "results" / "report.json").read_text("utf-8"))
    assert found["chosen"] == {"swept": "rules.max_span=4"}, "phrases are better than words"
    runs = place / "results" / "runs" / "swept"
    assert (runs / "rules.max_span=4" / "1" / "test.txt").exists()
    assert not (runs / "rules.max_span=1" / "1" / "test.txt").exists()
    after = laboratory.plan()
    assert after.reasons == {} and "test of swept rules.max_span=4, seed 1" in [each.step.name for each in after.steps]


def test_development_sets_are_drawn_alike(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def tune(translator: object, sources: list[str], *more: object, **options: object) -> None:
        seen.append(sources)
        raise PentaglotError("enough")

    monkeypatch.setattr("pentaglot.systems.experiment.tune", tune)
    laboratory = _laboratory(place, HEAD.replace("[1, 2]", '[1, 2]\ndevelopment = "drawn"') + SYSTEMS)
    with pytest.raises(PentaglotError, match="enough"):
        laboratory.run()
    for name in ("phrase", "pulled"):
        for seed in (1, 2):
            with pytest.raises(PentaglotError, match="enough"):
                laboratory._tune(laboratory.experiment.systems[name][0], seed, f"runs/{name}/{seed}")
    first, *others = seen[1:]
    assert others[1] == first != others[0] == others[2]
    whole = (place / "dev.de").read_text("utf-8").splitlines()
    assert len(first) == len(whole) and set(first) < set(whole)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[1, 2]", "[1, 1]", "plan.toml: names the seed 1 twice; such runs would be the same"),
        ("[1, 2]", "[]", "names no seeds"),
        ("seeds = [1, 2]", 'baseline = "none"', "has no system 'none' to be the baseline"),
        (SYSTEMS, "[systems.one]\n", "has nothing to compare; describe two systems"),
        ("[systems.pulled]", '[systems."a/b"]', "has a system 'a/b'; use letters"),
        ("pull", "pul", "unknown option 'pul'; did you mean 'pull'?"),
        ('system = "phrase"', 'system = "phrases"', "there is no system 'phrases'; did you mean 'phrase'?"),
        ("[compare]", "[comparison]", "has an unknown table [comparison]; did you mean 'compare'?"),
        ('choose = ["choose.de", "choose.en"]', "", "sweeps options of 'swept' but has no text to choose them on"),
        ('"choose.de", "choose.en"', '"dev.de", "dev.en"', "uses one text for two of dev, test and choose"),
        ('train = ["train.de", "train.en"]', "", "has no 'train' in [data]"),
        ('dev = ["dev.de", "dev.en"]', 'dev = "dev.de"', "'dev' in [data] must be a list of two files or more"),
        ('dev = ["dev.de", "dev.en"]', 'dev = ["dev.de", "short"]', "short:2: has 1 lines but"),
        ('dev = ["dev.de", "dev.en"]', 'dev = ["dev.de", "none"]', "none: no such file"),
        ("[1, 4]", "[]", "has a sweep 'rules.max_span' without values"),
        ("[1, 4]", "[4, 4]", "sweeps a value twice"),
        ("rules.max_span", "lm.order", "has a sweep 'lm.order' without values"),
        ("sweep =", "sweeps =", "has an unknown part 'sweeps'; did you mean 'sweep'?"),
        ("[tune]", "[tune", "is not valid TOML"),
    ],
)
def test_mistakes(place: Path, old: str, new: str, complaint: str) -> None:
    (place / "short").write_text("one\n")
    text = HEAD + SYSTEMS + SWEPT
    assert old in text
    text = text.replace(old, new) if old != SYSTEMS else HEAD + new
    with pytest.raises(PentaglotError) as found:
        _laboratory(place, text)
    assert complaint in str(found.value)
    assert not (place / "results").exists()
