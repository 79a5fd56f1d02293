"""Experiments: what is shared, what is done again and why, what is chosen where, and what cannot be run."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from tests.systems.small_experiment import EXAMPLES, QUICK, write_text

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.evaluate import compare
from pentaglot.forest import Weights
from pentaglot.metrics import BeerModel
from pentaglot.rules.operators import CutIntoBins, Domains
from pentaglot.systems import Model, Translator
from pentaglot.systems.experiment import Laboratory
from pentaglot.systems.experiment_file import read_experiment, read_experiments

HEAD = (
    """
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
"""
    + QUICK
)
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
    write_text(tmp_path)
    return tmp_path


def _laboratory(place: Path, text: str, **more: int) -> Laboratory:
    (place / "plan.toml").write_text(text, "utf-8")
    return Laboratory(read_experiment(str(place / "plan.toml")), str(place / "results"), **more)


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
    assert renewed["test of pulled, seed 1"] == f"{place / 'test.de'} changed"


def test_what_a_laboratory_does_not_know(place: Path) -> None:
    laboratory = _laboratory(place, HEAD + SYSTEMS)
    for ask in (laboratory.outputs, laboratory.facts, laboratory.model):
        with pytest.raises(OptionError, match=r"plan\.toml: there is no system 'phrases'; did you mean 'phrase'"):
            ask("phrases")
    with pytest.raises(OptionError, match="there is no set 'train' to translate"):
        laboratory.scores("train")
    with pytest.raises(OptionError, match="there is no set 'tset' to translate; did you mean 'test'"):
        laboratory.outputs("phrase", "tset")
    for wrong in ({"threads": 0}, {"processes": -1}):
        with pytest.raises(OptionError, match=f"option '{next(iter(wrong))}' is"):
            _laboratory(place, HEAD + SYSTEMS, **wrong)
    assert not (place / "results").exists()


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
    told = "Chosen in sweeps, on a text for that only: swept: rules.max_span 4."
    assert all(told in (place / "results" / f"report.{form}").read_text("utf-8") for form in ("md", "html"))
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

    monkeypatch.setattr("pentaglot.systems.experiment_steps.tune", tune)
    laboratory = _laboratory(place, HEAD.replace("[1, 2]", '[1, 2]\ndevelopment = "drawn"') + SYSTEMS)
    with pytest.raises(PentaglotError, match="enough"):
        laboratory.run()
    for name in ("phrase", "pulled"):
        for seed in (1, 2):
            with pytest.raises(PentaglotError, match="enough"):
                laboratory.steps.do(laboratory.steps.weights(laboratory.experiment.systems[name][0], seed))
    first, *others = seen[1:]
    assert others[1] == first != others[0] == others[2]
    whole = (place / "dev.de").read_text("utf-8").splitlines()
    assert len(first) == len(whole) and set(first) < set(whole)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[1, 2]", "[1, 1]", "plan.toml:9: names the seed 1 twice; such runs would be the same"),
        ("[1, 2]", "[1, -1]", "plan.toml:9: option 'seeds' is -1; it must be from 0"),
        ("[1, 2]", "[]", "names no seeds"),
        ("[1, 2]", "[1, 2]\nsweep_seeds = 3", "decides sweeps with 3 seeds, but names 2; lower 'sweep_seeds'"),
        ("seeds = [1, 2]", 'baseline = "none"', "has no system 'none' to be the baseline"),
        (SYSTEMS, "[systems.one]\n", "has nothing to compare; describe two systems"),
        ("[systems.pulled]", '[systems."a/b"]', "has a system 'a/b'; use letters"),
        ("pull", "pul", "unknown option 'pul'; did you mean 'pull'?"),
        ('system = "phrase"', 'system = "phrases"', "there is no system 'phrases'; did you mean 'phrase'?"),
        ("[compare]", "[comparison]", "has an unknown table [comparison]; did you mean 'compare'?"),
        ("[compare]", "[compare]\nsimulate = [3]", "3 runs cannot be drawn from a pool of 2"),
        ('metrics = "bleu,ter"', 'metrics = "beer"\nbeer_model = "beer.toml"', "beer.toml: no such file"),
        ('choose = ["choose.de", "choose.en"]', "", "sweeps options of 'swept' but has no text to choose them on"),
        ('"choose.de", "choose.en"', '"dev.de", "dev.en"', "uses one text for two of dev, test and choose"),
        ('train = ["train.de", "train.en"]', "", "plan.toml:2: has no train in [data]"),
        ('dev = ["dev.de", "dev.en"]', 'dev = "dev.de"', "'dev' in [data] must be a list of two files or more"),
        ('dev = ["dev.de", "dev.en"]', 'dev = ["dev.de", "short"]', "short:2: has 1 line but"),
        ('dev = ["dev.de", "dev.en"]', 'dev = ["dev.de", "none"]', "none: no such file; {place}/plan.toml:4 names it"),
        ('train = ["train.de", "train.en"]', 'train = ["train.de", "train.en[:20]"]', "train.en:21: has 20 lines but"),
        ("[1, 4]", "[]", "has a sweep 'rules.max_span' without values"),
        ("[1, 4]", "[4, 4]", "sweeps a value twice"),
        ("rules.max_span", "serch.beam", "plan.toml:35: [systems.swept] has a sweep 'serch.beam' of an unknown part"),
        ("rules.max_span", "serch.beam", "unknown part 'serch'; did you mean 'search'?"),
        ("rules.max_span", "rules.max_spam", "plan.toml:35: unknown option 'max_spam'; did you mean 'max_span'?"),
        ("sweep =", "sweeps =", "has an unknown part 'sweeps'; did you mean 'sweep'?"),
        ("[tune]", "[tune", "is not valid TOML"),
        (
            '["dev.de", "dev.en"]',
            '["{data}/dev.de", "{data}/dev.en"]',
            "plan.toml:4: uses {data}, but no data directory",
        ),
        ('"choose.de", "choose.en"', '"dev.de[10:]", "dev.en[10:]"', "uses one text for two of dev, test and choose"),
        ("[tune]\n", '[tune]\npenalty = ["l1=1"]\n', "the tuner 'mira' takes no penalties"),
        (
            "[systems.pulled]\n",
            "[systems.pulled]\nseparate = true\n",
            "tunes 'pulled' for each domain, but has no domains",
        ),
        ("[systems.pulled]\n", "[systems.pulled]\nseparate = 1\n", "has 'separate' = 1; true or false"),
        ("[systems.pulled]\n", '[systems.pulled]\ninduce = [{ operator = "bin" }]\n', "there is no operator 'bin'"),
        (
            "[systems.pulled]\n",
            '[[systems.pulled.induce]]\noperator = "bins"\ninputs = ["distortion"]\n[systems.pulled]\n',
            "'distortion' looks across rules, so it cannot be cut into bins",
        ),
        (
            "[systems.pulled]\n",
            '[[induce]]\noperator = "bins"\ninputs = ["wrds"]\n[systems.pulled]\n',
            "no feature 'wrds'",
        ),
        ("rules.max_span", "induce.0.bins", "has a sweep 'induce.0.bins' of no operator"),
        ("rules.max_span", "induce.².bins", "has a sweep 'induce.².bins' of no operator"),
        ("rules.max_span", "train", "has a value 'train' where a table should be"),
        ("sweep = {", 'induce = ["bins"]\nsweep = { "induce.0.bins" = [4, 8],', "'induce' must be a list of tables"),
        ("sweep = {", 'induce = 4\nsweep = { "induce.0.bins" = [4, 8],', "'induce' must be a list of tables"),
        (
            "[tune]\n",
            '[tune]\nmetric = "beer"\nbeer_model = "mine.toml"\n',
            "mine.toml, which is not there; train it first",
        ),
        (
            '"test.de", "test.en", "test.en"',
            '"test.de[0 evenly]", "test.en[0 evenly]"',
            "plan.toml:5: 'test.de[0 evenly]' in",
        ),
        ('"dev.de", "dev.en"', '"dev.de[5:2]", "dev.en[5:2]"', "plan.toml:4: 'dev.de[5:2]' in [data] has no lines"),
        ('"dev.de", "dev.en"', '"dev.de[999:]", "dev.en[999:]"', "dev.de: has no lines from 1000 on, as "),
        ("[1, 2]", "[9999999999999999999]", "plan.toml:9: option 'seeds' is 9999999999999999999; it must be from 0"),
        ("[tune]\n", '[tune]\nmetric = "length"\n', "length cannot be tuned for"),
        ('metrics = "bleu,ter"', 'metrics = "length,bleu"', "the first of the 'metrics' chooses"),
        ('metrics = "bleu,ter"', 'metrics = "meteor"\nstemmer = "klingon"', "there is no stemmer for 'klingon'"),
        (
            'train = { system = "phrase" }',
            'train = { system = "phrase", tune = false }',
            "plan.toml:27: [systems.phrase] has 'tune' in train, which would change nothing; write tuned = false",
        ),
        ("mira = { epochs = 2 }", "mira = 2", "plan.toml:19: 'mira' must be a table, not 2"),
        ("[systems.phrase]", "[systems.pulled]", "plan.toml:29: is not valid TOML: Cannot declare"),
    ],
)
def test_mistakes(place: Path, old: str, new: str, complaint: str) -> None:
    (place / "short").write_text("one\n")
    text = HEAD + SYSTEMS + SWEPT
    assert old in text
    text = text.replace(old, new) if old != SYSTEMS else HEAD + new
    with pytest.raises(PentaglotError) as found:
        _laboratory(place, text)
    assert complaint.replace("{place}", str(place)) in str(found.value)
    assert not (place / "results").exists()


def test_packages_that_are_missed_are_told_before_any_work(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("MeCab", "sudachipy"):
        monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "sacrebleu.tokenizers.tokenizer_ja_mecab", raising=False)
    cut = SYSTEMS.replace("{ system", '{ source_tokenizer = "sudachi", system')
    with pytest.raises(PentaglotError, match=r"plan.toml:27: cuts words by 'sudachi', but the segmenter sudachipy is"):
        _laboratory(place, HEAD + cut)
    with pytest.raises(PentaglotError, match=r"plan.toml:25: the BLEU tokeniser 'ja-mecab' needs packages"):
        _laboratory(place, HEAD + 'tokenize = "ja-mecab"\n' + SYSTEMS)


def test_names_of_domains_can_be_names_of_files(place: Path) -> None:
    text = HEAD[HEAD.index("[experiment]") :] + DOMAINS.replace("domains.two", 'domains."a/b"') + SYSTEMS
    with pytest.raises(PentaglotError, match="has a domain 'a/b' in .data.; write a name without slashes") as found:
        _laboratory(place, text)
    assert found.value.line == text.splitlines().index('[data.domains."a/b"]') + 1


def test_long_sweeps_have_short_names(place: Path) -> None:
    """Weights and marks of steps are files."""
    words = ", ".join(f'"word{number}"' for number in range(60))
    swept = SWEPT.replace('"rules.max_span" = [1, 4]', f'"train.protect" = [[{words}], [{words}, "more"]]')
    one, other = _laboratory(place, HEAD + SYSTEMS + swept).experiment.systems["swept"]
    assert one.point != other.point and max(len(one.point), len(other.point)) < 200
    assert other.told.endswith("word59 and more")


def test_some_lines_of_files(place: Path) -> None:
    """As if they were files of their own."""
    (place / "all.de").write_text(
        "".join((place / f"{name}.de").read_text("utf-8") for name in ("dev", "choose")), "utf-8"
    )
    (place / "all.en").write_text(
        "".join((place / f"{name}.en").read_text("utf-8") for name in ("dev", "choose")), "utf-8"
    )
    text = HEAD.replace('"dev.de", "dev.en"', '"{data}/all.de[20]", "{data}/all.en[20]"')
    text = text.replace('"choose.de", "choose.en"', '"{data}/all.de[20:]", "{data}/all.en[20:40]"')
    text = text.replace('"train.de", "train.en"', '"train.de[:250]", "train.en[250]"')
    (place / "plan.toml").write_text(text + SYSTEMS, "utf-8")
    data = read_experiment(place / "plan.toml", place).data
    for name in ("dev", "choose"):
        assert data.sides(name) == [(place / f"{name}.{side}").read_text("utf-8").splitlines() for side in ("de", "en")]
    laboratory = Laboratory(read_experiment(place / "plan.toml", place), place / "results")
    laboratory.run()
    source = (place / "results" / "texts" / "train.source").read_text("utf-8").splitlines()
    assert source == (place / "train.de").read_text("utf-8").splitlines()[:250]
    assert laboratory.plan().reasons == {}
    wider = (
        (place / "plan.toml").read_text("utf-8").replace("all.de[20]", "all.de[19]").replace("all.en[20]", "all.en[19]")
    )
    (place / "plan.toml").write_text(wider, "utf-8")
    again = Laboratory(read_experiment(place / "plan.toml", place), place / "results").plan().reasons
    assert again and not any(name.startswith("model") for name in again)


DOMAINS = """
[data.domains.one]
train = ["train.de[:200]", "train.en[:200]"]
dev = ["dev.de[:10]", "dev.en[:10]"]
test = ["test.de[:15]", "test.en[:15]"]

