"""`pentaglot train` and `translate` as a user runs them."""

from __future__ import annotations

import json
import signal
import subprocess
import time
import tomllib
from pathlib import Path

import pytest
from tests.cli.conftest import PENTAGLOT, Run, listen_to_interrupts

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_from_text_to_translation(pentaglot: Run, tmp_path: Path) -> None:
    text = [EXAMPLES / "train.de", EXAMPLES / "train.en"]
    dev = ["--dev", EXAMPLES / "test.de", EXAMPLES / "test.en", "--rounds", "1", "--size", "5", "--mira-epochs", "2"]
    done = pentaglot("train", *text, *dev, "--order", "3", "-o", "model")
    assert done.returncode == 0, done.stderr
    assert "400 sentence pairs" in done.stderr
    assert "development BLEU" in done.stderr and "not tuned" not in done.stderr
    assert "MB on disk: index" in done.stderr
    assert "again, because" not in done.stderr, "there is nothing to be told about"
    assert "already trained" in pentaglot("train", *text, *dev, "--order", "3", "-o", "model").stderr
    more = pentaglot("train", *text, *dev, "--order", "3", "-o", "model", "--frequent", "50").stderr
    assert "align: kept\n" in more
    assert "frequent patterns: again, because frequent changed from 100 to 50\n" in more
    assert "tune: kept\n" in more and "done in" in more

    source = "Der Lehrer sieht das Buch.\n\nDas Mädchen liest ein Buch.\n"
    one = pentaglot("translate", "model", "--threads", "1", stdin=source)
    two = pentaglot("translate", "model", "--threads", "8", stdin=source)
    assert one.returncode == 0, one.stderr
    assert one.stdout == two.stdout
    assert one.stdout.split("\n")[0].startswith("The teacher")
    assert len(one.stdout.splitlines()) == 3 and one.stdout.splitlines()[1] == ""

    listed = pentaglot("translate", "model", "--nbest", "3", stdin="Der Lehrer sieht das Buch.\n")
    fields = [line.split(" ||| ") for line in listed.stdout.splitlines()]
    assert [row[0] for row in fields] == ["0", "0", "0"]
    assert all(len(row) == 4 and "language_model= " in row[2] for row in fields)
    record = json.loads(pentaglot("translate", "model", "--json", stdin="Der Lehrer sieht das Buch.\n").stdout)
    assert record["text"] == fields[0][1]
    assert record["limited"] is False


def test_limits_of_rules(pentaglot: Run, tmp_path: Path) -> None:
    text = [EXAMPLES / "train.de", EXAMPLES / "train.en"]
    (tmp_path / "given.toml").write_text(
        '[rules]\nmax_gaps = 1\nsample = 20\n[search]\npop_limit = 50\n[align]\nmodel = "fast"\n[train]\norder = 2\n'
    )
    train = ["train", *text, "-o", "model", "--config", "given.toml"]
    done = pentaglot(*train, "--max-span", "12", "--sample", "30")
    assert done.returncode == 0, done.stderr
    made = tomllib.loads((tmp_path / "model" / "pentaglot.toml").read_text("utf-8"))
    assert (made["rules"]["max_gaps"], made["rules"]["sample"], made["rules"]["max_span"]) == (1, 30, 12)
    assert made["search"]["pop_limit"] == 50
    assert "input_span" not in made["search"]  # as wide as the rules
    again = pentaglot(*train, "--max-span", "12", "--sample", "30", "--max-chunks", "1")
    assert "describe" in again.stderr and "sorting suffixes" not in again.stderr  # only what the change is about

    source = "Der Lehrer sieht das Buch auf dem Tisch.\n"
    shown = pentaglot("translate", "model", "--json", "--max-gaps", "0", stdin=source)
    assert shown.returncode == 0, shown.stderr
    assert pentaglot("translate", "model", "--unknown", "mark", stdin="Xyzzy\n").stdout == "⟨Xyzzy⟩\n"
    (tmp_path / "marking.toml").write_text('[rules]\nunknown = "mark"\n')
    assert pentaglot("translate", "model", "--config", "marking.toml", stdin="Xyzzy\n").stdout == "⟨Xyzzy⟩\n"

    (tmp_path / "table.toml").write_text('[rules]\nsource = "table"\n')
    for arguments, message in (
        (["translate", "model", "--config", "table.toml"], "source of rules cannot be changed here"),
        (["train", *text, "-o", "other", "--system", "phrase", "--max-gaps", "2"], "uses no rules with gaps"),
        (["train", *text, "-o", "other", "--max-chunks", "0"], "max_chunks"),
    ):
        done = pentaglot(*arguments, stdin=source)
        assert done.returncode == 2
        assert message in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "other").exists()


