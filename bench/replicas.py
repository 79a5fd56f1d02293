"""Systems of benchmarks as experiments: each corpus has a file for `pentaglot experiment` below `.cache/bench`.

Finished steps are not done again, so an interrupted run resumes; remove the folder to measure again.
`pentaglot experiment .cache/bench/NAME.toml -o .cache/bench/NAME --dry-run` shows what was done and what is left.
"""

from __future__ import annotations

import dataclasses
import os
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from bench.bibles import BIBLES, bible_text
from bench.harness import DATA, data
from pentaglot.cli.progress import shown_progress
from pentaglot.corpus import Tokenizer, open_output, read_lines
from pentaglot.metrics import Bleu, Chrf
from pentaglot.options import cpu_count
from pentaglot.systems import Model
from pentaglot.systems.experiment import Laboratory, work_together
from pentaglot.systems.experiment_file import read_experiment

WORK = Path(__file__).resolve().parents[1] / ".cache" / "bench"
SEEDS = tuple(range(1, 1 + int(os.environ.get("PENTAGLOT_BENCH_SEEDS", "3"))))
DEV_SENTENCES = int(os.environ.get("PENTAGLOT_BENCH_DEV", "500"))
TEST_SENTENCES = int(os.environ.get("PENTAGLOT_BENCH_TEST", "1000"))

_laboratories: dict[tuple[str, str], Laboratory] = {}  # by place and system


@dataclass(frozen=True)
class Replica:
    """One run of a system: training, tuning and a test, and its results.

    The corpus is a folder of the data with the direction in its name: `tatoeba.en-de` is `tatoeba.de-en` the other way
    round. A variant is what differs from the default system: limits of its rules (`max_gaps=1`), features left out
    (`-inverse_estimate`), another symmetrisation (`symmetrise=union`), separated by commas. Only `pairs` pairs of the
    training text are used, unless it is 0. Where there are more lines than wanted, those taken are evenly spaced.
    """

    corpus: str
    system: str
    rules: str = "index"
    sample: int = 0  # that of the system
    casing: str = "lower"
    seed: int = 1
    variant: str = ""
    pairs: int = 0
    tuned: bool = True

    @property
    def place(self) -> str:
        """The experiment: all systems of one text."""
        return ".".join([self.corpus, self.casing, *([f"of{self.pairs}"] if self.pairs else [])])

    @property
    def name(self) -> str:
        """The system in the experiment."""
        parts = [self.rules if self.rules != "index" else "", f"sample-{self.sample}" if self.sample else ""]
        parts += [each.replace("=", "-") if "=" in each else f"without{each}" for each in self._variants]
        return "+".join(filter(None, [self.system, *parts, "" if self.tuned else "untuned"]))

    @property
    def table(self) -> dict[str, Any]:
        """The table of the system in the file of the experiment."""
        given = dict(each.split("=") for each in self._variants if "=" in each)
        align = {name: given.pop(name) for name in ("symmetrise",) if name in given}
        rules: dict[str, Any] = {name: int(value) if value.isdigit() else value for name, value in given.items()}
        rules |= {"source": self.rules} | ({"sample": self.sample} if self.sample else {})
        found = {"train": {"system": self.system}, "align": align, "rules": rules, "tuned": self.tuned}
        return found | {"without": [each[1:] for each in self._variants if "=" not in each]}

    @property
    def _variants(self) -> list[str]:
        return [each for each in self.variant.split(",") if each]

    @property
    def sides(self) -> tuple[str, str]:
        """The languages, source and target."""
        source, _, target = self.corpus.partition(".")[2].partition("-")
        return source, target

    def replicas(self) -> list[Replica]:
        """The same with every seed."""
        return [dataclasses.replace(self, seed=seed) for seed in SEEDS]

    @property
    def untuned(self) -> Replica:
        """The same before tuning, when all replicas are alike."""
        return dataclasses.replace(self, tuned=False, seed=SEEDS[0])

    # Results, after `run_all`.

    def result(self) -> dict[str, float]:
        """Its scores on the test set, the share of unknown words, and milliseconds of user time per sentence."""
        output, (sources, references) = self.output(), self._laboratory.experiment.data.sides("test")
        metrics = {"bleu": self.bleu, "chrf": Chrf()}
        scores = {name: metric.score(metric.statistics(output, [references])) for name, metric in metrics.items()}
        scores["length"] = _words(output) / _words(references)
        facts = self._laboratory.facts(self.name)[self._run]
        scores["milliseconds"] = 1000 * facts["seconds"] / facts["sentences"]
        return scores | {"unknown": facts["unknown"] / _words(sources)}

    def output(self) -> list[str]:
        """Its translation of the test set."""
        return self._laboratory.outputs(self.name)[self._run]

    def references(self) -> list[str]:
        """The other translation of the test set."""
        return self._laboratory.experiment.data.sides("test")[1]

    def never_linked(self) -> float:
        """The share of the words of the training text, on both sides, that have no link."""
        index = Model.open(self._laboratory.model(self.name)).index
        links = (index.aligned.links(number) for number in range(len(index)))
        linked = sum(len({pair[side] for pair in each}) for each in links for side in (0, 1))
        return 1 - linked / (index.bitext.source.words + index.bitext.target.words)

    @property
    def bleu(self) -> Bleu:
        return Bleu(tokenize="none" if self.casing == "lower" else "13a")

    @property
    def _laboratory(self) -> Laboratory:
        return _laboratories[self.place, self.name]

    @property
    def _run(self) -> int:
        return self._laboratory.experiment.options.seeds.index(self.seed)


