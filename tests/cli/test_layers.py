"""Layers, metadata and treebanks on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import EXAMPLES, Run

TREE = """# sent_id = 1
# text = der Hund sieht das Haus.
1\tder\tder\tDET\t_\t_\t2\tdet\t_\t_
2\tHund\tHund\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsieht\tsehen\tVERB\t_\t_\t0\troot\t_\t_
4\tdas\tder\tDET\t_\t_\t5\tdet\t_\t_
5\tHaus\tHaus\tNOUN\t_\t_\t3\tobj\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for language in ("de", "en"):
        lines = (EXAMPLES / f"train.{language}").read_text("utf-8").splitlines()[:100]
        (tmp_path / f"a.{language}").write_text("\n".join(lines) + "\n", "utf-8")
        sizes = (" ".join(str(len(word)) for word in line.split()) for line in lines)
        (tmp_path / f"sizes.{language}").write_text("\n".join(sizes) + "\n")
    (tmp_path / "domains").write_text("law\n" * 99 + "art\n")
    (tmp_path / "in.de").write_text("der Hund sieht das Haus.\n")
    (tmp_path / "in.conllu").write_text(TREE)
    return tmp_path


def _layers(pentaglot: Run, index: str) -> list[str]:
    found: list[str] = json.loads(pentaglot("index", "info", index, "--json").stdout)["layers"]
    return found


def test_from_training_to_merging(pentaglot: Run, folder: Path) -> None:
    trained = pentaglot(
        "train", "a.de", "a.en", "-o", "model", "--hold-out", "0", "--word-classes", "0", "--order", "2", "-q",
        "--source-layer", "size=sizes.de", "--target-layer", "size=sizes.en", "--metadata", "domain=domains",
    )  # fmt: skip
    assert trained.returncode == 0, trained.stderr
    assert _layers(pentaglot, "model") == ["source size", "target size", "pairs domain"]
    plain = pentaglot("translate", "model", "in.de")
    for arguments in (["in.conllu"], ["in.de", "--domain", "law"], ["in.conllu", "--keep", "terms"]):
        (folder / "terms").write_text("Zebra\n")
        assert pentaglot("translate", "model", *arguments).stdout == plain.stdout
    _check_pipes_and_lattices(pentaglot, plain.stdout)
    added = pentaglot("add", "model", "ein Zebra", "a zebra", "--domain", "art", "-q")
    assert (added.returncode, added.stdout) == (0, "1\n")
    (folder / "zebra.en").write_text("the dog sees the zebra.\n")
    assert pentaglot("add", "model", "--from", "in.conllu", "zebra.en", "-q").stdout == "2\n"
    assert pentaglot("index", "layer", "model", "--source-layer", "big=sizes.de").returncode == 0
    assert pentaglot("index", "merge", "model", "-q").returncode == 0
    layers = _layers(pentaglot, "model")
    assert layers[:2] == ["source big", "source deprel"] and "pairs id" in layers
    tuned = pentaglot(
        "tune", "model", "--dev", "in.conllu", "zebra.en", "--domain", "law", "--rounds", "1", "--no-set-length", "-q"
    )
    assert tuned.returncode == 0, tuned.stderr


def _check_pipes_and_lattices(pentaglot: Run, translation: str) -> None:
    for arguments in ([], ["--domain", "law"]):
        assert pentaglot("translate", "model", *arguments, stdin=TREE).stdout == translation
    assert translation.strip() in pentaglot("explain", "model", stdin=TREE).stdout
    lattice = "((('der', 0, 1),), (('Hund', 0, 1),))\n"
    done = pentaglot("translate", "model", "--lattices", "plf", "--domain", "law", stdin=lattice)
    assert done.returncode == 0 and done.stdout == pentaglot("translate", "model", stdin="der Hund\n").stdout
    for arguments, given, message in (
        (["--markup"], TREE, "--markup cannot be combined with a treebank"),
        (["--markup", "--domain", "law"], "x\n", "--markup cannot be combined with layers or metadata"),
        (["--lattices", "plf", "--source-layer", "size=sizes.de"], lattice, "lattices cannot have layers"),
        (["--lattices", "plf", "--metadata", "domain=domains"], lattice, "domains: goes on after 1 line"),
        ([], TREE.replace("\t0\troot", "\t9\troot"), "standard input:5: the head '9' is not one of"),
    ):
        done = pentaglot("translate", "model", *arguments, stdin=given)
        assert done.returncode == 2 and message in done.stderr, done.stderr


