"""Whether the features of a model can tell good translations of some sentences from bad ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from pentaglot.corpus import Sentence
from pentaglot.forest import Derivation
from pentaglot.learn.binned_hypotheses import Hypothesis, Vector
from pentaglot.learn.separability import separability
from pentaglot.learn.separation import Separability
from pentaglot.metrics import Bleu, Metric
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import SentenceRules
from pentaglot.rules.binning import Bins
from pentaglot.rules.features import declared_feature
from pentaglot.rules.inducing import Surroundings
from pentaglot.rules.quantities import quantity_named
from pentaglot.search import origin_of
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
    their cost by the metric (BLEU+1 by default), as single sentences. Local features are cut into `bins`, of their
    values in rules and of their sums; others, such as the language model, stay as they are."""
    metric = metric or Bleu(tokenize="none", sentence_smoothing="plus-one-higher")
    development = Development.prepared(translator.model, sources, references, longest=translator.longest)
    wanted = development.references(metric)
    names = translator.features.names
    kept = set(tunable(translator, dict.fromkeys(names, 0.0)))

    def candidates(number: int) -> list[Hypothesis]:
        part = development.sentences[number].parts(translator.longest)[0]  # of a very long line, the first
        rules = translator.rules_of(part.lattice or part.words)
        found, zeros = translator.hypotheses(rules, size), _zeros(translator, rules, kept)
        texts = [" ".join(each.words) for each in found]
        texts = texts if metric.on_words else [development.text(number, each.words) for each in found]
        costs = metric.costs(metric.statistics(texts, [[whole[number]] * len(texts) for whole in wanted]))
        return [
            Hypothesis(_named(each.derivations[0], zeros, names, kept), -float(cost))
            for each, cost in zip(found, costs, strict=True)
        ]

    sentences = []
    with progress.task("translating", total=len(development.sentences), unit="sentences") as task:
        for found in in_order(candidates, range(len(development.sentences)), threads):
            sentences.append(found)
            task.advance()
    every = {name for some in sentences for each in some for rule in each.rules for name in rule}
    local = {name for name in every if _is_local(translator, translator.features.id(name))}
    parts, wholes = (
        _binned(vectors, local, bins)
        for vectors in (
            [rule for some in sentences for each in some for rule in each.rules],
            [each.features for some in sentences for each in some],
        )
    )
    return separability(sentences, parts, wholes, real=every - local, most=most)


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


def _zeros(translator: Translator, rules: SentenceRules, kept: set[str]) -> dict[int, list[str]]:
    """The local features that are 0 in rules that have them, such as the logarithm of a chance of 1, by rule."""
    around = Surroundings(translator.features, None).of(rules)
    found: dict[int, list[str]] = {}
    for feature in rules.table.feature_ids.tolist():
        name = translator.features.name(feature)
        if name in kept and _is_local(translator, feature):
            quantity = quantity_named(name, translator.declared, undeclared=True)
            values = quantity.compiled(translator.features).of_rules(rules.table, around)
            for rule in np.flatnonzero(values == 0).tolist():
                found.setdefault(rule, []).append(name)
    return found


def _named(
    derivation: Derivation, zeros: Mapping[int, Sequence[str]], names: Sequence[str], kept: set[str]
) -> list[dict[str, float]]:
    """The features of each step, also those that are 0."""
    found = []
    for payload, (ids, values) in zip(derivation.payloads.tolist(), derivation.local_vectors(), strict=True):
        rule, _ = origin_of(payload)
        vector = dict.fromkeys([] if rule is None else zeros.get(rule, []), 0.0)
        pairs = zip(ids.tolist(), values.tolist(), strict=True)
        found.append(vector | {names[each]: value for each, value in pairs if names[each] in kept})
    return found


def _binned(vectors: Sequence[Vector], local: Collection[str], bins: int) -> Callable[[str, float], str]:
    """Names the bins of the values that local features have in some vectors."""
    cuts: dict[str, Bins] = {}
    for name in sorted(local):
        values = [vector[name] for vector in vectors if name in vector]
        distinct, counts = np.unique(np.array(values, np.float32), return_counts=True)
        cuts[name] = Bins.fitted(distinct, counts.astype(np.uint64), bins)
    return lambda name, value: f"{name}={cuts[name].of(np.array([value], np.float32))[0]}"
