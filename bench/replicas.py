"""One training, tuning and test of a system, as experiments need many of them.

`python -m bench.replicas CORPUS SYSTEM RULES SAMPLE CASING SEED VARIANT PAIRS` is one replica: it trains (or finds) the
model, tunes it, translates the test set and writes the results below `.cache/bench`. Finished replicas are not run
again, so an interrupted run resumes; remove the folder to measure again.
"""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bench.bibles import BIBLES, bible_text
from bench.harness import DATA, data
from pentaglot.align import AlignOptions
from pentaglot.corpus import Tokenizer, open_output, read_lines
from pentaglot.learn import TuneOptions
from pentaglot.metrics import Bleu, Chrf
from pentaglot.rules import FeatureHook, SentenceRules
from pentaglot.systems import Model, TrainOptions, Translator, find_system, train, tune

WORK = Path(__file__).resolve().parents[1] / ".cache" / "bench"
SEEDS = tuple(range(1, 1 + int(os.environ.get("PENTAGLOT_BENCH_SEEDS", "3"))))
DEV_SENTENCES = int(os.environ.get("PENTAGLOT_BENCH_DEV", "500"))
TEST_SENTENCES = int(os.environ.get("PENTAGLOT_BENCH_TEST", "1000"))


@dataclass(frozen=True)
class Replica:
    """One run of training and tuning, and its results.

    The corpus is a folder of the data with the direction in its name: `tatoeba.en-de` is `tatoeba.de-en` the other way
    round. A variant is what differs from the default system: limits of its rules (`max_gaps=1`), features left out
    (`-inverse_estimate`), another symmetrisation (`symmetrise=union`), separated by commas. Only `pairs` pairs of the
    training text are used, unless it is 0. Where there are more lines than wanted, those taken are evenly spaced: some
    corpora are sorted by length, so that their first lines are like no other text.
    """

    corpus: str
    system: str
    rules: str = "index"
    sample: int = 0  # that of the system
    casing: str = "lower"
    seed: int = 1
    variant: str = ""
    pairs: int = 0

    @property
    def model(self) -> Path:
        name = f"{self.corpus}.{self.system}.{self.rules}.{self.casing}"
        return WORK / ".".join([name, *filter(None, [self._symmetrise, self._cut])])

    @property
    def place(self) -> Path:
        name = f"{self.corpus}.{self.system}.{self.rules}.{self.casing}.{self.sample}.{self.seed}"
        return WORK / (".".join([name, *filter(None, [self.variant, self._cut])]) + ".json")

    @property
    def sides(self) -> tuple[str, str]:
        """The languages, source and target."""
        source, _, target = self.corpus.partition(".")[2].partition("-")
        return source, target

    @property
    def _cut(self) -> str:
        return f"of{self.pairs}" if self.pairs else ""

    def replicas(self) -> list[Replica]:
        """The same with every seed."""
        return [dataclasses.replace(self, seed=seed) for seed in SEEDS]

    def result(self) -> dict[str, float]:
        """Its scores; the replica is run if necessary."""
        if not self.place.exists():
            arguments = [str(getattr(self, field.name)) for field in dataclasses.fields(self)]
            subprocess.run([sys.executable, "-m", "bench.replicas", *arguments], check=True)
        found: dict[str, float] = self._found()["scores"]
        return found

    def output(self) -> list[str]:
        """Its translation of the test set, if it was run."""
        found: list[str] = self._found()["output"]
        return found

    def run(self) -> None:
        """Trains, tunes, translates, scores."""
        self.train()
        model = Model.open(self.model)
        rules = dataclasses.replace(
            model.description.rules, sample=self.sample or model.description.rules.sample, **self._limits
        )
        translator = Translator(model, rules=rules, hooks=[_left_out(name) for name in self._without])
        sources, references = (evenly(self.lines("dev", side), DEV_SENTENCES) for side in self.sides)
        tuned = tune(translator, sources, references, TuneOptions(), seed=self.seed)
        best = translator.with_weights(tuned.weights)
        sources, references = (evenly(self.lines("test", side), TEST_SENTENCES) for side in self.sides)
        output, scores = self._test(best, sources, references)
        scores["dev"] = tuned.score
        if self.seed == SEEDS[0] and not self.variant:  # before tuning all replicas are the same
            scores |= {
                f"untuned {name}": value for name, value in self._test(translator, sources, references)[1].items()
            }
            scores["never linked"] = _never_linked(model)
        found = {"scores": scores, "weights": dict(tuned.weights), "output": output}
        self.place.write_text(json.dumps(found, ensure_ascii=False, indent=1), "utf-8")

    def _test(
        self, translator: Translator, sources: list[str], references: list[str]
    ) -> tuple[list[str], dict[str, float]]:
        """Translate the test set with a system, and score the output."""
        begun = time.process_time()
        found = list(translator.translate_all(sources))
        scores = {"milliseconds": 1000 * (time.process_time() - begun) / len(sources)}
        output = [each.text for each in found]
        scores |= self._scores(output, references)
        scores["length"] = _words(output) / _words(references)
        unknown = sum(each.nbest[0][1].features.get("unknown", 0.0) for each in found if each.nbest)
        scores["unknown"] = unknown / _words(sources)
        return output, scores

    def train(self) -> None:
        """Train the model, or find it."""
        lower = self.casing == "lower"
        options = TrainOptions(
            system=self.system,
            tokenizer="none" if lower else "conservative",
            casing="keep" if lower else "truecase",
            tune=False,  # only the length is set
        )
        align = AlignOptions(symmetrise=self._symmetrise) if self._symmetrise else None  # type: ignore[arg-type]
        rules = dataclasses.replace(find_system(self.system).rules, source=self.rules)  # type: ignore[arg-type]
        files = self.file("train", self.sides[0]), self.file("train", self.sides[1])
        train(*files, self.model, options=options, align=align, rules=rules)

    def file(self, part: str, side: str) -> Path:
        """Raw text as it is; lower-cased text is tokenised first."""
        raw = text_of(self.corpus, part, side)
        assert raw is not None
        cut = self._cut if part == "train" else ""
        if self.casing == "cased" and not cut:
            return raw
        file = WORK / ".".join(filter(None, [self.corpus, part, side, self.casing, cut]))
        if not file.exists():
            lines = evenly(list(read_lines(raw)), self.pairs if cut else 0)
            if self.casing == "lower":
                lines = [" ".join(words) for words in Tokenizer("aggressive", "lowercase").tokenise_all(lines)]
            with open_output(file) as out:
                out.writelines(line + "\n" for line in lines)
        return file

    def lines(self, part: str, side: str) -> list[str]:
        """The lines of a file."""
        return list(read_lines(self.file(part, side)))

    @property
    def bleu(self) -> Bleu:
        return Bleu(tokenize="none" if self.casing == "lower" else "13a")

    def _scores(self, output: list[str], references: list[str]) -> dict[str, float]:
        metrics = {"bleu": self.bleu, "chrf": Chrf()}
        return {name: metric.score(metric.statistics(output, [references])) for name, metric in metrics.items()}

    def _found(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.place.read_text("utf-8"))
        return found

    @property
    def _given(self) -> dict[str, str]:
        return dict(each.split("=") for each in self.variant.split(",") if "=" in each)

    @property
    def _without(self) -> list[str]:
        return [each[1:] for each in self.variant.split(",") if each.startswith("-")]

    @property
    def _symmetrise(self) -> str:
        return self._given.get("symmetrise", "")

    @property
    def _limits(self) -> dict[str, Any]:
        given = {name: value for name, value in self._given.items() if name != "symmetrise"}
        return {name: int(value) if value.isdigit() else value for name, value in given.items()}


