"""The room of systems: the rooms before it, put together to translators with a name, each a model directory on disk."""

from pentaglot.systems.corpora import add_corpus, remove_corpus
from pentaglot.systems.growing import merge
from pentaglot.systems.marks import Fixed, Glossary, read_markup
from pentaglot.systems.model import SYSTEMS, Model
from pentaglot.systems.training import Trained, TrainOptions, train
from pentaglot.systems.translation import Forced, Hypothesis, Part, Translation
from pentaglot.systems.translator import Request, Translator
from pentaglot.systems.tuning import tune
from pentaglot.systems.word_lattice import WordArc, WordLattice

__all__ = [
    "SYSTEMS",
    "Fixed",
    "Forced",
    "Glossary",
    "Hypothesis",
    "Model",
    "Part",
    "Request",
    "TrainOptions",
    "Trained",
    "Translation",
    "Translator",
    "WordArc",
    "WordLattice",
    "add_corpus",
    "merge",
    "read_markup",
    "remove_corpus",
    "train",
    "tune",
]
