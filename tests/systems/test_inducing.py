"""Induced features in whole systems: fitted, tuned, saved, opened, and worth what the definitions say."""

from __future__ import annotations

import dataclasses
import itertools
import pickle
import shutil
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from tests.docs.test_system import install
from tests.systems.conftest import EXAMPLES

from pentaglot.corpus import Sentence
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.learn import Mira, Pro, TuneOptions
from pentaglot.learn.binned_hypotheses import Binned
from pentaglot.learn.separability import Hypothesis, separability
from pentaglot.learn.separation import Separability
from pentaglot.rules import Inducer, Induction, Operator, SentenceRules, TableRules, extract_table
from pentaglot.rules.operators import (
    ConjoinBins,
    CutIntoBins,
    Domains,
    SourceNgrams,
    SourceWords,
    TargetNgrams,
    TargetWords,
    Triggers,
    WholeRules,
    WordPairs,
)
from pentaglot.systems import Fixed, Model, Translator, WordArc, WordLattice, induce, separating, tune
from pentaglot.systems.inducing import save_tuned
from pentaglot.systems.prepared import words_to_search
from pentaglot.systems.separating import model_separability

SOURCES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()[:16]
REFERENCES = (EXAMPLES / "test.en").read_text("utf-8").splitlines()[:16]
DOMAINS = ("news", "news/sport", "law", "")

BINS = CutIntoBins(("coherent", "lexical_target", "pair_count", "source_words", "new_words"), bins=5)
WORDS: tuple[Operator, ...] = (
    SourceWords(),
    TargetWords(),
    WordPairs(),
    WordPairs(linked=False),
    SourceNgrams(order=3),
    TargetNgrams(order=3),
    WholeRules(),
)
CLASSED: tuple[Operator, ...] = (
    SourceWords(classes=8),
    TargetWords(classes=8),
    WordPairs(classes=8),
    SourceNgrams(classes=8),
    TargetNgrams(classes=8),
    WholeRules(classes=8),
)
EVERYTHING = (BINS, ConjoinBins(), *WORDS, *CLASSED, Domains())


def sentences() -> list[Sentence]:
    """The sources, each in a domain."""
    words = (line.split(" ") for line in SOURCES)
    return [Sentence(each, metadata={"domain": DOMAINS[at % 4]} if at % 4 < 3 else {}) for at, each in enumerate(words)]


def weighted(translator: Translator, seed: int = 1) -> Translator:
    """With some weight for every induced feature."""
    names = [name for name in translator.feature_names if name in set(translator.induced_names)]
    values = np.random.default_rng(seed).normal(scale=0.2, size=len(names)).round(3)
    return translator.with_weights(translator.weights | dict(zip(names, values.tolist(), strict=True)))


def texts(translator: Translator, lines: list[Sentence], nbest: int = 1) -> list[list[tuple[str, float]]]:
    translations = (translator.translate(line, nbest=nbest).nbest for line in lines)
    return [[(text, each.score) for text, each in nbest] for nbest in translations]


def twin(found: SentenceRules, induction: Induction, pattern: int, rule: int) -> Counter[str]:
    """The induced features of a rule by their definitions, except bins."""
    source, target = (found.table.source(pattern).tolist(), found.table.target(rule).tolist())
    seen: Counter[str] = Counter()
    for words in induction.worded:
        maps = induction.classes.get(words.operator.classes)

        def word(symbol: int, side: int, maps: object = maps) -> str | None:
            if not 0 <= symbol < 1 << 30:
                return None
            spelt = (found.source_word, found.target_word)[side](symbol)
            if maps is None:
                return spelt
            number = (maps.source, maps.target)[side].get(spelt)  # type: ignore[attr-defined]
            return None if number is None else str(number)

        sides = [[word(each, 0) for each in source], [word(each, 1) for each in target]]
        known = set(words.features)

        def fire(parts: list[str | None], known: set[str] = known, prefix: str = words.operator.prefix) -> None:
            name = f"{prefix}={'>'.join(part or '?' for part in parts)}"
            if None not in parts and name in known:
                seen[name] += 1

        template, order = words.operator.template, words.operator.longest
        if template in ("source_words", "target_words"):
            for each in sides[template == "target_words"]:
                fire([each])
        elif template == "linked_pairs":
            for one, other in found.table.links(rule):
                fire([sides[0][one], sides[1][other]])
        elif template == "all_pairs":
            for one in sides[0]:
                for other in sides[1]:
                    fire([one, other])
        elif template in ("source_ngrams", "target_ngrams"):
            side = sides[template == "target_ngrams"]
            for size in range(2, order + 1):
                for at in range(len(side) - size + 1):
                    fire(side[at : at + size])
        else:
            gaps = [
                [f"[{-s}]" if s < 0 else name for s, name in zip(symbols, side, strict=True)]
                for symbols, side in zip((source, target), sides, strict=True)
            ]
            joined = ">".join(each or "?" for each in gaps[0]) + ">>" + ">".join(each or "?" for each in gaps[1])
            name = f"{words.operator.prefix}={joined}"
            if None not in (*gaps[0], *gaps[1]) and name in known:
                seen[name] += 1
    return seen


