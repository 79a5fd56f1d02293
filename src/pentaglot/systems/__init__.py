"""The room of systems: the rooms before it, put together to translators with a name, each a model directory on disk."""

from pentaglot.systems.adding import merge
from pentaglot.systems.corpora import add_corpus, remove_corpus
from pentaglot.systems.inducing import induce
from pentaglot.systems.languages import TargetLayer, add_language, open_languages, remove_language
from pentaglot.systems.marks import Fixed, Glossary, read_markup
from pentaglot.systems.model import Model
from pentaglot.systems.registry import find_system, system_names
from pentaglot.systems.separating import model_separability
from pentaglot.systems.system import System
from pentaglot.systems.training import Trained, TrainOptions, train
from pentaglot.systems.translation import Forced, Hypothesis, Part, Translation
from pentaglot.systems.translator import Request, Translator
from pentaglot.systems.tuning import tune
from pentaglot.systems.weight_report import weight_report
from pentaglot.systems.word_lattice import WordArc, WordLattice

__all__ = [
    "Fixed",
    "Forced",
    "Glossary",
    "Hypothesis",
    "Model",
    "Part",
    "Request",
    "System",
    "TargetLayer",
    "TrainOptions",
    "Trained",
    "Translation",
    "Translator",
    "WordArc",
    "WordLattice",
    "add_corpus",
    "add_language",
    "find_system",
    "induce",
    "merge",
    "model_separability",
    "open_languages",
    "read_markup",
    "remove_corpus",
    "remove_language",
    "system_names",
    "train",
    "tune",
    "weight_report",
]
