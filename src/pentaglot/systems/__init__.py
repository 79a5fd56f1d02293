"""The room of systems: the rooms before it, put together to translators with a name, each a model directory on disk."""

from pentaglot.systems.model import SYSTEMS, Model
from pentaglot.systems.training import Trained, TrainOptions, train
from pentaglot.systems.translator import Hypothesis, Part, Translation, Translator
from pentaglot.systems.tuning import tune

__all__ = [
    "SYSTEMS",
    "Hypothesis",
    "Model",
    "Part",
    "TrainOptions",
    "Trained",
    "Translation",
    "Translator",
    "train",
    "tune",
]
