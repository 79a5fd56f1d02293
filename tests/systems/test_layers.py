"""Layers and metadata on their way to the rules: through training, tokenising, tags, fixed parts and cuts."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.systems.conftest import EXAMPLES

from pentaglot.corpus import Beside, Sentence, Tokenizer
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.index import Index
from pentaglot.learn import TuneOptions
from pentaglot.rules import SentenceRules
from pentaglot.systems import (
    Fixed,
    Model,
    Request,
    TrainOptions,
    Translator,
    add_corpus,
    find_system,
    merge,
    train,
    tune,
)
from pentaglot.systems.development import read_development
from pentaglot.systems.prepared import PreparedLine

TOKENIZER = Tokenizer()


def numbered(line: str, text: str | None = None) -> Sentence:
    """A line whose words have a layer of their places, each depends on the one before it."""
    words = line.split()
    layers = {"place": [str(place) for place in range(len(words))], "head": list(range(len(words)))}
    return Sentence(words, layers, {"domain": "law"}, text=text or "")


def prepared(sentence: Sentence, *fixed: Fixed, inline: bool = True, tokenizer: Tokenizer = TOKENIZER) -> Sentence:
    return PreparedLine.read(sentence, fixed, tokenizer, tokenizer, inline=inline).words


def test_tags_are_taken_out_with_their_values() -> None:
    found = prepared(numbered("click <b> OK </b> now", "click <b>OK</b> now"))
    assert found.words == ("click", "OK", "now")
    assert found.layers == {"place": ("0", "2", "4"), "head": (0, 1, 2)} and found.metadata == {"domain": "law"}
    plain = Tokenizer("none")
    assert prepared(numbered("click <b> OK </b> now"), tokenizer=plain).layers["place"] == ("0", "2", "4")


def test_accelerators_and_fixed_parts_keep_layers_in_step() -> None:
    found = prepared(numbered("Save ~As ...", "Save ~As..."))
    assert found.words == ("Save", "As", "￭.", "￭.", "￭.") and found.layers["place"] == ("0", "1", "2", "2", "2")
    line = "I like New York very much"
    found = prepared(numbered(line), Fixed(7, 15, "Nova York"))
    assert len(found) == 5 and found.layers["place"] == ("0", "1", "2", "4", "5")
    assert found.layers["head"] == (0, 1, 2, 3, 4)


def test_long_lines_are_cut_with_their_layers() -> None:
    line = PreparedLine.read(numbered("a b . c d e f"), (), TOKENIZER, TOKENIZER)
    parts = [part.words for part in line.parts(4)]
    assert [part.layers["place"] for part in parts] == [("0", "1", "2"), ("3", "4", "5", "6")]
    assert parts[1].layers["head"] == (0, 1, 2, 3) and all(part.metadata for part in parts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small corpus with layers of both sides, a domain for each pair, and a treebank of its source."""
    place = tmp_path_factory.mktemp("layers")
    for language in ("de", "en"):
        lines = (EXAMPLES / f"train.{language}").read_text("utf-8").splitlines()[:120]
        (place / f"a.{language}").write_text("\n".join(lines) + "\n", "utf-8")
        (place / f"sizes.{language}").write_text(
            "".join(" ".join(f"L{len(word)}" for word in line.split()) + "\n" for line in lines), "utf-8"
        )
    (place / "domains").write_text("".join(f"{'law' if number % 3 else 'art'}\n" for number in range(120)))
    rows: list[str] = []
    for number, line in enumerate((place / "a.de").read_text("utf-8").splitlines()):
        words = TOKENIZER.tokenise(line)
        rows.append(f"# sent_id = s{number}\n# text = {line}")
        for at, word in enumerate(words, 1):
            plain = word.replace("￭", "")
            rows.append(f"{at}\t{plain}\t{plain.lower()}\tT{len(plain)}\t_\t_\t{at - 1}\tdep\t_\t_")
        rows.append("")
    (place / "a.conllu").write_text("\n".join(rows) + "\n", "utf-8")
    return place


def beside(folder: Path) -> Beside:
    layers = ({"size": folder / f"sizes.{language}"} for language in ("de", "en"))
    return Beside(*layers, {"domain": folder / "domains"})


OPTIONS = TrainOptions(order=2, word_classes=0, frequent=5, hold_out=0)


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    train(folder / "a.de", folder / "a.en", folder / "model", options=OPTIONS, beside=beside(folder))
    return folder / "model"


def test_training_carries_layers_into_the_index(folder: Path, model: Path) -> None:
    bitext = Index.open(model / "index").bitext
    for number, line in enumerate((folder / "a.de").read_text("utf-8").splitlines()):
        found = bitext.sentence(number, "source")
        sizes = [f"L{len(word)}" for word in line.split() for _ in TOKENIZER.tokenise(word)]
        assert list(found.layers["size"]) == sizes
        assert found.metadata["domain"] == ("law" if number % 3 else "art")
    assert Translator.open(model).translate("das Haus").text


def test_layers_are_a_step_of_their_own(folder: Path, tmp_path: Path) -> None:
    given = folder / "a.de", folder / "a.en", tmp_path / "model"
    plain = train(*given, options=OPTIONS)
    assert "layers" not in plain.seconds
    annotated = train(*given, options=OPTIONS, beside=beside(folder))
    assert {"layers", "index"} <= set(annotated.seconds) and not {"prepare", "align"} & set(annotated.seconds)
    assert not train(*given, options=OPTIONS, beside=beside(folder)).seconds
    other = train(*given, options=OPTIONS, beside=dataclasses.replace(beside(folder), domain="news"))
    assert {"layers", "index"} <= set(other.seconds) and "align" not in other.seconds
    train(*given, options=OPTIONS)
    assert not Index.open(tmp_path / "model" / "index").bitext.annotation


