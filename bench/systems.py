"""Whole systems: how well they translate, trained and tuned from nothing but text, in several replicas.

`python -m bench.systems CORPUS SYSTEM RULES SAMPLE CASING SEED` is one replica: it trains (or finds) the model, tunes
it, translates the test set and writes what came out below `.cache/bench`. Replicas that are there already are not run
again, so a long run that was stopped goes on; remove the folder to measure anew.
"""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from bench.harness import Row, data

WORK = Path(__file__).resolve().parents[1] / ".cache" / "bench"
SEEDS = (1, 2, 3)
CORPORA = tuple(os.environ.get("PENTAGLOT_BENCH_CORPORA", "multi30k newstest").split())
SYSTEMS = ("phrase", "hiero")
SAMPLES = (10, 50, 100, 300)
DEV_SENTENCES = 500

NOTES = """
Each replica trains on the corpus, tunes by MIRA with its own seed on the first 500 sentences of the development set,
and translates the whole test set; of three replicas mean and standard deviation are shown, for cased text and for the
sample sizes there is one. "lower" is text that is tokenised
(pyonmttok's aggressive mode) and lower-cased on both sides, scored without further tokenisation: `{lower}`.
"cased" goes from raw text to raw text: `{cased}` and `{chrf}`. The figures of Moses and of the C++ Hiero decoder were
taken with the same corpus on another machine, with another tokenizer. The default weights were chosen on the
development sets of multi30k and newstest, after a first look at a few hundred test sentences, so "without tuning" is
not blind to the corpus. p is that of a bootstrap over sentences, the outputs of all replicas of a side taken together.
"""


@dataclass(frozen=True)
class Replica:
    """One training and tuning, and what it gave."""

    corpus: str
    system: str
    rules: str = "index"
    sample: int = 300
    casing: str = "lower"
    seed: int = 1

    @property
    def model(self) -> Path:
        return WORK / f"{self.corpus}.{self.system}.{self.rules}.{self.casing}"

    @property
    def place(self) -> Path:
        return WORK / f"{self.model.name}.{self.sample}.{self.seed}.json"

    def replicas(self) -> list[Replica]:
        """The same with every seed."""
        return [dataclasses.replace(self, seed=seed) for seed in SEEDS]

    def result(self) -> dict[str, float]:
        """Its scores; the replica is run if it was not."""
        if not self.place.exists():
            arguments = [str(getattr(self, field.name)) for field in dataclasses.fields(self)]
            subprocess.run([sys.executable, "-m", "bench.systems", *arguments], check=True)
        found: dict[str, float] = json.loads(self.place.read_text("utf-8"))["scores"]
        return found

    def run(self) -> None:
        """Trains, tunes, translates, scores."""
        from pentaglot.learn import TuneOptions
        from pentaglot.systems import Model, Translator, tune

        self._train()
        model = Model.open(self.model)
        rules = dataclasses.replace(model.description.rules, sample=self.sample)
        model = dataclasses.replace(model, description=dataclasses.replace(model.description, rules=rules))
        translator = Translator(model)
        sources, references = (self._lines("dev", side)[:DEV_SENTENCES] for side in ("de", "en"))
        tuned = tune(translator, sources, references, TuneOptions(), seed=self.seed)
        best = translator.with_weights(tuned.weights)
        sources, references = (self._lines("test", side) for side in ("de", "en"))
        output = [translation.text for translation in best.translate_all(sources)]
        scores = {"dev": tuned.score, **self._scores(output, references)}
        if self.seed == SEEDS[0]:  # before tuning all replicas are the same
            untuned = [translation.text for translation in translator.translate_all(sources)]
            scores["untuned"] = self._scores(untuned, references)["bleu"]
        found = {"scores": scores, "weights": dict(tuned.weights), "output": output}
        self.place.write_text(json.dumps(found, ensure_ascii=False, indent=1), "utf-8")

    def _train(self) -> None:
        from pentaglot.systems import TrainOptions, train

        lower = self.casing == "lower"
        options = TrainOptions(
            system=self.system,  # type: ignore[arg-type]
            tokenizer="none" if lower else "conservative",
            casing="keep" if lower else "truecase",
            **({"rules": "table"} if self.rules == "table" else {}),
        )
        train(self._file("train", "de"), self._file("train", "en"), self.model, options=options)

    def _file(self, part: str, side: str) -> Path:
        """Raw text as it is; lower-cased text is tokenised first."""
        raw = data(f"{self.corpus}.de-en", f"{part}.{side}.gz")
        assert raw is not None
        if self.casing == "cased":
            return raw
        from pentaglot.corpus import Tokenizer, open_output, read_lines

        file = WORK / f"{self.corpus}.{part}.{side}"
        if not file.exists():
            words = Tokenizer("aggressive", "lowercase").tokenise_all(list(read_lines(raw)))
            with open_output(file) as out:
                out.writelines(" ".join(line) + "\n" for line in words)
        return file

    def _lines(self, part: str, side: str) -> list[str]:
        from pentaglot.corpus import read_lines

        return list(read_lines(self._file(part, side)))

    def _scores(self, output: list[str], references: list[str]) -> dict[str, float]:
        bleu, chrf = _metrics(self.casing)
        return {
            "bleu": bleu.corpus_score(output, [references]).score,
            "chrf": chrf.corpus_score(output, [references]).score,
        }


