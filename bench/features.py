"""Features by the hundred thousand: what they cost a search, and what a million weights cost a translator."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.harness import REPEATS, Row, data, measure
from bench.tuning import of_a_round
from pentaglot.corpus import read_lines
from pentaglot.corpus.bitext import kept_sentences
from pentaglot.forest import FeatureSpace, Weights
from pentaglot.lm import build
from pentaglot.rules import SentenceRules, SparseFeatures
from pentaglot.rules.operators import CutIntoBins, Operator, SourceNgrams, TargetNgrams, TargetWords, WordPairs
from pentaglot.search import language_features
from pentaglot.systems import Model, TrainOptions, Translator, induce, train

BEFORE = os.environ.get("PENTAGLOT_BEFORE")
NOTES = """
The models of `multi30k.de-en` that `search` uses, 100 test sentences whose rules were looked up before; user CPU
milliseconds, medians of alternating runs. Each rule has 50 features, drawn at random from 100,000, all of which have a
weight (so small that both searches find the same translations). A *forest* is what learners get: everything that the
search built, with the feature vectors of all edges. With a million weights, the model knows as many feature names. The
second language model is one of order 5, of every other sentence; neither search has the model over word classes. The
former version is the commit before features with state (`PENTAGLOT_BEFORE` names its `pentaglot` command), which also
made the models, of 8,000 pairs, with which both translate 400 test sentences; starting up is included. Both copy
unknown words (`--fallbacks none`): otherwise 9 (`phrase`) and 10 lines (`hiero`) with unknown German nouns differ,
which are no longer taken for forms of words in small letters. Induced features are fitted on 100 development
sentences, about 1,000 of them, all with a weight: bins, words, pairs and n-grams inside rules; or n-grams across
rules, which take a state. Their times are those of whole translations, from looking up rules to the text.
"""
ACTIVE, FEATURES, IDLE, WEIGHTS = 50, 100_000, 1_000, 1_000_000
INDUCED: dict[str, tuple[Operator, ...]] = {
    "features of rules": (
        CutIntoBins(bins=16),
        WordPairs(most=500),
        TargetWords(most=100),
        SourceNgrams(most=150),
        TargetNgrams(most=150),
    ),
    "n-grams across rules": (TargetNgrams(order=3, across=True, most=500),),
}


def rows() -> list[Row]:
    """All figures of this room that the data at hand allows."""
    folder = data("multi30k.de-en")
    if folder is None:
        return []
    lines = list(read_lines(folder / "test.de.gz"))[::10]
    found = []
    with tempfile.TemporaryDirectory() as place:
        for system in ("hiero", "phrase"):
            made = Path(place) / system
            options = TrainOptions(system=system, hold_out=0)
            train(folder / "train.de.gz", folder / "train.en.gz", made, options=options)
            model = Model.open(made)
            found += [*searching(system, model, lines), *two_models(system, model, lines)]
            found += inducing(system, model, list(read_lines(folder / "dev.de.gz"))[:100], lines)
            found += of_a_round(system, made, folder)[:1]
        found += weighing(Path(place) / "phrase")
        return found + (against_before(folder, Path(place) / "before", BEFORE) if BEFORE else [])


def cpu(function: Callable[[], object]) -> float:
    """User CPU seconds."""
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    function()
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - begun


def in_turn(functions: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """The median of each."""
    runs = [[cpu(function) for function in functions] for _ in range(repeats)]
    return [statistics.median(times) for times in zip(*runs, strict=True)]


def with_block(rules: SentenceRules, names: tuple[str, ...], ids: NDArray[np.uint32], seed: int) -> SentenceRules:
    """The same rules with features drawn at random."""
    random, table = np.random.default_rng(seed), rules.table.copy()
    chosen = random.integers(0, len(names), table.rules * ACTIVE)
    block = SparseFeatures(names, np.arange(table.rules + 1) * ACTIVE, chosen, np.ones(len(chosen)))
    block.check(table.rules, "bench")
    table.add_sparse(block.offsets.astype(np.uint32), ids[chosen], block.values.astype(np.float32))
    return replace(rules, table=table)


def search_all(translator: Translator, sentences: list[SentenceRules], whole: bool) -> None:
    """Searches with what a translator has."""
    for each in sentences:
        translator._searching.searcher.search(each, whole_forest=whole)


def searching(system: str, model: Model, lines: list[str]) -> list[Row]:
    """Searches with and without sparse features, and with many features that no rule has."""
    names = tuple(f"sparse={number}" for number in range(FEATURES))
    idle = tuple(f"idle={number}" for number in range(IDLE))
    plain = Translator(model)
    many = Translator(model, hooks=[lambda found: {}])
    few = Translator(model, hooks=[lambda found: {}])
    few.features.add_all(idle)
    ids = many.features.add_all(names)
    tiny = np.random.default_rng(7).normal(size=FEATURES) * 1e-6
    many = many.with_weights(many.weights | dict(zip(names, tiny.tolist(), strict=True)))
    few = few.with_weights(few.weights | dict.fromkeys(idle, 0.5))
    sentences = [plain.rules.rules(words) for words in model.source_tokenizer.tokenise_all(lines) if words]
    blocks = [with_block(each, names, ids, seed) for seed, each in enumerate(sentences)]
    functions = [
        partial(search_all, translator, tables, whole)
        for whole in (False, True)
        for translator, tables in ((plain, sentences), (many, blocks), (few, sentences))
    ]
    times = [1000 * each / len(sentences) for each in in_turn(functions, 2 * REPEATS)]
    found = []
    for kind, (none, sparse, unused) in (("best translation", times[:3]), ("forest", times[3:])):
        for what, ours, most in (
            (f"{FEATURES:,} sparse features, {ACTIVE} active a rule", sparse, 1.5),
            (f"{IDLE:,} features in the space, none active", unused, 1.02),
        ):
            ratio = ours / none
            row = Row(
                f"search, {system}, {what}, {kind}",
                f"{ours:.2f} ms",
                "none",
                f"{none:.2f} ms",
                none / ours,
                f"at most {most}x the time",
                ratio <= most,
            )
            found.append(row)
    return found


def inducing(system: str, model: Model, dev: list[str], lines: list[str]) -> list[Row]:
    """Translates with induced features that all have a weight, and without."""
    plain = Translator(model)
    translators = [plain]
    for operators in INDUCED.values():
        made = induce(plain, dev, operators)
        translators.append(made.with_weights(made.weights | dict.fromkeys(made.induced_names, 1e-6)))
    functions = [partial(translate_lines, each, lines) for each in translators]
    none, *times = (1000 * each / len(lines) for each in in_turn(functions, 2 * REPEATS))
    return [
        Row(
            f"translate, {system}, {len(made.induced_names):,} induced {what}",
            f"{ours:.2f} ms",
            "none",
            f"{none:.2f} ms",
            none / ours,
            "at most 1.2x the time",
            ours / none <= 1.2,
        )
        for what, made, ours in zip(INDUCED, translators[1:], times, strict=True)
    ]


def translate_lines(translator: Translator, lines: list[str]) -> None:
    """Translates lines one by one."""
    for line in lines:
        translator.translate(line)


def translate_all(translator: Translator, sentences: list[list[str]]) -> None:
    """Finds the rules of sentences and searches."""
    for words in sentences:
        translator.translate_words(words)


def two_models(system: str, model: Model, lines: list[str]) -> list[Row]:
    """Translation with a second language model, compared with one, and the search for itself."""
    alone = replace(model, languages={})
    usual = {name: value for name, value in model.weights.items() if "@" not in name}
    bitext = model.index.bitext
    half = build(kept_sentences(bitext.target, np.arange(len(bitext)) % 2 == 0), bitext.target_vocabulary)
    features = dict(zip(language_features("half"), (0.1, 0.0), strict=True))
    one = Translator(alone, weights=usual)
    two = Translator(alone, weights=usual | features, languages={"half": half})
    cut = [words for words in model.source_tokenizer.tokenise_all(lines) if words]
    rules = [one.rules.rules(words) for words in cut]
    functions = [partial(translate_all, each, cut) for each in (two, one)]
    functions += [partial(search_all, each, rules, False) for each in (two, one)]
    times = [1000 * each / len(cut) for each in in_turn(functions, 2 * REPEATS)]
    return [
        Row(
            f"{what}, {system}, two language models",
            f"{ours:.2f} ms",
            "one",
            f"{theirs:.2f} ms",
            theirs / ours,
            "at most 1.4x the time",
            ours <= 1.4 * theirs,
        )
        for what, (ours, theirs) in (("rules and search", times[:2]), ("search alone", times[2:]))
    ]


def against_before(folder: Path, place: Path, before: str) -> list[Row]:
    """`translate`, compared with a former version."""
    place.mkdir()
    for name, number in (("train.de", 8_000), ("train.en", 8_000), ("test.de", 400)):
        lines = islice(read_lines(folder / f"{name}.gz"), number)
        (place / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    found, versions = [], {"now": [sys.executable, "-m", "pentaglot"], "before": [before]}
    for system in ("hiero", "phrase"):
        model = str(place / system)
        texts = [str(place / "train.de"), str(place / "train.en"), "-o", model]
        subprocess.run([before, "train", *texts, "--system", system, "--hold-out", "0", "-q"], check=True)
        for threads in (1, 2):
            costs = measure(
                {
                    version: [
                        *command, "translate", model, str(place / "test.de"),
                        "-o", str(place / f"{version}.out"), "-q", "--threads", str(threads), "--fallbacks", "none",
                    ]
                    for version, command in versions.items()
                }
            )  # fmt: skip
            same = (place / "now.out").read_bytes() == (place / "before.out").read_bytes()
            ratio = costs["before"].user / costs["now"].user
            row = Row(
                f"`translate`, {system}, {threads} thread{'s' * (threads > 1)}",
                f"{costs['now'].user:.2f} s",
                "before features with state" + ("" if same else " (OTHER OUTPUT)"),
                f"{costs['before'].user:.2f} s",
                ratio,
                "1.0x, same output",
                ratio >= 1.0 and same,
            )
            found.append(row)
    return found


def weighing(path: Path) -> list[Row]:
    """A million weights: opening a model with them, and another translator with others."""
    usual = Weights.open(path / "weights.txt")
    names = [f"pair={number * 7919 % WEIGHTS}_{number}" for number in range(WEIGHTS)]
    values = np.random.default_rng(3).normal(size=WEIGHTS).round(6)
    (usual | dict(zip(names, values.tolist(), strict=True))).save(path / "weights.txt")
    models: list[Model] = []
    opening = statistics.median(cpu(lambda: models.append(Model.open(path))) for _ in range(REPEATS))
    translator = Translator(models[-1], hooks=[lambda found: {}])
    space: FeatureSpace = translator.features
    space.add_all(names)  # as when all were active once
    changed = [
        Weights(dict(usual) | dict(zip(names, (values + step).tolist(), strict=True))) for step in range(REPEATS)
    ]
    weighed = statistics.median(cpu(partial(translator.with_weights, each)) for each in changed)
    saving = statistics.median(cpu(partial(changed[0].save, path / "weights.txt")) for _ in range(REPEATS))
    usual.save(path / "weights.txt")
    return [
        Row(
            "`Weights.save`, a million weights",
            f"{1000 * saving:.0f} ms",
            "(recorded)",
            "",
            None,
            "under 500 ms",
            saving < 0.5,
        ),
        Row(
            "`with_weights`, a million weights, names of which the space has all",
            f"{1000 * weighed:.1f} ms",
            "(recorded)",
            "",
            None,
            "under 20 ms",
            weighed < 0.02,
        ),
        Row(
            "opening a model with a million weights",
            f"{1000 * opening:.0f} ms",
            "(recorded)",
            "",
            None,
            "under 500 ms",
            opening < 0.5,
        ),
    ]
