"""The searches: milliseconds per sentence, model scores by pop limit, cube growing against cube pruning, threads."""

from __future__ import annotations

import dataclasses
import functools
import resource
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.harness import OTHER_MACHINE, REPEATS, Row, data, measure
from pentaglot.corpus import encode, read_lines
from pentaglot.lm import BuildOptions, LanguageModel, build
from pentaglot.rules import SentenceRules
from pentaglot.search import Found, Searcher
from pentaglot.systems import Model, TrainOptions, Translator, train

POPS = (20, 50, 100, 200, 500, 1000)

NOTES = ""
_NOTES = """
Models of `multi30k.de-en` with a language model of order 5 and untuned weights; the 1,000 test sentences, every fifth
for the Hiero search alone.
Times are user CPU milliseconds per sentence on one thread, without opening the model. Theirs are those of the best
existing C++ decoders on the same set and another machine of about this kind: a Hiero decoder with pop limit 200, its
grammar in memory (our rules are looked up before, too), and Moses with cube pruning and its table in memory (our times
include looking up rules on demand). How far cube growing looks ahead was chosen on these same sentences.
Mean model scores of the Hiero search by pop limit:

| pop limit | cube pruning | ms | cube growing | ms |
|---|---|---|---|---|
"""


def rows() -> list[Row]:
    """All figures of this room that the data at hand allows."""
    global NOTES
    folder = data("multi30k.de-en")
    if folder is None:
        return []
    lines = list(read_lines(folder / "test.de.gz"))
    with tempfile.TemporaryDirectory() as place:
        models = {}
        for system in ("hiero", "phrase"):
            made = Path(place) / system
            train(folder / "train.de.gz", folder / "train.en.gz", made, options=TrainOptions(system=system))
            models[system] = made
        by_pops = _by_pops(models["hiero"], lines)
        NOTES = _NOTES + "\n".join(
            f"| {pops} | {one[1]:.4f} | {one[0]:.2f} | {two[1]:.4f} | {two[0]:.2f} |"
            for pops, (one, two) in by_pops.items()
        )
        further = build(*encode(_every_other(folder / "train.en.gz", models["hiero"])), BuildOptions(order=5))
        return [
            _hiero(by_pops),
            _growing(by_pops),
            _phrase(models["phrase"], lines),
            *(_two_models(system, path, further, lines[::5]) for system, path in models.items()),
            *_threads(models, folder),
        ]


def _milliseconds(functions: Sequence[Callable[[], object]], sentences: int, repeats: int) -> list[float]:
    """The median of each, run in turn."""
    seen: list[list[float]] = [[] for _ in functions]
    for _ in range(repeats):
        for times, function in zip(seen, functions, strict=True):
            begun = resource.getrusage(resource.RUSAGE_SELF).ru_utime
            function()
            times.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - begun)
    return [1000 * statistics.median(times) / sentences for times in seen]


def _by_pops(path: Path, lines: list[str]) -> dict[int, list[tuple[float, float]]]:
    """For each pop limit the milliseconds and the mean model score of cube pruning and of cube growing."""
    model = Model.open(path)
    translator = Translator(model)
    rules = [translator.rules.rules(words) for words in model.source_tokenizer.tokenise_all(lines[::5]) if words]
    found = {}
    for pops in POPS:
        scores: list[float] = []
        functions: list[Callable[[], object]] = []
        for growing in (False, True):
            options = dataclasses.replace(model.description.search, pop_limit=pops, growing=growing)
            search = _searching(Translator(model, search=options), rules)
            scores.append(statistics.mean(each.forest.viterbi().score for each in search()))
            functions.append(search)
        found[pops] = list(zip(_milliseconds(functions, len(rules), min(3, REPEATS)), scores, strict=True))
    return found


def _searching(translator: Translator, rules: list[SentenceRules]) -> Callable[[], list[Found]]:
    ids = translator.model.language.map_vocabulary(translator.rules.target_vocabulary)
    searcher = Searcher(
        translator.weights, translator.features, translator.model.language, ids, translator.search_options
    )
    return lambda: [searcher.search(each) for each in rules]


def _hiero(by_pops: dict[int, list[tuple[float, float]]]) -> Row:
    ours = by_pops[200][0][0]
    what = "Hiero search, pop limit 200, 5-gram model, ms per sentence"
    reached = ours < 25
    return Row(what, f"{ours:.1f} ms", "C++ Hiero decoder", "103 ms", 103 / ours, "under 25 ms", reached, OTHER_MACHINE)


def _growing(by_pops: dict[int, list[tuple[float, float]]]) -> Row:
    """Growing at its largest limit against the smallest limit with which pruning scores as well."""
    growing, grown = by_pops[POPS[-1]][1]
    as_good = next((pops for pops in POPS if by_pops[pops][0][1] >= grown), POPS[-1])
    pruning, score = by_pops[as_good][0]
    what = f"cube growing, pop limit {POPS[-1]}, mean model score {grown:.4f}"
    against = f"cube pruning, pop limit {as_good}, score {score:.4f}"
    ratio = pruning / growing
    return Row(what, f"{growing:.1f} ms", against, f"{pruning:.1f} ms", ratio, "faster at the same score", ratio > 1)


def _phrase(path: Path, lines: list[str]) -> Row:
    translator = Translator.open(path)
    list(translator.translate_all(lines[:50]))
    (ours,) = _milliseconds([lambda: list(translator.translate_all(lines))], len(lines), REPEATS)
    what = "phrase translation with rules on demand, ms per sentence"
    reached = ours < 10
    return Row(what, f"{ours:.1f} ms", "Moses, cube pruning", "39 ms", 39 / ours, "under 10 ms", reached, OTHER_MACHINE)


def _every_other(text: Path, model: Path) -> list[list[str]]:
    """Half of a text in the target language, tokenised for a model."""
    return list(Model.open(model).target_tokenizer.tokenise_all(list(read_lines(text))[::2]))


def _two_models(system: str, path: Path, further: LanguageModel, lines: list[str]) -> Row:
    """Two language models that share the weight, compared with one; both translate the same text alternately."""
    model = Model.open(path)
    half = model.weights["language_model"] / 2
    weights = dict(model.weights) | {"language_model": half, "language_model@further": half}
    translators = Translator(model), Translator(model, weights=weights, languages={"further": further})
    one, two = _milliseconds(
        [functools.partial(lambda each: list(each.translate_all(lines)), each) for each in translators],
        len(lines),
        REPEATS,
    )
    what = f"translate, {system}, two language models of order 5, ms per sentence"
    return Row(
        what, f"{two:.1f} ms", "one language model", f"{one:.1f} ms", one / two, "at most 1.4x", two / one <= 1.4
    )


def _threads(models: dict[str, Path], folder: Path) -> list[Row]:
    found = []
    for system, model in models.items():
        command = [sys.executable, "-m", "pentaglot", "translate", str(model), str(folder / "test.de.gz")]
        places = {number: model.with_suffix(f".{number}") for number in ("1", "2")}
        costs = measure({number: [*command, "--threads", number, "-o", str(to)] for number, to in places.items()})
        if places["1"].read_bytes() != places["2"].read_bytes():
            raise SystemExit("bench: translations differ with the number of threads")
        one, two = costs["1"].wall, costs["2"].wall
        what = f"translate, {system}, 2 threads, wall clock of the whole command"
        found.append(Row(what, f"{two:.2f} s", "1 thread", f"{one:.2f} s", one / two, "1.8x", one / two >= 1.8))
    return found
