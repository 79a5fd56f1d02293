"""Training BEER: weights with which translations are ranked as people rank them (Stanojević 2017, chapters 5 and 6)."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import metrics as core
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.evaluate.beer_objectives import BeerObjective, CorpusRanking, SentenceRanking, adam, minimised
from pentaglot.evaluate.judgments import Judged
from pentaglot.metrics.beer_features import BeerFeatures
from pentaglot.metrics.beer_model import BeerModel
from pentaglot.metrics.beer_templates import TEMPLATES, Group, Template
from pentaglot.metrics.scaling import Scaling
from pentaglot.metrics.spelling import spelled
from pentaglot.options import checked, setting
from pentaglot.progress import SILENT, Progress

__all__ = [
    "BeerOptions",
    "TrainingSet",
    "best_weights",
    "check_preferences",
    "frequent_words",
    "pseudo_pairs",
    "self_trained",
    "train_beer",
    "training_set",
]

Matrix = NDArray[np.float64]
_FREQUENT = 1e-3  # the least share of a function word
_TRIED = 1000  # translations of each test set on which a model is tried


@dataclass(frozen=True)
class BeerOptions:
    """What to train, and how."""

    template: Template = setting(
        "edits59",
        "features: as in the thesis (thesis57), as in BEER 2.0 (release62) or 1.1 (release11), or those of the thesis "
        "and edit distances (edits59)",
    )
    without: tuple[Group, ...] = setting((), "leave out groups of features")
    symmetric: bool = setting(True, "do not tell missing words from superfluous ones; needed for tuning a translator")
    lowercase: bool = setting(False, "ignore case")
    cut: bool = setting(True, "tokenise, instead of splitting at spaces")
    pieces: int = setting(1, "linear pieces of the curve of each feature; 1: a linear model", minimum=1, maximum=100)
    loss: Literal["logistic", "hinge"] = setting("logistic", "loss of wrong rankings: logistic, or squared hinge")
    objective: Literal["sentence", "corpus", "joint"] = setting(
        "sentence", "rank sentences (as BEER 2.0), systems, or both at once (BEER 3.0)"
    )
    monotone: bool = setting(True, "more agreement never lowers a score, whatever the judgments say")
    strength: float = setting(1e-3, "how strongly weights are drawn to 0", minimum=0.0)
    repeated: bool = setting(False, "learn only from pairs judged more than once, with more than 60 % agreement")
    balance: bool = setting(True, "give all test sets the same weight, however many judgments they have")
    steps: int = setting(5000, "training steps for ranking systems", minimum=1)
    seed: int = setting(1, "seed of everything that is random", minimum=0)

    @property
    def features(self) -> BeerFeatures:
        """The features to train."""
        return BeerFeatures(self.template, self.symmetric, self.lowercase, self.cut, self.pieces, self.without)


@dataclass(frozen=True)
class TrainingSet:
    """A test set in numbers: the features of its translations, and which were better than which."""

    features: Matrix
    preferred: NDArray[np.int64]
    judged: Judged


def train_beer(
    judged: Sequence[Judged],
    options: BeerOptions | None = None,
    *,
    about: str = "",
    threads: int = 1,
    progress: Progress = SILENT,
) -> BeerModel:
    """Train a model on rankings of one or more test sets. Its scores are scaled so that a copy of the reference gets 1;
    see `fitted` for other scales."""
    judged, options = list(judged), checked(options or BeerOptions())
    features = options.features
    if TEMPLATES[features.template].order:
        features = dataclasses.replace(features, function_words=frequent_words(judged, options))
    sets = []
    with progress.task("comparing with references", total=len(judged), unit="sets") as task:
        for each in judged:
            sets.append(training_set(each, features, options, threads))
            task.advance()
    check_preferences(sets, options)
    model = BeerModel(features, tuple(best_weights(sets, features, options).tolist()), Scaling(), about)
    _check_copies(model, judged)
    return model


def check_preferences(sets: Sequence[TrainingSet], options: BeerOptions) -> None:
    """Raises an error if there is nothing to learn from."""
    if any(len(each.preferred) for each in sets):
        return
    if options.repeated and any(len(each.judged.preferred) for each in sets):
        raise PentaglotError(
            "no pair was judged more than once with more than 60 % agreement", hint="use all judgments"
        )
    raise PentaglotError("there are no preferences to learn from", hint="give rankings by people")


def _check_copies(model: BeerModel, judged: Sequence[Judged]) -> None:
    """Copies of references must be better than translations, or else all scores would be alike or upside down."""
    said = [text for each in judged for text in each.hypotheses[:_TRIED]]
    wanted = [text for each in judged for text in each.references[:_TRIED]]
    raw, copies = model.raw(model.features.counts(said, wanted))
    if raw.mean() >= copies.mean():
        raise PentaglotError(
            "from these rankings one learns only that translations are better the less they are like their references",
            hint="are lower ranks better?",
        )


def frequent_words(judged: Sequence[Judged], options: BeerOptions) -> tuple[str, ...]:
    """Words that are at least one in a thousand of the references of some test set, which stand for function words
    (Denkowski and Lavie 2014). They are words of the languages of these sets; other languages have none."""
    found: set[str] = set()
    for each in judged:
        references = dict.fromkeys(zip(each.segments, each.references, strict=True))
        texts = spelled((text for _, text in references), lowercase=options.lowercase)
        counts = Counter(word for line in core.cut_words(texts, options.cut) for word in line.split(" ") if word)
        found |= {word for word, count in counts.items() if count >= _FREQUENT * counts.total()}
    return tuple(sorted(found))


def training_set(judged: Judged, features: BeerFeatures, options: BeerOptions, threads: int) -> TrainingSet:
    """The features of judged translations, and which of these were better than which."""
    preferred = _repeated(judged) if options.repeated else judged.preferred
    if options.objective == "sentence":  # only judged translations count
        used, places = np.unique(preferred, return_inverse=True)
        preferred = places.reshape(-1, 2)
    else:
        used = np.arange(len(judged))
    texts = ([side[place] for place in used.tolist()] for side in (judged.hypotheses, judged.references))
    return TrainingSet(features.of(*texts, threads=threads), preferred, judged)


def best_weights(sets: Sequence[TrainingSet], features: BeerFeatures, options: BeerOptions) -> Matrix:
    """Weights, learnt on standardised features."""
    spread = np.concatenate([each.features for each in sets]).std(axis=0)
    spread[spread == 0] = 1.0
    directions = features.directions if options.monotone else None
    differences, counts = [], []
    for each in sets:
        pairs, times = np.unique(each.preferred, axis=0, return_counts=True)
        differences.append(each.features[pairs[:, 0]] - each.features[pairs[:, 1]])
        counts.append(times / (max(1, len(each.preferred)) if options.balance else 1.0))
    sentences = SentenceRanking(
        np.concatenate(differences) / spread, np.concatenate(counts), options.loss, options.strength
    )
    if options.objective == "sentence":
        found: Matrix = minimised(sentences, directions) / spread
        return found
    corpora = [CorpusRanking.of(each.features / spread, each.judged) for each in sets if each.judged.ranks_systems]
    objective = BeerObjective(sentences if options.objective == "joint" else None, corpora, options.strength)
    learnt: Matrix = adam(objective, directions, options.steps, options.seed)[:-1] / spread
    return learnt


def _repeated(judged: Judged) -> NDArray[np.int64]:
    """One row for each pair that was judged more than once, mostly in the same way; ties count as judgments."""
    votes: dict[tuple[int, int], list[int]] = {}
    for better, worse in judged.preferred.tolist():
        counts = votes.setdefault((min(better, worse), max(better, worse)), [0, 0, 0])
        counts[0 if better < worse else 1] += 1
    for one, other in judged.tied.tolist():
        votes.setdefault((min(one, other), max(one, other)), [0, 0, 0])[2] += 1
    kept = []
    for (one, other), counts in votes.items():
        most = max(counts[:2])
        if sum(counts) > 1 and most > 0.6 * sum(counts):
            kept.append((one, other) if counts[0] == most else (other, one))
    return np.array(kept, np.int64).reshape(-1, 2)


def pseudo_pairs(
    model: BeerModel,
    lists: Sequence[Sequence[str]],
    references: Sequence[str],
    *,
    way: Literal["uniform", "extremes"] = "uniform",
    number: int = 60_000,
    seed: int = 1,
    threads: int = 1,
) -> Judged:
    """Pairs of translations in n-best lists, ranked by a model instead of people, so that a model trained on them stays
    consistent on translations unlike those that people judged (§6.3.1). Pairs are drawn `uniform`ly, or are the best
    and the worst few of each list (`extremes`), as in the released program."""
    hypotheses = [text for each in lists for text in each]
    wanted = [reference for each, reference in zip(lists, references, strict=True) for _ in each]
    owners = [str(place) for place, each in enumerate(lists) for _ in each]
    scores = model.scores(hypotheses, wanted, threads=threads)
    starts = np.concatenate([[0], np.cumsum([len(each) for each in lists])])
    random = np.random.default_rng(seed)
    pairs: list[tuple[int, int]] = []
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if end - begin < 2:
            continue
        if way == "extremes":
            most = min(int(np.sqrt(number / len(lists))) + 1, (end - begin) // 2)
            order = begin + np.argsort(-scores[begin:end], kind="stable")
            best, worst = order[:most].tolist(), order[-most:].tolist()
            pairs += [(one, other) for one in best for other in worst]
        else:
            drawn = begin + random.integers(0, end - begin, (number // len(lists) + 1, 2))
            pairs += [(one, other) for one, other in drawn.tolist()]
    ranked = [(one, other) if scores[one] > scores[other] else (other, one) for one, other in pairs
              if scores[one] != scores[other]]  # fmt: skip
    return Judged(
        "pseudo",
        tuple(owners),
        tuple("nbest" for _ in hypotheses),
        tuple(hypotheses),
        tuple(wanted),
        np.array(ranked, np.int64).reshape(-1, 2),
        np.empty((0, 2), np.int64),
        np.full(len(hypotheses), np.nan),
    )


def self_trained(
    model: BeerModel,
    judged: Sequence[Judged],
    lists: Sequence[Sequence[str]],
    references: Sequence[str],
    options: BeerOptions | None = None,
    *,
    way: Literal["thesis", "release"] = "thesis",
    about: str = "",
    threads: int = 1,
    progress: Progress = SILENT,
) -> BeerModel:
    """Train a new model on the judgments of people and on rankings of n-best lists by `model` (`thesis`), or on the
    latter alone, with the best and the worst of each list (`release`)."""
    chosen: Literal["uniform", "extremes"] = "uniform" if way == "thesis" else "extremes"
    options = options or BeerOptions()
    if options.objective == "corpus" or (options.objective == "joint" and way == "release"):
        raise OptionError("n-best lists rank sentences, not systems", hint="choose another objective")
    pseudo = pseudo_pairs(model, lists, references, way=chosen, seed=options.seed, threads=threads)
    sets = [*judged, pseudo] if way == "thesis" else [pseudo]
    return train_beer(sets, options, about=about, threads=threads, progress=progress)
