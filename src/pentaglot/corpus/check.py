"""Report what is wrong with a corpus, with file and line. No problem in the text stops the check.

>>> import tempfile
>>> from pathlib import Path
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "a.de").write_text("ja\\nnein\\n"), (folder / "a.en").write_text("yes\\n\\nmaybe\\n")
>>> report = check([folder / "a.de", folder / "a.en"])
>>> [(finding.problem, finding.line, finding.detail) for finding in report.findings]
[('unequal lengths', 3, 'a.de ends after 2 lines, a.en after 3'), ('empty side', 2, 'the target is empty')]
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from pentaglot.corpus.check_report import CheckReport
from pentaglot.corpus.compression import StrPath, shown
from pentaglot.corpus.lengths import lopsided_places, usual_ratio
from pentaglot.corpus.pair import Languages, Pair
from pentaglot.corpus.placeable_check import PlaceableCheck
from pentaglot.corpus.tolerant_pairs import tolerant_pairs
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress, Task

__all__ = ["CheckOptions", "check", "leak_key"]


@dataclass(frozen=True)
class CheckOptions:
    """What counts as a problem, and how many are kept as examples."""

    max_ratio: float = setting(
        4.0, "report pairs whose length ratio (in characters) is more than this many times the usual", minimum=1
    )
    max_length: int = setting(1000, "report sides with more characters than this", minimum=1)
    examples: int = setting(5, "how many examples of each problem to keep", minimum=0)


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
        for pair in tolerant_pairs(paths, self._languages, self._report.add):
            count += 1
            if count % 4096 == 0:
                task.advance(4096)
            self._shape(paths, pair, lengths)
            known = hash(pair[:2])
            if known in seen:  # perhaps on the same line of a translation memory
                self._report.add("duplicate", paths[0], pair.line, f"the same pair as on line {seen[known]}")
            else:
                seen[known] = pair.line
            if self._held_out or name != "train":
                keys = (leak_key(pair.source), leak_key(pair.target))
                self._overlap(paths, pair.line, keys)
                if name != "train":
                    for side, key, path in zip(sides, keys, (paths[0], paths[-1]), strict=True):
                        side.setdefault(key, f"{shown(path)}:{pair.line}")
        task.advance(count % 4096)
        self._report.pairs[name] = count
        if not count and not self._report.counts.total():
            self._report.add("no pairs", paths[0], 1, "there is not a single pair")
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


def _quoted(text: str) -> str:
    return f"“{text[:60]}…”" if len(text) > 60 else f"“{text}”"
