"""The room of systems: the rooms before it, put together to translators with a name, each a model directory on disk."""

from pentaglot.systems.corpora import add_corpus, remove_corpus
from pentaglot.systems.examples import Example
from pentaglot.systems.explanation import Contribution, Evidence, Explanation, Node, explain
from pentaglot.systems.growing import merge
from pentaglot.systems.languages import add_language, remove_language
from pentaglot.systems.marks import Fixed, Glossary, read_markup
from pentaglot.systems.model import SYSTEMS, Model
from pentaglot.systems.no_rule import NoRule
from pentaglot.systems.page import explanation_page
from pentaglot.systems.rule_search import FoundRule, look_up
from pentaglot.systems.training import Trained, TrainOptions, train
from pentaglot.systems.translation import Forced, Hypothesis, Part, Translation
from pentaglot.systems.translator import Request, Translator
from pentaglot.systems.tuning import tune
from pentaglot.systems.word_lattice import WordArc, WordLattice

__all__ = [
    "SYSTEMS",
    "Contribution",
    "Evidence",
    "Example",
    "Explanation",
    "Fixed",
    "Forced",
    "FoundRule",
    "Glossary",
    "Hypothesis",
    "Model",
    "NoRule",
    "Node",
    "Part",
    "Request",
    "TrainOptions",
    "Trained",
    "Translation",
    "Translator",
    "WordArc",
    "WordLattice",
    "add_corpus",
    "add_language",
    "explain",
    "explanation_page",
    "look_up",
    "merge",
    "read_markup",
    "remove_corpus",
    "remove_language",
    "train",
    "tune",
]
