"""Which patterns are looked up, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pentaglot._core import index as native
from pentaglot.options import setting

__all__ = ["GrammarLimits", "LookupOptions", "PrecomputationOptions"]

_UNLIMITED = 0x7FFFFFFF


@dataclass(frozen=True)
class GrammarLimits:
    """The patterns that a model licenses; the defaults are those of Chiang 2007, but for gaps of one word.

    >>> GrammarLimits(max_gaps=0).max_span
    10
    """

    max_span: int = setting(10, "most words a pattern may cover, gaps included", minimum=1, maximum=_UNLIMITED)
    max_symbols: int = setting(5, "most words and gaps in a pattern", minimum=1, maximum=_UNLIMITED)
    max_gaps: int = setting(2, "most gaps in a pattern", minimum=0, maximum=_UNLIMITED)
    min_gap: int = setting(1, "fewest words that a gap covers", minimum=1, maximum=_UNLIMITED)
    max_chunks: int | None = setting(None, "most runs of words in a pattern", minimum=1, maximum=_UNLIMITED)

    def compiled(self) -> native.GrammarLimits:
        """The same for the native core."""
        return native.GrammarLimits(
            self.max_span,
            self.max_symbols,
            self.max_gaps,
            self.min_gap,
            _UNLIMITED if self.max_chunks is None else self.max_chunks,
        )


@dataclass(frozen=True)
class LookupOptions:
    """Which optimisations a lookup uses; none of them changes what is found."""

    join: Literal["merge", "double_binary", "gallop"] = setting("gallop", "how lists of occurrences are joined")
    sequences: bool = setting(True, "use the precomputed positions of frequent word sequences")
    collocations: bool = setting(True, "use the precomputed pairs and triples of frequent word sequences")
    scan: bool = setting(True, "look in the text beside the rarer part of a pattern instead of joining lists")
    threshold: float = setting(1.0, "how much cheaper a search must be than a merge", minimum=0)

    def compiled(self) -> native.LookupOptions:
        """The same for the native core."""
        return native.LookupOptions(self.join, self.sequences, self.collocations, self.scan, self.threshold)


@dataclass(frozen=True)
class PrecomputationOptions:
    """What is precomputed for lookups with gaps. Lookups with wider limits do without."""

    frequent: int = setting(1000, "how many of the most frequent word sequences get lists", minimum=0, maximum=10_000)
    super_frequent: int = setting(10, "how many most frequent words get lists of triples", minimum=0, maximum=100)
    max_length: int = setting(5, "most words in a frequent sequence", minimum=1, maximum=100)
    max_span: int = setting(10, "most words a pattern may cover", minimum=1, maximum=100)
    min_gap: int = setting(1, "fewest words that a gap covers", minimum=1, maximum=100)

    def compiled(self) -> native.PrecomputationSettings:
        """The same for the native core."""
        return native.PrecomputationSettings(
            self.frequent, self.super_frequent, self.max_length, self.max_span, self.min_gap
        )
