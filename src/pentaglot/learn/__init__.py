"""The room of learning: tuners that find good weights for a decoder by asking it for translations.

It gives the next rooms `Weights`. `TuneOptions` chooses the tuner; all tuners are called in the same way, see
`Tuner.tune`.
"""

from pentaglot.learn.candidates import Identity, KBestLists
from pentaglot.learn.expected import ExpectedScore
from pentaglot.learn.forest_loss import ForestLoss
from pentaglot.learn.found import Candidate, CandidateArrays
from pentaglot.learn.history import History, RoundScore, history_path
from pentaglot.learn.learners import LossLearner
from pentaglot.learn.losses import LOSSES, Loss, Side, find_loss
from pentaglot.learn.mert import Mert
from pentaglot.learn.mira import Mira
from pentaglot.learn.objectives import ListLoss, Objective, PairLoss
from pentaglot.learn.options import TuneOptions, chosen_metric, chosen_tuner, to_tune_for
from pentaglot.learn.priced_forest import ForestSpace, PricedForest
from pentaglot.learn.pro import Pro
from pentaglot.learn.problem import Problem
from pentaglot.learn.registry import TunerKind, find_tuner, tuner_names
from pentaglot.learn.rounds import KBestTuner
from pentaglot.learn.tuner import Decode, Optimiser, Round, Tuner, Tuning

__all__ = [
    "LOSSES",
    "Candidate",
    "CandidateArrays",
    "Decode",
    "ExpectedScore",
    "ForestLoss",
    "ForestSpace",
    "History",
    "Identity",
    "KBestLists",
    "KBestTuner",
    "ListLoss",
    "Loss",
    "LossLearner",
    "Mert",
    "Mira",
    "Objective",
    "Optimiser",
    "PairLoss",
    "PricedForest",
    "Pro",
    "Problem",
    "Round",
    "RoundScore",
    "Side",
    "TuneOptions",
    "Tuner",
    "TunerKind",
    "Tuning",
    "chosen_metric",
    "chosen_tuner",
    "find_loss",
    "find_tuner",
    "history_path",
    "to_tune_for",
    "tuner_names",
]
