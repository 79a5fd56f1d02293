"""Scores of a translation by several metrics, as reports show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.metrics.beer import Beer, BeerModel
from pentaglot.metrics.bleu import Bleu, BleuTokenizer, ReferenceLength
from pentaglot.metrics.bootstrap import Interval, confidence_interval
from pentaglot.metrics.chrf import Chrf
from pentaglot.metrics.length import Length
from pentaglot.metrics.matching import Matching, Stages, Unmatched
from pentaglot.metrics.meteor import Meteor
from pentaglot.metrics.metric import Metric
from pentaglot.metrics.ribes import Ribes
from pentaglot.metrics.ter import Ter
from pentaglot.metrics.word_order import ORDER_METRICS, Lexical, OrderMetric
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress
from pentaglot.registry import Registry

__all__ = [
    "METRICS",
    "MetricOptions",
    "Score",
    "ScoringOptions",
    "chosen_metrics",
    "score_translations",
    "word_matching",
]


@dataclass(frozen=True)
class MetricOptions:
    """Which metrics to compute, and how."""

    metrics: str = setting(
        "bleu,chrf,ter",
        "Metrics, separated by commas: bleu, chrf, chrf++, ter, beer, length, ribes, meteor, recpef, kendall, ...",
    )
    lowercase: bool = setting(False, "Ignore case in BLEU, chrF, RIBES and word-order metrics (TER, METEOR always do).")
    tokenize: BleuTokenizer = setting("13a", "How BLEU tokenises; none if the text is tokenised.")
    reference_length: ReferenceLength = setting(
        "closest", "Which of several references sets the length for BLEU's brevity penalty."
    )
    matching: Stages = setting(
        "similar", "Word-order metrics match equal words, and those with the same stem, a similar spelling, or either."
    )
    stemmer: str | None = setting(None, "The language of stems, such as english; METEOR then uses them, too.")
    unmatched: Unmatched = setting(
        "ignore", "Word-order metrics leave unmatched words out, or move them with matched ones."
    )
    lexical: Lexical = setting("f1", "How word-order metrics score words themselves: unigram F1 or unigram BLEU.")
    alpha: float = setting(0.5, "Weight of words against their order in word-order metrics.", minimum=0.0, maximum=1.0)
    beer_model: str | None = setting(None, "A model of BEER (TOML), in place of the one that comes with Pentaglot.")
    beta: float = setting(0.6, "Weight of a node against all below it in RecPET and RecPEF.", minimum=0.0, maximum=1.0)


@dataclass(frozen=True)
class ScoringOptions(MetricOptions):
    """Which metrics to compute, how, and with which confidence intervals."""

    confidence: bool = setting(True, "Show 95 % confidence intervals by bootstrap resampling.")
    resamples: int = setting(1000, "Number of bootstrap samples for intervals.", minimum=40)
    seed: int = setting(12345, "Seed of the resampling.", minimum=0)


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


@dataclass(frozen=True)
class Score:
    """A score in a report, with its signature and its confidence interval."""

    name: str
    value: float
    higher_is_better: bool
    signature: str
    interval: Interval | None


def chosen_metrics(options: MetricOptions) -> list[Metric]:
    """The metrics named by the options."""
    names = [part.strip().lower() for part in options.metrics.split(",") if part.strip()]
    if not names:
        raise OptionError("no metric is named", hint="known: " + ", ".join(METRICS.names()))
    return [METRICS.find(name)(options) for name in names]


def score_translations(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    options: ScoringOptions | None = None,
    *,
    progress: Progress = SILENT,
) -> list[Score]:
    """Score hypotheses against one or more references.

    >>> options = ScoringOptions(metrics="bleu", confidence=False)
    >>> [score] = score_translations(["it is a small house"], [["it is a small house"]], options)
    >>> score.name, round(score.value, 1), score.interval
    ('BLEU', 100.0, None)
    """
    options = options or ScoringOptions()
    metrics = chosen_metrics(options)
    if not hypotheses:
        raise PentaglotError("there are no hypotheses to score")
    scores = []
    with progress.task("scoring", total=len(metrics), unit="metrics") as task:
        for metric in metrics:
            statistics = metric.statistics(hypotheses, references)
            interval, signature = None, metric.signature(len(references))
            if options.confidence:
                interval = confidence_interval(metric, statistics, resamples=options.resamples, seed=options.seed)
                signature = metric.signature(len(references), resamples=options.resamples, seed=options.seed)
            value = metric.score(statistics)
            scores.append(Score(metric.name, value, metric.higher_is_better, signature, interval))
            task.advance()
    return scores
