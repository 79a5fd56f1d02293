"""The table of features in the documentation is the list that the code has."""

from __future__ import annotations

import re

from tests.docs.console import ROOT

from pentaglot.forest import FeatureSpace
from pentaglot.rules.features import FEATURES
from pentaglot.search import Searcher
from pentaglot.systems import find_system

PAGE = (ROOT / "docs" / "translation.md").read_text("utf-8")


def test_the_table_of_features() -> None:
    section = re.search(r"## Features\n(.*?)\n## ", PAGE, re.DOTALL)
    assert section is not None
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section[1].splitlines() if "|" in line]
    assert rows[0] == ["name", "meaning", "exactly", "`hiero`", "`phrase`"]
    written = {name.strip("`"): (meaning, *weights) for name, meaning, _, *weights in rows[2:]}
    assert list(written) == list(FEATURES)
    for name, feature in FEATURES.items():
        weights = [find_system(system).weights.get(name) for system in ("hiero", "phrase")]
        told = ["" if weight is None else f"{weight:g}" for weight in weights]
        assert written[name] == (feature.meaning, *(told if feature.tunable else [f"{feature.weight:g}, fixed"] * 2))


def test_features_of_further_corpora_are_named() -> None:
    told = re.search(r"A further corpus gives (.*?)\sanew", PAGE, re.DOTALL)
    assert told is not None
    assert re.findall(r"`(\w+)`", told[1]) == [name for name, each in FEATURES.items() if each.per == "corpus"]


def test_the_search_has_the_weights_that_were_declared() -> None:
    fixed = {name: each.weight for name, each in FEATURES.items() if each.group == "search" and not each.tunable}
    assert fixed == {"input": 1.0, "given": -10.0}
    weights = Searcher({"given": -1.0}, FeatureSpace(), None).weights
    assert dict(weights) == fixed | {"given": -1.0}
