"""Functions that tests send to other processes, which have to find them by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pentaglot.rules import SentenceRules
from pentaglot.systems import Translator


def shown(translator: Translator, line: str) -> list[tuple[str, float, dict[str, float]]]:
    """All that there is to see of a line's translations."""
    return [(text, each.score, each.features) for text, each in translator.translate(line, nbest=5).nbest]


def short_rules(rules: SentenceRules) -> Mapping[str, NDArray[np.float32]]:
    """A feature of rules whose target side has one symbol."""
    lengths = [len(rules.table.target(rule)) for rule in range(rules.table.rules)]
    return {"short": (np.array(lengths) == 1).astype(np.float32)}
