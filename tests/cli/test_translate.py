"""`pentaglot translate` as a user runs it: any line survived, limits told, constraints obeyed, mistakes named."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import PENTAGLOT, Run

from pentaglot.systems import TrainOptions, train

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LINE = "Der Lehrer sieht das Buch."


@pytest.fixture(scope="module", params=["hiero", "phrase"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("translate") / request.param
    train(EXAMPLES / "train.de", EXAMPLES / "train.en", place, options=TrainOptions(system=request.param, order=3))
    return place


ODD = ["", "|||", "<s> </s> <unk>", "[X,1] [X][X] X1", "\x00\x07\x1b[31m\x7f", "x" * 1_000_000, "<keep>&amp;", LINE]


def test_any_line_survives(pentaglot: Run, model: Path) -> None:
    lines = [*ODD, " ".join([LINE] * 300)]
    outputs = {}
    for form in ((), ("--nbest", "2"), ("--json",)):
        for threads in ("1", "5"):
            done = pentaglot("translate", model, *form, "--threads", threads, stdin="\n".join(lines) + "\n")
            assert done.returncode == 0 and done.stderr == "", done.stderr
            outputs[form, threads] = done.stdout
        assert outputs[form, "1"] == outputs[form, "5"]
    shown = outputs[(), "1"].split("\n")
    assert len(shown) == len(lines) + 1
    assert shown[0] == "" and shown[1] == "|||" and shown[5] == "x" * 1_000_000
    assert shown[7].startswith("The teacher")
    numbers = [int(row.split(" ||| ")[0]) for row in outputs[("--nbest", "2"), "1"].rstrip("\n").split("\n")]
    assert numbers == sorted(numbers) and set(numbers) == set(range(len(lines)))
    for row in outputs[("--nbest", "2"), "1"].rstrip("\n").split("\n"):
        assert len(row.split(" ||| ")) == 4
    records = [json.loads(row) for row in outputs[("--json",), "1"].rstrip("\n").split("\n")]
    assert [record["text"] for record in records] == shown[:-1]


def test_sentences_inside_of_a_line_begin_as_in_the_input(pentaglot: Run, model: Path) -> None:
    """Also after a short word, which might be an abbreviation: dog."""
    line = "Der Lehrer sieht den Hund. Der Lehrer sieht das Buch."
    done = pentaglot("translate", model, stdin=f"{line}\n{line.lower()}\n")
    assert done.stdout == (
        "The teacher sees the dog. The teacher sees the book.\nthe teacher sees the dog. the teacher sees the book.\n"
    )


def test_a_label_that_no_rule_has(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    told = f"has 7, but rules of '{model.name}' have no such label; theirs: 0\n"
    for name in ("glue", "start"):
        failed = pentaglot("translate", model, f"--{name}-labels", "7", stdin=LINE)
        assert failed.returncode == 2 and failed.stderr == f"pentaglot: '{name}_labels' {told}"
    mine = shutil.copytree(model, tmp_path / "mine")
    options = (mine / "pentaglot.toml").read_text("utf-8")
    assert options.count("start_labels = []") == 1
    (mine / "pentaglot.toml").write_text(options.replace("start_labels = []", "start_labels = [7]"), "utf-8")
    failed = pentaglot("translate", "mine", stdin=LINE)
    assert failed.returncode == 2 and failed.stderr == f"pentaglot: mine/pentaglot.toml: 'start_labels' {told}"


def test_answers_line_by_line(model: Path) -> None:
    with subprocess.Popen(
        [*PENTAGLOT, "translate", str(model), "--threads", "4"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for _ in range(3):
            process.stdin.write(LINE + "\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith("The teacher")
        process.stdin.close()
        assert process.stdout.read() == ""
    assert process.returncode == 0


def test_limits_are_told(pentaglot: Run, model: Path) -> None:
    done = pentaglot("translate", model, "--hypotheses", "3", "--json", stdin=f"{LINE}\n\n{LINE}\n")
    assert done.returncode == 0
    assert [json.loads(row)["limited"] for row in done.stdout.splitlines()] == [True, False, True]
    assert "2 of 3 lines met a limit and got the best translation found so far" in done.stderr
    listed = pentaglot("translate", model, "--seconds", "0.000001", "--nbest", "1", stdin=f"{LINE}\n")
    assert " limited= 1 ||| " in listed.stdout
    assert "the line met a limit" in listed.stderr
    free = pentaglot("translate", model, "--nbest", "1", stdin=f"{LINE}\n")
    assert "limited" not in free.stdout and free.stderr == ""


def test_options_of_the_search(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    def score(*options: str) -> float:
        done = pentaglot("translate", model, "--json", *options, stdin=f"{LINE}\n")
        assert done.returncode == 0, done.stderr
        return float(json.loads(done.stdout)["nbest"][0]["score"])

    hurried = ("--pop-limit", "1", "--stack-size", "1", "--translations", "1", "--distortion-limit", "0")
    assert score(*hurried) <= score()
    (tmp_path / "a.toml").write_text(
        "[search]\npop_limit = 1\nstack_size = 1\ntranslations = 1\ndistortion-limit = 0\n"
    )
    assert score("--config", "a.toml") == score(*hurried)
    done = pentaglot("translate", model, "--pop-limit", "0", stdin="")
    assert done.returncode == 2 and "'pop_limit' is 0; it must be from 1 to " in done.stderr


def test_other_weights(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    line = "Die Katze sieht den Hund nicht.\n"
    own = pentaglot("translate", model, stdin=line).stdout
    same = pentaglot("translate", model, "--weights", model / "weights.txt", stdin=line)
    assert same.stdout == own
    (tmp_path / "short").write_text("words -20\nlanguage_model 0.1\n", "utf-8")
    short = pentaglot("translate", model, "--weights", tmp_path / "short", stdin=line).stdout
    assert 0 < len(short.split()) < len(own.split())
    (tmp_path / "wrong").write_text("words -20\nlanguage_modl 0.1\n", "utf-8")
    wrong = pentaglot("translate", model, "--weights", tmp_path / "wrong", stdin=line)
    assert wrong.returncode == 2 and "wrong:2: " in wrong.stderr and "language_model" in wrong.stderr
    (tmp_path / "empty").write_text("# none yet\n", "utf-8")
    empty = pentaglot("translate", model, "--weights", tmp_path / "empty", stdin=line)
    assert empty.returncode == 2 and not empty.stdout and "empty: has no weights" in empty.stderr


def test_spans_mean_the_same_everywhere(pentaglot: Run, model: Path) -> None:
    def rules(*options: str) -> float:
        done = pentaglot("translate", model, "--json", *options, stdin=f"{LINE}\n")
        assert done.returncode == 0, done.stderr
        return float(json.loads(done.stdout)["nbest"][0]["features"]["rules"])

    assert rules() < 6
    for search in ("chart", "stack"):
        assert rules("--max-span", "1", "--search", search) == rules("--input-span", "1", "--search", search) == 6
    for command in ("train", "translate"):
        shown = " ".join(pentaglot(command, "--help").stdout.split())
        assert "--max-span INTEGER most words a rule covers on the source side, gaps included" in shown
        assert "--min-gap INTEGER fewest words that a gap covers, in the training text and in the input" in shown
    done = pentaglot("translate", model, "--search", "stack", "--max-gaps", "1", stdin=f"{LINE}\n")
    assert done.returncode == 2 and "the stack search uses no rules with gaps" in done.stderr


def test_beginnings(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "begun").write_text("That tea\n\nZorblax \n")
    done = pentaglot("translate", model, "--prefix", "begun", stdin=f"{LINE}\n{LINE}\n{LINE}\n")
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert first.startswith("That tea") and second.startswith("The teacher") and third.startswith("Zorblax ")
    done = pentaglot("translate", model, "--prefix", "begun", stdin=f"{LINE}\n")
    assert done.returncode == 2 and "begun: goes on after 1 line" in done.stderr
    done = pentaglot("translate", model, "--prefix", "begun", stdin=f"{LINE}\n" * 4)
    assert done.returncode == 2 and "begun: ends after 3 lines" in done.stderr


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("demand", ["--prefix", "--references"])
def test_a_line_too_long_for_demands_is_named(
    pentaglot: Run, model: Path, tmp_path: Path, demand: str, threads: str
) -> None:
    (tmp_path / "input").write_text(f"{LINE}\n{' '.join([LINE] * 60)}\n{LINE}\n")
    (tmp_path / "given").write_text("The\nThe\nThe\n")
    done = pentaglot("translate", model, "input", demand, "given", "--threads", threads)
    assert done.returncode == 2
    assert done.stderr.startswith("pentaglot: input:2: a line of 360 words is too long")
    assert len(done.stdout.splitlines()) == 1


def test_references(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    found = json.loads(pentaglot("translate", model, "--json", stdin=f"{LINE}\n").stdout)
    best, score = found["text"], found["nbest"][0]["score"]
    (tmp_path / "wanted").write_text(f"{best}\nThe zorblax\n")
    done = pentaglot("translate", model, "--references", "wanted", stdin=f"{LINE}\n{LINE}\n")
    assert done.returncode == 0, done.stderr
    reached, missed = (row.split(" ||| ") for row in done.stdout.splitlines())
    assert reached[1] == best and "language_model= " in reached[2] and float(reached[3]) >= score - 0.01
    assert missed[1].lower() == "the" and missed[2] == "reached= 1" and missed[3] == "-inf"
    assert "1 of 2 references can be reached" in done.stderr
    done = pentaglot("translate", model, "--references", "wanted", "--json", stdin=f"{LINE}\n{LINE}\n")
    one, other = map(json.loads, done.stdout.splitlines())
    assert one["reachable"] and one["derivations"] >= 1 and one["features"]["words"] == one["words"]
    assert not other["reachable"] and other["words"] == 2
    done = pentaglot("translate", model, "--references", "wanted", "--nbest", "2", stdin="")
    assert done.returncode == 2 and "--references must be used alone" in done.stderr


def test_marks(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    marked = 'Der <fix translation="R&amp;B <X> QuX">Lehrer</fix> sieht das <keep>Buch</keep>.\n'
    done = pentaglot("translate", model, "--markup", stdin=marked.replace("<X>", "&lt;X&gt;"))
    assert done.returncode == 0, done.stderr
    assert "R&B <X> QuX" in done.stdout and "Buch" in done.stdout
    raw = pentaglot("translate", model, stdin="Das <keep>Buch</keep>\n")
    assert "keep" in raw.stdout and "book" in raw.stdout.lower()
    (tmp_path / "kept").write_text("Buch\n")
    (tmp_path / "terms").write_text("Lehrer\tprofessor QuX\n")
    done = pentaglot("translate", model, "--keep", "kept", "--glossary", "terms", stdin=f"{LINE}\n")
    assert "professor QuX" in done.stdout and "Buch" in done.stdout
    for text, complaint in (
        ("gut\nDas <keep>Buch\n", "standard input:2: '<keep>' is never closed (column 5)"),
        ("a & b\n", "standard input:1: '&' is not valid markup (column 3); write '&amp;' for the sign itself"),
    ):
        done = pentaglot("translate", model, "--markup", stdin=text)
        assert done.returncode == 2 and complaint in done.stderr, done.stderr
        assert len(done.stderr.splitlines()) == 1
    (tmp_path / "terms").write_text("Lehrer\n")
    done = pentaglot("translate", model, "--glossary", "terms", stdin="")
    assert done.returncode == 2 and "a line needs a term, a tab and its translation" in done.stderr


def test_lattices(pentaglot: Run, model: Path) -> None:
    single = ", ".join(f"(('{word}', 0, 1),)" for word in ("Lehrer", "sieht", "das", "Buch"))
    lattice = f"((('Der', 0, 1), ('Die', -9, 1)), {single})"
    done = pentaglot("translate", model, "--lattices", "plf", "--json", stdin=f"{lattice}\n\n")
    assert done.returncode == 0, done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["source"].split()[1:] == ["Lehrer", "sieht", "das", "Buch"]
    assert first["text"].lower().startswith("the teacher") and second["text"] == ""
    done = pentaglot("translate", model, "--lattices", "plf", stdin=f"{lattice}\n(('x'\n")
    assert done.returncode == 2 and "standard input:2: " in done.stderr
    assert len(done.stderr.splitlines()) == 1
    head = '{"format": "pentaglot lattice", "version": 1, "nodes": 2,'
    for rest in ('"finals": [7], "arcs": []}', '"finals": [1], "arcs": [{"from": 1, "to": 0, "words": ["Buch"]}]}'):
        done = pentaglot("translate", model, "--lattices", "json", stdin=f"\n{head} {rest}\n")
        assert done.returncode == 2 and done.stderr.startswith("pentaglot: standard input:2: "), done.stderr
    done = pentaglot("translate", model, "--lattices", "json", "--markup", stdin="")
    assert done.returncode == 2 and "--lattices cannot have" in done.stderr


def test_an_error_does_not_wait_for_input(model: Path) -> None:
    with subprocess.Popen(
        [*PENTAGLOT, "translate", str(model), "--lattices", "plf", "--threads", "3"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write("(('x'\n")
        process.stdin.flush()
        assert process.wait(60) == 2
        assert process.stderr.read().endswith("a parenthesis is missing\n")


def test_a_sentence_is_no_file(pentaglot: Run, model: Path) -> None:
    done = pentaglot("translate", model, LINE)
    sentence = f"{LINE}: no such file; give sentences on standard input, not here"
    assert (done.returncode, done.stderr) == (2, f"pentaglot: {sentence}\n")


def test_a_line_that_begins_with_a_term_begins_as_typed(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    """A term takes the case of its place: in small letters, as without it."""
    (tmp_path / "terms").write_text("hund\thound\nlehrer\tprofessor\n")
    (tmp_path / "kept").write_text("hund\n")
    lines = "hund sieht das Buch\nHund sieht das Buch\nDas Buch. hund sieht\n"
    plain = pentaglot("translate", model, stdin=lines).stdout.splitlines()
    for given in (("--glossary", "terms"), ("--keep", "kept")):
        done = pentaglot("translate", model, *given, stdin=lines)
        assert done.returncode == 0, done.stderr
        found = done.stdout.splitlines()
        assert not found[0][0].isupper() and not plain[0][0].isupper(), (found, plain)
        assert found[1][0].isupper() and plain[1][0].isupper(), (found, plain)
    assert pentaglot("translate", model, "--glossary", "terms", stdin="HUND SIEHT DAS BUCH\n").stdout.isupper()
