"""Limits of the search that suit the word order of the training text."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pentaglot.search import USUAL_DISTORTION_LIMIT, SearchOptions
from pentaglot.systems import Model, TrainOptions, Translator, find_system, train

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def files(place: Path, moved: int) -> tuple[Path, Path]:
    """Sentences of 20 words; in the translations, which are in capitals, each pair of words `moved` apart changes
    places."""
    source, target = place / "source.txt", place / "target.txt"
    lines = [[LETTERS[(7 * n + 3 * i + n // 26) % 26] * 2 for i in range(20)] for n in range(300)]
    order = [i + moved if i < moved else i - moved if i < 2 * moved else i for i in range(20)]
    source.write_text("".join(" ".join(line) + "\n" for line in lines), "utf-8")
    target.write_text("".join(" ".join(line[i].upper() for i in order) + "\n" for line in lines), "utf-8")
    links = " ".join(f"{i}-{j}" for j, i in enumerate(order))
    (place / "links.txt").write_text(f"{links}\n" * len(lines), "utf-8")
    return source, target


def trained(place: Path, moved: int, system: str, search: SearchOptions | None = None) -> Model:
    made = TrainOptions(system=system, tokenizer="none", order=2, word_classes=0, hold_out=0)
    train(*files(place, moved), place / "model", options=made, alignment=place / "links.txt", search=search)
    return Model.open(place / "model")


@pytest.mark.parametrize(("moved", "limit"), [(0, USUAL_DISTORTION_LIMIT), (3, USUAL_DISTORTION_LIMIT), (6, 11)])
def test_a_stack_search_jumps_as_far_as_words_move(tmp_path: Path, moved: int, limit: int) -> None:
    assert trained(tmp_path, moved, "phrase").description.search.distortion_limit == limit


@pytest.mark.parametrize(("moved", "span"), [(0, None), (5, None), (7, 13), (9, 15)])
def test_rules_cover_as_much_of_the_input_as_words_move(tmp_path: Path, moved: int, span: int | None) -> None:
    assert trained(tmp_path, moved, "hiero").description.search.input_span == span


@pytest.mark.parametrize("system", ["phrase", "hiero"])
def test_given_limits_stay(tmp_path: Path, system: str) -> None:
    search = dataclasses.replace(find_system(system).search, distortion_limit=2, input_span=5)
    assert trained(tmp_path, 8, system, search).description.search == search


def best(model: Model, search: SearchOptions | None = None) -> list[tuple[str, float]]:
    line = (model.path.parent / "source.txt").read_text("utf-8").splitlines()[17]
    found = Translator(model, search=search).translate(line, nbest=100)
    return [(text, hypothesis.score) for text, hypothesis in found.nbest]


@pytest.mark.parametrize("system", ["phrase", "hiero"])
def test_other_options_leave_it_as_trained(tmp_path: Path, system: str) -> None:
    model = trained(tmp_path, 8, system)
    usual = find_system(system).search
    assert Translator(model, search=usual).search_options == model.description.search != usual
    assert best(model) == best(model, usual)
    narrow = dataclasses.replace(usual, distortion_limit=0, input_span=2)
    assert best(model) != best(model, narrow)


def test_a_model_that_says_nothing_has_the_usual_limit(tmp_path: Path) -> None:
    model = trained(tmp_path, 7, "phrase")
    file = model.path / "pentaglot.toml"
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join(line for line in lines if not line.startswith("distortion_limit")), "utf-8")
    silent = Model.open(model.path)
    assert silent.description.search.distortion_limit is None
    usual = dataclasses.replace(model.description.search, distortion_limit=USUAL_DISTORTION_LIMIT)
    assert best(silent) == best(model, usual) != best(model, dataclasses.replace(usual, distortion_limit=0))
