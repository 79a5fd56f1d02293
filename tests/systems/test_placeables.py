"""Placeables come through a translation letter by letter, each as often as it was there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from pentaglot.corpus import Placeables
from pentaglot.corpus.case_mapping import CaseMapping
from pentaglot.systems import Fixed, Glossary, TrainOptions, Translator, train

PAIRS = [
    ("The user writes to the office.", "Kullanıcı ofise yazar."),
    ("The user opens the file.", "Kullanıcı dosyayı açar."),
    ("Write to office@bilkent.edu.tr.", "office@bilkent.edu.tr adresine yazın."),
    ("Write to the user.", "Kullanıcıya yazın."),
    ("The end of the file.", "Dosyanın sonu."),
    ("The end of the text.", "Metnin sonu."),
    ("Page 2 of 7", "Sayfa 7 'nin 2"),
    ("Page 3 of 9", "Sayfa 9 'nin 3"),
    ("Row 4 of 5", "Satır 5 'nin 4"),
    ("See the doc of the share.", "Paylaşımın belgesine bakın."),
    ("Click OK to open the file.", "Dosyayı açmak için Tamam düğmesine tıklayın."),
    ("Click Save to open the text.", "Metni açmak için Kaydet düğmesine tıklayın."),
    ("Click OK.", "Tamam düğmesine tıklayın."),
    ("Open the file", "Dosyayı aç"),
    ("OK", "Tamam"),
    ("The file has 12 pages.", "Dosyada on iki sayfa var."),
    ("The text has 12 pages.", "Metinde on iki sayfa var."),
    ("The file has %s pages.", "Dosyada sayfa var."),
    ("The text %s is open.", "Metin %s %s açık."),
]
LINES = [
    "Write to user@example.org.",
    "{0} of {1}",
    "Page {0} of {1}",
    "Click <b>OK</b> to open the file.",
    "See /usr/share/doc.",
    "The file has 12 pages.",
    "The file has %s pages.",
    "The text %s is open.",
    "The text %1$d is open, %FORMULA, `open the file` (3.5, 12,345) in file.txt 1999.05-2000.12",
    "%s %s %s",
    "user@example.org",
]


@pytest.fixture(scope="module", params=["hiero", "phrase"])
def translator(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Translator:
    folder = tmp_path_factory.mktemp("placeables")
    for name, side in (("train.en", 0), ("train.tr", 1)):
        (folder / name).write_text("".join(f"{pair[side]}\n" for pair in PAIRS * 3), "utf-8")
    options = TrainOptions(system=request.param, order=2, protect=("Q[A-Z]-open",))
    train(folder / "train.en", folder / "train.tr", folder / "model", options=options)
    return Translator.open(folder / "model")


@pytest.mark.parametrize("line", LINES)
def test_every_placeable_comes_through(translator: Translator, line: str) -> None:
    assert Placeables().of_line(translator.translate(line).text) == Placeables().of_line(line)


@pytest.mark.parametrize("line", ["Page 41 of 87", "Page 8 of 1", "Row 311 of 5"])
def test_numbers_never_seen_stand_where_others_do(translator: Translator, line: str) -> None:
    first, _, second = line.partition(" of ")
    word, number = first.split()
    wanted = {"Page": "Sayfa", "Row": "Satır"}[word]
    assert translator.translate(line).text == f"{wanted} {second} 'nin {number}"


def test_the_explanation_says_what_a_number_was_treated_like(translator: Translator) -> None:
    nodes = [node for node in translator.explain("Page 41 of 87").roots[0].walk() if node.fallback]
    assert nodes and {node.fallback for node in nodes} == {"placeables"}
    assert all("another of its kind" in node.reason and node.kind == "guessed" for node in nodes)
    # The training sentences are those of the numbers that lend, with the right words marked.
    examples = [each for node in nodes for each in node.examples]
    assert examples and all(each.source_places and each.target_places for each in examples)


def test_tags_stand_around_the_right_words(translator: Translator) -> None:
    text = translator.translate("Click <b>OK</b> to open <i>the <u>file</u></i>.").text
    assert "<b>Tamam</b>" in text
    assert text.index("<i>") < text.index("<u>") < text.index("</u>") < text.index("</i>")


def test_tags_with_fixed_parts_and_in_parts_of_a_line(translator: Translator) -> None:
    line = "Open <b>the file</b>"
    fixed = [Fixed(8, 16, "o dosyayı")]
    assert "<b>o dosyayı</b>" in translator.translate(line, fixed=fixed).text
    long = " ".join(["Click <b>OK</b> ."] * 60)
    assert Counter(translator.translate(long).text.split()).total() > 0
    text = translator.translate(long).text
    assert text.count("<b>") == text.count("</b>") == 60


@pytest.mark.parametrize("line", ["<b></b>", "<b> <i></i> </b>", "<b>" * 3 + " " + "</b>" * 3])
def test_tags_alone(translator: Translator, line: str) -> None:
    assert translator.translate(line).text == line


def test_what_one_protects_oneself(translator: Translator) -> None:
    assert "QA-open" in translator.translate("Click QA-open to open the file.").text


def test_a_pair_that_was_added_is_used_as_it_is(translator: Translator) -> None:
    added = translator.add("The file has 40 pages.", "Dosyada kırk sayfa var.")
    try:
        assert translator.translate("The file has 40 pages.").text == "Dosyada kırk sayfa var."
    finally:
        translator.remove(added.number)
    assert "40" in translator.translate("The file has 40 pages.").text


@pytest.mark.parametrize(
    ("line", "text"), [("<b>Go</b> on", "Devam <b>et</b>"), ("Go <b>on</b> 7", "<i>Devam</i>"), ("G~o on", "~Devam et")]
)
def test_a_pair_with_tags_or_an_accelerator_is_used_as_it_is(translator: Translator, line: str, text: str) -> None:
    added = translator.add(line, text)
    try:
        assert translator.translate(line).text == text
        assert translator.translate(line, nbest=3).nbest[0][1].features["remembered"]
        forgetful = translator.with_weights({**translator.weights, "remembered": 0})
        assert "remembered" not in forgetful.translate(line).nbest[0][1].features
    finally:
        translator.remove(added.number)


def test_a_term_gets_the_capital_of_its_place(translator: Translator) -> None:
    glossary = Glossary({"the user": "işleyici"})
    line = "The user opens the file."
    text = translator.translate(line, fixed=glossary.marks(line, letters=CaseMapping(dotted=True))).text
    assert "İşleyici" in text
    line = "Open the file, the user."
    text = translator.translate(line, fixed=glossary.marks(line)).text
    assert "işleyici" in text or text.startswith("İşleyici")
    assert translator.translate("The user", fixed=[Fixed(0, 8, "işleyici")]).text == "işleyici"


@pytest.mark.parametrize(("line", "text"), [("~Open the file", "Dosyayı aç"), ("O~K", "Tamam"), ("~OK", "Tamam")])
def test_accelerators_stay_once(translator: Translator, line: str, text: str) -> None:
    made = translator.translate(line, nbest=3)
    assert made.text.replace("~", "") == text
    assert [each.count("~") for each, _ in made.nbest] == [1] * len(made.nbest)
    assert [each for each, _ in made.nbest if each.endswith("~")] == []


def test_language_models_know_the_place_of_a_number_never_seen(translator: Translator) -> None:
    unknown = "language_model_unknown@classes"
    assert translator.translate("Page 41 of 87").parts[0].hypotheses[0].features.get(unknown, 0.0) == 0.0
    options = replace(translator.rules.options, fallbacks=())
    without = Translator(translator.model, rules=options).translate("Page 41 of 87").parts[0].hypotheses[0]
    assert without.features[unknown] == 2.0
