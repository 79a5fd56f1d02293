"""How a language model is estimated."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pentaglot._core import lm as native
from pentaglot.errors import OptionError
from pentaglot.options import setting

__all__ = ["BuildOptions"]

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class BuildOptions:
    """How a language model is estimated."""

    order: int = setting(5, "length of the longest n-grams, 1 to 7", minimum=1, maximum=native.MAX_ORDER)
    prune: str = setting("0", "drop n-grams that occur at most this often, by length: '0 0 1' keeps 1- and 2-grams")
    vocabulary: str | None = setting(None, "file of allowed words, separated by white space; others become <unk>")
    vocabulary_size: int | None = setting(None, "keep only this many words, the most frequent", minimum=1)
    memory: str = setting(
        "1G",
        "memory for counting; what does not fit is sorted on disk (the result takes another 60 bytes per n-gram)",
    )
    temporary: str | None = setting(None, "directory for what does not fit into memory")

    def __post_init__(self) -> None:
        _ = self.limits, self.memory_bytes

    @property
    def limits(self) -> list[int]:
        """The pruning limit of each length; the last one that was given holds for all longer n-grams."""
        given = self.prune.replace(",", " ").split()
        if not given or not all(re.fullmatch(r"\d{1,18}", each) for each in given) or len(given) > self.order:
            raise OptionError(f"option 'prune' is '{self.prune}'", hint="give one number for each length, like '0 0 1'")
        limits = [int(each) for each in given]
        if limits[0] != 0:
            raise OptionError("option 'prune' must begin with 0", hint="use 'vocabulary_size' to drop rare words")
        if limits != sorted(limits):
            raise OptionError(f"option 'prune' is '{self.prune}'; its numbers must not fall")
        return limits + [limits[-1]] * (self.order - len(limits))

    @property
    def memory_bytes(self) -> int:
        """The memory for counting, in bytes."""
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT]?)i?B?", self.memory.strip(), re.IGNORECASE)
        if match is None:
            raise OptionError(f"option 'memory' is '{self.memory}'", hint="write it like 500M or 2G")
        return int(float(match[1]) * _UNITS[match[2].upper()])
