"""Benchmarks of whole systems are experiments: what is asked for becomes a file for `pentaglot experiment`, is done
once, and its results are those of the experiment."""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path

import pytest
from bench.replicas import Replica, mean, run_all

from bench import grammar, quality, replicas
from pentaglot.align import AlignOptions
from pentaglot.metrics import Bleu
from pentaglot.systems.experiment_file import read_experiment

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of data with one corpus, and one for the results."""
    corpus = tmp_path / "data" / "toys.de-en"
    corpus.mkdir(parents=True)
    for part, lines in (("train", slice(0, 340)), ("dev", slice(340, 365)), ("test", slice(365, 400))):
        for side in ("de", "en"):
            text = (EXAMPLES / f"train.{side}").read_text("utf-8").splitlines(keepends=True)[lines]
            (corpus / f"{part}.{side}.gz").write_bytes(gzip.compress("".join(text).encode()))
    for module in ("bench.replicas", "bench.harness"):
        monkeypatch.setattr(f"{module}.DATA", tmp_path / "data")
    for name, value in (("WORK", tmp_path / "work"), ("SEEDS", (1, 2)), ("DEV_SENTENCES", 10), ("TEST_SENTENCES", 20)):
        monkeypatch.setattr(replicas, name, value)
    monkeypatch.setattr(replicas, "_laboratories", {})
    return tmp_path / "work"


def test_replicas_become_an_experiment(work: Path) -> None:
    ours = Replica("toys.en-de", "phrase", pairs=200)
    wanted = [*ours.replicas(), ours.untuned, Replica("toys.en-de", "phrase", pairs=200, variant="max_span=1,-rules")]
    run_all(wanted)
    files = sorted(work.glob("*.toml"))
    assert [file.name for file in files] == ["toys.en-de.lower.of200.1-2.toml", "toys.en-de.lower.of200.1.toml"]
    tables = tomllib.loads(files[0].read_text("utf-8"))
    assert [Path(each).name for each in tables["data"]["train"]] == [
        "toys.en-de.train.en.lower.gz[200 evenly]",
        "toys.en-de.train.de.lower.gz[200 evenly]",
    ]
    assert sum(1 for _ in (work / "toys.en-de.lower.of200" / "models").iterdir()) == 1, "all have one model"
    result, before = ours.result(), ours.untuned.result()
    assert result["bleu"] == Bleu(tokenize="none").score(
        Bleu(tokenize="none").statistics(ours.output(), [ours.references()])
    )
    assert len(ours.output()) == 20 and 0 <= result["unknown"] < 1 and result["milliseconds"] > 0
    assert 0.5 < result["length"] < 2 and set(before) == set(result) and 0 <= ours.never_linked() < 0.5
    middle, shown = mean(ours.replicas())
    assert shown.startswith(f"{middle:.2f} ± ")
    marks = {path: path.read_bytes() for path in (work / "toys.en-de.lower.of200" / ".experiment").glob("*.done")}
    run_all(wanted)
    assert {path: path.read_bytes() for path in marks} == marks, "nothing is done again"


def test_what_differs_from_the_usual_system() -> None:
    other = Replica("a.de-en", "hiero", "table", 300, variant="max_gaps=1,-rules,symmetrise=union,extraction=loose")
    assert other.name == "hiero+table+sample-300+max_gaps-1+without-rules+symmetrise-union+extraction-loose"
    assert other.table == {
        "train": {"system": "hiero"},
        "align": {"symmetrise": "union"},
        "rules": {"max_gaps": 1, "extraction": "loose", "source": "table", "sample": 300},
        "tuned": True,
        "without": ["rules"],
    }
    assert other.untuned.name.endswith("+untuned") and not other.untuned.table["tuned"]
    assert Replica("a.de-en", "hiero").name == "hiero" and Replica("a.de-en", "hiero").sides == ("de", "en")


def test_every_variant_of_the_tables_can_be_planned(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The experiments of the grammar: each is a system of one file, and none has the name of another."""
    asked: list[Replica] = []
    monkeypatch.setattr(grammar, "text_of", lambda *names: EXAMPLES)

    def remember(wanted: list[Replica]) -> None:
        asked.extend(Replica(**{**vars(each), "corpus": "toys.de-en"}) for each in wanted)
        raise KeyboardInterrupt

    monkeypatch.setattr(grammar, "run_all", remember)
    with pytest.raises(KeyboardInterrupt):
        grammar.rows()
    systems = sorted(set(asked), key=lambda each: each.name)
    assert len({each.name for each in systems}) == len(systems) > 20
    laboratory = replicas._opened(systems, (1,))
    found = laboratory.experiment.systems
    assert found["hiero+max_span-4"][0].rules.max_span == 4 and found["hiero+without-rules"][0].without == ("rules",)
    assert found["hiero+symmetrise-grow-diag-final-and"][0].align == AlignOptions(symmetrise="grow-diag-final-and")
    models = {each.step.name for each in laboratory.plan().steps if each.step.name.startswith("model ")}
    assert len(models) == 3, "phrases, rules with gaps, and those with other links"
    assert read_experiment(work / "toys.de-en.lower.1.toml").systems.keys() == found.keys()


def test_the_grid_has_its_rows(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quality, "CHOSEN", ("toys.de-en",))
    monkeypatch.setattr(quality, "GRID", {"toys.de-en": 0})
    monkeypatch.setattr(quality, "SYSTEMS", ("phrase",))
    monkeypatch.setattr(replicas, "SEEDS", (1,))
    first, average = quality.rows()
    assert first.what == "toys.de-en, phrase, tuned" and first.against == "untuned"
    for figure in ("BLEU ", "chrF ", "length ", " ms, unknown ", "never linked "):
        assert figure in first.ours
    assert average.what.startswith("BLEU, mean of 1 directions, phrase, tuned")
