"""A model grows: what is added changes the next translation, for everybody, until it is removed; merging keeps it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot import PentaglotError
from pentaglot.align import Aligner
from pentaglot.explain import explain
from pentaglot.systems import Translator, merge
from pentaglot.systems.linking import aligned_words
from pentaglot.systems.model import Model

LINE, ANSWER = "Der schöne Arzt kauft den großen Hund.", "That handsome physician acquires a huge puppy."
LONG = "Ich weiß, dass der Lehrer die Katze sieht, und ich weiß, dass der Arzt den großen Hund kauft, aber nicht wo."


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    """A model of one's own."""
    return Path(shutil.copytree(trained, tmp_path / "model"))


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text("utf-8").splitlines()


def test_a_correction_is_seen_at_once_and_by_others(model: Path) -> None:
    translator, other = Translator.open(model), Translator.open(model)
    before = translator.translate(LINE).text
    assert before != ANSWER
    for number, (source, target) in enumerate(((LINE, ANSWER), (LONG, "Such a long line!"), ("Hund .", "Dog?")), 1):
        assert translator.add(source, target).number == number
        assert translator.translate(source).text == target
        assert Translator.open(model).translate(source).text == target, "survives a restart"
        assert other.translate(source).text != target
    other.refresh()
    assert other.translate(LINE).text == ANSWER
    assert [pair.number for pair in other.added] == [1, 2, 3]
    twin = translator.with_weights({"language_model": 5.0, "words": -20.0})
    assert twin.translate(LINE).text == ANSWER, "whatever the weights are"
    assert translator.add(LINE, "Once more.").number == 4
    assert translator.translate(LINE).text == "Once more.", "the last word counts"
    translator.remove(4)
    assert translator.translate(LINE).text == ANSWER
    translator.remove(1)
    assert translator.translate(LINE).text == before
    with pytest.raises(PentaglotError, match="no added pair 1"):
        translator.remove(1)


def test_an_added_pair_keeps_its_capitals(model: Path) -> None:
    translator = Translator.open(model)
    pairs = [
        ("Der Lehrer sieht den Hund.", "the teacher McX sees it."),
        ("Die Katze sieht den Hund. ja", "„Go!“ said the NASA. yes"),
        ("Der Arzt sieht den Hund.", "1 x A, the End."),
    ]
    translator.add_all(pairs)
    for source, target in pairs:
        assert translator.translate(source).text == target
        assert next(translator.translate_all([source], nbest=2)).nbest[0][0] == target
    assert translator.translate("Der Lehrer sieht <b>den Hund</b>.").text.count("b>") == 2, "tags are put back"
    assert translator.translate("DER LEHRER SIEHT DEN HUND.").text == "THE TEACHER MCX SEES IT."
    merge(model)
    assert [Translator.open(model).translate(source).text for source, _ in pairs] == [target for _, target in pairs]


def test_new_words_are_used_in_other_sentences(model: Path) -> None:
    translator = Translator.open(model)
    assert "Quastenflosser" in translator.translate("Der Lehrer sieht den Quastenflosser.").text
    translator.add("Der Quastenflosser sieht die Katze.", "The coelacanth sees the cat.")
    text = translator.translate("Der Lehrer sieht den Quastenflosser.").text
    assert "coelacanth" in text and "Quastenflosser" not in text
    translator.add("Zwiebelfisch", "wrong fount")
    assert "wrong fount" in translator.translate("Der Lehrer sieht den Zwiebelfisch.").text


def test_merging_changes_no_translation(model: Path) -> None:
    file = model / "pentaglot.toml"
    file.write_text(re.sub(r"sample = \d+", "sample = 0", file.read_text("utf-8")), "utf-8")
    translator = Translator.open(model)
    translator.add(LINE, ANSWER, weight=3)
    translator.add("Der Quastenflosser sieht die Katze.", "The coelacanth sees the cat.")
    translator.add("Falsch.", "Wrong.")
    translator.remove(3)
    translator.add(LONG, "Such a long line!")
    texts = [LINE, LONG, "Der Lehrer sieht den Quastenflosser.", *lines("test.de")[:40]]
    before = [(each.text, each.score) for each in translator.translate_all(texts)]
    assert merge(model) == 3
    assert merge(model) == 0
    merged = Translator.open(model)
    after = [(each.text, each.score) for each in merged.translate_all(texts)]
    assert [text for text, _ in after] == [text for text, _ in before]
    assert [score for _, score in after] == pytest.approx([score for _, score in before], rel=1e-5, abs=1e-5)
    assert merged.added == ()
    assert translator.translate(LINE).text == ANSWER, "who has it open keeps what they have"
    assert merged.add("Neu.", "New.").number == 5
    assert Translator.open(model).translate("Neu.").text == "New."
    examples = [each for root in explain(merged, LINE).roots for node in root.walk() for each in node.examples]
    assert [(each.corpus, each.sentence) for each in examples] == [("", 401)]


def test_explanations_show_added_pairs(model: Path) -> None:
    translator = Translator.open(model)
    number = translator.add(LONG, "Such a long line!").number
    (root,) = explain(translator, LONG).roots
    used = [node for node in root.walk() if node.kind == "rule"]
    assert len(used) == 1
    (example,) = used[0].examples
    assert (example.corpus, example.sentence) == ("added", number)
    assert len(example.source_places) == len(example.source) == len(used[0].source)
    assert {each.feature for each in used[0].contributions} >= {"remembered", "words"}


