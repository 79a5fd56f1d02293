"""A warning about text without spaces between words, which some metrics take for one long word a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pentaglot.corpus.scripts import has_spaces
from pentaglot.metrics.metric import Metric

__all__ = ["note_on_spaces"]

_LINES = 500  # enough to tell


def note_on_spaces(metrics: Sequence[Metric], references: Sequence[str]) -> str | None:
    """What to tell a person if some of the metrics compare words, and the references have no spaces between them.

    >>> from pentaglot.metrics import Bleu, Chrf
    >>> note_on_spaces([Bleu(), Chrf()], ["我们去学校。今天天气很好。"])
    'BLEU takes text without spaces for one word a line: choose how to cut it, or go by chrF.'
    >>> note_on_spaces([Bleu(tokenize="zh"), Chrf()], ["我们去学校。今天天气很好。"]) is None
    True
    """
    wrong = [each.name for each in metrics if each.needs_spaces]
    if not wrong or has_spaces(islice(references, _LINES)):
        return None
    named, verb = " and ".join(wrong), "takes" if len(wrong) == 1 else "take"
    return f"{named} {verb} text without spaces for one word a line: choose how to cut it, or go by chrF."
