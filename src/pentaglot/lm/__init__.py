"""The room of language models: estimating them from text, reading and writing them, mixing them, and scoring with them.

Hands to the next rooms a `LanguageModel`. Every score in this room is a logarithm to base 10, as in ARPA files.
"""

from pentaglot._core.lm import ChartScorer, ChartState, State
from pentaglot.lm.arpa import read_arpa, write_arpa
from pentaglot.lm.build import build
from pentaglot.lm.build_options import BuildOptions
from pentaglot.lm.class_model import ClassModel, ClassOptions
from pentaglot.lm.interpolate import interpolate, tune_weights
from pentaglot.lm.kinds import AnyLanguageModel, open_language, read_classes
from pentaglot.lm.layer_classes import classes_of_layer
from pentaglot.lm.model import LanguageModel
from pentaglot.lm.perplexity import Perplexity
from pentaglot.lm.scores import Scores
from pentaglot.lm.texts import TextFiles, join_texts

__all__ = [
    "AnyLanguageModel",
    "BuildOptions",
    "ChartScorer",
    "ChartState",
    "ClassModel",
    "ClassOptions",
    "LanguageModel",
    "Perplexity",
    "Scores",
    "State",
    "TextFiles",
    "build",
    "classes_of_layer",
    "interpolate",
    "join_texts",
    "open_language",
    "read_arpa",
    "read_classes",
    "tune_weights",
    "write_arpa",
]
