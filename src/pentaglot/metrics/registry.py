"""All metrics by name."""

from __future__ import annotations

from collections.abc import Callable

from pentaglot.errors import OptionError
from pentaglot.metrics.beer import Beer
from pentaglot.metrics.beer_model import BeerModel
from pentaglot.metrics.bleu import Bleu
from pentaglot.metrics.chrf import Chrf
from pentaglot.metrics.length import Length
from pentaglot.metrics.matching import Matching
from pentaglot.metrics.meteor import Meteor
from pentaglot.metrics.metric import Metric
from pentaglot.metrics.options import MetricOptions
from pentaglot.metrics.ribes import Ribes
from pentaglot.metrics.ter import Ter
from pentaglot.metrics.word_order import ORDER_METRICS, OrderMetric
from pentaglot.registry import Registry

__all__ = ["METRICS", "chosen_metrics", "word_matching"]


def _bleu(options: MetricOptions) -> Bleu:
    return Bleu(lowercase=options.lowercase, tokenize=options.tokenize, reference_length=options.reference_length)


def _beer(options: MetricOptions) -> Beer:
    return Beer(None if options.beer_model is None else BeerModel.open(options.beer_model))


def word_matching(options: MetricOptions) -> Matching:
    """How the options say that word-order metrics match words."""
    return Matching(options.matching, options.stemmer, lowercase=options.lowercase, unmatched=options.unmatched)


def _order(measure: str) -> Callable[[MetricOptions], Metric]:
    return lambda options: OrderMetric(measure, options.alpha, options.beta, options.lexical, word_matching(options))


def _meteor(options: MetricOptions) -> Meteor:
    return Meteor(matching=Matching("stem" if options.stemmer else "exact", options.stemmer, lowercase=True))


# Each function makes a metric from the options. A package adds one by an entry point of this group.
METRICS: Registry[Callable[[MetricOptions], Metric]] = Registry(
    "pentaglot.metrics",
    "metric",
    {
        "bleu": _bleu,
        "chrf": lambda options: Chrf(lowercase=options.lowercase),
        "chrf++": lambda options: Chrf(lowercase=options.lowercase, word_order=2),
        "ter": lambda options: Ter(),
        "beer": _beer,
        "length": lambda options: Length(_bleu(options)),
        "ribes": lambda options: Ribes(lowercase=options.lowercase),
        "meteor": _meteor,
        **{measure: _order(measure) for measure in ORDER_METRICS},
    },
    fits=lambda name, loaded: callable(loaded),
    wanted="a function that makes a Metric",
)


def chosen_metrics(options: MetricOptions) -> list[Metric]:
    """The metrics named by the options, each once. A model of BEER must be one even if none of them uses it."""
    names = list(dict.fromkeys(part.strip().lower() for part in options.metrics.split(",") if part.strip()))
    if options.beer_model is not None and "beer" not in names:  # which opens it: a pipe can be read only once
        BeerModel.open(options.beer_model)
    if not names:
        raise OptionError("no metric is named", hint="known: " + ", ".join(METRICS.names()))
    return [METRICS.find(name)(options) for name in names]
