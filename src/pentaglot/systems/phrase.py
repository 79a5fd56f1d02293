"""`phrase`: phrases in any order, searched by stacks (Koehn, Och and Marcu 2003)."""

from pentaglot.rules import RuleOptions
from pentaglot.rules.features import features_of
from pentaglot.search import SearchOptions
from pentaglot.systems.system import System

__all__ = ["PHRASE"]

PHRASE = System(
    "phrase",
    "phrases",
    features=features_of("rule", "copy", "fallback", "choice", "language_model", "classes", "distortion", "reordering"),
    rules=RuleOptions(max_span=7, max_symbols=7, max_gaps=0, extraction="loose", reordering=True),
    search=SearchOptions(search="stack", pop_limit=400),
    labels=(0,),
)
