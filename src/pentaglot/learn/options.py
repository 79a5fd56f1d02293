"""The options of tuning as a person sees them, and the tuner that they describe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pentaglot.learn.candidates import Identity
from pentaglot.learn.mert import Mert
from pentaglot.learn.mira import Mira
from pentaglot.learn.rounds import KBestTuner
from pentaglot.learn.tuner import Optimiser, Tuner
from pentaglot.options import setting

__all__ = ["TuneOptions", "chosen_tuner"]


@dataclass(frozen=True)
class TuneOptions:
    """Which tuner, and how."""

    tuner: Literal["mira", "mert"] = setting(
        "mira", "How weights are found: mira (any number of features) or mert (few features)."
    )
    set_length: bool = setting(
        True, "Begin and end with a weight of words that makes translations as long as their references."
    )
    size: int = setting(50, "Candidates of each sentence that a round asks for.", minimum=1)
    rounds: int = setting(15, "Optimise at most so many times.", minimum=1)
    patience: int = setting(5, "Stop after so many rounds without a better score.", minimum=1)
    identity: Identity = setting(
        "features", "Candidates are the same if text and features are (features) or if the text is (string)."
    )
    mert_restarts: int = setting(10, "MERT: random points from which to climb as well.", minimum=0)
    mert_directions: int = setting(8, "MERT: random directions beside those along one feature.", minimum=0)
    mert_step: float = setting(0.1, "MERT: how far to go beyond the last boundary of a line.", minimum=1e-6)
    mira_strength: float = setting(0.01, "MIRA: the largest step for one sentence (C).", minimum=0.0)
    mira_decay: float = setting(
        0.999, "MIRA: how much of the pseudo-corpus is kept from one sentence to the next.", minimum=0.0, maximum=1.0
    )
    mira_epochs: int = setting(60, "MIRA: visits of each sentence in a round.", minimum=1)
    mira_pull: float = setting(
        0.5,
        "MIRA: how far weights are drawn back to those that tuning began with; 0 if those are not worth much.",
        minimum=0.0,
        maximum=1.0,
    )


def chosen_tuner(options: TuneOptions | None = None, *, threads: int = 1) -> Tuner:
    """The tuner that the options describe. The number of threads changes nothing but the time.

    >>> chosen_tuner(TuneOptions(tuner="mert", mert_restarts=3)).optimiser
    Mert(restarts=3, directions=8, step=0.1, least_gain=0.0001)
    """
    options = options or TuneOptions()
    optimisers: dict[str, Optimiser] = {
        "mira": Mira(options.mira_strength, options.mira_decay, options.mira_epochs, options.mira_pull),
        "mert": Mert(options.mert_restarts, options.mert_directions, options.mert_step, threads=threads),
    }
    return KBestTuner(optimisers[options.tuner], options.size, options.rounds, options.patience, options.identity)
