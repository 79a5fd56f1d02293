"""Numbers that a search cannot use are refused before it begins: with them its lists would have no order."""

from __future__ import annotations

import numpy as np
import pytest

from pentaglot._core import search as native
from pentaglot._core.rules import RuleTable
from pentaglot.errors import PentaglotError

from .grammars import FEATURES, WEIGHTS, chart_options, search_model, stack_options

WORDS = np.array([4, 5], np.uint32)


def _table() -> RuleTable:
    table = RuleTable()
    for word in WORDS.tolist():
        table.add_pattern([word])
        for target in range(4, 8):
            table.add_rule([target])
    return table


@pytest.mark.parametrize("nodes", [2**64 - 1, 2**64 - 2, 2**63, 2**32, 10**6])
def test_lattices_have_no_more_nodes_than_words(nodes: int) -> None:
    with pytest.raises(PentaglotError, match="nodes"):
        native.lattice(nodes, [(0, 1, 4)], [0.0])


@pytest.mark.parametrize("score", [np.nan, np.inf, 3e38])
def test_scores_of_lattices(score: float) -> None:
    with pytest.raises(PentaglotError, match="score"):
        native.lattice(2, [(0, 1, 4)], [score])


@pytest.mark.parametrize("weight", [np.nan, np.inf, -np.inf, 1e300])
def test_weights(weight: float) -> None:
    weights = WEIGHTS.copy()
    weights[3] = weight
    with pytest.raises(PentaglotError, match="weight"):
        native.SearchModel(weights, FEATURES)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38])
@pytest.mark.parametrize("search", ["chart", "growing", "stacks"])
def test_features(value: float, search: str) -> None:
    table = _table()
    values = np.zeros(table.rules, np.float32)
    values[2] = value
    table.set_feature(3, values)
    words, model = native.sentence(WORDS), search_model(True)
    with pytest.raises(PentaglotError, match="not a usable number"):
        if search == "stacks":
            native.search_stacks(words, table, model, stack_options())
        else:
            native.search_chart(words, table, model, chart_options(growing=search == "growing"))