@pytest.fixture(scope="module")
def plain(trained: Path) -> Translator:
    return Translator.open(trained)


@pytest.fixture(scope="module")
def induced(plain: Translator) -> Translator:
    return induce(plain, sentences(), EVERYTHING)


def test_rules_have_the_features_of_the_definitions(induced: Translator) -> None:
    words = {name for each in induced.induction.worded for name in each.features}
    fired: Counter[str] = Counter()
    for line in sentences()[:6]:
        found = induced.rules.rules(words_to_search(line, induced.source_tokenizer))
        offsets = found.table.rule_offsets.tolist()
        for pattern, (begin, end) in enumerate(itertools.pairwise(offsets)):
            for rule in range(begin, end):
                ids, values = found.table.features_of(rule)
                named: Counter[str] = Counter()
                for id_, value in zip(ids.tolist(), values.tolist(), strict=True):
                    named[induced.features.name(id_)] += value
                expected = twin(found, induced.induction, pattern, rule)
                assert {name: value for name, value in named.items() if name in words} == dict(expected)
                fired.update(expected)
                bins = [name for name in named if name.startswith(("pair_count=", "coherent=")) and "^" not in name]
                collected = not any(named[each] for each in ("unknown", "copied", "remembered"))
                assert len(bins) == 2 * collected
                both = [name for name in named if "^" in name and "domain" not in name]
                assert len(both) == (10 if collected else len(both))  # of five quantities
    assert all(any(name.startswith(f"{each.prefix}=") for name in fired) for each in (*WORDS, *CLASSED))  # type: ignore[union-attr]


def test_decoded_features_are_sums_of_local_ones(induced: Translator) -> None:
    translator = weighted(induced)
    for line in sentences()[:8]:
        for _, each in translator.translate(line, nbest=3).nbest:
            summed: Counter[str] = Counter()
            for ids, values in each.derivation.local_vectors():
                for id_, value in zip(ids.tolist(), values.tolist(), strict=True):
                    summed[translator.features.name(id_)] += value
            assert dict(each.features) == pytest.approx(
                {name: value for name, value in summed.items() if value}, abs=1e-4
            )
            total = sum(value * translator.weights.get(name, 0.0) for name, value in each.features.items())
            assert each.score == pytest.approx(total, rel=1e-4, abs=1e-3)
            domain = line.metadata.get("domain", "")
            inside = {name for name in each.features if "domain=" in name}
            assert all(
                any(
                    f"domain={known}^" in f"{name}^" or name.endswith(f"domain={known}")
                    for known in ([] if not domain else [domain, domain.partition("/")[0]])
                )
                for name in inside
            )
            assert bool(inside) == bool(domain)
            # An observable indicator never stands alone; those of the search are multiplied, too.
            assert not any(name.startswith("domain=") and "^" not in name for name in each.features)
            if domain:
                product = f"domain={domain}^language_model"
                assert each.features[product] == each.features["language_model"]


def test_induced_names_are_those_of_the_induction(induced: Translator) -> None:
    assert sorted(induced.induced_names) == sorted(induced.induction.names())
    assert not {"domain=news", "words"}.intersection(induced.induced_names)


def test_features_that_weigh_nothing_change_nothing(plain: Translator, induced: Translator) -> None:
    lines = sentences()
    assert texts(induced, lines, 4) == texts(plain, lines, 4)