def test_where_rules_come_from(pentaglot: Run, tmp_path: Path) -> None:
    """One setting: a flag, or `source` under [rules]; the flag wins."""
    text = [EXAMPLES / "train.de", EXAMPLES / "train.en", "--order", "2", "--quiet"]
    (tmp_path / "table.toml").write_text('[rules]\nsource = "table"\n')
    for name, given in (("flag", ["--rules", "table"]), ("file", ["--config", "table.toml"])):
        done = pentaglot("train", *text, "-o", name, *given)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "flag" / "pentaglot.toml").read_text() == (tmp_path / "file" / "pentaglot.toml").read_text()
    assert (tmp_path / "flag" / "table").is_dir()
    assert pentaglot("train", *text, "-o", "index", "--config", "table.toml", "--rules", "index").returncode == 0
    assert not (tmp_path / "index" / "table").exists()
    (tmp_path / "old.toml").write_text('[train]\nrules = "table"\n')
    done = pentaglot("train", *text, "-o", "other", "--config", "old.toml")
    assert done.returncode == 2 and "old.toml:2: unknown option 'rules'" in done.stderr


def test_text_that_is_tokenised_already(pentaglot: Run, tmp_path: Path) -> None:
    text = [EXAMPLES / "train.de", EXAMPLES / "train.en", "--order", "2"]
    done = pentaglot("train", *text, "-o", "model", "--tokenizer", "none")
    assert done.returncode == 0, done.stderr
    done = pentaglot("train", *text, "-o", "other", "--tokenizer", "none", "--casing", "truecase")
    assert done.returncode == 2 and "cannot be truecased" in done.stderr


def stopped(place: Path, arguments: list[str | Path], by: signal.Signals, seconds: float) -> bool:
    """Runs a command for so many seconds at most; whether it had to be stopped."""
    command = [*PENTAGLOT, *map(str, arguments)]
    with subprocess.Popen(command, cwd=place, stderr=subprocess.PIPE, preexec_fn=listen_to_interrupts) as process:
        try:
            _, errors = process.communicate(timeout=seconds)
            assert process.returncode == 0, errors
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(by)
            process.communicate()
            return True


def contents(model: Path) -> dict[str, bytes]:
    found = {str(file.relative_to(model)): file.read_bytes() for file in sorted(model.rglob("*")) if file.is_file()}
    return {name: data for name, data in found.items() if not name.startswith(".train") and name != ".word-ids"}


@pytest.mark.slow
def test_killed_again_and_again(pentaglot: Run, tmp_path: Path) -> None:
    """At whatever moment: the same bytes in the end, for a first training and for one that changes everything."""
    text = [EXAMPLES / "train.de", EXAMPLES / "train.en"]
    dev = ["--dev", EXAMPLES / "test.de", EXAMPLES / "test.en", "--rounds", "2", "--size", "5", "--mira-epochs", "2"]
    for options in (["--order", "3"], ["--order", "4", "--casing", "lowercase", "--rules", "table"]):
        whole = pentaglot("train", *text, *dev, *options, "-o", f"whole{len(options)}")
        assert whole.returncode == 0, whole.stderr
        seconds, times = 0.4, 0
        while stopped(tmp_path, ["train", *text, *dev, *options, "-o", "parts", "--quiet"], signal.SIGKILL, seconds):
            seconds, times = seconds * 1.2, times + 1
        assert times > 1
        assert contents(tmp_path / "parts") == contents(tmp_path / f"whole{len(options)}")
        assert not [path.name for path in (tmp_path / "parts").rglob("*.tmp") if ".train" not in path.parts]