@pytest.mark.parametrize("threads", [1, 3])
def test_a_treebank_trains_the_same_model_as_its_text(folder: Path, model: Path, tmp_path: Path, threads: int) -> None:
    train(folder / "a.conllu", folder / "a.en", tmp_path / "model", options=OPTIONS, threads=threads)
    ours, theirs = Index.open(tmp_path / "model" / "index"), Index.open(model / "index")
    assert ours.bitext.source.tokens.tolist() == theirs.bitext.source.tokens.tolist()
    found = ours.bitext.sentence(7, "source")
    assert found.metadata == {"id": "s7"} and found.layers["head"] == tuple(range(len(found)))
    assert found.layers["lemma"] == tuple(word.replace("￭", "").lower() for word in found)


def seen(model: Path) -> tuple[Translator, list[Sentence]]:
    """A translator, and the sentences whose rules its hook has seen."""
    found: list[Sentence] = []

    def hook(rules: SentenceRules) -> dict[str, NDArray[np.float32]]:
        found.append(rules.sentence)
        law = rules.sentence.metadata.get("domain") == "law"
        return {"in law": np.full(rules.table.rules, law, np.float32)}

    return Translator(Model.open(model), hooks=(hook,)), found


def test_hooks_see_the_sentence_in_every_call(model: Path) -> None:
    translator, found = seen(model)
    sentence = numbered("der Hund sieht das Haus .", "der Hund sieht das Haus.")
    text = translator.translate(sentence).text
    assert text == translator.translate("der Hund sieht das Haus.").text
    words = ("der", "Hund", "sieht", "das", "Haus", "￭.")
    wanted = Sentence(words, sentence.layers, sentence.metadata)
    assert found[0] == wanted and found[1] == Sentence(words)
    del found[:]
    assert translator.explain(sentence).translation.text == text
    translator.force(sentence, "the dog sees the house.")
    translator.translate_words(wanted)
    assert [each.text for each in translator.translate_all([sentence, Request(sentence)], threads=2)] == [text, text]
    assert set(found) == {wanted}
    part = translator.translate(sentence, nbest=3).parts[0]
    assert part.rules.sentence == wanted and part.rules.words == words
    features = translator.translate(sentence).nbest[0][1].features
    assert features["in law"] > 0


def test_tuning_sees_sentences(model: Path, folder: Path) -> None:
    translator, found = seen(model)
    paths = folder / "a.de", folder / "a.en"
    sources, references = read_development(paths, beside(folder))
    options = TuneOptions(rounds=1, size=5, set_length=False)
    tuning = tune(translator, sources[:6], references[:6], options)
    assert "in law" in tuning.weights and {each.metadata["domain"] for each in found} == {"law", "art"}
    assert all("size" in each.layers for each in found)
    assert read_development(paths)[0][0] == (folder / "a.de").read_text("utf-8").splitlines()[0]
    trees = read_development((folder / "a.conllu", folder / "a.en"))[0]
    assert isinstance(trees[0], Sentence) and "head" in trees[0].layers


def test_added_pairs_and_corpora_keep_layers(folder: Path, model: Path, tmp_path: Path) -> None:
    import shutil

    own = Path(shutil.copytree(model, tmp_path / "own"))
    translator = Translator.open(own)
    pair = translator.add(numbered("ein Zebra ."), "a zebra.")
    assert pair.sentences[0].layers["place"] == ("0", "1", "2") and pair.written == ("ein Zebra .", "a zebra.")
    add_corpus(own, "more", folder / "a.de", folder / "a.en", beside=beside(folder))
    main, more = Index.open(own / "index"), Index.open(own / "corpora" / "more")
    ids = [index.layer("size", "source").values[:20].tolist() for index in (main, more)]
    assert ids[0] == ids[1]
    merge(own)
    found = Index.open(own / "index").bitext.sentence(120, "source")
    assert found.layers["place"] == ("0", "1", "2") and found.metadata == {"domain": "law"}


def test_what_a_system_needs(folder: Path, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    needy = dataclasses.replace(find_system("hiero"), needs=("head",))
    for module in ("model", "materials", "training"):
        monkeypatch.setattr(f"pentaglot.systems.{module}.find_system", lambda name: needy)
    translator = Translator.open(model)
    for call in (
        lambda: translator.translate("das Haus"),
        lambda: translator.translate_words(["das"]),
        lambda: list(translator.translate_all(["das Haus"], threads=2)),
        lambda: tune(translator, ["das Haus"], ["the house"]),
    ):
        with pytest.raises(PentaglotError, match="a sentence has no layer 'head'; this system needs it"):
            call()
    assert translator.translate("").text == ""
    assert translator.translate(numbered("das Haus")).text
    with pytest.raises(OptionError, match=r"needs the layer 'head' of .*a\.de; give a \.conllu file"):
        train(folder / "a.de", folder / "a.en", tmp_path / "no", options=OPTIONS)
    assert not (tmp_path / "no").exists()
    train(folder / "a.conllu", folder / "a.en", tmp_path / "yes", options=OPTIONS)