def test_weights_of_a_domain_are_added(plain: Translator, induced: Translator) -> None:
    lines = sentences()
    changes = {"language_model": 0.4, "words": -0.5, "lexical_target": 0.3}
    products = {"domain=law^language_model": 0.4, "domain=law^words": -0.5, "domain=law^lexical_target": 0.3}
    law = [line for line in lines if line.metadata.get("domain") == "law"]
    others = [line for line in lines if line.metadata.get("domain") != "law"]
    domained = induced.with_weights(induced.weights | products)
    summed = plain.with_weights(plain.weights | {name: plain.weights[name] + more for name, more in changes.items()})
    for one, other in zip(texts(domained, law, 3), texts(summed, law, 3), strict=True):
        assert [text for text, _ in one] == [text for text, _ in other]
        assert [score for _, score in one] == pytest.approx([score for _, score in other], abs=1e-4)
    assert texts(domained, others) == texts(plain, others)
    # A domain that is not known falls back to the one around it, or to none.
    within = [line.with_metadata({"domain": "law/civil"}) for line in law]
    assert texts(domained, within) == texts(domained, law)
    unknown = [line.with_metadata({"domain": "poetry"}) for line in law]
    assert texts(domained, unknown) == texts(plain, law)


def test_identity_bins_are_the_linear_model(plain: Translator) -> None:
    lines = sentences()
    names = ("translation", "lexical_target", "inverse_estimate")
    cut = induce(plain, lines, [CutIntoBins(names, bins=65536, keep=False)])
    assert not any(name in cut.weights for name in names)
    for one, other in zip(texts(cut, lines, 3), texts(plain, lines, 3), strict=True):
        assert [text for text, _ in one] == [text for text, _ in other]
        assert [score for _, score in one] == pytest.approx([score for _, score in other], abs=1e-3)
    again = cut.with_induction(Induction(()))
    assert {name: again.weights[name] for name in names} == {name: plain.model.system.weights[name] for name in names}


@pytest.mark.parametrize("kind", ["apart", "probability"])
def test_an_estimate_that_is_replaced_is_still_there(trained: Path, kind: Literal["apart", "probability"]) -> None:
    """Weights of tables have `inverse` in place of its estimate; bins of the estimate are not that mistake."""
    cut = induce(Translator.open(trained), sentences(), [CutIntoBins(("inverse_estimate",), kind=kind, keep=False)])
    options = TuneOptions(tuner="mira", rounds=1, size=5, settings=Mira(epochs=1))
    tuned = tune(cut, SOURCES, REFERENCES, options, seed=1).weights
    assert "inverse" in tuned and "inverse_estimate" not in tuned
    assert any(name.startswith("inverse_estimate") and value for name, value in tuned.items())


def test_other_words_of_a_sentence_do_not_change_the_bins_of_a_rule(plain: Translator) -> None:
    """Only the table of a sentence with a word that is spelt like a known one has this feature; elsewhere it is 0."""
    known, other = "Nachbarin", "nachbarin"
    cut = induce(plain, [known, other], [CutIntoBins(("spelt_alike",))])
    fired = []
    for line in ([known], [known, other]):
        table = cut.rules.rules(line).table
        names = [[cut.features.name(id_) for id_ in table.features_of(rule)[0]] for rule in range(table.rules)]
        fired.append([[name for name in each if name.startswith("spelt_alike=")] for each in names])
    assert fired[0] and all(each == ["spelt_alike=0"] for each in fired[0])
    assert fired[1][: len(fired[0])] == fired[0] and ["spelt_alike=1+"] in fired[1]


def test_probabilities_in_place_of_logarithms(plain: Translator) -> None:
    """Each rule has the probability, and what the linear model had by its logarithm is gone."""
    names = ("translation", "lexical_target")
    raw = induce(plain, sentences(), [CutIntoBins(names, kind="probability", keep=False)])
    assert not any(name in raw.weights for name in names)
    checked = 0
    for line in sentences()[:4]:
        words = words_to_search(line, plain.source_tokenizer)
        tables = [each.rules.rules(words).table for each in (plain, raw)]
        assert tables[0].rules == tables[1].rules
        for rule in range(tables[0].rules):
            logs, values = (
                {space.name(at): value for at, value in zip(*map(list, table.features_of(rule)), strict=True)}
                for table, space in zip(tables, (plain.features, raw.features), strict=True)
            )
            for name in names:
                if f"{name}(probability)=value" in values:
                    made = np.exp(np.float32(logs.get(name, 0.0)))
                    assert values[f"{name}(probability)=value"] == pytest.approx(made, rel=1e-5)
                    checked += 1
    assert checked > 100
    assert raw.induced_meaning("translation(probability)=value") == "chance of this translation: its value"


