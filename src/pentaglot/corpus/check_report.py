"""What a check of a corpus has found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pentaglot.corpus.compression import StrPath, shown

__all__ = ["PROBLEMS", "CheckReport", "Finding"]

# In the order in which they are shown: first what makes a corpus unusable, then what makes it worse.
PROBLEMS = {
    "unreadable": "the rest of the file cannot be read",
    "no pairs": "nothing to learn from",
    "unequal lengths": "the two sides have different numbers of lines",
    "invalid UTF-8": "bytes that are not text",
    "control character": "characters that are not text; they will be removed",
    "line separator": "characters that other programs take for a line's end, which shifts all later pairs",
    "empty side": "nothing to learn from",
    "length ratio": "one side is much longer than usual beside the other; probably not a translation",
    "overlong": "slow to align; probably more than one sentence",
    "identical sides": "probably not translated",
    "placeables differ": "placeholders, tags, addresses or paths that only one side has",
    "numbers differ": "numbers that only one side has",
    "duplicate": "the same pair again",
    "overlap": "also in held-out data, whose scores will be too good",
}


@dataclass(frozen=True)
class Finding:
    """One problem at one place."""

    problem: str
    path: str
    line: int
    detail: str


@dataclass
class CheckReport:
    """How many pairs were seen in each part, how often each problem was found, and the first places of each."""

    pairs: dict[str, int] = field(default_factory=dict)
    ratios: dict[str, float] = field(default_factory=dict)  # characters of the source for one of the target, usually
    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[Finding]] = field(default_factory=dict)
    limit: int = 5

    @property
    def findings(self) -> list[Finding]:
        """All examples, problem by problem."""
        return [finding for problem in PROBLEMS for finding in self.examples.get(problem, [])]

    def add(self, problem: str, path: StrPath, line: int, detail: str) -> None:
        """Counts a problem and keeps it if there is room."""
        self.counts[problem] += 1
        kept = self.examples.setdefault(problem, [])
        if len(kept) < self.limit:
            kept.append(Finding(problem, shown(path), line, detail))

    def as_facts(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return {
            "pairs": self.pairs,
            "ratios": self.ratios,
            "problems": {
                problem: {
                    "count": self.counts[problem],
                    "examples": [
                        {"file": each.path, "line": each.line, "detail": each.detail} for each in self.examples[problem]
                    ],
                }
                for problem in PROBLEMS
                if self.counts[problem]
            },
        }
