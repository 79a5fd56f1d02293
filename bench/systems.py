"""Whole systems: how well they translate, trained and tuned from text alone, in several replicas."""

from __future__ import annotations

import os
from itertools import pairwise, product

from bench.harness import OTHER_MACHINE, Row
from bench.replicas import Replica, mean, run_all, text_of
from pentaglot.evaluate import Comparison, paired_bootstrap
from pentaglot.metrics import Chrf

CORPORA = tuple(os.environ.get("PENTAGLOT_BENCH_CORPORA", "multi30k.de-en newstest.de-en").split())
SYSTEMS = ("phrase", "hiero")
SAMPLES = (10, 50, 100, 300)

NOTES = """
Each replica trains on the corpus, tunes by MIRA with its own seed on 500 sentences of the development set,
and translates the whole test set; the table shows mean and standard deviation of three replicas (for cased text, there
is one). "lower" is text that is tokenised (pyonmttok's aggressive mode) and lower-cased on both sides, scored without
further tokenisation: `{lower}`. "cased" goes from raw text to raw text: `{cased}` and `{chrf}`. The figures of Moses
and of the C++ Hiero decoder were measured with the same corpus on another machine, with another tokenizer. The default
weights were chosen on the development sets of multi30k, newstest, tatoeba and libreoffice, earlier ones after a first
look at a few hundred test sentences of the first two, so "without tuning" is not blind to the corpus. p comes from a
two-sided paired bootstrap over sentences, with the scores of the replicas averaged.

{findings}
"""


def rows() -> list[Row]:
    """All replicas, two at a time."""
    if any(text_of(corpus, "train", "de") is None for corpus in CORPORA):
        return []
    compared = [Replica(*each) for each in product(CORPORA, SYSTEMS, ("index", "table"))]
    wanted = [replica for each in compared for replica in each.replicas()]
    wanted += [Replica("multi30k.de-en", system, casing="cased") for system in SYSTEMS]
    wanted += [
        replica
        for system in SYSTEMS
        for size in SAMPLES
        for replica in Replica("multi30k.de-en", system, sample=size).replicas()
    ]
    wanted += [Replica("multi30k.de-en", system).untuned for system in SYSTEMS]
    run_all(wanted)
    found = [_rival(system, rival) for system, rival in zip(SYSTEMS, (40.5, 40.3), strict=True)]
    found += [_untuned(system, rival) for system, rival in zip(SYSTEMS, (40.1, 38.6), strict=True)]
    found += [_cased(system) for system in SYSTEMS]
    found += [_against_table(corpus, system) for corpus in CORPORA for system in SYSTEMS]
    found += [_by_sample(system) for system in SYSTEMS]
    _sign()
    return found


def _rival(system: str, rival: float) -> Row:
    ours, shown = mean(Replica("multi30k.de-en", system).replicas())
    name = {"phrase": "Moses, tuned by MIRA", "hiero": "C++ Hiero decoder, ramp loss"}[system]
    return Row(f"BLEU, multi30k, {system}, lower", shown, name, f"{rival}", None, "more", ours > rival, OTHER_MACHINE)


def _untuned(system: str, rival: float) -> Row:
    found = Replica("multi30k.de-en", system).untuned.result()["bleu"]
    name = {"phrase": "Moses, default weights", "hiero": "C++ Hiero decoder, untuned"}[system]
    return Row(
        f"the same without tuning, {system}", f"{found:.2f}", name, f"{rival}", None, "(recorded)", True, OTHER_MACHINE
    )


def _cased(system: str) -> Row:
    replicas = [Replica("multi30k.de-en", system, casing="cased")]
    shown = f"BLEU {mean(replicas)[1]}, chrF {mean(replicas, 'chrf')[1]}"
    return Row(f"multi30k, {system}, cased and detokenised", shown, "", "", None, "(recorded)", True)


def _against_table(corpus: str, system: str) -> Row:
    index, shown = mean(Replica(corpus, system).replicas())
    table, theirs = mean(Replica(corpus, system, "table").replicas())
    found = _comparison(corpus, system)
    what = f"BLEU, {corpus}, {system}, pattern matching (p {found.p:.2f})"
    kept = index >= table or found.p > 0.05
    return Row(what, shown, "table of all rules", theirs, None, "no significant loss", kept)


def _comparison(corpus: str, system: str) -> Comparison:
    """Pattern matching compared with tables, all replicas, by paired bootstrap over sentences."""
    ours, theirs = (Replica(corpus, system, rules).replicas() for rules in ("index", "table"))
    bleu, references = ours[0].bleu, [ours[0].references()]
    rows = [[bleu.statistics(each.output(), references) for each in side] for side in (ours, theirs)]
    return paired_bootstrap(bleu, *rows)


def _by_sample(system: str) -> Row:
    found = [mean(Replica("multi30k.de-en", system, sample=size).replicas()) for size in SAMPLES]
    shown = ", ".join(f"{size}: {each}" for size, (_, each) in zip(SAMPLES, found, strict=True))
    reached = rises_and_flattens([each for each, _ in found])
    return Row(f"BLEU by sample size, {system}", shown, "", "", None, "rises and flattens", reached)


def rises_and_flattens(scores: list[float]) -> bool:
    """Whether each is at least as high as the one before, and the last step smaller than the first."""
    steps = [after - before for before, after in pairwise(scores)]
    return min(steps) >= 0 and steps[0] > steps[-1]


def findings(tuned: dict[str, float], untuned: dict[str, float], samples: dict[str, dict[int, float]]) -> str:
    """What the figures say about tuning and samples, welcome or not."""
    gains = ", ".join(f"{tuned[system] - untuned[system]:+.2f} for {system}" for system in tuned)
    better = [system for system in tuned if tuned[system] > untuned[system]]
    verdict = "are" if len(better) == len(tuned) else "are not" if not better else f"(only {', '.join(better)}) are"
    peaks = ", ".join(f"{max(found, key=lambda size: found[size])} for {system}" for system, found in samples.items())
    return (
        f"On multi30k the tuned systems {verdict} better than those with the default weights; the mean of the\n"
        f"replicas differs by {gains}. Among samples of {', '.join(map(str, SAMPLES))} occurrences the best is {peaks}."
    )


def _sign() -> None:
    global NOTES
    lower, cased = (Replica("multi30k.de-en", "hiero", casing=casing).bleu.signature() for casing in ("lower", "cased"))
    tuned = {system: mean(Replica("multi30k.de-en", system).replicas())[0] for system in SYSTEMS}
    untuned = {system: Replica("multi30k.de-en", system).untuned.result()["bleu"] for system in SYSTEMS}
    samples = {
        system: {size: mean(Replica("multi30k.de-en", system, sample=size).replicas())[0] for size in SAMPLES}
        for system in SYSTEMS
    }
    found = findings(tuned, untuned, samples)
    NOTES = NOTES.format(lower=lower, cased=cased, chrf=Chrf().signature(), findings=found)