def evenly(lines: list[str], most: int) -> list[str]:
    """All lines, or `most` of them, evenly spaced (0: all)."""
    return [lines[number * len(lines) // most] for number in range(most)] if 0 < most < len(lines) else lines


def text_of(corpus: str, part: str, side: str) -> Path | None:
    """A file of a corpus, for either direction in the folder's name; None, with a message, if it is missing."""
    name, _, direction = corpus.partition(".")
    if corpus in BIBLES:
        return bible_text(corpus, part, side, WORK / "bibles")
    turned = f"{name}.{'-'.join(reversed(direction.split('-')))}"
    folder = turned if (DATA / turned).is_dir() else corpus
    return data(folder, f"{part}.{side}.gz")


def run_all(wanted: Sequence[Replica]) -> None:
    """Run the unfinished replicas, as many at a time as there are processors."""
    WORK.mkdir(parents=True, exist_ok=True)
    missing = [each for each in wanted if not each.place.exists()]
    for replica in missing:
        for part, side in product(("train", "dev", "test"), replica.sides):
            replica.file(part, side)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        # Models first: replicas that run at the same time share them.
        list(pool.map(Replica.train, {each.model: each for each in missing}.values()))
        # The first seed of all, then the second: an interrupted run has useful results.
        list(pool.map(Replica.result, sorted(wanted, key=lambda each: each.seed)))


def mean(replicas: Sequence[Replica], score: str = "bleu") -> tuple[float, str]:
    """The mean of a score, and its text."""
    values = [replica.result()[score] for replica in replicas]
    middle = statistics.mean(values)
    return middle, f"{middle:.2f} ± {statistics.stdev(values):.2f}" if len(values) > 1 else f"{middle:.2f}"


def _words(lines: Sequence[str]) -> int:
    return max(1, sum(len(line.split()) for line in lines))


def _never_linked(model: Model) -> float:
    """The share of the words of the training text, on both sides, that have no link."""
    links, bitext = model.index.aligned, model.index.bitext
    linked = sum(len({pair[side] for pair in links.links(number)}) for number in range(len(bitext)) for side in (0, 1))
    return 1 - linked / (bitext.source.words + bitext.target.words)


def _left_out(feature: str) -> FeatureHook:
    """A feature that is 0 for every rule, as if it were not there."""

    def hook(found: SentenceRules) -> dict[str, np.ndarray]:
        return {feature: np.zeros(found.table.rules, np.float32)}

    return hook


if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    corpus, system, rules, sample, casing, seed, variant, pairs = sys.argv[1:]
    Replica(corpus, system, rules, int(sample), casing, int(seed), variant, int(pairs)).run()
