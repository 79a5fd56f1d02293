"""Tuning a system: the cost of a round compared with the search, and the memory of a run."""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.harness import REPEATS, Row, data, measure
from pentaglot._core import forest as core
from pentaglot.corpus import read_lines
from pentaglot.learn import KBestLists, KBestTuner, Mira, Problem, TuneOptions, chosen_tuner
from pentaglot.metrics import Bleu
from pentaglot.rules.operators import Operator, SourceNgrams, TargetNgrams, WholeRules, WordPairs
from pentaglot.systems import TrainOptions, Translator, induce, train
from pentaglot.systems.decoder import SentenceDecoder
from pentaglot.systems.shelf import RuleShelf

NOTES = """Systems of `multi30k.de-en` with untuned weights, user CPU time on one thread. Candidates are those of the
first 500 sentences of dev, whose rules were looked up before; many features are those of whole rules, all pairs of
words in a rule, n-grams of up to five words and of 200 word classes. Memory is the peak of the whole command with the
1,014 sentences of dev, compared with translating them."""

_SENTENCES, _SIZE = 500, 100
_MANY, _LONG = 1000, 500  # sentences and candidates of the lists that learners are compared on
_LEARNERS = ("mira", "mert", "ramp3", "pro")
_SPARSE_LEARNERS = ("mira", "ramp3", "pro")  # MERT takes 500 features at most
_FIFTEEN = (  # those of `phrase` that phrase-based systems usually have
    "translation",
    "coherence",
    "lexical_target",
    "lexical_source",
    "seen_once",
    "rules",
    "words",
    "language_model",
    "distortion",
    *(f"{side}_{way}" for side in ("before", "after") for way in ("monotone", "swapped", "discontinuous")),
)
SPARSE: tuple[Operator, ...] = (
    WholeRules(),
    WordPairs(linked=False),
    SourceNgrams(order=5),
    TargetNgrams(order=5),
    TargetNgrams(order=5, classes=200),
)
_BLEU = Bleu(tokenize="none")


def rows() -> list[Row]:
    """All figures of this room that the data at hand allows."""
    folder = data("multi30k.de-en")
    if folder is None:
        return []
    found = []
    with tempfile.TemporaryDirectory() as place:
        for system in ("hiero", "phrase"):
            made = Path(place) / system
            for each in (_trained, of_a_round, _of_learners):
                found += _alone(each, system, made, folder)
            found.append(_memory(system, made, folder))
        found += _alone(of_many_features, "phrase", Path(place) / "phrase", folder)
    return found


