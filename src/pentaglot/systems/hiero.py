"""`hiero`: rules with gaps, searched by a chart (Chiang 2007)."""

from pentaglot.rules import RuleOptions
from pentaglot.rules.features import features_of
from pentaglot.search import SearchOptions
from pentaglot.systems.system import System

__all__ = ["HIERO"]

HIERO = System(
    "hiero",
    "rules with gaps",
    features=features_of("rule", "copy", "fallback", "choice", "language_model", "classes", "glue"),
    rules=RuleOptions(extraction="loose", sample=100),
    search=SearchOptions(search="chart", pop_limit=100),
    labels=(0,),
)
