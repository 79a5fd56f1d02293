"""`pentaglot preorder` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.order.toy import examples


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[str, str]:
    """Sentences, and the same words in another order and in capitals; links between them."""
    given = examples(300)
    (tmp_path / "c.en").write_text("".join(" ".join(words) + "\n" for words, _ in given))
    (tmp_path / "c.ja").write_text("".join(" ".join(each.apply(words)).upper() + "\n" for words, each in given))
    lines = (" ".join(f"{word}-{rank}" for word, rank in enumerate(each.ranks)) + "\n" for _, each in given)
    (tmp_path / "links").write_text("".join(lines))
    return "c.en", "c.ja"


def few(*more: str) -> tuple[str, ...]:
    return ("--binary-states", "4", "--iterations", "6", "-q", *more)


def test_train_apply_show(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    done = pentaglot("preorder", "train", *corpus, "-o", "grammar", "--links", "links", "--binary-states", "4")
    assert done.returncode == 0 and "learnt from" in done.stderr, done.stderr
    assert not (tmp_path / ".grammar.work").exists()
    line = "the dog sees the old cat"
    applied = pentaglot("preorder", "apply", "grammar", "--orders", "orders", stdin=line + "\n\n")
    assert (applied.returncode, applied.stdout) == (0, "the dog the old cat sees\n\n"), applied.stderr
    assert (tmp_path / "orders").read_text() == "0 1 3 4 5 2\n\n"
    best = pentaglot("preorder", "apply", "grammar", "--kbest", "2", "--samples", "500", stdin=line + "\n")
    fields = [each.split(" ||| ") for each in best.stdout.splitlines()]
    assert fields[0][:2] == ["0", "the dog the old cat sees"] and float(fields[0][2]) <= float(fields[-1][2])
    shown = pentaglot("preorder", "show", line, line.upper(), "--grammar", "grammar", "--links", "0-0 2-5 5-4")
    assert shown.returncode == 0 and "the dog the old cat sees" in shown.stdout, shown.stderr
    assert "before: 1 crossing\n" in shown.stdout and "after: 0 crossings" in shown.stdout
    odd = "the old dog old old dog sees cat sees"  # the order of its likeliest tree is not what is chosen
    told = pentaglot("preorder", "show", odd, "--grammar", "grammar").stdout
    assert "\nthe old dog old old dog cat sees sees\n" in told and told.endswith(f"chooses another order: {odd}\n")
    assert "another order" not in shown.stdout
    drawn = pentaglot("preorder", "show", line, "--grammar", "grammar", "--svg", "tree.svg")
    assert (drawn.returncode, drawn.stdout) == (0, "") and (tmp_path / "tree.svg").read_text().startswith("<svg ")


def test_the_house_aligns(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    outputs = set()
    for threads in ("1", "2"):
        place = f"grammar{threads}"
        done = pentaglot("preorder", "train", *corpus, "-o", place, "--threads", threads, *few())
        assert done.returncode == 0, done.stderr
        outputs.add((tmp_path / place / "slots.npy").read_bytes())
    assert len(outputs) == 1
    applied = pentaglot("preorder", "apply", "grammar1", stdin="the child likes the red house\n")
    assert applied.stdout == "the child the red house likes\n"


def test_the_tree_of_links(pentaglot: Run) -> None:
    shown = pentaglot("preorder", "show", "a b c d", "w x y z", "--links", "0-1 1-3 2-0 3-2")
    assert shown.stdout.startswith("2413\n├─ a → 2\n"), shown.stderr
    assert "c a d b" in shown.stdout


def test_all_trees_of_links(pentaglot: Run, tmp_path: Path) -> None:
    """Spec 7.1: an inverted sentence of four words has five trees."""
    given = ("preorder", "show", "a <b> c d", "w x y z", "--links", "0-3 1-2 2-1 3-0")
    shown = pentaglot(*given)
    assert shown.stdout.endswith("\n5 trees give this order: --forest --svg FILE draws them\n"), shown.stdout
    words, links = (" ".join(each) for each in (["a"] * 1000, (f"{n}-{n}" for n in range(1000))))
    many = pentaglot("preorder", "show", words[:199], words[:199], "--links", links[: links.index(" 100-")])
    assert many.stdout.endswith("more than 10^56 trees give this order: --forest --svg FILE draws them\n"), "Cat(99)"
    refused = pentaglot("preorder", "show", words, words, "--links", links, "--forest", "--svg", "many.svg")
    assert refused.returncode == 2 and "too many trees" in refused.stderr and not (tmp_path / "many.svg").exists()
    assert "trees give" not in pentaglot("preorder", "show", "a b", "w x", "--links", "0-1 1-0").stdout
    assert pentaglot(*given, "--forest", "--svg", "forest.svg").returncode == 0
    picture = (tmp_path / "forest.svg").read_text()
    assert "5 derivations" in picture and ">&lt;b&gt; c<" in picture and "<b>" not in picture
    for more in (("--forest",), ("--forest", "--svg", "x.svg", "--grammar", "nowhere")):
        refused = pentaglot(*given, *more)
        assert refused.returncode == 2 and "--forest draws the trees of links into a file" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "c.en", "c.ja", "-o", "g", "--links", "short"), "has 1 line of links for 300 sentence pairs"),
        (
            ("train", "c.en", "c.ja", "-o", "g", "--links", "wrong"),
            "wrong:2: 99-0 links words that are not there",
        ),
        (("train", "c.en", "c.ja", "-o", "g", "--links", "none"), "no sentence to learn an order from"),
        (("train", "-", "-", "-o", "g"), "standard input (-) can be read only once"),
        (("train", "c.en", "c.ja", "-o", "g", "--attach", "above"), "above"),
        (("train", "c.en", "c.ja", "-o", "g", "--attach", "none"), "words without links must be attached somewhere"),
        (("train", "c.en", "c.ja", "-o", "g", "--classes", "1"), "give at least 2 classes, or 0 for none"),
        (("train", "c.en", "c.ja", "-o", "g", "--classes", "1001"), "it must be from 0 to 1000"),
        (
            ("train", "c.en", "c.ja", "-o", "g", "--least-words", "51"),
            "no sentence has at least 51 and at most 50 words; option 'least_words' must not be larger",
        ),
        (("apply", "nowhere"), "there is no reordering grammar here"),
        (("show", "a b"), "give --grammar, or TARGET and links"),
        (("show", "a b", "c", "--links", "0-5"), "'0-5' links words that are not there"),
        (("show", "a b", "c", "--links", "x"), "'x' is not a link"),
        (
            ("show", "a b", "c", "--links", "0-" + "9" * 5000),
            "'0-999999999999999999…' has a position that is too large",
        ),
        (("apply", "nowhere", "-o", "x", "--orders", "x"), "x: two outputs would be written here"),
        (("apply", "nowhere", "--orders", "-"), "two outputs would be written to standard output; name a file for"),
        (("lattice", "nowhere", "--svg", "-"), "two outputs would be written to standard output"),
        (("apply", "nowhere", "--kbest", "2", "--orders", "x"), "--orders is of no use with --kbest"),
        (("show", "a b", "--links", "0-0"), "links need a TARGET"),
        (("show", "", "c", "--links", ""), "no words"),
    ],
)
def test_bad_input(
    pentaglot: Run, corpus: tuple[str, str], tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "short").write_text("0-0\n")
    (tmp_path / "wrong").write_text("0-0\n99-0\n" + "\n" * 298)
    (tmp_path / "none").write_text("\n" * 300)
    done = pentaglot("preorder", *arguments)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1 or "finding" in done.stderr or "reading" in done.stderr


def test_words_without_links_are_attached_somewhere(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    """What cannot be is refused before the work, with its line, and not offered."""
    (tmp_path / "config.toml").write_text("[preorder]\ntrees = 'pet'\nattach = []\n")
    done = pentaglot("preorder", "train", *corpus, "-o", "g", "--config", "config.toml")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "config.toml:3: option 'attach': words without links must be attached somewhere" in done.stderr
    told = " ".join(pentaglot("preorder", "train", "--help").stdout.replace("-\n", "").split())
    assert "separated by commas [default: right-bottom]" in told
    assert "or none [default:" in " ".join(pentaglot("translate", "--help").stdout.split())


def test_lengths_that_no_sentence_has(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    """They are refused before the text is aligned; a flag may complete what a file says."""
    (tmp_path / "config.toml").write_text("[preorder]\nleast_words = 51\n")
    for command in (("preorder", "train", "-o", "g"), ("train", "-o", "m", "--preorder", "pet")):
        done = pentaglot(*command, *corpus, "--config", "config.toml")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "no sentence has at least 51 and at most 50 words" in done.stderr
    done = pentaglot("preorder", "train", *corpus, "-o", "g", "--config", "config.toml", "--most-words", "60")
    assert done.returncode == 2 and "there is no sentence to learn an order from" in done.stderr


def test_a_damaged_grammar(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    pentaglot("preorder", "train", *corpus, "-o", "grammar", "--links", "links", *few())
    (tmp_path / "grammar" / "words.npy").write_bytes(b"12")
    done = pentaglot("preorder", "apply", "grammar", stdin="a\n")
    assert done.returncode == 2 and "words.npy" in done.stderr and "cut short" in done.stderr


def test_lattices(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    assert pentaglot("preorder", "train", *corpus, "-o", "grammar", "--links", "links", *few()).returncode == 0
    lines = "the dog sees the old cat\n\ndog\n"
    command = ("preorder", "lattice", "grammar", "--orders", "5", "--svg", "a.svg", "--threads")
    outputs = [pentaglot(*command, threads, stdin=lines) for threads in ("1", "2")]
    assert outputs[0].returncode == 0 and outputs[0].stdout == outputs[1].stdout, outputs[0].stderr
    read = outputs[0].stdout.split("\n")
    assert len(read) == 4 and read[1] == "" and json.loads(read[0])["format"] == "pentaglot lattice"
    assert "<svg" in (tmp_path / "a.svg").read_text()
    shown = pentaglot("preorder", "lattice", "grammar", "--show", stdin=lines)
    assert shown.returncode == 0 and "the dog the old cat sees" in " ".join(shown.stdout.split())
    later = pentaglot("preorder", "lattice", "grammar", "--svg", "b.svg", "--orders", "5", stdin="\n" + lines)
    assert (later.returncode, later.stderr) == (0, "") and (tmp_path / "b.svg").read_text() == (
        tmp_path / "a.svg"
    ).read_text(), "of the first line that has words"
    none = pentaglot("preorder", "lattice", "grammar", "--svg", "c.svg", stdin="\n")
    assert (none.returncode, none.stdout) == (0, "\n") and not (tmp_path / "c.svg").exists()
    assert none.stderr == "no line has words, so c.svg is not written\n"
    few_orders = pentaglot(
        "preorder", "lattice", "grammar", "--samples", "0", "--show", stdin="the dog sees the old cat\n"
    )
    assert len(few_orders.stdout.strip().splitlines()) == 3, "the best order and the one as typed; none is drawn"
    best = [
        pentaglot("preorder", "apply", "grammar", "--kbest", "3", "--threads", threads, stdin=lines * 20)
        for threads in ("1", "8")
    ]
    assert best[0].returncode == 0 and best[0].stdout == best[1].stdout and best[0].stderr == best[1].stderr
    assert [row.split(" ||| ")[0] for row in best[0].stdout.splitlines()][-1] == "59", "empty lines are counted"
    refused = pentaglot("preorder", "apply", "grammar", "--kbest", "2", "--samples", "0", stdin=lines)
    assert refused.returncode == 2 and "--kbest needs orders that are drawn" in refused.stderr
    wrong = pentaglot("preorder", "lattice", "nothing", stdin=lines)
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr


def test_a_system_in_another_order(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "some.toml").write_text(
        "[preorder]\nbinary_states = 4\niterations = 6\n[order]\norders = 10\nsamples = 100\n"
    )
    common = ("--tokenizer", "none", "--order", "2", "--word-classes", "0", "--hold-out", "0", "-q")
    train = ("train", *corpus, "--alignment", "links", "--system", "phrase", "--config", "some.toml", *common)
    done = pentaglot(*train, "-o", "model", "--preorder", "itg")
    assert done.returncode == 0, done.stderr
    line, answer = "the dog sees the old cat\n", "THE DOG THE OLD CAT SEES\n"
    for more in ((), ("--orders", "1"), ("--orders", "50")):
        found = pentaglot("translate", "model", *more, stdin=line)
        assert (found.returncode, found.stdout) == (0, answer), found.stderr
    (tmp_path / "answers").write_text(answer)
    assert pentaglot("translate", "model", "--order-by", "answers", stdin=line).stdout == answer
    assert "dog" in pentaglot("explain", "model", line.strip()).stdout
    assert "found nothing" not in pentaglot("find", "model", "sees the").stdout
    short = pentaglot("translate", "model", "--order-by", "answers", stdin=line * 2)
    assert short.returncode == 2 and "ends after 1 line" in short.stderr
    assert pentaglot(*train, "-o", "gold", "--preorder", "gold").returncode == 0
    refused = pentaglot("translate", "gold", stdin=line)
    assert refused.returncode == 2 and "known only where there is a translation" in refused.stderr
    assert pentaglot("translate", "gold", "--order-by", "answers", stdin=line).stdout == answer
    assert pentaglot(*train, "-o", "plain").returncode == 0
    for more in (("--orders", "5"), ("--order-by", "answers")):
        odd = pentaglot("translate", "plain", *more, stdin=line)
        assert odd.returncode == 2 and "trained with --preorder" in odd.stderr
    assert pentaglot(*train, "-o", "weighed", "--preorder", "itg", "--reorder-by", "search").returncode == 0
    odd = pentaglot("translate", "weighed", "--order-by", "answers", stdin=line)
    assert odd.returncode == 2 and "would change nothing: this model keeps text as it was typed" in odd.stderr
    odd = pentaglot("translate", "weighed", "--arcs", "5", "--lattice-from", "chart", stdin=line)
    assert odd.returncode == 2 and "--lattice-from would change nothing: this model keeps text as it" in odd.stderr
    assert "leave out --lattice-from and --arcs" in odd.stderr
    shared = pentaglot("translate", "weighed", "--config", "some.toml", stdin=line)
    assert shared.returncode == 0, "a file may have options for other models"
    odd = pentaglot("translate", "plain", "--config", "some.toml", stdin=line)
    assert odd.returncode == 2 and "leave out the table [order]" in odd.stderr
    odd = pentaglot("translate", "model", "--lattices", "json", "--order-by", "answers", stdin=line)
    assert odd.returncode == 2 and "--lattices cannot have a prefix, a known order, marks or terms" in odd.stderr
    odd = pentaglot(*train, "-o", "odd", "--preorder", "upwards")
    assert odd.returncode == 2 and "must be one of left, right, itg, pet, gold" in odd.stderr


def test_lines_of_any_length(pentaglot: Run, corpus: tuple[str, str], tmp_path: Path) -> None:
    assert pentaglot("preorder", "train", *corpus, "-o", "grammar", "--links", "links", *few()).returncode == 0
    endless = "dog " * 66_000
    (tmp_path / "text").write_text(f"the dog sees the old cat\n{endless}\n")
    done = pentaglot("preorder", "apply", "grammar", "text", "--orders", "orders")
    assert (done.returncode, done.stderr) == (0, "line 2 has 66000 words: it is left as typed\n")
    assert done.stdout == f"the dog the old cat sees\n{endless.strip()}\n"
    assert (tmp_path / "orders").read_text().splitlines()[1] == " ".join(map(str, range(66_000)))
    (tmp_path / "text").write_text("the dog sees the old cat\n" * 2 + "dog sees cat " * 60 + "\n")
    pieces = pentaglot("preorder", "apply", "grammar", "text")
    assert (pieces.returncode, pieces.stderr) == (0, "line 3 has 180 words: its pieces are ordered one by one\n")
    odd = pentaglot("preorder", "apply", "grammar", "--no-boundaries", stdin="odd odder\n" + "odd " * 300 + "\n")
    assert odd.returncode == 0 and len(odd.stdout.split()) == 302
    assert odd.stderr.splitlines()[-2:] == [
        "line 2 has 300 words: its pieces are ordered one by one",
        "line 2 has no tree: only parts of it are ordered",
    ]
    strange = pentaglot("preorder", "apply", "grammar", stdin="qui quae quod !\n! !\n\nqui cat quod\n")
    assert strange.stdout.splitlines()[:3] == ["qui quae quod !", "! !", ""] and strange.returncode == 0
    known = [line for line in strange.stderr.splitlines() if "no tree" not in line]
    assert known == ["line 1 has only words that the grammar does not know"]
    best = pentaglot("preorder", "apply", "grammar", "text", "--kbest", "3")
    assert (best.returncode, best.stderr) == (0, "line 3 has 180 words: it has one order\n")
    assert [line.split()[0] for line in best.stdout.splitlines()].count("2") == 1
    for command in ("apply", "--kbest", "2"), ("lattice", "--orders", "4"), ("lattice", "--lattice-from", "chart"):
        told = pentaglot("preorder", command[0], "grammar", *command[1:], stdin="qui quae quod !\n\n! !\nqui\ndog\n")
        known = [line for line in told.stderr.splitlines() if "no tree" not in line]
        assert told.returncode == 0 and known == [
            f"line {line} has only words that the grammar does not know" for line in (1, 4)
        ]
        assert "line 4 has no tree" not in told.stderr, "there is nothing to order"
    made = pentaglot("preorder", "lattice", "grammar", "text", "--lattice-from", "chart", "--arcs", "40")
    assert (made.returncode, made.stderr) == (0, "line 3 has 180 words: it has one order\n")
    first, _, last = (json.loads(line) for line in made.stdout.splitlines())
    assert len(first["arcs"]) <= 40 and len(last["arcs"]) == 180


def test_closed_streams_are_named(pentaglot: Run, tmp_path: Path) -> None:
    program = f"exec {sys.executable} -m pentaglot preorder show 'a b' 'c d' --links '0-1 1-0'"
    closed = subprocess.run(["sh", "-c", program + " >&-"], capture_output=True, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (
        2,
        "pentaglot: standard output: is closed; leave it open, or name a file\n",
    )
    silent = subprocess.run(["sh", "-c", program + " 2>&- <&-"], capture_output=True, text=True, check=False)
    assert silent.returncode == 0 and silent.stdout.startswith("21\n")
