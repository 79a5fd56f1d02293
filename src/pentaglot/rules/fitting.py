"""`fit_induction`: fits operators on the rules of development sentences."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.options import suggestion
from pentaglot.rules.features import declared_feature
from pentaglot.rules.fitting_bins import BinCounts, MeetingBins
from pentaglot.rules.fitting_context import FittingContext
from pentaglot.rules.fitting_words import CrossingWords, WordCounts
from pentaglot.rules.induced import FittedDomains
from pentaglot.rules.induction import Induction
from pentaglot.rules.operator_tables import check_operators
from pentaglot.rules.operators import ConjoinBins, Domains, Operator, WordOperator
from pentaglot.rules.sentence_rules import SentenceRules

__all__ = ["FittingContext", "fit_induction"]

_LOG = logging.getLogger(__name__)


def fit_induction(
    operators: Sequence[Operator], sentences: Callable[[], Iterable[SentenceRules]], context: FittingContext
) -> Induction:
    """Fits operators on the rules of sentences, every rule of every sentence counting once. The sentences are read
    once, or twice if bins are conjoined."""
    operators = check_operators(operators, declared=context.declared, undeclared=context.undeclared)
    bins = BinCounts(operators, context)
    words: list[WordCounts | CrossingWords] = [
        (CrossingWords if each.crosses else WordCounts)(each, context)
        for each in operators
        if isinstance(each, WordOperator)
    ]
    domains = _DomainCounts([each for each in operators if isinstance(each, Domains)], context)
    seen = 0
    for found in sentences():
        bins.add(found)
        domains.add(found)
        for each in words:
            each.add(found)
        seen += found.table.rules
    if not seen:
        raise PentaglotError("the development sentences have no rules to fit operators on")
    binned = bins.fitted()
    conjoined = MeetingBins([each for each in operators if isinstance(each, ConjoinBins)], binned, context)
    if conjoined.wanted:
        for found in sentences():
            conjoined.add(found)
    classes = {each.operator.classes: each.maps for each in words if each.maps is not None}
    replaced = Induction(operators, binned).replaced
    made = Induction(
        operators,
        binned,
        conjoined.fitted(),
        tuple(each.fitted() for each in words),
        domains.fitted([f"{each.name}=" for each in binned], replaced),
        classes,
    )
    made.check()
    for worded in made.worded:
        if not worded.words:
            _LOG.warning("the operator '%s' makes no features: nothing is there often enough", worded.operator.operator)
    return made


class _DomainCounts:
    """Counts the domains of sentences."""

    def __init__(self, operators: Sequence[Domains], context: FittingContext) -> None:
        self._operator = operators[0] if operators else None
        self._context = context
        self._counts: Counter[str] = Counter()

    def add(self, found: SentenceRules) -> None:
        domain = "" if self._operator is None else found.sentence.metadata.get(self._operator.metadata, "")
        parts = domain.split("/")
        if domain:
            self._counts.update({"/".join(parts[: size + 1]): 1 for size in range(len(parts))})

    def fitted(self, binned: Sequence[str], replaced: frozenset[str]) -> FittedDomains | None:
        operator = self._operator
        if operator is None:
            return None
        names = tuple(sorted(name for name, seen in self._counts.items() if seen >= operator.least and name))
        if self._counts and not names:
            most = max(self._counts.values())
            raise OptionError(
                f"the operator 'domains' finds no domain with {operator.least} development sentences (at most {most})",
                hint="lower 'least'",
            )
        if not names:
            raise OptionError(
                f"no development sentence has the metadata '{operator.metadata}', which the operator 'domains' needs",
                hint=f"give --metadata {operator.metadata}=FILE, or leave the operator out",
            )
        for name in operator.features:
            if name in binned or self._context.undeclared or declared_feature(name, self._context.declared):
                continue
            hint = suggestion(name, [*self._context.declared, *binned])
            raise OptionError(f"there is no feature '{name}' to multiply by domains", hint=hint)
        dense = tuple(name for name in self._context.dense if name not in replaced)
        return FittedDomains(operator.metadata, names, operator.features or dense)
