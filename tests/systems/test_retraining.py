"""Training into a directory where a model is already: what a change is about is redone, and nothing else; what is there
stays good until the end; and nothing that a person did to the model is lost."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.systems.conftest import EXAMPLES
from tests.systems.training_runs import QUICK, SMALL, Killed, KilledAt, Listener, contents

from pentaglot import storage
from pentaglot.errors import PentaglotError
from pentaglot.index import Index
from pentaglot.learn import Mira, TuneOptions
from pentaglot.lm import LanguageModel
from pentaglot.rules import RuleOptions
from pentaglot.steps import Place
from pentaglot.systems import Trained, TrainOptions, Translator, add_corpus, find_system, merge, train, tune

TEXT = EXAMPLES / "train.de", EXAMPLES / "train.en"
TUNING = TuneOptions(rounds=2, size=5, settings=Mira(epochs=2))
LINE = "Der Lehrer sieht das Buch."

Train = Callable[..., Trained]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("finished") / "model"
    train(*TEXT, place, options=SMALL, align=QUICK)
    return place


@pytest.fixture
def model(finished: Path, tmp_path: Path) -> Path:
    """A finished model of one's own."""
    return Path(shutil.copytree(finished, tmp_path / "model"))


@pytest.fixture
def dev(tmp_path: Path) -> tuple[Path, Path]:
    files = tmp_path / "dev.de", tmp_path / "dev.en"
    for path, name in zip(files, ("test.de", "test.en"), strict=True):
        path.write_text("".join((EXAMPLES / name).read_text("utf-8").splitlines(keepends=True)[:8]), "utf-8")
    return files


def again(model: Path, **changes: Any) -> Trained:
    """Trains as the first time, but for some changes."""
    options: dict[str, Any] = {"options": SMALL, "align": QUICK}
    for name in ("order", "frequent", "system"):
        if name in changes:
            options["options"] = dataclasses.replace(options["options"], **{name: changes.pop(name)})
    return train(*TEXT, model, **(options | changes))


def done(trained: Trained) -> set[str]:
    return set(trained.seconds)


# "Finished" means that every part is there, whole, and made from these inputs and options.


def test_a_run_that_fails_leaves_the_model_finished(model: Path, dev: tuple[Path, Path], tmp_path: Path) -> None:
    before = contents(model)
    short = tmp_path / "short"
    short.write_text("one line\n")
    (tmp_path / "bad").write_text("language_model much\n")
    (tmp_path / "lm.arpa").write_text("no model\n")
    (tmp_path / "empty").write_text("\n" * 8)
    for changes, message in (
        ({"order": 3, "dev": (tmp_path / "none.de", dev[1])}, "none.de: no such file"),
        ({"order": 3, "dev": (dev[0], short)}, "short: ends after 1 line"),
        ({"order": 3, "dev": (tmp_path / "empty", dev[1])}, "empty: has nothing to tune on"),
        ({"frequent": 5, "weights": tmp_path / "bad"}, "bad:1: 'much' is not a finite number"),
        ({"language_model": tmp_path / "lm.arpa"}, "lm.arpa"),
        ({"alignment": short}, "short"),
        ({"order": 3, "corpora": {"news": (dev[0], short)}}, "short: ends after 1 line"),
        ({"order": 3, "corpora": {"news": (dev[0], tmp_path / "none")}}, "none: no such file"),
    ):
        with pytest.raises(PentaglotError, match=message):
            again(model, **changes)
        assert contents(model) == before
    assert again(model).seconds == {}


def test_a_run_that_was_killed_is_not_taken_for_finished(model: Path, dev: tuple[Path, Path]) -> None:
    before = contents(model)
    with pytest.raises(Killed):
        again(model, order=3, dev=dev, tuning=TUNING, progress=KilledAt("translating"))
    assert LanguageModel.open(model / "lm").order == 3
    assert done(again(model)) == {"language model", "describe"}
    assert contents(model) == before


def test_until_all_is_there_the_model_stays_as_it_was(model: Path) -> None:
    before = contents(model)
    for step in ("reading", "aligning", "estimating", "sorting suffixes"):
        with pytest.raises(Killed):
            train(*TEXT, model, options=TrainOptions(casing="lowercase"), align=QUICK, progress=KilledAt(step))
        assert contents(model) == before
        assert Translator.open(model).translate(LINE).text
    assert again(model).seconds == {}, "and is as finished as before"
    assert contents(model) == before


