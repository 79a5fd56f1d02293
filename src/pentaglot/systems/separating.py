"""Whether the features of a model can tell good translations of some sentences from bad ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pentaglot.corpus import Sentence
from pentaglot.learn.binned_hypotheses import Hypothesis
from pentaglot.learn.separability import separability
from pentaglot.learn.separation import Separability
from pentaglot.metrics import Bleu, Metric
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.binning import Bins
from pentaglot.rules.features import declared_feature
from pentaglot.systems.decoder import tunable
from pentaglot.systems.development import Development, References
from pentaglot.systems.translator import Translator

__all__ = ["model_separability"]


def model_separability(
    translator: Translator,
    sources: Sequence[str | Sentence],
    references: References,
    *,
    size: int = 10,
    bins: int = 16,
    metric: Metric | None = None,
    most: int = 100_000,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Separability:
    """See `separability`: the candidates are the `size` best translations of each sentence, and how good they are is
    their cost by the metric (BLEU+1 by default), as single sentences. Local features are cut into `bins`; others, such
    as the language model, stay as they are."""
    metric = metric or Bleu(tokenize="none", sentence_smoothing="plus-one-higher")
    development = Development.prepared(translator.model, sources, references, longest=translator.longest)
    wanted = development.references(metric)
    names = translator.features.names
    kept = set(tunable(translator, dict.fromkeys(names, 0.0)))

    def candidates(number: int) -> list[Hypothesis]:
        part = development.sentences[number].parts(translator.longest)[0]  # of a very long line, the first
        found = translator.hypotheses(translator.rules_of(part.lattice or part.words), size)
        texts = [" ".join(each.words) for each in found]
        texts = texts if metric.on_words else [development.text(number, each.words) for each in found]
        costs = metric.costs(metric.statistics(texts, [[whole[number]] * len(texts) for whole in wanted]))
        return [
            Hypothesis([_named(vector, names, kept) for vector in each.derivations[0].local_vectors()], -float(cost))
            for each, cost in zip(found, costs, strict=True)
        ]

    sentences = []
    with progress.task("translating", total=len(development.sentences), unit="sentences") as task:
        for found in in_order(candidates, range(len(development.sentences)), threads):
            sentences.append(found)
            task.advance()
    every = {name for some in sentences for each in some for rule in each.rules for name in rule}
    local = {name for name in every if _is_local(translator, translator.features.id(name))}
    cuts = {name: _bins(sentences, name, bins) for name in sorted(local)}

    def binned(name: str, value: float) -> str:
        return f"{name}={cuts[name].of(np.array([value], np.float32))[0]}"

    return separability(sentences, binned, real=every - local, most=most)


def _is_local(translator: Translator, feature: int) -> bool:
    """Whether a rule has the feature by itself: n-grams across rules and what is conjoined with the language model look
    beyond it, too."""
    found = translator.features[feature]
    if found.parts != (feature,):
        return all(_is_local(translator, part) for part in found.parts)
    known = declared_feature(found.name, translator.declared)
    words = (each.operator for each in translator.induction.worded)
    across = tuple(f"{each.prefix}=" for each in words if each.crosses)
    return known.local if known is not None else not found.name.startswith(across)


def _named(
    vector: tuple[NDArray[np.uint32], NDArray[np.float32]], names: Sequence[str], kept: set[str]
) -> dict[str, float]:
    ids, values = vector
    pairs = zip(ids.tolist(), values.tolist(), strict=True)
    return {names[each]: value for each, value in pairs if names[each] in kept}


def _bins(sentences: Sequence[Sequence[Hypothesis]], name: str, bins: int) -> Bins:
    values = [rule[name] for some in sentences for each in some for rule in each.rules if name in rule]
    distinct, counts = np.unique(np.array(values, np.float32), return_counts=True)
    return Bins.fitted(distinct, counts.astype(np.uint64), bins)