def test_no_operators_is_plain_tuning(trained: Path) -> None:
    model = Model.open(trained)
    options = TuneOptions(tuner="pro", rounds=2, size=20, settings=Pro(samples=50, kept=10), set_length=False)
    found = [
        tune(each, SOURCES, REFERENCES, options, seed=3).weights
        for each in (Translator(model), Translator(model, induction=Induction(())))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "operators", [EVERYTHING, (TargetNgrams(order=3, across=True, most=50), Triggers(most=50), BINS)]
)
def test_saved_and_opened(trained: Path, tmp_path: Path, operators: tuple[Operator, ...]) -> None:
    options = TuneOptions(tuner="mira", rounds=2, size=10, settings=Mira(epochs=3), set_length=False)
    for threads in (1, 2):
        place = tmp_path / str(threads)
        shutil.copytree(trained, place)
        plain = Translator.open(place)
        translator = induce(plain, sentences(), operators, threads=threads)
        tuned = tune(translator, sentences(), REFERENCES, options, seed=1, threads=threads)
        save_tuned(translator, tuned.weights, str(place))
        translator = translator.with_weights(tuned.weights)
    for file in (tmp_path / "1" / "induction").iterdir():
        assert (tmp_path / "2" / "induction" / file.name).read_bytes() == file.read_bytes()
    assert (tmp_path / "1" / "weights.txt").read_bytes() == (tmp_path / "2" / "weights.txt").read_bytes()
    opened = Translator.open(place)
    assert 0 < len(opened.induced_names) < len(translator.induced_names)  # those without a weight are gone
    lines = sentences()
    assert texts(opened, lines) == texts(translator, lines)
    assert any(opened.weights.get(name) for name in opened.induced_names)
    threaded = [each.text for each in opened.translate_all(lines, threads=2)]
    assert threaded == [nbest[0][0] for nbest in texts(opened, lines)]


def test_features_across_rules_can_come_after_the_search(trained: Path) -> None:
    """By cube pruning over its forest: with enough room the same translations as in the search."""
    operators = (TargetNgrams(order=3, across=True, most=50), Triggers(most=50), Domains())
    during = weighted(induce(Translator.open(trained), sentences(), operators))
    wide = dataclasses.replace(during.search_options, pop_limit=3000, stack_size=3000)

    def rescoring(combinations: int) -> Translator:
        options = dataclasses.replace(wide, rescore=combinations)
        return Translator(during.model, search=options, induction=during.induction, weights=during.weights)

    made = [rescoring(0), rescoring(3000)]
    lines = [Sentence(each.words[:6], metadata=each.metadata) for each in sentences()[:8]]
    one, other = (texts(each, lines, nbest=3) for each in made)
    for ours, theirs in zip(one, other, strict=True):
        assert [text for text, _ in ours] == [text for text, _ in theirs]
        assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], abs=1e-3)
    assert texts(made[1], lines) == [each[:1] for each in other]
    assert all(a[0][1] <= b[0][1] + 1e-3 for a, b in zip(texts(rescoring(2), lines), other, strict=True))


def test_pairs_that_are_added_are_used(trained: Path, tmp_path: Path) -> None:
    place = tmp_path / "model"
    shutil.copytree(trained, place)
    plain = Translator.open(place)
    translator = weighted(induce(plain, sentences(), EVERYTHING))
    before = texts(translator, sentences())
    translator.add("das Blubbern blubbert", "the blubbering blubbers")
    assert translator.translate("das Blubbern blubbert").text.lower() == "the blubbering blubbers"
    found = translator.rules.rules(["das", "Blubbern"])
    known = {
        translator.features.name(id_) for rule in range(found.table.rules) for id_ in found.table.features_of(rule)[0]
    }
    assert any(name.startswith("pair_count=") for name in known)
    assert len(texts(translator, sentences())) == len(before)


