"""Filtering against a definition: the rules whose source side some sentence licenses, and all of what they were."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.tables import Pair, bitexts, contents, encoded

from pentaglot._core.index import GAP, licensed_patterns
from pentaglot.index import GrammarLimits
from pentaglot.rules import RuleOptions, Table, extract_table, filter_table, import_table


def licensed(sentences: list[list[str]], limits: GrammarLimits) -> set[str]:
    """Source sides of all patterns of sentences of one-letter words."""
    found = set()
    for sentence in sentences:
        ids = np.array([ord(word) for word in sentence], np.uint32)
        for pattern in licensed_patterns(ids, limits.compiled(), True):
            symbols, gaps = [], 0
            for symbol in pattern:
                gaps += symbol == GAP
                symbols.append(f"X{gaps}" if symbol == GAP else chr(symbol))
            found.add(" ".join(symbols))
    return found


SENTENCES = st.lists(st.lists(st.sampled_from("abcd"), max_size=8), max_size=3)


@settings(max_examples=60, deadline=None)
@given(bitexts(), SENTENCES, st.integers(1, 2), st.integers(2, 6))
def test_keeps_what_the_sentences_license(pairs: list[Pair], text: list[list[str]], gap: int, span: int) -> None:
    rules = RuleOptions(max_span=span, min_gap=gap, reordering=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        table = extract_table(encoded(pairs), folder / "table", rules)
        before = contents(table, folder)
        filtered = filter_table(table, text, folder / "filtered")
        after = contents(filtered, folder)
    sides = licensed(text, rules.limits)
    assert after == {rule: values for rule, values in before.items() if rule[0] in sides}
    assert (filtered.has_reordering, filtered.columns) == (table.has_reordering, table.columns)
    assert filtered.facts["limits"] == table.facts["limits"]


def test_a_table_without_limits_keeps_all_that_fits(tmp_path: Path) -> None:
    (tmp_path / "far.cdec").write_text("[X] ||| a [X,1] b ||| x [1] ||| f=1\n[X] ||| c ||| y ||| f=2\n")
    table = import_table(tmp_path / "far.cdec", tmp_path / "table")
    kept = filter_table(table, [["a", *"d" * 60, "b"]], tmp_path / "kept")
    assert contents(kept, tmp_path).keys() == {("a X1 b", "x X1")}
    again = filter_table(kept, [["c"]], tmp_path / "kept")  # in its own place
    assert len(again) == len(Table.open(tmp_path / "kept")) == 0