PARTS = {
    "lm": {"language model"},
    "letters": {"letters"},
    "choice": {"word choice"},
    "aligner": {"align"},
    "source.tokenizer": {"prepare"},
    "index": {"prepare", "align", "index", "target suffixes", "frequent patterns"},
    "index/text": {"prepare", "index", "target suffixes", "frequent patterns"},
    "index/suffixes": {"index", "target suffixes", "frequent patterns"},
    "index/alignment": {"align", "index", "target suffixes", "frequent patterns"},
    "index/precomputation": {"frequent patterns"},
    "index/target_suffixes": {"target suffixes"},
    "weights.txt": {"weights"},
    "pentaglot.toml": {"describe"},
}


@pytest.mark.parametrize("part", PARTS)
def test_what_is_gone_is_made_again(model: Path, part: str) -> None:
    before, path = contents(model), model / part
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    found = again(model)
    assert done(found) == PARTS[part]
    assert any(word in " ".join(found.reasons.values()) for word in ("missing", "there is no"))
    assert contents(model) == before
    assert again(model).seconds == {}


@pytest.mark.parametrize("part", [part for part in PARTS if part not in ("index", "letters", "weights.txt")])
def test_what_is_damaged_is_made_again(model: Path, part: str) -> None:
    before, path = contents(model), model / part
    file = path if path.is_file() else max(path.rglob("*.npy"), key=lambda each: each.stat().st_size)
    data = bytearray(file.read_bytes())
    data[-3] ^= 0x40
    file.write_bytes(data)
    assert done(again(model)) == PARTS[part]
    aside = (model / "pentaglot.before.toml").read_bytes() if part == "pentaglot.toml" else b""
    assert contents(model) == before | ({"pentaglot.before.toml": bytes(data)} if aside else {})
    assert again(model).seconds == {}


def test_what_another_run_made_is_made_again(model: Path, tmp_path: Path) -> None:
    """Whole, but not from these inputs."""
    before = contents(model)
    again(tmp_path / "other", order=3)
    for part, steps in (("lm", {"language model"}), ("pentaglot.toml", {"describe"})):
        path, other = model / part, tmp_path / "other" / part
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(other, path) if other.is_dir() else shutil.copy(other, path)
        assert done(again(model)) == steps
    assert contents(model) == before | {"pentaglot.before.toml": (tmp_path / "other/pentaglot.toml").read_bytes()}


def test_a_language_model_is_known_by_what_it_holds(model: Path, tmp_path: Path) -> None:
    again(tmp_path / "one", order=1)
    again(tmp_path / "three", order=3)
    for order, name in ((1, "one"), (3, "three")):
        LanguageModel.open(tmp_path / name / "lm").save(tmp_path / f"{order}.arpa")
    given = tmp_path / "given.arpa"
    shutil.copy(tmp_path / "1.arpa", given)
    assert done(again(model, language_model=given)) == {"language model"}
    shutil.copy(given, tmp_path / "elsewhere.arpa")
    assert again(model, language_model=tmp_path / "elsewhere.arpa").seconds == {}, "whatever it is called"
    shutil.copy(tmp_path / "3.arpa", given)
    found = again(model, language_model=given)
    assert found.reasons == {"language model": "the model changed"}
    assert LanguageModel.open(model / "lm").order == 3
    directory = tmp_path / "directory"
    shutil.copytree(tmp_path / "one" / "lm", directory)
    again(model, language_model=directory)
    shutil.rmtree(directory)
    shutil.copytree(tmp_path / "three" / "lm", directory)
    assert done(again(model, language_model=directory)) == {"language model"}
    assert LanguageModel.open(model / "lm").order == 3


def test_marks_that_cannot_be_read_count_for_nothing(model: Path) -> None:
    before = contents(model)
    for damage in (b"", b"x" * 40, (model / ".train" / "language model.done").read_bytes().replace(b"2", b"3")):
        (model / ".train" / "language model.done").write_bytes(damage)
        assert done(again(model)) == {"language model"}
    assert contents(model) == before


# A change redoes what depends on it.