def _metrics(casing: str):  # type: ignore[no-untyped-def]
    from sacrebleu.metrics import BLEU, CHRF

    return BLEU(tokenize="none" if casing == "lower" else "13a", force=True), CHRF()


def rows() -> list[Row]:
    """All replicas, two at a time."""
    if any(data(f"{corpus}.de-en", "train.de.gz") is None for corpus in CORPORA):
        return []
    WORK.mkdir(parents=True, exist_ok=True)
    compared = [Replica(*each) for each in product(CORPORA, SYSTEMS, ("index", "table"))]
    wanted = [replica for each in compared for replica in each.replicas()]
    wanted += [Replica("multi30k", system, casing="cased") for system in SYSTEMS]
    wanted += [Replica("multi30k", system, sample=size) for system in SYSTEMS for size in SAMPLES[:-1]]
    _prepare(wanted)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(Replica.result, wanted))
    found = [_rival(system, rival) for system, rival in zip(SYSTEMS, (40.5, 40.3), strict=True)]
    found += [_untuned(system, rival) for system, rival in zip(SYSTEMS, (40.1, 38.6), strict=True)]
    found += [_cased(system) for system in SYSTEMS]
    found += [_against_table(corpus, system) for corpus in CORPORA for system in SYSTEMS]
    found += [_by_sample(system) for system in SYSTEMS]
    _sign()
    return found


def _prepare(wanted: Sequence[Replica]) -> None:
    """Models and texts, one after the other: replicas that run at the same time share them."""
    for replica in {each.model: each for each in wanted if not each.place.exists()}.values():
        for part in ("train", "dev", "test"):
            for side in ("de", "en"):
                replica._file(part, side)
        replica._train()


def _mean(replicas: Sequence[Replica], score: str = "bleu") -> tuple[float, str]:
    values = [replica.result()[score] for replica in replicas]
    mean = statistics.mean(values)
    return mean, f"{mean:.2f} ± {statistics.stdev(values):.2f}" if len(values) > 1 else f"{mean:.2f}"


def _rival(system: str, rival: float) -> Row:
    mean, shown = _mean(Replica("multi30k", system).replicas())
    name = {"phrase": "Moses, tuned by MIRA", "hiero": "C++ Hiero decoder, ramp loss"}[system]
    return Row(f"BLEU, multi30k, {system}, lower", shown, name, f"{rival}", None, "more", mean > rival)


def _untuned(system: str, rival: float) -> Row:
    found = Replica("multi30k", system).result()["untuned"]
    name = {"phrase": "Moses, default weights", "hiero": "C++ Hiero decoder, untuned"}[system]
    return Row(f"the same without tuning, {system}", f"{found:.2f}", name, f"{rival}", None, "(recorded)", True)


def _cased(system: str) -> Row:
    replicas = [Replica("multi30k", system, casing="cased")]
    shown = f"BLEU {_mean(replicas)[1]}, chrF {_mean(replicas, 'chrf')[1]}"
    return Row(f"multi30k, {system}, cased and detokenised", shown, "", "", None, "(recorded)", True)


def _against_table(corpus: str, system: str) -> Row:
    index, shown = _mean(Replica(corpus, system).replicas())
    table, theirs = _mean(Replica(corpus, system, "table").replicas())
    chance = _chance_of_loss(corpus, system)
    what = f"BLEU, {corpus}, {system}, pattern matching (p of a loss by chance {chance:.2f})"
    return Row(what, shown, "table of all rules", theirs, None, "no significant loss", index >= table or chance > 0.05)


def _chance_of_loss(corpus: str, system: str, samples: int = 1000) -> float:
    """Paired bootstrap over sentences, the replicas of both sides pooled: how often pattern matching is not worse."""
    import numpy as np

    outputs = {
        rules: [
            json.loads(each.place.read_text("utf-8"))["output"] for each in Replica(corpus, system, rules).replicas()
        ]
        for rules in ("index", "table")
    }
    references = Replica(corpus, system)._lines("test", "en")
    bleu, _ = _metrics("lower")
    counts = {
        rules: [np.array(bleu._extract_corpus_statistics(each, [references]), float) for each in several]
        for rules, several in outputs.items()
    }
    random = np.random.default_rng(1)
    not_worse = 0
    for _ in range(samples):
        drawn = random.integers(0, len(references), len(references))
        score = {
            rules: statistics.mean(
                bleu._compute_score_from_stats(each[drawn].sum(0).astype(int).tolist()).score for each in several
            )
            for rules, several in counts.items()
        }
        not_worse += score["index"] >= score["table"]
    return not_worse / samples


def _by_sample(system: str) -> Row:
    means = [Replica("multi30k", system, sample=size).result()["bleu"] for size in SAMPLES]
    shown = ", ".join(f"{n}: {mean:.2f}" for n, mean in zip(SAMPLES, means, strict=True))
    rises = means[0] < means[-1] and means[1] - means[0] >= means[3] - means[2]
    return Row(f"BLEU by sample size, {system}", shown, "", "", None, "rises and flattens", rises)


def _sign() -> None:
    global NOTES
    (lower, _), (cased, chrf) = _metrics("lower"), _metrics("cased")
    for metric in (lower, cased, chrf):
        metric.corpus_score(["a"], [["a"]])
    NOTES = NOTES.format(lower=lower.get_signature(), cased=cased.get_signature(), chrf=chrf.get_signature())


if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    corpus, system, rules, sample, casing, seed = sys.argv[1:]
    Replica(corpus, system, rules, int(sample), casing, int(seed)).run()
