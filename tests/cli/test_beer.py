"""`pentaglot beer` and `pentaglot metric-eval`, as somebody uses them who has judgments."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.evaluate.test_beer_training import made_up

from pentaglot.cli.main import command
from pentaglot.metrics import BeerModel


@pytest.fixture
def rankings(tmp_path: Path) -> tuple[str, str]:
    people = made_up(1, segments=60)
    rows = ["segid\ttype\ttext"]
    for segment, system, text, reference in zip(
        people.segments, people.systems, people.hypotheses, people.references, strict=True
    ):
        if system == "good":
            rows.append(f"{segment}\tref\t{reference}")
        rows.append(f"{segment}\t{system}\t{text}")
    pairs = ["segid\tjudge\tsys1\trank1\tsys2\trank2"]
    for better, worse in people.preferred.tolist():
        pairs.append(f"{people.segments[better]}\tj\t{people.systems[better]}\t1\t{people.systems[worse]}\t2")
    paths = tmp_path / "set.segments.tsv", tmp_path / "set.pairs.tsv"
    for path, lines in zip(paths, (rows, pairs), strict=True):
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(paths[0]), str(paths[1])


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_train_score_evaluate(rankings: tuple[str, str], tmp_path: Path) -> None:
    model = str(tmp_path / "beer.toml")
    run("beer", "train", "--rankings", *rankings, "-o", model, "--quiet")
    trained = BeerModel.open(model)
    assert "set" in trained.about and trained.features.symmetric
    (tmp_path / "said").write_text("the old cat\na dog\n", "utf-8")
    (tmp_path / "wanted").write_text("the old cat\nthe cat\n", "utf-8")
    lines = run("beer", "score", str(tmp_path / "said"), str(tmp_path / "wanted"), "--model", model).split()
    assert lines[0] == "1.000000" and 0 < float(lines[1]) < 0.9
    told = json.loads(run("beer", "evaluate", "--rankings", *rankings, "--model", model, "--json", "--quiet"))
    assert [row["metric"] for row in told] == ["BEER", "BLEU", "chrF"] and told[0]["tau"] > 0.6
    assert "BEER against chrF" in run("beer", "evaluate", "--rankings", *rankings, "--quiet")


def test_metric_eval(rankings: tuple[str, str]) -> None:
    shown = run("metric-eval", "--rankings", *rankings, "--rankings", *rankings, "--metrics", "ter,bleu", "--quiet")
    assert "TER" in shown and "BLEU" in shown and "mean" in shown and "TER against BLEU" in shown


def test_a_model_through_a_pipe(rankings: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "said").write_text("the old cat\na dog\n", "utf-8")
    model, said = str(tmp_path / "pipe"), str(tmp_path / "said")
    os.mkfifo(model)
    for arguments in (
        ["metric-eval", "--rankings", *rankings, "--beer-model", model],
        ["evaluate", said, said, "--baseline", said, "--metrics", "beer,bleu", "--beer-model", model],
        ["evaluate", said, said, "--metrics", "bleu", "--beer-model", model],
        ["beer", "score", said, said, "--model", model],
    ):
        with ThreadPoolExecutor() as pool:
            written = pool.submit(BeerModel.shipped().save, model)
            run(*arguments)
            written.result()


def test_text_without_spaces(tmp_path: Path) -> None:
    segments, pairs = tmp_path / "zh.segments.tsv", tmp_path / "zh.pairs.tsv"
    texts = {"ref": "我们去学校。今天天气很好。", "A": "我们去学校。", "B": "今天。"}
    segments.write_text("".join(f"1\t{name}\t{text}\n" for name, text in texts.items()), "utf-8")
    pairs.write_text("1\tj\tA\t1\tB\t2\n", "utf-8")
    for arguments, told in (
        (["metric-eval", "--metrics", "bleu,chrf"], True), (["beer", "evaluate"], True),
        (["metric-eval", "--metrics", "bleu,chrf", "--tokenize", "zh"], False), (["metric-eval"], False),
        (["beer", "evaluate", "--quiet"], False),
    ):  # fmt: skip
        result = CliRunner().invoke(command, [*arguments, "--rankings", str(segments), str(pairs)])
        assert result.exit_code == 0
        assert ("zh: BLEU takes text without spaces for one word a line" in result.stderr) == told


def test_tables_are_whole_on_narrow_terminals(rankings: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = run("metric-eval", "--rankings", *rankings, "--metrics", "recpef-uniform,chrf", "--quiet")
    assert "…" not in shown and "RecPEF uniform" in shown


def test_evaluate_knows_beer(tmp_path: Path) -> None:
    (tmp_path / "said").write_text("the old cat\na dog\n", "utf-8")
    shown = run("evaluate", str(tmp_path / "said"), str(tmp_path / "said"), "--metrics", "beer", "--no-confidence")
    assert "BEER" in shown and "100.00" in shown and "features:" in shown


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["metric-eval"], "there are no judgments"),
        (["beer", "train", "-o", "x.toml"], "there are no judgments; give --rankings"),
        (["beer", "train", "-o", "x.toml", "--scaling", "linear"], "needs direct scores by people"),
        (["beer", "train", "-o", "x.toml", "--scaling", "share", "--direct", "s", "d"], "takes no direct scores"),
        (["beer", "train", "-o", "x.toml", "--nbest", "n"], "go together"),
        (["beer", "train", "-o", "x.toml", "--self-training", "release"], "--self-training needs n-best lists"),
        (["metric-eval", "--rankings", "-", "-"], "standard input (-) can be read only once"),
        (["metric-eval", "--direct", "s", "-", "--beer-model", "-"], "standard input (-) can be read only once"),
        (["beer", "evaluate", "--rankings", "-", "-"], "standard input (-) can be read only once"),
        (["beer", "train", "--rankings", "-", "-", "-o", "x"], "standard input (-) can be read only once"),
        (["beer", "score", "-", "r", "--model", "-"], "standard input (-) can be read only once"),
        (["metric-eval", "--rankings", "s", "p", "--hybrids", "10"], "--hybrids needs direct scores; give --direct"),
    ],
)
def test_what_is_missing(arguments: list[str], problem: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert problem in str(result.exception)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("format = 1", "'symmetric' is missing|'template' is missing"),
        ("format = 7\n", "its format is 7"),
        ("format = ", "is not a model of BEER"),
        ("\x00", "is not a model of BEER"),
        ("about = " + "[" * 100_000, "is not a model of BEER"),
        ("format = " + "9" * 5000, "is not a model of BEER"),
    ],
)
def test_a_damaged_model(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "model.toml").write_text(text, "utf-8")
    with pytest.raises(Exception, match=problem):
        BeerModel.open(tmp_path / "model.toml")


def test_a_model_with_wrong_numbers(tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    BeerModel.shipped().save(path)
    good = path.read_text("utf-8")
    for old, new, problem in (
        ('template = "edits59"', 'template = "thesis"', r"model.toml:3: .*unknown template"),
        ("symmetric = true", "symmetric = 3", "model.toml:4: .*'symmetric' must be true or false"),
        ("pieces = 1", 'pieces = 1\nwithout = "f"', "'without' must be a list of strings"),
        ("pieces = 1", 'pieces = 1\nwithout = ["q"]', "no group of features 'q'"),
        ("pieces = 1", 'pieces = 1\nwithout = ["f"]', "do not match its features"),
        ("pieces = 1", "pieces = 1\nfunction_words = [3]", "'function_words' must be a list of strings"),
        ("pieces = 1", "pieces = 0", "1 to 100 pieces"),
        ('kind = "share"', 'kind = "odd"', "unknown scaling 'odd'"),
        ('template = "edits59"', "template = [1]", "model.toml:3: .*unknown template"),
        ("numbers = []", "numbers = 5", "'numbers' must be a list"),
        ('kind = "share"\nnumbers = []', 'kind = "linear"\nnumbers = [-1.0, 0.5]', "with the slope -1 does not rise"),
        ("[scaling]", "scaling = 1\n[odd]", r"model.toml:\d+: .*'scaling' must be a table"),
        ("[weights]", "[odd]", "'weights' is missing"),
        (
            '"words longer" = ',
            '"words longer" = nan\n# ',
            r"model.toml:\d+: .*'words longer' has a value that is not a finite number",
        ),
        ('"words longer" = ', '"words longer" = true\n# ', "not a finite number"),
        ('"words longer" = ', '"words longer" = "1"\n# ', "not a finite number"),
        ('"words longer" = ', f'"words longer" = {"9" * 400}\n# ', "not a finite number"),
        ('"words longer" = ', '"words larger" = ', "do not match its features"),
    ):
        assert old in good
        path.write_text(good.replace(old, new), "utf-8")
        with pytest.raises(Exception, match=problem):
            BeerModel.open(path)
    path.write_text("\ufeff" + good, "utf-8")
    assert BeerModel.open(path) == BeerModel.shipped()


def test_what_cannot_be_scored_or_written(rankings: tuple[str, str], tmp_path: Path) -> None:
    said, empty, model = tmp_path / "said", tmp_path / "empty", tmp_path / "x.toml"
    said.write_text("a cat\n\n", "utf-8")
    empty.touch()
    for arguments, problem in (
        (["score", "-", "-"], "standard input (-) can be read only once"),
        (["score", str(empty), str(empty)], "empty: is empty: there is nothing to score"),
        (["train", "--rankings", *rankings, "-o", str(tmp_path / "no" / "x.toml")], "no such directory to write to"),
        (["train", "--rankings", *rankings, "-o", str(model), "--strength", "inf"], "must be a finite number"),
    ):
        result = CliRunner().invoke(command, ["beer", *arguments])
        assert problem in str(result.exception) and not model.exists()
    result = CliRunner().invoke(command, ["beer", "score", str(said), str(said)])
    assert (result.exit_code, result.stdout) == (0, "1.000000\n1.000000\n")
    assert result.stderr.endswith("said: of 2 translations, 1 is empty (line 2)\n")


def test_lists_with_odd_numbers(rankings: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "refs").write_text("a cat\n", "utf-8")
    for number in ("9" * 5000, "²", "1", "-1", ""):
        (tmp_path / "lists").write_text(f"0 ||| a cat\n{number} ||| a dog\n", "utf-8")
        lists = ["--nbest", str(tmp_path / "lists"), "--nbest-references", str(tmp_path / "refs")]
        train = ["beer", "train", "--rankings", *rankings, "-o", str(tmp_path / "m")]
        result = CliRunner().invoke(command, [*train, *lists])
        assert "lists:2: is not a line of an n-best list" in str(result.exception)


def named_sets(tmp_path: Path, rankings: tuple[str, str]) -> list[str]:
    """The same judgments for three languages."""
    found = []
    for name in ("x.cs-en", "x.en-de", "x.fr-en"):
        for path in rankings:
            kind = Path(path).name.removeprefix("set.")
            (tmp_path / f"{name}.{kind}").write_text(Path(path).read_text("utf-8"), "utf-8")
        found += ["--rankings", str(tmp_path / f"{name}.segments.tsv"), str(tmp_path / f"{name}.pairs.tsv")]
    return found


def test_leaving_languages_out(rankings: tuple[str, str], tmp_path: Path) -> None:
    sets = named_sets(tmp_path, rankings)
    told = json.loads(run("beer", "evaluate", *sets, "--leave-out", "--without", "characters", "--json", "--quiet"))
    assert [row["metric"] for row in told[-3:]] == ["BEER", "BLEU", "chrF"] and told[-3]["sets"] == 3
    assert told[-3]["tau"] > 0.6 and told[-3]["low"] < told[-3]["ahead"] < told[-3]["high"]
    (tmp_path / "settings.toml").write_text("[[settings]]\nstrength = 100.0\n[[settings]]\ntemplate = 'thesis57'\n")
    shown = run("beer", "evaluate", *sets, "--leave-out", "--settings", str(tmp_path / "settings.toml"), "--quiet")
    assert "settings chosen: cs-en: " in shown and "mean" in shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--template", "thesis57"], "a model is not trained again; add --leave-out"),
        (["--leave-out", "--model", "x.toml"], "there is none to give"),
        (["--leave-out", "--without", "odd"], "'odd' is not one of characters"),
        (["--leave-out", "--without", "words,characters,edits,lengths"], "no features are left"),
        (["--leave-out", "--settings", "none.toml"], "none.toml: no such file"),
        (["--leave-out", "--settings", "empty.toml"], "empty.toml: has no tables [[settings]]"),
        (["--leave-out", "--settings", "odd.toml"], "odd.toml:4: unknown option 'templte'; did you mean 'template'?"),
        (["--leave-out", "--settings", "low.toml"], "low.toml:4: option 'strength' is -1.0"),
        (
            ["--leave-out", "--settings", "many.toml"],
            "many.toml:3: has an unknown table [setting]; did you mean [settings]?",
        ),
    ],
)
def test_mistakes_in_evaluating(
    rankings: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.toml").write_text("")
    (tmp_path / "odd.toml").write_text("[[settings]]\ntemplate = 'edits59'\n[[settings]]\ntemplte = 'thesis57'\n")
    (tmp_path / "low.toml").write_text("[[settings]]\nstrength = 2.0\n[[settings]]\nstrength = -1.0\n")
    (tmp_path / "many.toml").write_text("[[settings]]\nstrength = 2.0\n[[setting]]\nstrength = -1.0\n")
    sets = named_sets(tmp_path, rankings)
    result = CliRunner().invoke(command, ["beer", "evaluate", *sets, *arguments, "--quiet"])
    assert result.exit_code != 0
    assert complaint in (str(result.exception) + result.output)


def test_options_of_metrics(rankings: tuple[str, str]) -> None:
    taus = []
    for alpha in ("0", "1"):
        told = json.loads(run("metric-eval", "--rankings", *rankings, "--metrics", "recpef,ribes,meteor,kendall",
                              "--alpha", alpha, "--json", "--quiet"))  # fmt: skip
        assert [row["metric"] for row in told] == ["RecPEF", "RIBES", "METEOR", "Kendall"]
        taus.append([row["tau"] for row in told])
    assert taus[0][1:3] == taus[1][1:3] and taus[0][0] != taus[1][0] == taus[1][3]


@pytest.mark.slow
def test_the_models_of_the_tuning_experiment(rankings: tuple[str, str], tmp_path: Path) -> None:
    """`beer-models.sh` makes all that `beer-tuning.toml` needs, from data of the shape that both expect."""
    data, made = tmp_path / "data", tmp_path / "made"
    (data / "judgments" / "wmt15-rankings").mkdir(parents=True)
    for one in ("cs", "fi", "fr", "ru"):
        for pair in (f"{one}-en", f"en-{one}"):
            for path, kind in zip(rankings, ("segments", "pairs"), strict=True):
                packed = gzip.compress(Path(path).read_bytes())
                (data / "judgments" / "wmt15-rankings" / f"wmt15.{pair}.{kind}.tsv.gz").write_bytes(packed)
    (data / "multi30k.de-en").mkdir()
    examples = Path(__file__).parents[2] / "examples"
    for part, number in (("train", 3020), ("dev", 150), ("test", 400)):
        for side in ("de", "en"):
            lines = (examples / f"train.{side}").read_text("utf-8").splitlines(keepends=True)
            text = "".join(islice(cycle(lines), number))
            (data / "multi30k.de-en" / f"{part}.{side}.gz").write_bytes(gzip.compress(text.encode()))
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = {**os.environ, "PENTAGLOT_DATA": str(data), "PATH": places}
    subprocess.run([examples / "experiments" / "beer-models.sh", made], env=settings, check=True)
    plain, taught, symmetric = (
        BeerModel.open(made / f"{name}.toml") for name in ("plain", "self-trained", "symmetric")
    )
    assert (plain.features.symmetric, taught.features.symmetric, symmetric.features.symmetric) == (False, False, True)
    assert plain.weights != taught.weights
    shown = run("experiment", str(made / "beer-tuning.toml"), "--data", str(data), "--dry-run")
    assert "beer-self-trained, seed 3" in shown
