"""Metrics: the cost of counting, and of testing two systems, compared with sacrebleu.

`python -m bench.metrics chrf|ter|beer|recpef|ribes|count|test ours|theirs` is one measurement; with `nothing` in place
of ours, the cost of starting up; each is a command of its own, so that it is measured like the others.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import sacrebleu
from sacrebleu.significance import PairedTest

from bench.harness import Row, measure
from pentaglot.evaluate import Battery
from pentaglot.evaluate.randomisation import chances
from pentaglot.metrics import Beer, Bleu, Chrf, Metric, OrderMetric, Ribes, Ter

NOTES = """Made-up text: words with natural frequencies, 5 to 45 per segment; hypotheses differ from their references by
three words in ten and two runs of words that were moved. sacrebleu counts chrF for a tenth of the segments and TER for
a hundredth; its times are scaled up. Both tests have 2,000 segments: two systems of three runs each by BLEU, TER and
chrF, against sacrebleu's test of one pair of outputs by BLEU and chrF, once without the statistics and once with those
of all outputs (18 of ours, 4 of theirs). All on one thread; each command was run once."""

_SEGMENTS, _TESTED, _SHUFFLES = 100_000, 2000, 10_000
_SHARE = {"chrf": 10, "ter": 100}
_METRICS: dict[str, Metric] = {"bleu": Bleu(tokenize="none"), "ter": Ter(), "chrf": Chrf()}
_COUNTED: dict[str, Metric] = {**_METRICS, "beer": Beer(), "recpef": OrderMetric("recpef"), "ribes": Ribes()}


def rows() -> list[Row]:
    """The figures of this room; they need no data."""
    here = [sys.executable, "-m", "bench.metrics"]
    tasks = ("chrf", "ter", "count", "test")
    names = [f"{task} {whose}" for task in tasks for whose in ("nothing", "ours", "theirs")]
    names += [f"{task} {whose}" for task in ("beer", "recpef", "ribes") for whose in ("nothing", "ours")]
    costs = measure({name: [*here, *name.split()] for name in names}, repeats=1)

    def used(task: str, whose: str) -> float:
        return costs[f"{task} {whose}"].user - costs[f"{task} nothing"].user

    found = []
    for task, name in (("chrf", "chrF"), ("ter", "TER")):
        theirs = used(task, "theirs") * _SHARE[task]
        found.append(_row(f"statistics of {name}, 100,000 segments", used(task, "ours"), theirs, "10x"))
    theirs = used("chrf", "theirs") * _SHARE["chrf"]
    found.append(_row("scores of BEER, 100,000 segments", used("beer", "ours"), theirs, "5x", "sacrebleu's chrF"))
    for task, name in (("recpef", "RecPEF"), ("ribes", "RIBES")):
        what = f"statistics of {name}, 100,000 segments"
        found.append(_row(what, used(task, "ours"), theirs, "(recorded)", "sacrebleu's chrF"))
    # Ours is so fast that it is repeated ten times.
    counted = {whose: used("count", whose) for whose in ("ours", "theirs")}
    ours, theirs = (used("test", "ours") - counted["ours"]) / 10, used("test", "theirs") - counted["theirs"]
    found.append(_row("10,000 shuffles, 2 systems x 3 runs", ours, theirs, "10x"))
    whole = ours + counted["ours"], theirs + counted["theirs"]
    found.append(_row("the same with the statistics of all outputs", *whole, "(recorded)"))
    return found


def _row(what: str, ours: float, theirs: float, wanted: str, against: str = "sacrebleu") -> Row:
    reached = wanted == "(recorded)" or theirs / ours >= float(wanted.rstrip("x"))
    return Row(what, f"{ours:.2f} s", against, f"{theirs:.2f} s", theirs / ours, wanted, reached)


def _text(segments: int, outputs: int) -> tuple[list[list[str]], list[str]]:
    """Outputs and their reference."""
    random = np.random.default_rng(1)
    letters = np.array(list("etaoinshrdlucmfw"))
    words = np.array(["".join(random.choice(letters, 1 + number % 9)) for number in range(8000)])
    chance = 1 / np.arange(3, 8003)
    chance /= chance.sum()
    lengths = random.integers(5, 46, segments)
    drawn = np.split(random.choice(8000, lengths.sum(), p=chance), np.cumsum(lengths)[:-1])
    found: list[list[str]] = []
    for _ in range(outputs):
        lines = []
        for line in drawn:
            spoilt = np.where(random.random(len(line)) < 0.3, random.choice(8000, len(line), p=chance), line)
            for at in random.integers(0, len(line), 2):
                spoilt = np.concatenate([spoilt[at : at + 4], spoilt[:at], spoilt[at + 4 :]])
            lines.append(" ".join(words[spoilt]))
        found.append(lines)
    return found, [" ".join(words[line]) for line in drawn]


def _statistics(task: str, whose: str) -> None:
    [hypotheses], reference = _text(_SEGMENTS // 10, 1)
    if whose == "ours":
        _COUNTED[task].statistics(10 * hypotheses, [10 * reference])
    elif whose == "theirs":
        theirs = sacrebleu.CHRF() if task == "chrf" else sacrebleu.TER()
        some = _SEGMENTS // _SHARE[task]
        theirs._extract_corpus_statistics(hypotheses[:some], [reference[:some]])


def _test(whose: str, shuffles: int = _SHUFFLES) -> None:
    outputs, reference = _text(_TESTED, 6)
    if whose == "ours":
        battery, found = Battery.measure(list(_METRICS.values()), outputs, [reference])
        for seed in range(10 if shuffles else 0):
            chances(
                battery, found[:3], found[3:], shuffles=shuffles, seed=seed, ties="inclusive", runs="pooled", threads=1
            )
    elif whose == "theirs":
        metrics = {"BLEU": sacrebleu.BLEU(tokenize="none", force=True), "chrF": sacrebleu.CHRF()}
        if shuffles:
            pair: list[tuple[str, Sequence[str]]] = [("one", outputs[0]), ("other", outputs[3])]
            PairedTest(pair, metrics, [reference], test_type="ar", n_samples=shuffles)()
        else:
            for metric in metrics.values():
                for output in (outputs[0], outputs[3]):
                    metric._extract_corpus_statistics(output, [reference])


if __name__ == "__main__":
    task, whose = sys.argv[1:]
    if task in _COUNTED:
        _statistics(task, whose)
    else:
        _test(whose, 0 if task == "count" else _SHUFFLES)
