"""Whether features can tell good translations from bad ones: linearly, and after cutting values into bins.

Some weights rank all better candidates above all worse ones if and only if a linear program has a solution (Clark 2015,
sections 2.4 and 6.2). It takes a row for each pair of candidates, so it is for tests and for looking at small sets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pentaglot.learn.binned_hypotheses import Binned, Hypothesis, Vector, global_bins, local_bins
from pentaglot.learn.feature_uses import advice, uses_of
from pentaglot.learn.ranking_weights import separate
from pentaglot.learn.separation import Separability, Separation

__all__ = ["Hypothesis", "separability"]


def separability(
    sentences: Sequence[Sequence[Hypothesis]],
    binned: Binned | None = None,
    summed: Binned | None = None,
    *,
    real: Collection[str] = (),
    most: int = 100_000,
) -> Separability:
    """Compare features as they are with bins of whole hypotheses and with bins of rules. `binned` names the
    bin of a value in a rule, `summed` (by default the same) that of a sum over a hypothesis. By default, every value is
    a bin of its own. The features in `real`, such as a language model, stay as they are beside the bins of others.

    >>> found = separability([[Hypothesis([{"h": 2.0}, {"h": 2.0}], 1.0), Hypothesis([{"h": 4.0}], 0.0)]])
    >>> found.linear.separable, found.global_.separable, found.local.separable
    (False, False, True)
    """
    chosen: Binned = binned or (lambda name, value: f"{name}={value:.9g}")
    whole = summed or chosen

    def cut(name: str, value: float) -> str | None:
        return None if name in real else chosen(name, value)

    def cut_sum(name: str, value: float) -> str | None:
        return None if name in real else whole(name, value)

    def kept(each: Hypothesis) -> dict[str, float]:
        return {name: value for name, value in each.features.items() if name in real}

    def with_features(make: Callable[[Hypothesis], Vector]) -> Separation:
        return separate([[(make(each), each.quality) for each in some] for some in sentences], most=most)

    found = Separability(
        with_features(lambda each: each.features),
        with_features(lambda each: global_bins(each, cut_sum) | kept(each)),
        with_features(lambda each: local_bins(each, cut) | kept(each)),
    )
    names = sorted({name for some in sentences for each in some for rule in each.rules for name in rule})
    uses = {name: uses_of(sentences, name, cut, most) for name in names if name not in real}
    return Separability(
        found.linear, found.global_, found.local, uses, {name: advice(each) for name, each in uses.items()}
    )