def run_all(wanted: Sequence[Replica]) -> None:
    """Do what is left to do, as many steps at a time as there are processors; the first seed of all comes first."""
    seeds: dict[Replica, set[int]] = defaultdict(set)  # of each system
    for each in wanted:
        seeds[dataclasses.replace(each, seed=0)] |= {each.seed} if each.tuned else set(SEEDS)
    groups: dict[tuple[str, tuple[int, ...]], list[Replica]] = defaultdict(list)
    for system, used in seeds.items():
        groups[system.place, tuple(sorted(used))].append(system)
    laboratories = [_opened(systems, used) for (_, used), systems in groups.items()]
    with shown_progress() as progress:
        work_together(laboratories, ["test"], processes=cpu_count(), threads=cpu_count(), progress=progress)


def _opened(systems: Sequence[Replica], seeds: tuple[int, ...]) -> Laboratory:
    """An experiment of systems of one text; its file is written for people, too."""
    first = systems[0]
    if len(systems) == 1:  # an experiment compares
        systems = [first, dataclasses.replace(first, tuned=not first.tuned)]
    lower = first.casing == "lower"
    file = WORK / f"{first.place}.{'-'.join(map(str, seeds))}.toml"
    tables = {
        "data": {
            "train": _files(first, "train", first.pairs),
            "dev": _files(first, "dev", DEV_SENTENCES),
            "test": _files(first, "test", TEST_SENTENCES),
        },
        "experiment": {"seeds": list(seeds)},
        "train": {"tokenizer": "none" if lower else "conservative", "casing": "keep" if lower else "truecase"},
        "compare": {"metrics": "bleu,chrf,length", "tokenize": "none" if lower else "13a"},
        "systems": {each.name: each.table for each in systems},
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(tomli_w.dumps(tables), "utf-8")
    found = Laboratory(read_experiment(file), WORK / first.place, threads=cpu_count())
    _laboratories.update({(first.place, each.name): found for each in systems})
    return found


def _files(replica: Replica, part: str, most: int) -> list[str]:
    """Both sides of a text as an experiment names them."""
    files = [_text(replica, part, side) for side in replica.sides]
    return [f"{file}[{most} evenly]" if most else str(file) for file in files]


def _text(replica: Replica, part: str, side: str) -> Path:
    """Raw text as it is, or tokenised and lower-cased."""
    raw = text_of(replica.corpus, part, side)
    assert raw is not None
    file = WORK / "texts" / f"{replica.corpus}.{part}.{side}.lower.gz"
    if replica.casing != "lower":
        return raw
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with open_output(file) as out:
            words = Tokenizer("aggressive", "lowercase").tokenise_all(list(read_lines(raw)))
            out.writelines(" ".join(line) + "\n" for line in words)
    return file


def text_of(corpus: str, part: str, side: str) -> Path | None:
    """A file of a corpus, for either direction in the folder's name; None, with a message, if it is missing."""
    name, _, direction = corpus.partition(".")
    if corpus in BIBLES:
        return bible_text(corpus, part, side, WORK / "bibles")
    turned = f"{name}.{'-'.join(reversed(direction.split('-')))}"
    folder = turned if (DATA / turned).is_dir() else corpus
    return data(folder, f"{part}.{side}.gz")


def mean(replicas: Sequence[Replica], score: str = "bleu") -> tuple[float, str]:
    """The mean of a score, and its text."""
    values = [replica.result()[score] for replica in replicas]
    middle = statistics.mean(values)
    return middle, f"{middle:.2f} ± {statistics.stdev(values):.2f}" if len(values) > 1 else f"{middle:.2f}"


def _words(lines: Sequence[str]) -> int:
    return max(1, sum(len(line.split()) for line in lines))