def test_treebanks_are_text(pentaglot: Run, folder: Path) -> None:
    assert pentaglot("corpus", "tokenise", "in.conllu").stdout == "der Hund sieht das Haus ￭.\n"
    (folder / "pairs.tsv").write_text("Haus\thouse\testate\nHund\tdog\n")
    done = pentaglot("corpus", "convert", "pairs.tsv", "-o", "p.de", "-p", "p.en", "--domains", "p.domain")
    assert done.returncode == 0 and (folder / "p.domain").read_text() == "estate\n\n"
    assert (folder / "p.en").read_text() == "house\ndog\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.de", "--source-layer", "x=few"], "few:1: the layer 'x' has 2 values for 5 words"),
        (["in.de", "--source-layer", "head=cycle"], "cycle:1: word 1 depends on itself"),
        (["in.de", "--source-layer", "head=outside"], "outside:1: the head of word 1 is 9"),
        (["in.de", "--metadata", "domain=empty"], "empty: ends after 0 lines, but in.de goes on"),
        (["in.de", "--source-layer", "x=nowhere"], "nowhere: no such file"),
        (["in.de", "--source-layer", "x"], "'x' is not a name and a file; write --source-layer NAME=FILE"),
        (["in.de", "--source-layer", "a b=few"], "a layer cannot be called 'a b'"),
        (["in.de", "--domain", "x", "--markup"], "--markup cannot be combined with layers or metadata"),
        (["bad.conllu"], "bad.conllu:5: the head '9' is not one of the 6 words of the sentence"),
        (["round.conllu"], "round.conllu:3: word 3 depends on itself"),
    ],
)
def test_bad_input_to_translate(pentaglot: Run, model: Path, folder: Path, arguments: list[str], message: str) -> None:
    files = {"few": "1 2\n", "cycle": "2 1 0 0 0\n", "outside": "9 0 0 0 0\n", "empty": ""}
    files |= {
        "bad.conllu": TREE.replace("\t0\troot", "\t9\troot"),
        "round.conllu": TREE.replace("\t0\troot", "\t3\troot"),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    done = pentaglot("translate", model, *arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.startswith(f"pentaglot: {message}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_bad_input_to_other_commands(pentaglot: Run, model: Path, folder: Path) -> None:
    (folder / "few").write_text("1 2\n")
    own = Path(shutil.copytree(model, folder / "own"))
    for arguments, message in (
        (["train", "a.de", "a.en", "-o", "new", "--source-layer", "x=few"], "few:1: the layer 'x' has 2 values"),
        (["train", "a.de", "a.en", "-o", "new", "--metadata", "domain=few"], "few: ends after 1 line"),
        (["tune", "own", "--dev", "in.de", "in.de", "--source-layer", "x=few"], "few:1: the layer 'x' has 2 values"),
        (["add", "own", "--from", "in.de", "in.de", "--target-layer", "x=few"], "few:1: the layer 'x' has 2 values"),
        (["index", "layer", "own", "--source-layer", "x=few"], "few:1: the layer 'x' has 2 values"),
        (["index", "layer", "own", "--source", "in.conllu"], "in.conllu:1: the words of this line cannot be found"),
    ):
        done = pentaglot(*arguments)
        assert done.returncode == 2 and "Traceback" not in done.stderr
        assert f"pentaglot: {message}" in done.stderr, (arguments, done.stderr)
    assert not (folder / "new" / "pentaglot.toml").exists() and _layers(pentaglot, str(own)) == []
    for arguments in (["index", "layer", "own"], ["add", "own", "--list", "--domain", "x"]):
        assert pentaglot(*arguments).returncode == 2
