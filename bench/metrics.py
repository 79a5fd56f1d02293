"""Metrics: what counting costs, and what a test of two systems costs, both beside sacrebleu.

`python -m bench.metrics chrf|ter|test|shuffles ours|theirs` is one measurement, and `nothing` in place of a task what
it costs to begin; each is a command of its own, so that it is measured like all others.
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
from pentaglot.metrics import Bleu, Chrf, Metric, Ter

NOTES = """Made-up text: words with the frequencies of a language, 5 to 45 in a segment; hypotheses differ from their
references by three words in ten and two runs of words that stand elsewhere. sacrebleu counts chrF for a tenth of the
segments and TER for a hundredth; its times are multiplied. Both tests are of 2,000 segments: two systems of three runs
each by BLEU, TER and chrF beside sacrebleu's test of one pair of outputs by BLEU and chrF, once with the statistics of
all outputs (18 of ours, 4 of theirs), once without. All on one thread."""

_SEGMENTS, _TESTED, _SHUFFLES = 100_000, 2000, 10_000
_SHARE = {"chrf": 10, "ter": 100}
_METRICS: dict[str, Metric] = {"bleu": Bleu(tokenize="none"), "ter": Ter(), "chrf": Chrf()}


def rows() -> list[Row]:
    """The figures of this room; they need no data."""
    here = [sys.executable, "-m", "bench.metrics"]
    names = [f"{task} {whose}" for task in ("chrf", "ter", "test") for whose in ("nothing", "ours", "theirs")]
    costs = {name: cost.user for name, cost in measure({each: [*here, *each.split()] for each in names}).items()}
    found = []
    for task, name in (("chrf", "chrF"), ("ter", "TER")):
        ours = costs[f"{task} ours"] - costs[f"{task} nothing"]
        # What they begin with is larger than their share, and so is taken off once.
        theirs = (costs[f"{task} theirs"] - costs[f"{task} nothing"]) * _SHARE[task]
        found.append(_row(f"statistics of {name}, 100,000 segments", ours, theirs, "10x"))
    whole = [costs[f"test {whose}"] - costs["test nothing"] for whose in ("ours", "theirs")]
    found.append(_row("test of 2 systems x 3 runs, with the statistics", whole[0], whole[1], "(recorded)"))
    counting = measure({each: [*here, "count", each] for each in ("ours", "theirs")})
    tested = [
        part - (counting[whose].user - costs["test nothing"])
        for part, whose in zip(whole, ("ours", "theirs"), strict=True)
    ]
    found.append(_row("10,000 shuffles, 2 systems x 3 runs", tested[0], tested[1], "10x"))
    return found


def _row(what: str, ours: float, theirs: float, wanted: str) -> Row:
    reached = wanted == "(recorded)" or theirs / ours >= 10
    return Row(what, f"{ours:.2f} s", "sacrebleu", f"{theirs:.2f} s", theirs / ours, wanted, reached)


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
    share = _SHARE[task] if whose == "theirs" else 1
    [hypotheses], reference = _text(_SEGMENTS, 1)
    if whose == "ours":
        _METRICS[task].statistics(hypotheses, [reference])
    elif whose == "theirs":
        theirs = sacrebleu.CHRF() if task == "chrf" else sacrebleu.TER()
        theirs._extract_corpus_statistics(hypotheses[: _SEGMENTS // share], [reference[: _SEGMENTS // share]])


def _test(whose: str, shuffles: int = _SHUFFLES) -> None:
    outputs, reference = _text(_TESTED, 6)
    if whose == "ours":
        battery, found = Battery.measure(list(_METRICS.values()), outputs, [reference])
        if shuffles:
            chances(
                battery, found[:3], found[3:], shuffles=shuffles, seed=1, ties="inclusive", runs="pooled", threads=1
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
    if task in _SHARE:
        _statistics(task, whose)
    else:
        _test(whose, 0 if task == "count" else _SHUFFLES)