def _alone(measure: Callable[[str, Path, Path], list[Row]], system: str, made: Path, folder: Path) -> list[Row]:
    """Measures in a process of its own, as the peak of memory of a process is also that of those that it starts."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return process.submit(measure, system, made, folder).result()


def _trained(system: str, made: Path, folder: Path) -> list[Row]:
    options = TrainOptions(system=system, tune=False)
    train(folder / "train.de.gz", folder / "train.en.gz", made, options=options)
    return []


def of_a_round(system: str, made: Path, folder: Path) -> list[Row]:
    """Candidates as arrays with statistics, compared with the search alone; optimising, compared with decoding."""
    translator = Translator.open(made)
    source, target = (list(read_lines(folder / f"dev.{side}.gz"))[:_SENTENCES] for side in ("de", "en"))
    sentences = translator.model.source_tokenizer.tokenise_all(source)
    references = [" ".join(each) for each in translator.model.target_tokenizer.tokenise_all(target)]
    shelf = RuleShelf(translator, sentences, room=1 << 40)
    decoder, nothing = SentenceDecoder(translator, shelf), KBestLists.empty(len(references))

    def alone() -> None:
        for number in range(len(shelf)):
            for part in shelf.rules(number):
                forest = translator.forest(part)
                core.KBest(forest.packed, forest.scores, True).next(_SIZE)

    def decoded() -> KBestLists:
        shown = decoder.kbest(translator.weights, _SIZE)
        return nothing.novel(
            shown, lambda texts, owners: _BLEU.statistics(texts, [[references[each] for each in owners]])
        )

    lists = decoded()
    lengths = np.array([float(len(reference.split())) for reference in references])
    weights = lists.vector(translator.weights)
    problem = Problem(lists, _BLEU, lengths, weights, weights)
    search, arrays, mira = _seconds([alone, decoded, lambda: Mira().optimise(problem, np.random.default_rng(1))])
    what = f"{_SIZE}-best of {_SENTENCES} sentences as arrays, with statistics of BLEU, {system}"
    one = Row(
        what,
        f"{arrays:.2f} s",
        "search and k-best alone",
        f"{search:.2f} s",
        search / arrays,
        "at most 1.2 times as long",
        arrays <= 1.2 * search,
    )
    other = Row(
        f"MIRA, one round on them, {system}",
        f"{mira:.2f} s",
        "their decoding",
        f"{arrays:.2f} s",
        arrays / mira,
        "10x",
        arrays >= 10 * mira,
    )
    return [one, other]


def _of_learners(system: str, made: Path, folder: Path) -> list[Row]:
    """What a round takes besides decoding, on long lists of many sentences, with all features of a system, and with the
    fifteen that phrase-based systems usually have; measured once, because it takes a while."""
    whole = Translator.open(made)
    translators = [whole]
    if system == "phrase":
        others = [name for name in whole.weights if name not in _FIFTEEN]
        translators.append(Translator(whole.model, without=others))
    found = []
    for translator in translators:
        problem, decoding = _long_lists(translator, folder)
        what = f"{system}, {len(problem.lists.names)} features"
        found += _rounds(_LEARNERS, problem, decoding, what, 0.1)
    return found


def of_many_features(system: str, made: Path, folder: Path) -> list[Row]:
    """The same with about 100,000 features of words and rules that candidates have, and the peak of memory so far."""
    dev = list(read_lines(folder / "dev.de.gz"))[:_MANY]
    translator = induce(Translator.open(made), dev, SPARSE)
    tiny = np.random.default_rng(1).normal(0.0, 1e-6, len(translator.induced_names))
    tiny_weights = dict(zip(translator.induced_names, tiny.tolist(), strict=True))
    problem, decoding = _long_lists(translator.with_weights(translator.weights | tiny_weights), folder, room=None)
    active = len(np.unique(problem.lists.feature_ids))
    found = _rounds(_SPARSE_LEARNERS, problem, decoding, f"{system}, {active:,} active features", 0.3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    what = f"memory of these rounds, {system}, {active:,} active features"
    return [*found, Row(what, f"{peak:.0f} MB", "", "", None, "at most 2048 MB", peak <= 2048)]


def _long_lists(translator: Translator, folder: Path, room: int | None = 1 << 40) -> tuple[Problem, float]:
    """The first round of tuning on long lists of many sentences, and the time that it took to decode them. So many
    bytes of rules are kept in memory; None: as many as in tuning, the others in a file."""
    source, target = (list(read_lines(folder / f"dev.{side}.gz"))[:_MANY] for side in ("de", "en"))
    references = [" ".join(each) for each in translator.model.target_tokenizer.tokenise_all(target)]
    sentences = translator.model.source_tokenizer.tokenise_all(source)
    shelf = RuleShelf(translator, sentences, room=room)
    decoder, nothing = SentenceDecoder(translator, shelf), KBestLists.empty(len(references))

    def statistics(texts: list[str], owners: list[int]) -> NDArray[np.float64]:
        return _BLEU.statistics(texts, [[references[each] for each in owners]])

    begun = _user()
    lists = nothing.novel(decoder.kbest(translator.weights, _LONG), statistics)
    decoding = _user() - begun
    lengths = np.array([float(len(reference.split())) for reference in references])
    weights = lists.vector(translator.weights)
    return Problem(lists, _BLEU, lengths, weights, weights), decoding


def _rounds(names: Sequence[str], problem: Problem, decoding: float, what: str, most: float) -> list[Row]:
    found = []
    for name in names:
        tuner = chosen_tuner(TuneOptions(tuner=name))
        assert isinstance(tuner, KBestTuner)
        problem.lists.forget()  # so that everyone pays for what is computed from the arrays
        begun = _user()
        tuner.optimiser.optimise(problem, np.random.default_rng(1))
        seconds = _user() - begun
        title = f"{name}, one round outside decoding, {_LONG}-best of {problem.lists.sentence_count} sentences, {what}"
        ours, theirs, share = f"{seconds:.2f} s", f"{decoding:.2f} s", seconds / decoding
        found.append(Row(title, ours, "their decoding", theirs, 1 / share, f"under {most:.0%}", share < most))
    return found


def _memory(system: str, made: Path, folder: Path) -> Row:
    command = [sys.executable, "-m", "pentaglot"]
    dev = [str(folder / f"dev.{side}.gz") for side in ("de", "en")]
    weights = made.with_suffix(".weights")
    costs = measure(
        {
            "tune": [*command, "tune", str(made), "--dev", *dev, "-o", str(weights), "-q", "--threads", "1"],
            "translate": [*command, "translate", str(made), dev[0], "--threads", "1"],
        },
        repeats=1,
    )
    ours, theirs = (costs[each].peak_megabytes for each in ("tune", "translate"))
    what = f"memory of pentaglot tune, {system}"
    return Row(what, f"{ours:.0f} MB", "translate", f"{theirs:.0f} MB", theirs / ours, "at most 300 MB", ours <= 300)


def _seconds(functions: Sequence[Callable[[], object]]) -> list[float]:
    """The median of each, run in turn."""
    seen: list[list[float]] = [[] for _ in functions]
    for _ in range(REPEATS):
        for times, function in zip(seen, functions, strict=True):
            begun = _user()
            function()
            times.append(_user() - begun)
    return [statistics.median(times) for times in seen]


def _user() -> float:
    """The user time of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime
