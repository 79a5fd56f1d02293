"""Induced features in a model whose rules come from a table of another toolkit, with scores and words of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.systems.conftest import EXAMPLES

from pentaglot.corpus import Sentence
from pentaglot.errors import OptionError
from pentaglot.rules import SentenceRules, import_table
from pentaglot.rules.operators import CutIntoBins, Domains, TargetNgrams, Triggers
from pentaglot.rules.word_names import split_words
from pentaglot.systems import Translator, induce
from pentaglot.systems.inducing import save_tuned

SOURCES = [
    Sentence(line.split(" "), metadata={"domain": "news"})
    for line in (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:4]
]


def lines_of(found: SentenceRules) -> list[str]:
    """The phrases of a sentence as a grammar, each with a score."""
    offsets, table = found.table.rule_offsets.tolist(), found.table
    sides = [
        (found.source_side(pattern), found.target_side(rule))
        for pattern in range(table.patterns)
        for rule in range(offsets[pattern], offsets[pattern + 1])
        if min([*table.source(pattern), *table.target(rule)]) >= 0
    ]
    said = ((" ".join(source), " ".join(target), len(target) % 3) for source, target in sides)
    return [f"[X] ||| {source} ||| {target} ||| translation=-0.5 mine={score}\n" for source, target, score in said]


@pytest.fixture(scope="module")
def tabled(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tabled") / "model"
    shutil.copytree(trained, place)
    rules = Translator.open(trained).rules
    grammar = {line: None for each in SOURCES for line in lines_of(rules.rules(each))}
    (place / "grammar.cdec").write_text("".join(reversed(grammar)), "utf-8")
    import_table(place / "grammar.cdec", place / "table")
    description = (place / "pentaglot.toml").read_text("utf-8")
    (place / "pentaglot.toml").write_text(description.replace('source = "index"', 'source = "table"'), "utf-8")
    return place


def test_scores_of_the_table_are_cut_and_multiplied(tabled: Path) -> None:
    operators = [CutIntoBins(("mine",)), Domains(("mine", "mine="))]
    cut = induce(Translator.open(tabled), SOURCES, operators)
    assert cut.induction.binned[0].labels == ["0", "1", "2+"]
    save_tuned(cut, cut.weights | {"mine=1": 0.5, "domain=news^mine": 0.25, "domain=news^mine=2+": 0.1}, tabled)
    opened = Translator.open(tabled)
    for translator in (cut, opened):
        found = translator.rules.rules(Sentence(["xyzzy", *SOURCES[0].words], metadata={"domain": "news"})).table
        names = [
            {translator.features.name(id_): value for id_, value in zip(*found.features_of(rule), strict=True)}
            for rule in range(found.rules)
        ]
        assert any("unknown" in each for each in names)
        for each in names:  # a copied word has no score
            bins = [name for name in each if name.startswith("mine=")]
            wanted = ["0", "1", "2+"][int(each.get("mine", 0.0))]
            assert bins == ([] if "unknown" in each or "copied" in each else [f"mine={wanted}"])
    best = opened.translate(SOURCES[0]).nbest[0][1].features
    assert best["domain=news^mine"] == best["mine"] > 0
    with pytest.raises(OptionError, match="no feature 'yours' to cut"):
        induce(opened, SOURCES, [CutIntoBins(("yours",))])


def test_only_ngrams_that_the_table_can_say(tabled: Path) -> None:
    """The words of a table have other ids than those of the text in which n-grams are found."""
    plain = Translator.open(tabled)
    assert plain.rules.target_vocabulary.word(20) != plain.model.index.bitext.target_vocabulary.word(20)
    induced = induce(plain, SOURCES[:1], [TargetNgrams(across=True, most=100), Triggers(most=100, least=2)])
    found = induced.rules.rules(SOURCES[0])
    said = {word for rule in range(found.table.rules) for word in found.target_side(rule)} | {"<s>", "</s>"}
    for words in induced.induction.worded:
        assert words.words and all(word in said for each in words.words for word in split_words(each)[0])
