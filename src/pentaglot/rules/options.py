"""Options of rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pentaglot._core.rules import ExtractLimits
from pentaglot.index import GrammarLimits
from pentaglot.options import setting
from pentaglot.rules.fallbacks import Fallback

__all__ = ["RuleOptions"]

_MOST = 2**31 - 1  # for the core


@dataclass(frozen=True)
class RuleOptions:
    """Limits and options of rules. The defaults are those of Chiang 2007, except for gaps of one word; `max_gaps=0`
    gives phrases."""

    source: Literal["index", "table"] = setting(
        "index",
        "find rules on demand in the index, or in a table of all rules made beforehand",
        flag="rules",
    )
    max_span: int = setting(
        10,
        "most words a rule covers on the source side, gaps included, in the training text and in the input",
        minimum=1,
        maximum=100,
    )
    max_symbols: int = setting(5, "most words and gaps on the source side", minimum=1, maximum=100)
    max_gaps: int = setting(2, "most gaps in a rule", minimum=0, maximum=6)
    min_gap: int = setting(
        1, "fewest words that a gap covers, in the training text and in the input", minimum=1, maximum=100
    )
    max_chunks: int = setting(7, "most runs of words between gaps, on either side", minimum=1, maximum=7)
    max_target_span: int = setting(10, "most words a rule covers on the target side", minimum=1, maximum=250)
    extraction: Literal["tight", "loose"] = setting(
        "tight", "whether the edges of a rule must be aligned words (tight) or may be unaligned ones (loose)"
    )
    inverse: bool = setting(
        True, "estimate how likely the source side is given the target side (feature inverse_estimate)"
    )
    sample: int = setting(300, "occurrences of a pattern to look at; 0: all", minimum=0, maximum=_MOST)
    sampling: Literal["even", "context"] = setting(
        "even", "spread the sample evenly, or take the sentences that have most in common with the input"
    )
    pool: int = setting(3000, "occurrences that a sample by context is chosen from", minimum=1, maximum=_MOST)
    sightings: int = setting(3, "training sentences remembered for each rule", minimum=0, maximum=1000)
    unknown: Literal["copy", "drop", "mark"] = setting("copy", "what to do with words without any rule")
    fallbacks: tuple[Fallback, ...] = setting(
        ("alike", "forms", "compounds", "lexicon", "letters", "placeables"),
        "what to try for words without any rule: words with other capitals or accents, other forms of the word, the "
        "parts of a compound, the lexicon, its letters in another script; for numbers, addresses and placeholders, "
        "others of their kind",
    )
    remember: bool = setting(True, "translate an added sentence exactly as it was added")
    corpora: Literal["compete", "merge"] = setting(
        "compete", "keep a rule that several corpora have once for each, or once with all features"
    )
    reordering: bool = setting(False, "count the orientations of neighbouring phrases, for the stack search")
    cache_megabytes: int = setting(64, "memory for lookups kept from sentence to sentence", minimum=0, maximum=_MOST)

    @property
    def limits(self) -> GrammarLimits:
        """The limits of the patterns to look up."""
        return GrammarLimits(self.max_span, self.max_symbols, self.max_gaps, self.min_gap, self.max_chunks)

    @property
    def extract_limits(self) -> ExtractLimits:
        """The limits of the rules of an occurrence, for the native core."""
        tight = self.extraction == "tight"
        return ExtractLimits(self.max_span, self.max_target_span, self.min_gap, tight, self.max_chunks)
