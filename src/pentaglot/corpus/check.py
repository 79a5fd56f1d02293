"""Report what is wrong with a corpus, with file and line. No problem in the text stops the check.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "a.de").write_text("ja\\nnein\\n"), (folder / "a.en").write_text("yes\\n\\nmaybe\\n")
>>> report = check([folder / "a.de", folder / "a.en"])
>>> [(finding.problem, finding.line, finding.detail) for finding in report.findings]
[('unequal lengths', 3, 'a.de ends after 2 lines, a.en after 3'), ('empty side', 2, 'the target is empty')]
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pentaglot.corpus.compression import StrPath, shown
from pentaglot.corpus.formats import refuse_tables
from pentaglot.corpus.inspection import LineFaults, tolerant_lines
from pentaglot.corpus.lengths import lopsided_places, usual_ratio
from pentaglot.corpus.pairs import Languages, Pair, read_pairs
from pentaglot.corpus.placeables import Placeables
from pentaglot.errors import InputError, OptionError
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress, Task

__all__ = ["PROBLEMS", "CheckOptions", "CheckReport", "Finding", "check", "leak_key"]

# In the order in which they are shown: first what makes a corpus unusable, then what makes it worse.
PROBLEMS = {
    "unreadable": "the rest of the file cannot be read",
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
class CheckOptions:
    """What counts as a problem, and how many are kept as examples."""

    max_ratio: float = setting(
        4.0, "report pairs whose length ratio (in characters) is more than this many times the usual", minimum=1
    )
    max_length: int = setting(1000, "report sides with more characters than this", minimum=1)
    examples: int = setting(5, "how many examples of each problem to keep", minimum=0)


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


def check(
    train: Sequence[StrPath],
    *,
    dev: Sequence[StrPath] | None = None,
    test: Sequence[StrPath] | None = None,
    languages: Languages | None = None,
    options: CheckOptions | None = None,
    progress: Progress = SILENT,
) -> CheckReport:
    """Looks at every pair of a corpus (two files, or one of a format with both sides) and of its held-out parts."""
    report = CheckReport(limit=(options or CheckOptions()).examples)
    checker = _Checker(options or CheckOptions(), report, languages)
    for name, paths in (("test", test), ("dev", dev), ("train", train)):
        if paths is not None:
            with progress.task(f"checking {name}", unit="pairs") as task:
                checker.part(name, list(paths), task)
    report.pairs = dict(sorted(report.pairs.items(), key=lambda item: ("train", "dev", "test").index(item[0])))
    return report


def leak_key(text: str) -> str:
    """Two sides with the same key count as the same: case and spacing do not make a sentence new."""
    return " ".join(text.lower().split())


class _Lengths:
    """The lengths of pairs without an empty side, in characters, and their lines."""

    def __init__(self) -> None:
        self.source, self.target, self.line = array("Q"), array("Q"), array("Q")

    def append(self, source: int, target: int, line: int) -> None:
        self.source.append(source)
        self.target.append(target)
        self.line.append(line)


class PlaceableCheck:
    """Finds placeables and numbers that only one side of a pair has."""

    def __init__(self, placeables: Placeables | None = None) -> None:
        self._placeables = placeables or Placeables()

    def differences(self, source: str, target: str) -> Iterator[tuple[str, str]]:
        """The problems of a pair, with what only one side has.

        >>> list(PlaceableCheck().differences("30% of {0}", "%30'u {1}, 2"))
        [('placeables differ', '{0} against {1}'), ('numbers differ', 'nothing against 2')]
        """
        left, right = self._placeables.of_line(source), self._placeables.of_line(target)
        if left == right:
            return
        for problem, numbers in (("placeables differ", False), ("numbers differ", True)):
            only = [
                " ".join(each for each in (one - other).elements() if each != "%" and _is_number(each) == numbers)
                for one, other in ((left, right), (right, left))
            ]
            if any(only):
                yield problem, " against ".join(side or "nothing" for side in only)


def _is_number(text: str) -> bool:
    return text[0].isdigit() and text[-1].isdigit()


class _Checker:
    def __init__(self, options: CheckOptions, report: CheckReport, languages: Languages | None) -> None:
        self._options = options
        self._report = report
        self._languages = languages
        self._placeables = PlaceableCheck()
        # The sides of held-out parts, and where each was first seen.
        self._held_out: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    def part(self, name: str, paths: list[StrPath], task: Task) -> None:
        """Checks the pairs of one part; a held-out one is remembered for the parts that come after it."""
        sides: tuple[dict[str, str], dict[str, str]] = ({}, {})
        seen: dict[int, int] = {}
        lengths = _Lengths()
        count = 0
        for pair in self._pairs(paths):
            count += 1
            if count % 4096 == 0:
                task.advance(4096)
            self._shape(paths, pair, lengths)
            first = seen.setdefault(hash(pair[:2]), pair.line)
            if first != pair.line:
                self._report.add("duplicate", paths[0], pair.line, f"the same pair as on line {first}")
            if self._held_out or name != "train":
                keys = (leak_key(pair.source), leak_key(pair.target))
                self._overlap(paths, pair.line, keys)
                if name != "train":
                    for side, key, path in zip(sides, keys, (paths[0], paths[-1]), strict=True):
                        side.setdefault(key, f"{shown(path)}:{pair.line}")
        task.advance(count % 4096)
        self._report.pairs[name] = count
        self._ratios(name, paths[0], lengths)
        if name != "train":
            self._held_out[name] = sides

    def _shape(self, paths: list[StrPath], pair: Pair, lengths: _Lengths) -> None:
        source, target, line, _ = pair
        add = self._report.add
        if not source.strip() or not target.strip():
            if source.strip():
                add("empty side", paths[-1], line, "the target is empty")
            else:
                add("empty side", paths[0], line, f"{'the source is' if target.strip() else 'both sides are'} empty")
            return
        lengths.append(len(source), len(target), line)
        if max(len(source), len(target)) > self._options.max_length:
            for name, path, side in (("source", paths[0], source), ("target", paths[-1], target)):
                if len(side) > self._options.max_length:
                    add("overlong", path, line, f"the {name} has {len(side)} characters")
        if source == target and any(map(str.isalpha, source)):
            add("identical sides", paths[0], line, _quoted(source))
        for problem, detail in self._placeables.differences(source, target):
            add(problem, paths[0], line, detail)

    def _ratios(self, name: str, path: StrPath, lengths: _Lengths) -> None:
        """What is too long is known only when all pairs have been seen."""
        usual = self._report.ratios[name] = usual_ratio(lengths.source, lengths.target)
        for place in lopsided_places(lengths.source, lengths.target, self._options.max_ratio, usual):
            source, target = lengths.source[place], lengths.target[place]
            detail = f"{source} against {target} characters: {source / target:.2g} to 1, where {usual:.2g} is usual"
            self._report.add("length ratio", path, lengths.line[place], detail)

    def _overlap(self, paths: list[StrPath], line: int, keys: tuple[str, str]) -> None:
        for name, sides in self._held_out.items():
            source, target = sides[0].get(keys[0]), sides[1].get(keys[1])
            if not keys[0] or not keys[1] or (source is None and target is None):
                continue
            if source is not None and target is not None:
                detail = f"both sides are also in {name} ({source})"
            else:
                detail = f"the {'source' if source else 'target'} is also in {name} ({source or target})"
            self._report.add("overlap", paths[-1] if source is None else paths[0], line, detail)

    def _pairs(self, paths: list[StrPath]) -> Iterator[Pair]:
        if len(paths) == 2:
            yield from self._two(paths[0], paths[1])
        elif len(paths) == 1:
            yield from self._one(paths[0])
        else:
            raise OptionError(f"pairs are read from one file or two, not from {len(paths)}")

    def _one(self, path: StrPath) -> Iterator[Pair]:
        faults = LineFaults(path, self._report.add)
        pairs = read_pairs([path], self._languages)
        line = 0
        while True:
            try:
                pair = next(pairs, None)
            except InputError as error:
                if line == 0 and error.line is None:
                    raise  # there is no such file: not a problem of its text
                self._report.add("unreadable", path, error.line or line + 1, error.message)
                return
            if pair is None:
                return
            line = pair.line
            faults.look_at(f"{pair.source}\n{pair.target}", line, lines=False)
            yield pair

    def _two(self, source: StrPath, target: StrPath) -> Iterator[Pair]:
        refuse_tables(source, target)
        sources, targets = tolerant_lines(source, self._report.add), tolerant_lines(target, self._report.add)
        lines = 0
        for lines, (left, right) in enumerate(zip(sources, targets, strict=False), 1):
            yield Pair(left, right, lines)
        # zip() has taken one line more of the source if the source is the longer one.
        rest_source = sources.lines_read - lines + sum(1 for _ in sources)
        rest_target = targets.lines_read - lines + sum(1 for _ in targets)
        if rest_source != rest_target:
            ends = [
                f"{Path(path).name} {'ends ' if not number else ''}after {lines + rest}{' lines' if not number else ''}"
                for number, (path, rest) in enumerate(((source, rest_source), (target, rest_target)))
            ]
            longer = source if rest_source > rest_target else target
            self._report.add("unequal lengths", longer, lines + min(rest_source, rest_target) + 1, ", ".join(ends))


def _quoted(text: str) -> str:
    return f"“{text[:60]}…”" if len(text) > 60 else f"“{text}”"