@pytest.mark.parametrize(
    ("changes", "steps"),
    [
        ({"order": 3}, {"language model", "describe"}),
        ({"frequent": 5}, {"frequent patterns", "describe"}),
        ({"rules": RuleOptions(sample=100)}, {"describe"}),
        ({"rules": RuleOptions(max_span=12)}, {"frequent patterns", "describe"}),
        ({"rules": RuleOptions(inverse=False)}, {"describe", "weights"}),
        ({"rules": RuleOptions(source="table")}, {"table", "describe", "weights"}),
        ({"system": "phrase"}, {"describe", "weights"}),
        (
            {"align": dataclasses.replace(QUICK, iterations=1)},
            {"align", "letters", "index", "describe", "target suffixes", "frequent patterns"},
        ),
    ],
    ids=["order", "frequent", "sample", "max_span", "inverse", "table", "system", "align"],
)
def test_a_change_redoes_what_depends_on_it(
    model: Path, tmp_path: Path, changes: dict[str, Any], steps: set[str]
) -> None:
    before = contents(model)
    assert done(again(model, **changes)) == steps
    again(tmp_path / "fresh", **changes)
    assert contents(model) == contents(tmp_path / "fresh")
    back = again(model)
    assert "prepare" in back.kept
    if "table" not in steps:
        assert contents(model) == before


@pytest.mark.parametrize("change", [{"protect": ("Ha[a-z]+",)}, {"source_language": "tr"}, {"tokenizer": "aggressive"}])
def test_another_way_to_cut_words_redoes_all(model: Path, tmp_path: Path, change: dict[str, Any]) -> None:
    options = dataclasses.replace(SMALL, **change)
    made = {
        "prepare",
        "align",
        "language model",
        "word classes",
        "word choice",
        "letters",
        "index",
        "target suffixes",
        "frequent patterns",
        "describe",
    }
    assert done(again(model, options=options)) == made
    again(tmp_path / "fresh", options=options)
    assert contents(model) == contents(tmp_path / "fresh")
    assert done(again(model, options=options)) == set()


def test_what_will_be_done_is_said_first(model: Path) -> None:
    listener = Listener()
    again(model, order=3, progress=listener)
    assert listener.said == [
        "prepare: kept",
        "align: kept",
        "language model: again, because order changed from 2 to 3",
        "word classes: kept",
        "word choice: kept",
        "letters: kept",
        "index: kept",
        "describe: again, because order changed from 2 to 3",
        "weights: kept",
        "target suffixes: kept",
        "frequent patterns: kept",
    ]
    for quiet in (Listener(), Listener()):
        again(model, order=3, progress=quiet)
        assert quiet.said == [], "nothing is done"


def test_a_table_that_is_not_used_may_stay(model: Path) -> None:
    again(model, rules=RuleOptions(source="table"))
    assert done(again(model)) == {"describe", "weights"}
    assert done(again(model, rules=RuleOptions(source="table"))) == {"describe", "weights"}


