"""The options of tuning, and the tuner and the metric that they choose."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from pentaglot.errors import OptionError
from pentaglot.learn.candidates import Identity
from pentaglot.learn.penalty_text import read_penalty
from pentaglot.learn.presets import PRESETS
from pentaglot.learn.registry import find_table, find_tuner, own_tables, tuner_names
from pentaglot.learn.rounds import KBestTuner
from pentaglot.learn.tuner import Optimiser, Tuner
from pentaglot.metrics import BeerModel, Bleu, Length, Metric, ScoringOptions
from pentaglot.metrics.bleu import SentenceSmoothing
from pentaglot.metrics.registry import METRICS
from pentaglot.options import Tables, checked, nested, setting

__all__ = ["TuneOptions", "chosen_metric", "chosen_tuner", "to_tune_for"]


@dataclass(frozen=True)
class TuneOptions:
    """Which tuner, for which metric, and how. `settings` holds the options that only this tuner has."""

    preset: str | None = setting(None, "Start from the settings of a publication.", presets=PRESETS)
    tuner: str = setting(
        "mira", "mira (any number of features), mert (few features), pro or the name of a loss.", known=tuner_names
    )
    metric: str = setting("bleu", "The metric to tune for.", known=METRICS.names)
    beer_model: str | None = setting(
        None, "A model of BEER (TOML) to tune for, in place of the one that comes with Pentaglot."
    )
    smoothing: SentenceSmoothing = setting(
        "effective", "How BLEU of one sentence is smoothed, for tuners that use it; plus-one is BLEU+1."
    )
    set_length: bool = setting(
        True, "Before and after tuning, set the weight of words so that translations are as long as their references."
    )
    size: int = setting(50, "Candidates per sentence in each round.", minimum=1)
    rounds: int = setting(15, "Optimise at most this many times.", minimum=1)
    patience: int = setting(5, "Stop after this many rounds without a better score.", minimum=1)
    identity: Identity = setting(
        "features", "When candidates are the same: if text and features are (features), or if the text is (string)."
    )
    derivations: bool = setting(
        False,
        "Candidates are the best derivations, several of which may be of the same words, rather than the best "
        "translations; soft losses and risk add them up.",
    )
    merge: bool = setting(True, "Learn from the candidates of all rounds, not only from those of the last one.")
    final: Literal["best", "last"] = setting("best", "Which round to keep: the best or the last one.")
    penalty: tuple[str, ...] = setting((), "NAME=STRENGTH: a further penalty on weights, for pro and losses.")
    aside: int = setting(
        0, "Sentences of the development text to set aside, and to choose the round on instead.", minimum=0
    )
    settings: Any = nested(Tables(own_tables, find_table, lambda options: find_tuner(options.tuner).table_name))

    @property
    def values(self) -> dict[str, Any]:
        """All values, for keys of steps; what is left out does not depend on it: a model of BEER, derivations."""
        found = dataclasses.asdict(self)
        return {name: each for name, each in found.items() if each or name not in ("beer_model", "derivations")}


def chosen_tuner(options: TuneOptions | None = None, *, threads: int = 1) -> Tuner:
    """The tuner that the options choose. The number of threads changes nothing but the time.

    >>> from pentaglot.learn import Mert
    >>> chosen_tuner(TuneOptions(tuner="mert", settings=Mert(restarts=3))).optimiser
    Mert(restarts=3, directions=1, step=0.1, sample=50, finalists=2, space='lists', edges=500, least_gain=0.05)
    """
    options = options or TuneOptions()
    kind = find_tuner(options.tuner)
    settings = kind.options() if options.settings is None else options.settings
    if not isinstance(settings, kind.options):
        wanted, given = kind.options.__name__, type(settings).__name__
        raise OptionError(f"the settings of the tuner '{kind.name}' must be a {wanted}, not a {given}")
    _check(options)
    if options.penalty:
        settings = _penalised(kind.name, settings, options.penalty)
    made = kind.make(settings, threads)
    if not isinstance(made, Optimiser):
        return made
    return KBestTuner(
        made, options.size, options.rounds, options.patience, options.identity, options.final, options.merge
    )


def _check(options: TuneOptions) -> None:
    """Raises an error for values that are not allowed, and for a preset that was not read: it is a start for options
    that are given by name, and changes none that are made already."""
    checked(options)
    if options.preset is None:
        return
    usual = TuneOptions()
    plain = {name: each for name, each in PRESETS[options.preset].items() if not isinstance(each, dict | list)}
    if not any(getattr(options, name) == each != getattr(usual, name) for name, each in plain.items()):
        hint = f"read it: `read_options(TuneOptions, {{'preset': '{options.preset}', ...}})` of `pentaglot.options`"
        raise OptionError(f"nothing of the preset '{options.preset}' is in these options", hint=hint)


def _penalised(name: str, settings: Any, penalties: tuple[str, ...]) -> Any:
    """Settings of a tuner with penalties, if it takes any."""
    for each in penalties:
        read_penalty(each)  # what is wrong with it is said before the work
    if "penalties" not in {field.name for field in dataclasses.fields(settings)}:
        why = ": it ignores the length of weights" if name == "mert" else ""
        raise OptionError(f"the tuner '{name}' takes no penalties{why}", hint="use pro or a loss such as ramp3")
    return dataclasses.replace(settings, penalties=penalties)


def chosen_metric(options: TuneOptions | None = None) -> Metric:
    """The metric that the options name. BLEU uses the words of the model, so it need not tokenise again.

    >>> chosen_metric().on_words, chosen_metric(TuneOptions(metric="chrf")).name
    (True, 'chrF')
    """
    options = options or TuneOptions()
    if options.beer_model is not None:
        BeerModel.open(options.beer_model)  # it must be one even if it is not used
    if options.metric == "bleu":
        return Bleu(tokenize="none", sentence_smoothing=options.smoothing)
    return to_tune_for(METRICS.find(options.metric)(ScoringOptions(beer_model=options.beer_model)))


def to_tune_for(metric: Metric) -> Metric:
    """The same metric, if it says which of two translations is better."""
    if isinstance(metric, Length):
        hint = "choose another metric; by default, tuning sets the length anyway"
        raise OptionError("length cannot be tuned for: a higher one is neither better nor worse", hint=hint)
    return metric
