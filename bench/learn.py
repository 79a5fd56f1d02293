"""Tuning: what the inner loops cost.

`python -m bench.learn statistics ours|theirs` counts BLEU's n-grams in k-best lists, `python -m bench.learn TUNER`
optimises on them; each is a command of its own, so that it is measured like the others.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import sacrebleu

from bench.harness import Row, measure
from pentaglot.learn import Candidate, KBestLists, KBestTuner, Optimiser, Problem, TuneOptions, chosen_tuner
from pentaglot.learn.penalties import Oscar
from pentaglot.metrics import Bleu

NOTES = """Made-up lists: 500 sentences of 20 words, each with 100 candidates (sacrebleu gets a fifth) and 14 features.
Times of tuners are for one round with default options on such lists, including making and merging them."""

_SENTENCES, _SIZE, _FEATURES = 500, 100, 14
_BLEU = Bleu(tokenize="none")
_TUNERS = ("mira", "mert", "pro", "ramp3", "soft-ramp3", "risk")
_OSCAR = Oscar(1e-6, 3e-8)


def rows() -> list[Row]:
    """The figures of this room; they need no data."""
    here = [sys.executable, "-m", "bench.learn"]
    names = ("nothing ours", "statistics ours", "nothing theirs", "statistics theirs", *_TUNERS)
    costs = measure({name: [*here, *name.split()] for name in names})
    ours = costs["statistics ours"].user - costs["nothing ours"].user
    theirs = 5 * (costs["statistics theirs"].user - costs["nothing theirs"].user)
    found = [
        Row(
            "statistics of BLEU, 50,000 candidates",
            f"{ours:.2f} s",
            "sacrebleu",
            f"{theirs:.2f} s",
            theirs / ours,
            "10x",
            theirs / ours >= 10,
        )
    ]
    for name in _TUNERS:
        seconds = costs[name].user
        found.append(Row(f"{name.upper()}, one round", f"{seconds:.1f} s", "", "", None, "30 s", seconds <= 30))
    weights = np.random.default_rng(1).normal(size=1_000_000)
    sorting, oscar = (_seconds(work) for work in (lambda: np.sort(np.abs(weights)), lambda: _OSCAR.prox(weights)))
    ratio = oscar / sorting
    row = Row("OSCAR, a million weights", f"{oscar:.2f} s", "sorting", f"{sorting:.2f} s", ratio, "5x", ratio <= 5)
    return [*found, row]


def _seconds(work: Callable[[], object]) -> float:
    """The shortest of three."""
    found = []
    for _ in range(3):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return min(found)


def _lists(size: int) -> tuple[list[str], list[list[Candidate]]]:
    random = np.random.default_rng(1)
    words = np.array([f"word{number}" for number in range(3000)])
    names = [f"feature{number}" for number in range(_FEATURES)]
    truth = random.normal(size=_FEATURES)
    references, found = [], []
    for _ in range(_SENTENCES):
        reference = random.integers(0, len(words), 20)
        references.append(" ".join(words[reference]))
        rates = random.uniform(0, 0.6, (size, 1))
        ids = np.where(random.random((size, 20)) < rates, random.integers(0, len(words), (size, 20)), reference)
        vectors = random.normal(size=(size, _FEATURES)) - 3 * rates * truth
        found.append(
            [
                Candidate(" ".join(text), dict(zip(names, vector, strict=True)))
                for text, vector in zip(words[ids].tolist(), vectors.tolist(), strict=True)
            ]
        )
    return references, found


def _optimise(optimiser: Optimiser) -> None:
    references, found = _lists(_SIZE)
    nothing = KBestLists.empty(_SENTENCES)
    lists = nothing.merged(
        nothing.novel(found, lambda texts, owners: _BLEU.statistics(texts, [[references[each] for each in owners]]))
    )
    weights = np.full(_FEATURES, 0.1)
    problem = Problem(lists, _BLEU, np.full(_SENTENCES, 20.0), weights, weights)
    optimiser.optimise(problem, np.random.default_rng(1))


def main(arguments: list[str]) -> None:
    """One of the commands above; `nothing ours|theirs` makes the texts and counts nothing."""
    match arguments:
        case [what, whose] if whose in ("ours", "theirs"):
            references, found = _lists(_SIZE if whose == "ours" else _SIZE // 5)
            texts = [candidate.text for candidates in found for candidate in candidates]
            wanted = [reference for reference, many in zip(references, found, strict=True) for _ in many]
            if what == "statistics" and whose == "ours":
                _BLEU.statistics(texts, [wanted])
            elif what == "statistics":
                sacrebleu.BLEU(tokenize="none", force=True)._extract_corpus_statistics(texts, [wanted])
        case [name] if name in _TUNERS:
            tuner = chosen_tuner(TuneOptions(tuner=name))
            assert isinstance(tuner, KBestTuner)
            _optimise(tuner.optimiser)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