[data.domains.two]
train = ["train.de[200:]", "train.en[200:]"]
dev = ["dev.de[10:]", "dev.en[10:]"]
test = ["test.de[15:]", "test.en[15:]"]
"""
OF_DOMAINS = """
[systems.agnostic]
train = { system = "phrase" }

[systems.separate]
train = { system = "phrase" }
separate = true

[systems.conjoined]
train = { system = "phrase" }
tune = { tuner = "pro", penalty = ["complexity=10"], pro = { samples = 50, steps = 20 } }
induce = [{ operator = "domains" }]

[systems.binned]
train = { system = "phrase" }
induce = [{ operator = "bins", bins = 4, keep = false }]
"""


def test_domains_and_operators(place: Path) -> None:
    """Separate systems translate each domain with its own weights; conjoined ones have weights for each."""
    laboratory = _laboratory(place, HEAD[HEAD.index("[experiment]") :].replace("[1, 2]", "[1]") + DOMAINS + OF_DOMAINS)
    laboratory.run()
    runs = place / "results" / "runs"
    conjoined = Weights.open(runs / "conjoined" / "1" / "weights.txt")
    assert any(name.startswith("domain=one^") or name.endswith("^domain=one") for name in conjoined)
    assert any(name.startswith("words=") for name in Weights.open(runs / "binned" / "1" / "weights.txt"))
    [model] = (place / "results" / "models").iterdir()
    lines = (place / "test.de").read_text("utf-8").splitlines()
    outputs = []
    for domain, part in (("one", lines[:15]), ("two", lines[15:])):
        translator = Translator(
            Model.open(model), weights=Weights.open(runs / "separate" / "1" / f"weights.{domain}.txt")
        )
        outputs += [each.text for each in translator.translate_all(part)]
    assert outputs == (runs / "separate" / "1" / "test.txt").read_text("utf-8").splitlines()
    assert laboratory.plan().reasons == {}


def test_options_of_operators_are_swept(place: Path) -> None:
    swept = """
