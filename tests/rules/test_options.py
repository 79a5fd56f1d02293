"""Options of rules, as a model file or a person gives them."""

from __future__ import annotations

import pytest

from pentaglot.errors import OptionError
from pentaglot.options import read_options
from pentaglot.rules import RuleOptions


def test_limits_of_lookups_are_those_of_rules() -> None:
    limits = RuleOptions(max_span=7, max_symbols=4, max_gaps=1, min_gap=3).limits
    assert (limits.max_span, limits.max_symbols, limits.max_gaps, limits.min_gap) == (7, 4, 1, 3)


@pytest.mark.parametrize(
    ("name", "value"), [("sampling", "random"), ("pool", 0), ("corpora", "all"), ("max_gaps", 7), ("sample", -1)]
)
def test_bad_values_are_named(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=name):
        read_options(RuleOptions, {name: value})