def test_ctrl_c_in_tuning(pentaglot: Run, tmp_path: Path) -> None:
    """A rerun with another development text or more rounds just works."""
    text = [EXAMPLES / "train.de", EXAMPLES / "train.en", "--order", "2", "-o", "model"]
    assert pentaglot("train", *text).returncode == 0
    for name in ("test.de", "test.en"):
        (tmp_path / name).write_text("".join((EXAMPLES / name).read_text("utf-8").splitlines(keepends=True)[:5]))
    dev = ["--dev", EXAMPLES / "test.de", EXAMPLES / "test.en", "--rounds", "1000", "--patience", "1000"]
    rounds = tmp_path / "model" / ".train" / "tuning"
    command = [*PENTAGLOT, "train", *map(str, [*text, *dev])]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, preexec_fn=listen_to_interrupts) as process:
        while process.poll() is None and not (rounds / "round-000").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert rounds.exists()
    done = pentaglot("train", *text, "--dev", "test.de", "test.en", "--rounds", "1", "--mira-epochs", "2")
    assert done.returncode == 0, done.stderr
    assert "tune: for the first time" in done.stderr and "align: kept" in done.stderr
    assert not (tmp_path / "model" / ".train" / "tuning").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "none.de", "none.en", "-o", "m"), "none.de: no such file"),
        (("train", EXAMPLES / "train.de", EXAMPLES, "-o", "m"), "this is a directory"),
        (("translate", "nothing"), "there is no model here"),
    ],
)
def test_bad_input(pentaglot: Run, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = pentaglot(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_options_of_a_tuner(pentaglot: Run, tmp_path: Path) -> None:
    """Those of any tuner are flags here, as they are of `tune`, and tuning depends on them."""
    for name in ("test.de", "test.en"):
        (tmp_path / name).write_text("".join((EXAMPLES / name).read_text("utf-8").splitlines(keepends=True)[:10]))
    text = (EXAMPLES / "train.de", EXAMPLES / "train.en", "-o", "m", "--order", "2", "--word-classes", "0")
    given = ("train", *text, "--dev", "test.de", "test.en", "--rounds", "1", "--size", "5", "--tuner", "pro")
    for kept, told in (
        ("5", "m: "),
        ("5", "is already trained"),
        ("4", "tune: again, because kept of settings of tuning changed from 5 to 4"),
    ):
        done = pentaglot(*given, "--pro-samples", "20", "--pro-kept", kept)
        assert done.returncode == 0 and told in done.stderr, done.stderr
    bad = pentaglot(*given, "--pro-kept", "0")
    assert bad.returncode == 2 and "option 'kept' is 0; it must be at least 1" in bad.stderr
    assert len(bad.stderr.splitlines()) == 1


def test_several_references(pentaglot: Run, tmp_path: Path) -> None:
    """Development text with further references is tuned on with all of them, which a rerun without them undoes."""
    lines = (EXAMPLES / "test.en").read_text("utf-8").splitlines(keepends=True)[:15]
    (tmp_path / "dev.de").write_text(
        "".join((EXAMPLES / "test.de").read_text("utf-8").splitlines(keepends=True)[:15]), "utf-8"
    )
    (tmp_path / "dev.en").write_text("".join(reversed(lines)), "utf-8")  # wrong ones
    (tmp_path / "right.en").write_text("".join(lines), "utf-8")
    quick = ("--rounds", "1", "--size", "5", "--mira-epochs", "2", "--order", "2", "--word-classes", "0")
    given = ("train", EXAMPLES / "train.de", EXAMPLES / "train.en", "-o", "m", "--dev", "dev.de", "dev.en", *quick)
    score = {}
    for name, more in (("both", ("--reference", "right.en")), ("one", ())):
        done = pentaglot(*given, *more)
        assert done.returncode == 0, done.stderr
        score[name] = json.loads((tmp_path / "m" / "weights.tuning.json").read_text())["rounds"][0]["score"]
    assert score["both"] > score["one"] + 20
    (tmp_path / "right.en").write_text("short\n", "utf-8")
    bad = pentaglot(*given, "--reference", "right.en")
    assert bad.returncode == 2 and "right.en: has 1 line but dev.de has 15" in bad.stderr
    none = pentaglot("train", EXAMPLES / "train.de", EXAMPLES / "train.en", "-o", "n", "--reference", "right.en")
    assert none.returncode == 2 and "there are further references but no development text" in none.stderr


def test_pairs_that_all_have_an_empty_side(pentaglot: Run, tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("Haus\n\n \n")
    (tmp_path / "a.en").write_text("\nhouse\n\u00a0\n", "utf-8")
    done = pentaglot("train", "a.de", "a.en", "-o", "model", "--quiet")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "a.de: there is nothing to learn from: every pair has an empty side" in done.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.de", "a.en"]


def test_a_mistake_in_the_file_of_a_model_is_named_with_its_line(pentaglot: Run, grown: Path) -> None:
    file = grown / "pentaglot.toml"
    lines = file.read_text("utf-8").splitlines()
    place = lines.index("max_gaps = 2")
    file.write_text("\n".join([*lines[:place], "max_gps = 2", *lines[place + 1 :]]), "utf-8")
    done = pentaglot("translate", grown, stdin="Haus\n")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert f"pentaglot.toml:{place + 1}: unknown option 'max_gps'; did you mean 'max_gaps'?" in done.stderr


def test_a_misspelt_table_in_the_file_of_a_model_is_named(pentaglot: Run, grown: Path) -> None:
    file = grown / "pentaglot.toml"
    lines = file.read_text("utf-8").splitlines()
    place = lines.index("[search]")
    file.write_text("\n".join([*lines[:place], "[serch]", *lines[place + 1 :]]), "utf-8")
    done = pentaglot("translate", grown, stdin="Haus\n")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert f"pentaglot.toml:{place + 1}: has an unknown part 'serch'; did you mean 'search'?" in done.stderr


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        (
            '[train]\ntokenizer = "agressive"',
            "a.toml:2: option 'tokenizer': there is no tokenizer 'agressive'; did you mean",
        ),
        ('[train]\n\ntarget-tokenizer = "non"', "a.toml:3: option 'target_tokenizer': there is no tokenizer 'non'"),
        ('[train]\nprotect = ["a+", "a(\\\\d"]', "a.toml:2: option 'protect': 'a(\\d' is not a regular expression"),
        ("[train]\nprotect = ['x*']", "a.toml:2: option 'protect': 'x*' would protect nothing"),
        ("[train]\nword_classes = 1", "a.toml:2: option 'word_classes': all words would be in one class"),
        ("[train]\nword_classes = 1001", "a.toml:2: option 'word_classes' is 1001; it must be from 0 to 1000"),
        ("[preorder]\nclasses = 1", "a.toml:2: option 'classes': all words would be in one class"),
    ],
)
def test_mistakes_in_options_of_text_name_file_and_line(
    pentaglot: Run, tmp_path: Path, table: str, complaint: str
) -> None:
    (tmp_path / "a.toml").write_text(table)
    done = pentaglot("train", EXAMPLES / "train.de", EXAMPLES / "train.en", "-o", "m", "--config", "a.toml")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert complaint in done.stderr


def test_operators_on_features_with_state_are_met_before_training(pentaglot: Run, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('[[induce]]\noperator = "bins"\ninputs = ["language_model"]\n')
    done = pentaglot("train", EXAMPLES / "train.de", EXAMPLES / "train.en", "-o", "m", "--induce", "a.toml")
    assert done.returncode == 2 and "a.toml:3: 'language_model' looks across rules" in done.stderr
    assert not (tmp_path / "m").exists()


def test_flags_without_effect_are_refused(pentaglot: Run, tmp_path: Path) -> None:
    text = EXAMPLES / "train.de", EXAMPLES / "train.en", "-o", "m"
    done = pentaglot("train", *text, "--reorder-by", "links")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "--reorder-by counts only with --preorder; add --preorder pet, or leave it out" in done.stderr
    done = pentaglot("train", *text, "--pro-samples", "9")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "--pro-samples has no effect: the options of 'mira' apply, not those of 'pro'" in done.stderr
    # In a file, they may be meant for other runs.
    (tmp_path / "a.toml").write_text('[train]\nreorder_by = "links"\n[tune.pro]\nsamples = 9\n')
    few = "--config", "a.toml", "--hold-out", "0", "--word-classes", "0", "--threads", "1"
    done = pentaglot("train", *text, *few)
    assert done.returncode == 0 and "not tuned; give a development text (--dev)" in done.stderr
