"""Experiments on several language pairs: one directory for each, and a survey of all."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.systems.small_experiment import QUICK, write_text

from pentaglot.cli.main import command, main
from pentaglot.corpus import read_lines
from pentaglot.errors import OptionError
from pentaglot.evaluate import holm
from pentaglot.metrics import Bleu
from pentaglot.systems.experiment_file import read_experiment, read_experiments
from pentaglot.systems.experiment_survey import Expedition

PAIRS = """
[data.pairs.de-en]
train = ["train.de", "train.en"]
dev = ["dev.de", "dev.en"]
choose = ["choose.de", "choose.en"]
test = ["test.de", "test.en"]

[data.pairs.en-de]
train = ["train.en", "train.de"]
dev = ["dev.en", "dev.de"]
choose = ["choose.en", "choose.de"]
test = ["test.en", "test.de"]
"""
REST = (
    """
[experiment]
seeds = [1, 2]
sweep_seeds = 1
leave_out = true
baseline = "untuned"

[train]
system = "phrase"
order = 2
word_classes = 0
hold_out = 0
"""
    + QUICK
    + """
[systems.untuned]
tuned = false

[systems.words]
rules = { max_span = 1 }

[systems.swept]
sweep = { "rules.max_span" = [1, 4] }
"""
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with some text in it."""
    write_text(tmp_path)
    return tmp_path


def test_from_a_file_to_a_survey(place: Path) -> None:
    (place / "plan.toml").write_text(PAIRS + REST, "utf-8")
    experiments = read_experiments(place / "plan.toml")
    assert [each.pair for each in experiments] == ["de-en", "en-de"]
    with pytest.raises(OptionError, match="has 2 language pairs, not one"):
        read_experiment(place / "plan.toml")
    expedition = Expedition(experiments, str(place / "results"))
    steps = list(expedition.plan_lines())
    assert steps[0] == "de-en:" and "en-de:" in steps
    assert any("choose of swept rules.max_span=1, seed 1" in line for line in steps)
    assert not any("choose of swept rules.max_span=1, seed 2" in line for line in steps), "one seed decides sweeps"
    assert any("choose of words, seed 2" in line for line in steps), "all systems are judged, not only swept ones"
    survey = expedition.run()
    assert not any("first time" in line for line in expedition.plan_lines())

    def score(pair: str, run: str, part: str) -> float:
        """By the files, independently of all reports."""
        target = pair[3:]
        outputs = list(read_lines(place / "results" / pair / "runs" / run / f"{part}.txt"))
        metric = Bleu()
        return metric.score(metric.statistics(outputs, [list(read_lines(place / f"{part}.{target}"))]))

    for pair in ("de-en", "en-de"):
        runs = [score(pair, f"words/{seed}", "test") for seed in (1, 2)]
        gain = statistics.mean(runs) - score(pair, "untuned/untuned", "test")
        assert survey.gain(pair, "words") == pytest.approx(gain)
        judged = [score(pair, f"words/{seed}", "choose") for seed in (1, 2)]
        assert survey.choosing[pair]["words"] == pytest.approx(judged)
        assert survey.spread(pair, "untuned") is None, "all its runs are the same one"
    chances = [p for p, _ in survey.chances.values()]
    assert len(chances) == 4 and [each for _, each in survey.chances.values()] == pytest.approx(holm(chances))
    together = [p for p, _ in survey.mean_chances.values()]
    assert list(survey.mean_chances) == ["words", "swept"] and all(0 < p <= 1 for p in together)
    assert [each for _, each in survey.mean_chances.values()] == pytest.approx(holm(together))
    for left in survey.left_out():
        [other] = {"de-en", "en-de"} - {left.pair}
        best = max(survey.first.systems, key=lambda name: statistics.mean(survey.choosing[other][name]))
        assert left.system == best and left.gain == pytest.approx(survey.gain(left.pair, best))
    found = json.loads((place / "results" / "survey.json").read_text("utf-8"))
    assert found["systems"]["words"]["mean_gain"] == pytest.approx(survey.mean_gain("words"))
    assert found["systems"]["words"]["p"] == survey.mean_chances["words"][0]
    page = (place / "results" / "survey.html").read_text("utf-8")
    assert 'href="de-en/report.html"' in page and (place / "results" / "de-en" / "report.html").exists()
    again = CliRunner().invoke(command, ["experiment", str(place / "plan.toml"), "-o", str(place / "results"), "-q"])
    assert again.exit_code == 0 and "Chosen for each pair by the others" in again.output


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "[data.pairs.en-de]",
            '[data]\ntrain = ["a", "b"]\n[data.pairs.en-de]',
            "has texts both in [data] and in its pairs",
        ),
        ("[data.pairs.en-de]", '[data.pairs."en/de"]', "has a language pair 'en/de'"),
        ('choose = ["choose.en", "choose.de"]', "", "'leave_out' needs several language pairs and text for choosing"),
        ("seeds = [1, 2]", "seeds = [1, 1]", "names the seed 1 twice"),
        ("size = 10", "sizes = 10", "unknown option 'sizes'"),
        ("tuned = false", "tuned = 0", "has 'tuned' = 0"),
        ("[compare]", "[comparison]", "has an unknown table [comparison]"),
        ('system = "phrase"', 'system = "phrases"', "there is no system 'phrases'"),
        ("rules = { max_span = 1 }", "rules = { max_spam = 1 }", "unknown option 'max_spam'"),
        ('metrics = "bleu,ter"', 'metric = "bleu,ter"', "unknown option 'metric'"),
        ('metrics = "bleu,ter"', 'metrics = "bleu,terr"', "there is no metric 'terr'"),
        ('dev = ["dev.en", "dev.de"]', 'development = ["dev.en", "dev.de"]', "has an unknown part 'development'"),
    ],
)
def test_mistakes_name_their_line(place: Path, old: str, new: str, complaint: str) -> None:
    text = (PAIRS + REST).replace(old, new)
    (place / "plan.toml").write_text(text, "utf-8")
    with pytest.raises(OptionError) as found:
        read_experiments(place / "plan.toml")
    assert found.value.path == place / "plan.toml" and complaint in found.value.message
    if new and not new.startswith("[data]"):
        assert found.value.line is not None and text.splitlines()[found.value.line - 1] == new.splitlines()[0]
    with pytest.raises(SystemExit) as ended:
        main(["experiment", str(place / "plan.toml")])
    assert ended.value.code == 2


def test_a_line_that_is_commented_out_is_none(place: Path) -> None:
    text = PAIRS + REST.replace("[tune]", "# tunerr is explained here\n[tune]\ntunerr = 'mira'")
    (place / "plan.toml").write_text(text, "utf-8")
    with pytest.raises(OptionError) as found:
        read_experiments(place / "plan.toml")
    assert found.value.line == text.splitlines().index("tunerr = 'mira'") + 1