[systems.swept]
train = { system = "phrase" }
induce = [{ operator = "bins", bins = 4 }, { operator = "pairs" }]
sweep = { "induce.0.bins" = [4, 8], "tune.rounds" = [1, 2] }
"""
    found = _laboratory(place, HEAD + SYSTEMS + swept).experiment.systems["swept"]
    assert [(each.induce[0].bins, each.tuning.rounds) for each in found] == [(4, 1), (4, 2), (8, 1), (8, 2)]  # type: ignore[union-attr]


def test_operators_of_a_publication(place: Path) -> None:
    swept = """
[systems.swept]
train = { system = "phrase" }
induce = "clark2015-bins"
sweep = { "induce.0.bins" = [4, 8] }
"""
    found = _laboratory(place, 'induce = "clark2015-domains"\n' + HEAD + SYSTEMS + swept).experiment.systems
    assert [each.induce for each in found["swept"]] == [(CutIntoBins(bins=bins, keep=False),) for bins in (4, 8)]
    assert found["phrase"][0].induce == (Domains(),)


# Others name files beside them, and have tests of their own.
EXPERIMENTS = [
    file for file in sorted((EXAMPLES / "experiments").glob("*.toml")) if "{data}" in file.read_text("utf-8")
]


def test_there_are_examples() -> None:
    assert len(EXPERIMENTS) >= 8


@pytest.mark.parametrize("file", EXPERIMENTS, ids=lambda file: file.stem)
def test_examples_can_be_planned(file: Path, tmp_path: Path) -> None:
    """With any data that has these files: every option and operator of theirs is known."""
    for name in sorted(set(re.findall(r"\{data\}/([^\[\]\"]+)", file.read_text("utf-8")))):
        text = tmp_path / "data" / name
        text.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(text, "wt") as out:
            out.writelines(f"line {number}\n" for number in range(3000))
    copy = tmp_path / file.name
    shutil.copy(file, copy)
    for name in re.findall(r'beer_model = "([^"]+)"', file.read_text("utf-8")):
        BeerModel.shipped().save(tmp_path / name)
    for experiment in read_experiments(copy, tmp_path / "data"):
        plan = Laboratory(experiment, tmp_path / "results").plan()
        assert len(experiment.systems) > 1 and len(plan.steps) > len(experiment.systems)
        assert len(experiment.options.seeds) >= 3


def test_mistakes_in_operators_name_their_line(place: Path) -> None:
    own = """
[[systems.phrase.induce]]
operator = "bins"
bins = 8
inputs = ["words"]
[[systems.phrase.induce]]
operator = "bins"
bins = 1
inputs = ["coherent"]
"""
    text = HEAD + SYSTEMS + own
    with pytest.raises(PentaglotError) as found:
        _laboratory(place, text)
    assert found.value.line == text.splitlines().index("bins = 1") + 1
    text = text.replace("bins = 1", "bins = 2").replace('"coherent"', '"language_model"')
    with pytest.raises(PentaglotError, match="looks across rules") as found:
        _laboratory(place, text)
    assert found.value.line == len(text.splitlines()) and found.value.path is not None
    text = HEAD.replace("[train]\n", '[train]\nprotect = ["ok", "a(\\\\d"]\n') + SYSTEMS
    with pytest.raises(PentaglotError, match="option 'protect': .* is not a regular expression") as found:
        _laboratory(place, text)
    assert found.value.line is not None and "protect" in text.splitlines()[found.value.line - 1]