def test_an_aligner_that_did_not_make_the_links_does_not_stay(model: Path, tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.write_text("0-0\n" * 400)
    found = again(model, alignment=links)
    assert done(found) == {"align", "letters", "index", "describe", "target suffixes", "frequent patterns"}
    assert not (model / "aligner").exists()
    assert Index.open(model / "index").aligned.links(7) == [(0, 0)]


# Weights.


def test_tuned_weights_stay(model: Path, dev: tuple[Path, Path]) -> None:
    assert done(again(model, dev=dev, tuning=TUNING)) == {"tune"}
    assert again(model, dev=dev, tuning=TUNING).seconds == {}
    tuned = (model / "weights.txt").read_bytes()
    listener = Listener()
    assert done(again(model, rules=RuleOptions(sample=100), progress=listener)) == {"describe"}
    assert (model / "weights.txt").read_bytes() == tuned
    assert "the weights stay as they were tuned" in listener.said[-1]
    assert done(again(model, order=3)) == {"language model", "describe"}
    assert (model / "weights.txt").read_bytes() == tuned
    found = again(model, order=3, dev=dev, tuning=TUNING)
    assert found.reasons == {"tune": "language model changed"}
    assert not (model / "weights.before.txt").exists()


def test_weights_of_other_features_do_not_stay(model: Path, dev: tuple[Path, Path]) -> None:
    again(model, dev=dev, tuning=TUNING)
    listener = Listener()
    found = again(model, system="phrase", progress=listener)
    assert "weights: again, because system changed from hiero to phrase" in "\n".join(listener.said)
    assert found.reasons["weights"].startswith("system changed from hiero to phrase")
    assert dict(Translator.open(model).model.weights) == find_system("phrase").weights


def test_given_weights(model: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_text("language_model 2.5\n")
    assert done(again(model, weights=given)) == {"weights"}
    assert dict(Translator.open(model).model.weights) == {"language_model": 2.5}
    given.write_text("language_model 3.5\n")
    assert done(again(model, weights=given)) == {"weights"}
    assert done(again(model)) == {"weights"}
    assert dict(Translator.open(model).model.weights) == find_system("hiero").weights


def test_weights_of_a_person_are_not_lost(model: Path, dev: tuple[Path, Path]) -> None:
    own = "language_model 0.123\n"
    (model / "weights.txt").write_text(own)
    assert again(model).seconds == {}
    assert done(again(model, order=3)) == {"language model", "describe"}
    assert (model / "weights.txt").read_text() == own
    assert done(again(model, order=3, dev=dev, tuning=TUNING)) == {"tune"}
    assert (model / "weights.before.txt").read_text() == own
    (model / "weights.txt").write_text(own)
    (model / "weights.before.txt").unlink()
    again(model, system="phrase")
    assert (model / "weights.before.txt").read_text() == own


def test_a_description_of_a_person_is_not_lost(model: Path) -> None:
    file = model / "pentaglot.toml"
    changed = file.read_text("utf-8").replace("sample = 100", "sample = 50")
    file.write_text(changed, "utf-8")
    listener = Listener()
    assert done(again(model, progress=listener)) == {"describe"}
    assert "describe: again, because pentaglot.toml was changed since" in listener.said
    assert "sample = 100" in file.read_text("utf-8")
    assert (model / "pentaglot.before.toml").read_text("utf-8") == changed


# A kill between a file and the mark of the step that wrote it: what we wrote is not taken for a user's.


def killed_before_the_mark(monkeypatch: pytest.MonkeyPatch, method: str, step: str) -> None:
    whole = getattr(Place, method)

    def partly(place: Place, name: Any, *rest: Any) -> None:
        if getattr(name, "name", name) == step:
            monkeypatch.undo()
            raise Killed
        whole(place, name, *rest)

    monkeypatch.setattr(Place, method, partly)


HELD_OUT = {"options": dataclasses.replace(SMALL, hold_out=40), "tuning": TUNING}


@pytest.mark.parametrize("step", ["tune", "choose weights"])
def test_killed_when_tuned_weights_are_written(
    model: Path, dev: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    changes: dict[str, Any] = {"dev": dev, "tuning": TUNING} if step == "tune" else HELD_OUT
    untuned = (model / "weights.txt").read_bytes()
    killed_before_the_mark(monkeypatch, "finish", step)
    with pytest.raises(Killed):
        again(model, **changes)
    assert (model / "weights.txt").read_bytes() != untuned
    assert step in done(again(model, **changes))
    again(tmp_path / "fresh", **changes)
    assert contents(model) == contents(tmp_path / "fresh")
    assert not list((model / ".train").glob("*.weights"))


def test_killed_when_initial_weights_are_in_place(
    tmp_path: Path, dev: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    again(tmp_path / "fresh", **HELD_OUT)
    killed_before_the_mark(monkeypatch, "adopt", "weights")
    with pytest.raises(Killed):
        again(tmp_path / "model", **HELD_OUT)
    assert (tmp_path / "model" / "weights.txt").exists()
    assert "choose weights" in done(again(tmp_path / "model", **HELD_OUT))
    assert contents(tmp_path / "model") == contents(tmp_path / "fresh")
    killed_before_the_mark(monkeypatch, "adopt", "weights")
    with pytest.raises(Killed):
        again(tmp_path / "other")
    again(tmp_path / "other", system="phrase")
    again(tmp_path / "phrase", system="phrase")
    assert contents(tmp_path / "other") == contents(tmp_path / "phrase")


def test_killed_when_the_description_is_in_place(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed_before_the_mark(monkeypatch, "adopt", "describe")
    with pytest.raises(Killed):
        again(model, rules=RuleOptions(sample=50))
    assert "sample = 50" in (model / "pentaglot.toml").read_text("utf-8")
    again(model, rules=RuleOptions(sample=70))
    again(tmp_path / "fresh", rules=RuleOptions(sample=70))
    assert contents(model) == contents(tmp_path / "fresh")


# Tuning that was stopped.


@pytest.mark.parametrize("change", ["dev", "rounds", "size", "order", "seed"])
def test_tuning_that_was_stopped_goes_on_with_other_options(
    model: Path, dev: tuple[Path, Path], tmp_path: Path, change: str
) -> None:
    with pytest.raises(Killed):
        again(model, dev=dev, tuning=TUNING, progress=KilledAt("translating", after=1))
    changes: dict[str, Any] = {"dev": dev, "tuning": TUNING}
    if change == "dev":
        lines = dev[0].read_text("utf-8").splitlines(keepends=True), dev[1].read_text("utf-8").splitlines(keepends=True)
        for path, all_lines in zip(dev, lines, strict=True):
            path.write_text("".join(all_lines[2:]), "utf-8")
    elif change == "order":
        changes["order"] = 3
    elif change == "seed":
        changes["options"] = dataclasses.replace(SMALL, seed=5)
    else:
        changes["tuning"] = dataclasses.replace(TUNING, **{change: 3})
    listener = Listener()
    again(model, **changes, progress=listener)
    again(tmp_path / "fresh", **changes)
    assert contents(model) == contents(tmp_path / "fresh")
    assert not (model / ".train" / "tuning").exists()
    decodings = listener.begun.count("translating the development set")
    rounds = again_rounds(tmp_path / "fresh", changes)
    assert decodings == rounds - (change == "rounds"), "what is equal by construction is not done twice"


def again_rounds(place: Path, changes: dict[str, Any]) -> int:
    (place / "weights.txt").unlink()
    found = again(place, **changes).tuning
    assert found is not None
    return len(found.rounds)


# What was added to a model.


def test_pairs_that_were_folded_in_stay(model: Path) -> None:
    before = contents(model)
    translator = Translator.open(model)
    translator.add("Der Quastenflosser schläft.", "The coelacanth sleeps.")
    translator.add("Der Hering schläft.", "The herring sleeps.")
    assert merge(model) == 2
    translator.add("Die Scholle schläft.", "The plaice sleeps.")

    def check(folded: int) -> None:
        assert len(Index.open(model / "index")) == 400 + folded
        opened = Translator.open(model)
        assert [opened.find(word).count for word in ("Quastenflosser", "Hering", "Scholle")] == [1, 1, 1]
        assert sum(len(index) for index in opened.model.additions.snapshot.indexes) == 403

    assert again(model).seconds == {}, "it is the index that training made, and more"
    check(2)
    assert done(again(model, order=3)) == {"language model", "describe"}
    assert {name: data for name, data in contents(model).items() if name.startswith("lm")} != {}
    assert done(again(model)) == {"language model", "describe"}
    lm = {name: data for name, data in before.items() if name.startswith("lm")}
    assert lm == {name: data for name, data in contents(model).items() if name.startswith("lm")}, "of the text alone"
    assert done(again(model, frequent=5)) == {"frequent patterns", "describe"}
    check(2)
    quick = dataclasses.replace(QUICK, iterations=1)
    rebuilt = {"align", "letters", "index", "describe", "target suffixes", "frequent patterns"}
    assert done(again(model, frequent=5, align=quick)) == rebuilt
    check(2)
    listener = Listener()
    train(*TEXT, model, options=TrainOptions(casing="lowercase", order=2), align=QUICK, progress=listener)
    assert len(Index.open(model / "index")) == 402
    assert "added pairs keep the words" in listener.said[-1]
    again(model)
    check(2)
    assert merge(model) == 1
    (model / "index.additions").unlink()
    again(model, align=quick)
    assert len(Index.open(model / "index")) == 403, "also without the journal"


def test_pairs_of_a_damaged_index_are_in_the_journal(model: Path) -> None:
    Translator.open(model).add("Der Hering schläft.", "The herring sleeps.")
    merge(model)
    shutil.rmtree(model / "index" / "suffixes")
    found = again(model)
    assert "prepare" not in done(found), "the text is still there"
    assert Translator.open(model).find("Hering").count == 1


def corpus(place: Path, name: str) -> tuple[Path, Path]:
    files = place / f"{name}.de", place / f"{name}.en"
    files[0].write_text("Der Quastenflosser schläft.\nDer Hering schläft.\n" * 3, "utf-8")
    files[1].write_text("The coelacanth sleeps.\nThe herring sleeps.\n" * 3, "utf-8")
    return files


def test_corpora_of_a_training(model: Path, tmp_path: Path, dev: tuple[Path, Path]) -> None:
    before = contents(model)
    news = {"news": corpus(tmp_path, "news")}
    parts = {"corpus news", "target suffixes of news", "frequent patterns of news"}
    again(model, dev=dev, tuning=TUNING)
    tuned = Translator.open(model).model.weights
    assert done(again(model, corpora=news)) == {"weights", *parts}
    weights = Translator.open(model).model.weights
    assert {name: value for name, value in weights.items() if not name.endswith("@news")} == dict(tuned)
    assert weights["translation@news"] == find_system("hiero").weights["translation"]
    assert again(model, corpora=news).seconds == {}
    assert done(again(model, corpora=news, frequent=5)) == {
        *("describe", "frequent patterns", "frequent patterns of news"),
    }
    again(tmp_path / "fresh", corpora=news, frequent=5)
    fresh = contents(tmp_path / "fresh")
    assert {name for name, data in contents(model).items() if fresh.get(name) != data} == {
        "weights.txt",
        "weights.tuning.json",
    }
    lower = TrainOptions(casing="lowercase", order=2)
    assert parts <= done(train(*TEXT, model, options=lower, align=QUICK, corpora=news))
    assert Translator.open(model).model.corpora.keys() == {"news"}
    listener = Listener()
    train(*TEXT, model, options=SMALL, align=QUICK, progress=listener)
    assert "corpus news: removed, because it is not asked for" in listener.said
    assert not (model / "corpora" / "news").exists()
    shutil.rmtree(model / "corpora")
    (model / ".word-ids").unlink()
    found = contents(model)
    assert found.pop("weights.txt") and before.pop("weights.txt") and found.pop("weights.tuning.json")
    assert found == before


def test_corpora_that_a_person_added_stay(model: Path, tmp_path: Path) -> None:
    add_corpus(model, "fish", *corpus(tmp_path, "fish"))
    before = contents(model)
    assert again(model).seconds == {}
    again(model, order=3)
    again(model)
    assert contents(model) == before
    again(model, align=dataclasses.replace(QUICK, iterations=1))
    assert "coelacanth" in Translator.open(model).translate("Der Lehrer sieht den Quastenflosser.").text
    before = contents(model)
    with pytest.raises(PentaglotError, match="further corpus 'fish' that was added later .* --remove-corpus fish"):
        train(*TEXT, model, options=TrainOptions(casing="lowercase"), align=QUICK)
    assert contents(model) == before


# Odds and ends.


def test_two_at_once(model: Path) -> None:
    class Other(Listener):
        def say(self, text: str) -> None:
            with pytest.raises(PentaglotError, match="is being trained by another process"):
                again(model)
            super().say(text)

    listener = Other()
    again(model, order=3, progress=listener)
    assert listener.said


def test_a_finished_model_can_be_read_only(model: Path) -> None:
    for path in (model, *model.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert again(model).seconds == {}
    finally:
        for path in (model, *model.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_model_that_moved(model: Path, tmp_path: Path) -> None:
    shutil.move(model, tmp_path / "moved")
    assert again(tmp_path / "moved").seconds == {}


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    (tmp_path / "model").mkdir()
    work = tmp_path / "model" / ".train"
    work.symlink_to(tmp_path / "victim")
    with pytest.raises(PentaglotError, match="symbolic link"):
        again(tmp_path / "model")
    work.unlink()
    work.mkdir()
    (work / "new").symlink_to(tmp_path / "victim")
    with pytest.raises(PentaglotError, match="symbolic link"):
        again(tmp_path / "model")
    assert list((tmp_path / "victim").iterdir()) == []


def test_tuning_by_itself_does_not_make_training_begin_anew(model: Path, dev: tuple[Path, Path]) -> None:
    lines = dev[0].read_text("utf-8").splitlines(), dev[1].read_text("utf-8").splitlines()
    tune(Translator.open(model), *lines, TUNING).weights.save(model / "weights.txt")
    assert again(model).seconds == {}
    assert storage.kind_of(model / "index") == "index"
