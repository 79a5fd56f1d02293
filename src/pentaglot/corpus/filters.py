"""Which pairs are kept for training, and why the others are dropped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pentaglot.corpus.check import leak_key
from pentaglot.corpus.lengths import is_lopsided
from pentaglot.options import setting

__all__ = ["FilterOptions", "PairFilter"]


@dataclass(frozen=True)
class FilterOptions:
    """Which pairs are dropped."""

    max_ratio: float = setting(4.0, "drop pairs whose length ratio is more than this many times the usual", minimum=1)
    max_length: int = setting(1000, "drop pairs with more characters than this on a side", minimum=1)
    drop_duplicates: bool = setting(True, "keep only the first of equal pairs")
    drop_identical: bool = setting(True, "drop pairs whose sides are the same text")


class PairFilter:
    """Returns why a normalised pair is dropped, or None if it is kept, and counts the reasons.

    >>> keep = PairFilter(FilterOptions())
    >>> keep("Haus", "house"), keep("Haus", ""), keep("Haus", "house")
    (None, 'empty side', 'duplicate')
    >>> keep.reasons
    Counter({'empty side': 1, 'duplicate': 1})
    """

    def __init__(self, options: FilterOptions, usual: float = 1.0) -> None:
        """`usual` is the usual ratio of source and target lengths, see `usual_ratio`."""
        self._usual = usual
        self.reasons: Counter[str] = Counter()
        self._options = options
        self._seen: set[tuple[str, str]] = set()
        self._held_out: tuple[set[str], set[str]] = (set(), set())

    def hold_out(self, source: str, target: str) -> None:
        """Drops all later pairs that share a side with this one."""
        self._held_out[0].add(leak_key(source))
        self._held_out[1].add(leak_key(target))

    def __call__(self, source: str, target: str) -> str | None:
        reason = self._reason(source, target)
        if reason is not None:
            self.reasons[reason] += 1
        return reason

    def _reason(self, source: str, target: str) -> str | None:
        options = self._options
        if not source or not target:
            return "empty side"
        if max(len(source), len(target)) > options.max_length:
            return "overlong"
        if is_lopsided(len(source), len(target), options.max_ratio, self._usual):
            return "length ratio"
        if options.drop_identical and source == target and any(map(str.isalpha, source)):
            return "identical sides"
        if self._held_out[0] and (leak_key(source) in self._held_out[0] or leak_key(target) in self._held_out[1]):
            return "overlap with held-out pairs"
        if options.drop_duplicates:
            if (source, target) in self._seen:
                return "duplicate"
            self._seen.add((source, target))
        return None
