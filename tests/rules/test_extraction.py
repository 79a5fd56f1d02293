"""Offline extraction against a twin by the declarative definition, and its scores recomputed from counts."""

from __future__ import annotations

import math
import shutil
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.tables import Pair, bitexts, contents, encoded, twin

from pentaglot.index import Index
from pentaglot.progress import SILENT, Task
from pentaglot.rules import ExtractionOptions, RuleOptions, count_instances, extract_table, extraction_work
from pentaglot.rules import extraction as module


def lexical(pairs: list[Pair]) -> tuple[Counter[tuple[str, str]], Counter[str], Counter[str]]:
    """Links between words, and how many each source and target word has; words without any are linked to nothing."""
    both: Counter[tuple[str, str]] = Counter()
    for source, target, links in pairs:
        both.update((source[s], target[t]) for s, t in links)
        both.update((word, "") for s, word in enumerate(source) if s not in {s for s, _ in links})
        both.update(("", word) for t, word in enumerate(target) if t not in {t for _, t in links})
    sources, targets = Counter[str](), Counter[str]()
    for (s, t), count in both.items():
        sources[s] += count
        targets[t] += count
    return both, sources, targets


def weight(pairs: list[Pair], source: list[str], target: list[str], links: list[tuple[int, int]], way: int) -> float:
    """Lexical weight of the target words (way 1) or of the source words (way 0), as a logarithm."""
    both, sources, targets = lexical(pairs)
    total = 0.0
    for at, word in enumerate(target if way else source):
        if word.startswith("X"):
            continue
        partners = [link[1 - way] for link in links if link[way] == at]
        chances = []
        for partner in [source[p] if way else target[p] for p in partners] or [""]:
            pair = (partner, word) if way else (word, partner)
            chances.append(both[pair] / (sources[partner] if way else targets[partner]))
        total += math.log(max(sum(chances) / len(chances), 1e-7))
    return total


