"""Model directories: opened whole, or refused with a sentence that says what is wrong."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from pentaglot.errors import PentaglotError, StorageError
from pentaglot.systems import Model, find_system


def test_opens(trained: Path) -> None:
    model = Model.open(trained)
    assert model.description.system == trained.name
    assert model.description.rules == find_system(trained.name).rules
    assert model.description.made["source"] == "train.de"
    assert len(model.index) == 400
    assert model.language.order == 3


def test_documented_limits_are_those_of_the_systems() -> None:
    page = (Path(__file__).parents[2] / "docs" / "translation.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.count("|") == 5]
    documented = {
        name.strip(" `"): values
        for names, _, *columns in rows
        for name, *values in zip(names.split(","), *(column.split(", ") for column in columns), strict=False)
    }
    for number, system in enumerate(("hiero", "phrase")):
        for name, value in dataclasses.asdict(find_system(system).rules).items():
            words = documented[name][number].split()
            assert (tuple(words) == value) if isinstance(value, tuple) else (words[0] == str(value).lower()), name


DAMAGES = {
    "pentaglot.toml": "has no pentaglot.toml; run 'pentaglot train' again",
    "index": "there is no index here",
    "lm": "there is no language model here",
    "weights.txt": "no such file",
    "source.tokenizer": "there is no tokenizer here",
}


@pytest.mark.parametrize("part", DAMAGES)
def test_missing_parts(trained: Path, tmp_path: Path, part: str) -> None:
    copy = tmp_path / "model"
    shutil.copytree(trained, copy)
    (shutil.rmtree if (copy / part).is_dir() else Path.unlink)(copy / part)  # type: ignore[operator]
    with pytest.raises(PentaglotError) as caught:
        Model.open(copy)
    assert DAMAGES[part] in str(caught.value)
    assert str(copy) in str(caught.value)


def test_weights_that_are_gone(trained: Path, tmp_path: Path) -> None:
    """A file that a full disk left empty: every translation would be as good as any other."""
    copy = tmp_path / "model"
    shutil.copytree(trained, copy)
    (copy / "weights.txt").write_text("")
    with pytest.raises(PentaglotError, match=r"weights.txt: has no weights"):
        Model.open(copy)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 99", "newer Pentaglot"),
        ('system = "', 'system = "un', "unknown system"),
        ("max_gaps", "max_gasp", "did you mean 'max_gaps'"),
        ("[rules]", "[rules", "not valid TOML"),
    ],
)
def test_altered_description(trained: Path, tmp_path: Path, old: str, new: str, message: str) -> None:
    copy = tmp_path / "model"
    shutil.copytree(trained, copy)
    file = copy / "pentaglot.toml"
    assert old in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(PentaglotError, match=message):
        Model.open(copy)


@pytest.mark.parametrize("span", [None, 3])
def test_a_span_of_the_search_in_older_models(trained: Path, tmp_path: Path, span: int | None) -> None:
    """It was written whether or not it was that of the rules."""
    copy = tmp_path / "model"
    shutil.copytree(trained, copy)
    file = copy / "pentaglot.toml"
    written = file.read_text("utf-8")
    rules = Model.open(trained).description.rules
    written = written.replace("[search]", f"[search]\nmax_span = {span or rules.max_span}")
    for gap, in_input in ((1, None), (2, 1)):  # gaps of one word were allowed whatever the rules said
        file.write_text(written.replace("min_gap = 1", f"min_gap = {gap}"), "utf-8")
        search = Model.open(copy).description.search
        assert (search.input_span, search.input_gap) == (span, in_input)


def test_no_model_at_all(tmp_path: Path) -> None:
    with pytest.raises(PentaglotError, match="there is no model here"):
        Model.open(tmp_path / "nothing")


def test_a_language_model_that_is_gone(trained: Path, tmp_path: Path) -> None:
    """Nothing is translated otherwise without a word."""
    place = Path(shutil.copytree(trained, tmp_path / "model"))
    (place / "languages" / "classes" / "lm").rename(tmp_path / "lm")
    with pytest.raises(StorageError, match="classes/lm"):
        Model.open(place)
    shutil.rmtree(place / "languages")
    with pytest.raises(StorageError, match="languages/classes: is missing; the model has weights for it"):
        Model.open(place)
    kept = [line for line in (place / "weights.txt").read_text().splitlines() if "@classes" not in line]
    (place / "weights.txt").write_text("\n".join(kept) + "\n")
    assert Model.open(place).languages == {}
