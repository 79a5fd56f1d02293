"""Whole systems: how well they translate, trained and tuned from nothing but text, in several replicas."""

from __future__ import annotations

import os
from itertools import product

from bench.harness import Row, data
from bench.replicas import Replica, mean, run_all
from pentaglot.metrics import Chrf, Comparison, paired_bootstrap

CORPORA = tuple(os.environ.get("PENTAGLOT_BENCH_CORPORA", "multi30k newstest").split())
SYSTEMS = ("phrase", "hiero")
SAMPLES = (10, 50, 100, 300)

NOTES = """
Each replica trains on the corpus, tunes by MIRA with its own seed on the first 500 sentences of the development set,
and translates the whole test set; of three replicas mean and standard deviation are shown, for cased text there is
one. "lower" is text that is tokenised (pyonmttok's aggressive mode) and lower-cased on both sides, scored without
further tokenisation: `{lower}`. "cased" goes from raw text to raw text: `{cased}` and `{chrf}`. The figures of Moses
and of the C++ Hiero decoder were taken with the same corpus on another machine, with another tokenizer. The default
weights were chosen on the development sets of multi30k, newstest, tatoeba and libreoffice, earlier ones after a first
look at a few hundred test sentences of the first two, so "without tuning" is not blind to the corpus. p is that of a
paired bootstrap over sentences, two-sided, the scores of the replicas averaged.
"""


def rows() -> list[Row]:
    """All replicas, two at a time."""
    if any(data(f"{corpus}.de-en", "train.de.gz") is None for corpus in CORPORA):
        return []
    compared = [Replica(*each) for each in product(CORPORA, SYSTEMS, ("index", "table"))]
    wanted = [replica for each in compared for replica in each.replicas()]
    wanted += [Replica("multi30k", system, casing="cased") for system in SYSTEMS]
    wanted += [
        replica
        for system in SYSTEMS
        for size in SAMPLES[:-1]
        for replica in Replica("multi30k", system, sample=size).replicas()
    ]
    run_all(wanted)
    found = [_rival(system, rival) for system, rival in zip(SYSTEMS, (40.5, 40.3), strict=True)]
    found += [_untuned(system, rival) for system, rival in zip(SYSTEMS, (40.1, 38.6), strict=True)]
    found += [_cased(system) for system in SYSTEMS]
    found += [_against_table(corpus, system) for corpus in CORPORA for system in SYSTEMS]
    found += [_by_sample(system) for system in SYSTEMS]
    _sign()
    return found


def _rival(system: str, rival: float) -> Row:
    ours, shown = mean(Replica("multi30k", system).replicas())
    name = {"phrase": "Moses, tuned by MIRA", "hiero": "C++ Hiero decoder, ramp loss"}[system]
    return Row(f"BLEU, multi30k, {system}, lower", shown, name, f"{rival}", None, "more", ours > rival)


def _untuned(system: str, rival: float) -> Row:
    found = Replica("multi30k", system).result()["untuned"]
    name = {"phrase": "Moses, default weights", "hiero": "C++ Hiero decoder, untuned"}[system]
    return Row(f"the same without tuning, {system}", f"{found:.2f}", name, f"{rival}", None, "(recorded)", True)


def _cased(system: str) -> Row:
    replicas = [Replica("multi30k", system, casing="cased")]
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
    """Pattern matching beside tables, all replicas, by paired bootstrap over sentences."""
    ours, theirs = (Replica(corpus, system, rules).replicas() for rules in ("index", "table"))
    bleu, references = ours[0].bleu, [ours[0].lines("test", "en")]
    rows = [[bleu.statistics(each.output(), references) for each in side] for side in (ours, theirs)]
    return paired_bootstrap(bleu, *rows)


def _by_sample(system: str) -> Row:
    found = [mean(Replica("multi30k", system, sample=size).replicas()) for size in SAMPLES]
    means = [each for each, _ in found]
    shown = ", ".join(f"{size}: {each}" for size, (_, each) in zip(SAMPLES, found, strict=True))
    rises = means[0] < means[-1] and means[1] - means[0] >= means[3] - means[2]
    return Row(f"BLEU by sample size, {system}", shown, "", "", None, "rises and flattens", rises)


def _sign() -> None:
    global NOTES
    lower, cased = (Replica("multi30k", "hiero", casing=casing).bleu.signature() for casing in ("lower", "cased"))
    NOTES = NOTES.format(lower=lower, cased=cased, chrf=Chrf().signature())
