"""Tables of rules as bytes and back."""

from __future__ import annotations

import numpy as np
import pytest

from pentaglot._core.rules import RuleTable
from pentaglot.errors import PentaglotError


def _table() -> RuleTable:
    table = RuleTable()
    table.add_pattern([5, -1, 6, -2], 9, 8, 7, 1, [0, 2])
    table.add_rule([-2, 7, -1], [(0, 1)], 2.5)
    table.add_rule([-1, -2], [], 1.0)
    table.add_pattern([1 << 30], any_length=True)
    table.add_rule([], [])
    table.add_pattern([5, 6], label=3, signature=[(1, 0, 2), (0, 1, 0)], places=[4, 9])
    table.add_pattern([5, 6], signature=[])
    table.set_feature(3, np.array([0.5, -1e-7, 2.0], np.float32))
    table.set_feature(1, np.array([-0.0, 1.0, 3.0], np.float32))
    table.set_reordering(np.arange(18, dtype=np.float32).reshape(3, 6))
    return table


def test_nothing_is_lost() -> None:
    for table in (_table(), RuleTable()):
        packed = table.pack()
        again = RuleTable.unpack(packed)
        assert again.pack().tobytes() == packed.tobytes()
        for name in ("labels", "rule_offsets", "target_symbols", "counts", "occurrences", "attempts", "successes"):
            assert getattr(again, name).tolist() == getattr(table, name).tolist(), name
        assert again.feature_ids.tolist() == table.feature_ids.tolist()
        assert again.reordering.tolist() == table.reordering.tolist()
        for each in table.feature_ids.tolist():
            assert again.feature(each).tobytes() == table.feature(each).tobytes()
        for rule in range(table.rules):
            assert again.target(rule).tolist() == table.target(rule).tolist()
            assert again.links(rule) == table.links(rule) and again.sightings(rule) == table.sightings(rule)
        assert again.patterns == table.patterns
        for pattern in range(table.patterns):
            assert again.signature(pattern) == table.signature(pattern)
            for name in ("source", "gap_labels", "places"):
                assert getattr(again, name)(pattern).tolist() == getattr(table, name)(pattern).tolist()


def test_damage_is_seen_or_harmless() -> None:
    """Any byte may be another, and any number of them missing: an error, or a table that can be packed again."""
    packed = _table().pack()
    for size in range(len(packed)):
        with pytest.raises(PentaglotError):
            RuleTable.unpack(packed[:size].copy())
    with pytest.raises(PentaglotError, match="bytes after the packed rules"):
        RuleTable.unpack(np.concatenate([packed, packed[:1]]))
    refused = 0
    for place in range(len(packed)):
        for flip in (1, 0x80, 0xFF):
            broken = packed.copy()
            broken[place] ^= flip
            try:
                RuleTable.unpack(broken).check()
            except PentaglotError:
                refused += 1
    assert refused > len(packed)