def test_a_table_gives_what_the_index_gives(tmp_path: Path, plain: Translator) -> None:
    """Rules that both have get the same features of words, and the same bins where their quantities are the same."""
    model = plain.model
    operators = (CutIntoBins(("lexical_target", "source_words", "words"), bins=4), *WORDS)
    induced = induce(plain, sentences(), operators)
    options = dataclasses.replace(model.description.rules, sample=0)
    table = extract_table(model.index, tmp_path / "table", options)
    space = induced.features.fork()
    tables = TableRules(table, space, dataclasses.replace(options, fallbacks=()))
    tables.inducer = Inducer(induced.induction, space, model.language.map_vocabulary)
    compared = 0
    for line in sentences()[:5]:
        rows = []
        for source, names in ((induced.rules, induced.features), (tables, space)):
            found = source.rules(words_to_search(line, plain.source_tokenizer))
            lexical = found.table.feature(names.id("lexical_target"))
            offsets = found.table.rule_offsets.tolist()
            rows.append({})
            for pattern in range(found.table.patterns):
                for rule in range(offsets[pattern], offsets[pattern + 1]):
                    ids, values = found.table.features_of(rule)
                    made = sorted(
                        (names.name(i), v)
                        for i, v in zip(ids.tolist(), values.tolist(), strict=True)
                        if "=" in names.name(i)
                    )
                    key = (
                        tuple(found.source_side(pattern)),
                        tuple(found.target_side(rule)),
                        tuple(found.table.links(rule)),
                        float(lexical[rule]),
                    )
                    rows[-1][key] = made
        shared = rows[0].keys() & rows[1].keys()
        compared += len(shared)
        assert {key: rows[0][key] for key in shared} == {key: rows[1][key] for key in shared}
    assert compared > 50


@pytest.mark.parametrize(
    ("operators", "message"),
    [
        ([CutIntoBins(("language_model",))], "'language_model' looks across rules"),
        ([CutIntoBins(("glue",))], "'glue' looks across rules"),
        ([CutIntoBins(("rules",))], "'rules' is 1 in all rules"),
        ([CutIntoBins(("lexcal_target",))], "no feature 'lexcal_target' to cut"),
        ([CutIntoBins(("translation@news",))], "no rule of the development text has 'translation@news'"),
        ([CutIntoBins(("words",)), CutIntoBins(("words",), bins=3)], "cut into bins twice"),
        ([ConjoinBins()], "only 0 are cut"),
        ([BINS, ConjoinBins(("words", "coherent"))], "'words' is not cut"),
        ([Domains(("langage_model",))], "no feature 'langage_model' to multiply"),
        ([Domains(("words", "words"))], "'words' is multiplied by domains twice"),
        ([Domains(metadata="document")], "no development .* 'document', .*; give --metadata document="),
        ([WordPairs(), WordPairs(least=2)], "the operator 'pairs' is given twice"),
        ([TargetNgrams(across=True, order=5)], "at most 4 words"),
        ([CutIntoBins(bins=1)], "option 'bins' is 1"),
        ([CutIntoBins(("words",), kind="probability")], "'words' is not the logarithm of a probability"),
    ],
)
def test_what_cannot_be_fitted(plain: Translator, operators: list[Operator], message: str) -> None:
    with pytest.raises((OptionError, PentaglotError), match=message) as error:
        induce(plain, sentences(), operators)
    assert "\n" not in str(error.value)


def test_explanations_are_in_words(induced: Translator) -> None:
    translator = weighted(induced)
    line = sentences()[0]
    said = {each.feature: each.meaning for each in translator.explain(line).totals()}
    seen = next(meaning for name, meaning in said.items() if name.startswith("pair_count=") and "^" not in name)
    assert seen.startswith("phrase seen ") and seen.endswith(" in training")
    assert said["domain=news^language_model"] == "how well the translation reads, in the domain news"
    assert any(meaning.startswith("'") and " translated as '" in meaning for meaning in said.values())
    assert said["language_model"] == ""
    rule = next(each for each in translator.look_up("das") if each.meanings)
    assert set(rule.meanings) <= set(rule.features) and all(rule.meanings.values())


def test_what_looks_across_rules_is_not_cut_to_separate(trained: Path) -> None:
    """The language model stays as it is in domains, too, and so do n-grams across rules."""
    operators = (BINS, TargetNgrams(across=True), Triggers(), Domains(("language_model", "words")))
    translator = weighted(induce(Translator.open(trained), sentences(), operators))
    found = model_separability(translator, sentences()[:4], REFERENCES[:4], size=4)
    names = set(found.local.weights)
    across = [name for name in names if name.startswith(("ngram=", "trigger="))]
    assert across and "domain=news^language_model" in names and not set(found.features).intersection(across)
    assert "domain=news^language_model" not in found.features
    assert {"domain=news^words", "words"} <= set(found.features)


