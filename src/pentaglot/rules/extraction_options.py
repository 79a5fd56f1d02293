"""How rules are counted offline, and which of them a table has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pentaglot._core import rules as native
from pentaglot.options import setting
from pentaglot.rules.options import RuleOptions

__all__ = ["LIMITS", "ExtractionOptions", "offline_options"]

# The rule options that decide which rules a table has.
LIMITS = ("max_span", "max_symbols", "max_gaps", "min_gap", "max_chunks", "max_target_span", "extraction")


@dataclass(frozen=True)
class ExtractionOptions:
    """How rules are counted offline."""

    counting: Literal["pairs", "occurrences"] = setting(
        "pairs",
        "what counts as one: an initial phrase pair, shared by its rules (Chiang 2007), or an occurrence of a source "
        "side, shared by its translations, as in rules on demand",
    )
    coherence: bool = setting(True, "count how often source sides occur without a translation, for the coherence")


def offline_options(rules: RuleOptions, options: ExtractionOptions) -> native.OfflineOptions:
    """The options for the native core."""
    return native.OfflineOptions(
        rules.extract_limits,
        rules.max_symbols,
        rules.max_gaps,
        options.counting,
        options.coherence,
        rules.reordering,
    )