@settings(max_examples=120, deadline=None)
@given(
    bitexts(), st.booleans(), st.integers(1, 2), st.integers(2, 6), st.integers(0, 2), st.sampled_from([1, 1, 2, 3, 7])
)
def test_equal_to_the_definition(
    pairs: list[Pair], tight: bool, gap: int, span: int, gaps: int, max_chunks: int
) -> None:
    rules = RuleOptions(
        max_span=span,
        max_target_span=5,
        min_gap=gap,
        max_gaps=gaps,
        max_chunks=max_chunks,
        extraction="tight" if tight else "loose",
    )
    wanted = twin(pairs, rules)
    with TemporaryDirectory() as folder:
        table = extract_table(encoded(pairs), Path(folder) / "table", rules)
        found = contents(table, Path(folder))
    assert found.keys() == wanted.keys()
    assert len(table) == len(wanted)
    assert table.facts["instances"] == sum(sum(seen.links.values()) for seen in wanted.values())
    assert count_instances(encoded(pairs), rules) == table.facts["instances"]
    totals: list[Counter[str]] = [Counter(), Counter()]
    for sides, seen in wanted.items():
        for total, side in zip(totals, sides, strict=True):
            total[side] += seen.count  # type: ignore[assignment]
    for rule, (values, links) in found.items():
        seen = wanted[rule]
        assert math.exp(values["translation"]) == pytest.approx(seen.count / totals[0][rule[0]], rel=1e-5)
        assert math.exp(values["inverse"]) == pytest.approx(seen.count / totals[1][rule[1]], rel=1e-5)
        assert values["seen_once"] == (len(seen.places) == 1)
        assert seen.links[links] == max(seen.links.values())
        for way, name in ((0, "lexical_source"), (1, "lexical_target")):
            sides = rule[0].split(), rule[1].split()
            best = max(weight(pairs, *sides, list(each), way) for each in seen.links)
            assert values[name] == pytest.approx(best, rel=1e-4, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(bitexts(), st.integers(1, 2), st.sampled_from([1, 2, 7]))
def test_both_ways_of_counting_find_the_same_rules(pairs: list[Pair], gap: int, max_chunks: int) -> None:
    rules = RuleOptions(max_span=6, min_gap=gap, max_chunks=max_chunks)
    with TemporaryDirectory() as folder:
        found = [
            contents(
                extract_table(encoded(pairs), Path(folder) / counting, rules, ExtractionOptions(counting=counting)),
                Path(folder),
            )
            for counting in ("pairs", "occurrences")
        ]
    assert found[0].keys() == found[1].keys()
    for rule, (values, _) in found[0].items():
        for name in ("coherence", "lexical_source", "lexical_target", "seen_once"):
            assert values[name] == found[1][rule][0][name]


def large(copies: int = 150) -> list[Pair]:
    """Enough sentences for several shards."""
    words = [f"w{number}" for number in range(40)]
    pairs = []
    for number in range(copies):
        source = [words[(number * 7 + at * at) % 40] for at in range(12 + number % 9)]
        target = [word.upper() for word in source[::-1]]
        pairs.append((source, target, [(at, len(source) - 1 - at) for at in range(0, len(source), 1 + number % 2)]))
    return pairs


def files(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


@pytest.mark.parametrize("counting", ["pairs", "occurrences"])
def test_threads_and_shards_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counting: str) -> None:
    text = encoded(large())
    rules, options = RuleOptions(reordering=True), ExtractionOptions(counting=counting)  # type: ignore[arg-type]
    monkeypatch.setattr(extraction_work, "SHARD_WORDS", 200)
    assert len(extraction_work.shards_of(text[0])) > 10
    one = extract_table(text, tmp_path / "one", rules, options, threads=1)
    extract_table(text, tmp_path / "eight", rules, options, threads=8)
    assert files(tmp_path / "one") == files(tmp_path / "eight")
    monkeypatch.setattr(module, "_SHARD_BYTES", 1)  # a run for every sentence
    extract_table(text, tmp_path / "small", rules, options, threads=2)
    monkeypatch.setattr(extraction_work, "SHARD_WORDS", 1 << 14)
    whole = extract_table(text, tmp_path / "whole", rules, options)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    expected = contents(one, tmp_path)
    for name in ("small", "whole"):
        found = contents(type(one).open(tmp_path / name), tmp_path)
        assert found.keys() == expected.keys()
        for rule, (values, links) in found.items():
            assert links == expected[rule][1]
            assert values == pytest.approx(expected[rule][0], rel=1e-5)
    assert len(whole) == len(expected)


class Killed(BaseException):
    pass


class Stops:
    """A progress that stops the job after some shards."""

    def __init__(self, after: int) -> None:
        self.after = after

    def task(self, name: str, *, total: int | None = None, unit: str = "") -> Task:
        outer, quiet = self, SILENT.task(name)

        class Counting(type(quiet)):  # type: ignore[misc]
            def advance(self, amount: int = 1) -> None:
                outer.after -= 1
                if outer.after == 0:
                    raise Killed

        return Counting()  # type: ignore[no-any-return]

    def say(self, text: str) -> None: ...


def test_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = encoded(large())
    monkeypatch.setattr(extraction_work, "SHARD_WORDS", 200)
    extract_table(text, tmp_path / "whole")
    with pytest.raises(Killed):
        extract_table(text, tmp_path / "parts", progress=Stops(2))
    assert not (tmp_path / "parts").exists()
    asked: list[int] = []
    extract = module.native.extract_runs

    def counting(aligned: object, ranges: list[tuple[int, int]], *rest: object) -> object:
        asked.append(len(ranges))
        return extract(aligned, ranges, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module.native, "extract_runs", counting)
    extract_table(text, tmp_path / "parts")
    assert sum(asked) == len(extraction_work.shards_of(text[0])) - 8  # two batches of four were done
    assert files(tmp_path / "whole") == files(tmp_path / "parts")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts", "whole"]


def test_resumes_from_what_is_whole_and_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = encoded(large())
    monkeypatch.setattr(extraction_work, "SHARD_WORDS", 200)
    extract_table(text, tmp_path / "whole")
    extract_table(text, tmp_path / "small", RuleOptions(max_symbols=2))
    for damage, rules, wanted in (
        (lambda file: file.unlink(), None, "whole"),
        (lambda file: file.write_bytes(file.read_bytes()[:-8] + b"\0" * 8), None, "whole"),
        (lambda file: file.write_bytes(b""), None, "whole"),
        (lambda file: None, RuleOptions(max_symbols=2), "small"),
        (lambda file: None, RuleOptions(sample=7), "whole"),
    ):
        with pytest.raises(Killed):
            extract_table(text, tmp_path / "parts", progress=Stops(2))
        work = tmp_path / ".parts.work"
        damage(sorted(work.glob("rules-000001-*.run"))[0])
        extract_table(text, tmp_path / "parts", rules)
        assert files(tmp_path / wanted) == files(tmp_path / "parts")
        assert not work.exists()
        shutil.rmtree(tmp_path / "parts")


def test_of_an_index(tmp_path: Path) -> None:
    text = encoded(large(20))
    extract_table(text, tmp_path / "text")
    extract_table(Index.build(*text), tmp_path / "index")
    assert files(tmp_path / "text") == files(tmp_path / "index")


def test_weights_that_are_not_used_are_spoken_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    bitext, links = encoded(large(20))
    extract_table(Index.build(bitext, links, weights=np.ones(len(bitext), np.float32)), tmp_path / "even")
    assert not caplog.records
    uneven = np.linspace(1, 2, len(bitext), dtype=np.float32)
    extract_table(Index.build(bitext, links, weights=uneven), tmp_path / "uneven")
    assert "weights" in caplog.text


def test_nothing_to_extract(tmp_path: Path) -> None:
    table = extract_table(encoded([(["a"], ["x"], [])]), tmp_path / "table")
    assert (len(table), table.source_sides) == (0, 0)
    assert contents(table, tmp_path) == {}