def test_zeros_and_sums_are_cut_to_separate(plain: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    """A logarithm of 0 is a chance of 1, not a missing one; and sums have bins of their own."""
    seen: list[list[Hypothesis]] = []

    def watched(sentences: list[list[Hypothesis]], *cuts: Binned, **others: Any) -> Separability:
        seen.extend(sentences)
        return separability(sentences, *cuts, **others)

    monkeypatch.setattr(separating, "separability", watched)
    found = model_separability(plain, [*sentences()[:4], "xyzzy"], REFERENCES[:5], size=4)
    rules = [rule for some in seen for each in some for rule in each.rules if "rules" in rule]
    made = [bool(rule["unknown"] or rule["copied"]) for rule in rules]
    assert any(made) and not all(made)
    assert [("translation" in rule, "lexical_source" in rule) for rule in rules] == [(not each,) * 2 for each in made]
    assert any(rule.get("translation") == 0 for rule in rules)
    sums = {round(each.features["translation"], 5) for some in seen for each in some if "translation" in each.features}
    bins = [name for name in found.global_.weights if name.startswith("translation=")]
    assert len(bins) == min(16, len(sums)) > 5


def test_every_way_to_translate(induced: Translator) -> None:
    """Given beginnings, fixed parts, lattices, references: all of them score induced features."""
    translator = weighted(induced)
    line = SOURCES[0]
    best = translator.translate(line)
    beginning = best.text[:4]
    assert translator.translate(line, prefix=beginning).text.startswith(beginning)
    fixed = translator.translate(line, fixed=[Fixed(0, len(line.split(" ")[0]), "Foo")])
    assert "Foo" in fixed.text
    forced = translator.force(line, best.text)
    assert forced.hypothesis is not None and forced.hypothesis.score == pytest.approx(best.nbest[0][1].score, abs=1e-3)
    words = line.split(" ")
    lattice = WordLattice(len(words) + 1, tuple(WordArc(at, at + 1, word) for at, word in enumerate(words)))
    through = translator.translate_lattice(lattice).nbest[0][1]
    assert any(name.startswith("pair=") for name in through.features)


def test_sent_to_other_processes(induced: Translator) -> None:
    translator = weighted(induced)
    received = pickle.loads(pickle.dumps(translator))
    assert texts(received, sentences()[:4]) == texts(translator, sentences()[:4])


def test_a_system_of_another_package(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own local features can be cut, those with state cannot; hooks come before operators."""
    code = """
from dataclasses import replace
import numpy as np
from pentaglot.forest import DeclaredFeature
from pentaglot.systems import find_system

def lengths(found):
    sides = [len(found.target_side(rule)) for rule in range(found.table.rules)]
    return {"target_length": np.array(sides, np.float32)}

OWN = DeclaredFeature("target_length", "mine", "mine", "target words and gaps", 0.0, kind="count")
FAR = DeclaredFeature("far", "mine", "mine", "looks across rules", 0.0, local=False)
BASE = find_system("phrase")
OTHER = replace(BASE, name="other", features=(*BASE.features, OWN, FAR), hooks=(lengths,))
"""
    install(tmp_path / "site", "otherpackage", {"other": "otherpackage:OTHER"}, otherpackage=code)
    monkeypatch.syspath_prepend(tmp_path / "site")
    place = tmp_path / "model"
    shutil.copytree(trained, place)
    described = (place / "pentaglot.toml").read_text("utf-8")
    for name in ("hiero", "phrase"):
        described = described.replace(f'system = "{name}"', 'system = "other"')
    (place / "pentaglot.toml").write_text(described, "utf-8")
    plain = Translator.open(place)
    with pytest.raises(OptionError, match="'far' looks across rules"):
        induce(plain, SOURCES, [CutIntoBins(("far",))])
    cut = induce(plain, SOURCES, [CutIntoBins(("target_length",), bins=3), WordPairs()])
    options = TuneOptions(tuner="mira", rounds=1, size=10, settings=Mira(epochs=3), set_length=False)
    tuned = tune(cut, SOURCES, REFERENCES, options)
    save_tuned(cut, tuned.weights, place)
    opened = Translator.open(place)
    assert opened.induced_meaning(opened.induced_names[0]).startswith("target words and gaps: ")
    assert texts(opened, sentences()) == texts(cut.with_weights(tuned.weights), sentences())
