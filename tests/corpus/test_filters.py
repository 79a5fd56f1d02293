"""Pairs go for the reason that is counted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus.filters import FilterOptions, PairFilter


def test_reasons() -> None:
    keep = PairFilter(FilterOptions(max_length=50, max_ratio=2))
    keep.hold_out("geheim ist das", "that is secret")
    cases = [
        ("Haus", "house", None),
        ("", "x", "empty side"),
        ("x", "", "empty side"),
        ("x" * 51, "x" * 40, "overlong"),
        ("kurz", "a very long one, much too long", "length ratio"),
        ("Berlin", "Berlin", "identical sides"),
        ("42", "42", None),
        ("Haus", "house", "duplicate"),
        ("Haus", "House", None),
        ("Geheim  ist das", "new", "overlap with held-out pairs"),
        ("neu", "That is secret", "overlap with held-out pairs"),
    ]
    for source, target, reason in cases:
        assert keep(source, target) == reason, (source, target)
    assert keep.reasons.total() == sum(reason is not None for *_, reason in cases)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c d"]), st.sampled_from(["a", "x", "y z"]))))
def test_what_is_switched_off_does_not_go(pairs: list[tuple[str, str]]) -> None:
    keep = PairFilter(FilterOptions(drop_duplicates=False, drop_identical=False))
    assert all(keep(*pair) is None for pair in pairs)
    strict = PairFilter(FilterOptions())
    kept = [pair for pair in pairs if strict(*pair) is None]
    assert kept == list(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))