def test_half_a_record_is_dropped_and_nothing_else(model: Path, caplog: pytest.LogCaptureFixture) -> None:
    Translator.open(model).add(LINE, ANSWER)
    journal = model / "index.additions"
    whole = journal.read_bytes()
    Translator.open(model).add("Neu.", "New.")
    second = journal.read_bytes()[len(whole) :]
    for cut in (1, len(second) // 2, len(second) - 1):
        journal.write_bytes(whole + second[:cut])
        translator = Translator.open(model)
        assert [pair.number for pair in translator.added] == [1]
        assert translator.translate(LINE).text == ANSWER
        assert "the last record is incomplete" in caplog.text
    assert translator.add("Neu.", "New.").number == 2
    assert Translator.open(model).translate("Neu.").text == "New."


def test_a_kill_while_adding_loses_nothing_that_was_told(model: Path) -> None:
    program = (
        "import sys\nfrom pentaglot.systems import Translator\ntranslator = Translator.open(sys.argv[1])\n"
        "while True: print(translator.add('Neu.', 'New.').number, flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(model)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(5)]
        process.kill()
    assert told == [1, 2, 3, 4, 5]
    assert [pair.number for pair in Translator.open(model).added][:5] == told


def test_readers_see_whole_updates(model: Path) -> None:
    translator = Translator.open(model)
    before = translator.translate(LINE).text
    answers = [f"Answer number {number}." for number in range(10)]
    seen: list[str] = []

    def write() -> None:
        for answer in answers:
            translator.add(LINE, answer)

    writer = threading.Thread(target=write)
    with ThreadPoolExecutor(4) as pool:
        writer.start()
        while writer.is_alive():
            seen += [each.text for each in pool.map(translator.translate, [LINE] * 8)]
        writer.join()
    assert set(seen) <= {before, *answers}
    assert translator.translate(LINE).text == answers[-1]


def test_threads_do_not_matter(model: Path) -> None:
    translator = Translator.open(model)
    for source, target in zip(lines("test.de")[:20], lines("test.en")[:20], strict=True):
        translator.add(source, target, weight=2)
    texts = lines("test.de")[10:30]
    one, many = (
        [(each.text, each.score) for each in translator.translate_all(texts, threads=threads)] for threads in (1, 8)
    )
    assert one == many


def test_a_model_without_an_aligner_gets_one(model: Path) -> None:
    shutil.rmtree(model / "aligner")
    translator = Translator.open(model)
    translator.add("Der Quastenflosser sieht die Katze.", "The coelacanth sees the cat.")
    assert (model / "aligner").is_dir()
    assert "coelacanth" in translator.translate("Der Lehrer sieht den Quastenflosser.").text


@pytest.mark.parametrize(
    ("source", "target", "weight", "message"),
    [
        ("", "x", 1.0, "pair 1 has no words on its source side"),
        ("x", " \t", 1.0, "pair 1 has no words on its target side"),
        ("x", "y", 0.0, "weight of 0.0 cannot be used"),
        ("x", "y", float("inf"), "weight of inf cannot be used"),
        ("x " * 70_000, "y", 1.0, "more than 65534 words"),
    ],
)
def test_what_cannot_be_added(model: Path, source: str, target: str, weight: float, message: str) -> None:
    translator = Translator.open(model)
    with pytest.raises(PentaglotError, match=message):
        translator.add(source, target, weight=weight)
    assert translator.added == ()
    assert not (model / "index.additions").exists()


def test_links_of_words_that_the_aligner_does_not_know(trained: Path) -> None:
    aligner = Aligner.open(trained / "aligner")
    assert aligned_words(aligner, ["Zwiebelfisch"], ["wrong", "fount"]) == [(0, 0), (0, 1)]
    assert aligned_words(aligner, ["der", "Quastenflosser"], ["the", "coelacanth"]) == [(0, 0), (1, 1)]
    source, target = ["der", "Zwiebelfisch", "schläft"], ["the", "wrong", "fount", "sleeps"]
    assert aligner.new_words([*source, "￭."], target) == ([1], [1, 2])
    assert aligned_words(aligner, source, target) == [(0, 0), (1, 1), (1, 2), (2, 3)]


_MERGE = """
import sys
from pentaglot.systems import Translator, merge
number = 0
while True:
    Translator.open(sys.argv[1]).add(f"Das ist Satz {number}.", f"This is sentence {number}.")
    merge(sys.argv[1])
    if not number:
        print("begun", flush=True)
    number += 1
"""


def test_opening_a_model_while_it_is_merged(model: Path) -> None:
    sizes, total = set(), 0
    with subprocess.Popen([sys.executable, "-c", _MERGE, str(model)], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == b"begun\n"
            for _ in range(60):
                opened = Model.open(model)
                before, total = total, len(opened.index) + len(opened.additions.pairs)
                assert total >= before
                sizes.add(len(opened.index))
            assert process.poll() is None
        finally:
            process.kill()
    assert len(sizes) > 1, "it was merged meanwhile"
    # The kill may have left a half-written index; the next merge removes it.
    merge(model)
    Translator.open(model).add("Neu.", "New.")
    assert merge(model) == 1
    assert sorted(each.name for each in model.iterdir() if each.name.startswith(".")) == [".train", ".word-ids"]
