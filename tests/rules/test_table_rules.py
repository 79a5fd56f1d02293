"""Rules from a table against rules on demand: with all occurrences looked at, they are the same."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.tables import Pair, bitexts, chunks, encoded

from pentaglot.errors import PentaglotError
from pentaglot.index import Index
from pentaglot.rules import (
    ExtractionOptions,
    IndexRules,
    RuleOptions,
    SentenceRules,
    TableRules,
    extract_table,
    feature_space,
    import_table,
)

FEATURES = ("translation", "coherence", "lexical_target", "lexical_source", "seen_once", "rules", "words", "unknown")


def described(found: SentenceRules, features: tuple[str, ...]) -> dict[tuple[str, str], dict[str, float]]:
    """All rules by their sides, with features and counts."""
    space, table = feature_space(), found.table
    columns = {name: table.feature(space.id(name)) for name in features}
    rules = {}
    for pattern in range(table.patterns):
        for rule in range(*table.rule_offsets[pattern : pattern + 2].tolist()):
            sides = " ".join(found.source_side(pattern)), " ".join(found.target_side(rule))
            assert sides not in rules or columns.get("unknown", {rule: 1})[rule]  # copied words may stand there twice
            rules[sides] = {name: float(column[rule]) for name, column in columns.items()}
            rules[sides] |= {"count": float(table.counts[rule]), "attempts": int(table.attempts[pattern])}
            rules[sides]["successes"] = int(table.successes[pattern])
    return rules


@settings(max_examples=120, deadline=None)
@given(
    bitexts(longest=7),
    st.lists(st.sampled_from(["a", "b", "c", "7", "new"]), min_size=1, max_size=7),
    st.booleans(),
    st.integers(1, 2),
    st.integers(2, 7),
    st.sampled_from([1, 2, 7]),
)
def test_equal_to_rules_on_demand(
    pairs: list[Pair], words: list[str], tight: bool, gap: int, span: int, max_chunks: int
) -> None:
    options = RuleOptions(
        max_span=span,
        min_gap=gap,
        max_chunks=max_chunks,
        extraction="tight" if tight else "loose",
        sample=0,
        fallbacks=(),
    )
    index = Index.build(*encoded(pairs))
    wanted = described(IndexRules(index, feature_space(), options).rules(words), FEATURES)
    with TemporaryDirectory() as folder:
        table = extract_table(index, Path(folder) / "same", options, ExtractionOptions("occurrences"))
        found = described(TableRules(table, feature_space(), options).rules(words), FEATURES)
        assert found.keys() == wanted.keys()
        for rule, values in wanted.items():
            assert found[rule] == pytest.approx(values, rel=1e-6), rule
        if tight:  # rules counted by phrase pairs have other counts, and all else the same
            table = extract_table(index, Path(folder) / "pairs", options, ExtractionOptions("pairs"))
            others = described(TableRules(table, feature_space(), options).rules(words), FEATURES[1:])
            assert others.keys() == wanted.keys()
            for rule, values in others.items():
                values.pop("count")
                assert values == pytest.approx({name: wanted[rule][name] for name in values}), rule


@settings(max_examples=60, deadline=None)
@given(bitexts(longest=7), st.lists(st.sampled_from("abc"), min_size=1, max_size=7), st.integers(1, 2))
def test_fewer_runs_of_words_than_in_the_table(pairs: list[Pair], words: list[str], max_chunks: int) -> None:
    options = RuleOptions(min_gap=1, max_span=7)
    with TemporaryDirectory() as folder:
        table = extract_table(encoded(pairs), Path(folder) / "table", options)
        every = described(TableRules(table, feature_space(), options).rules(words), FEATURES)
        fewer = dataclasses.replace(options, max_chunks=max_chunks)
        found = described(TableRules(table, feature_space(), fewer).rules(words), FEATURES)
    allowed = {sides for sides in every if max(chunks(side.split()) for side in sides) <= max_chunks}
    copied = {sides for sides in found if found[sides]["unknown"]}
    assert found.keys() - copied == allowed - {sides for sides in every if every[sides]["unknown"]}
    assert all(found[sides] == every[sides] for sides in found.keys() - copied)


@settings(max_examples=40, deadline=None)
@given(bitexts(), st.lists(st.sampled_from("abc"), min_size=1, max_size=7))
def test_orientations(pairs: list[Pair], words: list[str]) -> None:
    """Phrases are the same whichever way they are counted, and so are their neighbours."""
    options = RuleOptions(max_span=4, max_symbols=4, max_gaps=0, reordering=True, sample=0, fallbacks=())
    index = Index.build(*encoded(pairs))
    with TemporaryDirectory() as folder:
        rows = []
        for source in (
            IndexRules(index, feature_space(), options),
            TableRules(extract_table(index, Path(folder) / "table", options), feature_space(), options),
        ):
            found = source.rules(words)
            numbers = {
                (tuple(found.source_side(pattern)), tuple(found.target_side(rule))): rule
                for pattern in range(found.table.patterns)
                for rule in range(*found.table.rule_offsets[pattern : pattern + 2].tolist())
            }
            oriented = orientations(found)
            rows.append({sides: oriented[rule].tolist() for sides, rule in numbers.items()} if len(oriented) else {})
    assert rows[0] == rows[1]


def orientations(found: SentenceRules) -> Any:
    return found.table.reordering


def table_of(text: str, folder: Path, name: str = "table") -> TableRules:
    (folder / f"{name}.cdec").write_text(text)
    return TableRules(import_table(folder / f"{name}.cdec", folder / name), feature_space())


def test_columns_of_a_table_are_features(tmp_path: Path) -> None:
    source = table_of("[X] ||| a ||| x y ||| translation=-1 words=7 mine=3\n[X] ||| a ||| z ||| mine=4\n", tmp_path)
    found = source.rules(["a", "b"])
    table, space = found.table, source.features
    assert table.feature(space.id("mine")).tolist() == [3, 4, 0]
    assert table.feature(space.id("words")).tolist() == [7, 0, 1]  # the table's own, where it has them
    assert table.feature(space.id("rules")).tolist() == [1, 1, 1]
    assert table.feature(space.id("unknown")).tolist() == [0, 0, 1]
    assert not table.feature(space.id("coherence")).any()
    assert found.view is None and table.sightings(0) == []


def test_limits_of_the_options_hold(tmp_path: Path) -> None:
    text = "[X] ||| a [X,1] b ||| [1] ||| f=1\n[X] ||| a b c ||| x ||| f=1\n[X] ||| [X,1] c ||| y [1] ||| f=1\n"
    table = table_of(text, tmp_path).table

    def sides(words: str, **options: Any) -> set[str]:
        found = TableRules(table, feature_space(), RuleOptions(**options)).rules(words.split())
        known = [pattern for pattern in range(found.table.patterns) if found.table.target(pattern)[0] < 1 << 30]
        return {" ".join(found.source_side(pattern)) for pattern in known}

    assert sides("a b c") == {"a b c", "X1 c"}
    assert sides("a b c", max_symbols=2) == {"X1 c"}
    assert sides("a b c", max_gaps=0) == {"a b c"}
    assert sides("a d d b") == {"a X1 b"}
    assert sides("a d b", min_gap=2) == set()
    assert sides("a d b") == {"a X1 b"}
    assert sides("a d d d b", max_span=4) == set()
    assert sides("b c", min_gap=1) == {"X1 c"}
    assert sides("c") == set()


def test_gaps_side_by_side(tmp_path: Path) -> None:
    """Our own rules have none on the source side, but those of others may."""
    text = "[X] ||| a [X,1] [X,2] b ||| [2] [1] ||| f=1\n[X] ||| [X,1] [X,2] a ||| x [2] [1] ||| f=1\n"
    table = table_of(text + "[X] ||| b [X,1] [X,2] ||| [2] y [1] ||| f=1\n", tmp_path).table

    def sides(words: str, **options: Any) -> set[str]:
        found = TableRules(table, feature_space(), RuleOptions(**options)).rules(words.split())
        return {" ".join(found.source_side(pattern)) for pattern in range(found.table.patterns)} - set(words.split())

    assert sides("a c c b", min_gap=1) == {"a X1 X2 b"}
    assert sides("a c c c b", min_gap=2) == set()
    assert sides("a c c c c b", min_gap=2) == {"a X1 X2 b"}
    assert sides("a c b", min_gap=1) == set()
    assert sides("c c a", min_gap=1) == {"X1 X2 a"}
    assert sides("b c c", min_gap=1) == {"b X1 X2"}
    assert sides("b c c", min_gap=1, max_gaps=1) == set()
    assert sides("a c c b", min_gap=1, max_chunks=1) == set()


def test_hooks_and_copies_are_shared(tmp_path: Path) -> None:
    table = table_of("[X] ||| 7 ||| sieben ||| f=1\n", tmp_path).table

    def length(found: SentenceRules) -> dict[str, Any]:
        return {"length": np.array([len(found.target_side(rule)) for rule in range(found.table.rules)])}

    space = feature_space()
    found = TableRules(table, space, RuleOptions(unknown="mark"), [length]).rules(["7", "neu"])
    assert {" ".join(found.target_side(rule)) for rule in range(3)} == {"sieben", "⟨7⟩", "⟨neu⟩"}
    assert found.table.feature(space.id("length")).tolist() == [1, 1, 1]
    with pytest.raises(PentaglotError, match="one finite number"):
        TableRules(table, space, hooks=[lambda found: {"bad": np.zeros(9, np.float32)}]).rules(["7"])


def test_many_threads(tmp_path: Path) -> None:
    text = "".join(f"[X] ||| w{n} ||| v{n} ||| f={n}\n[X] ||| w{n} [X,1] ||| [1] v{n} ||| f=1\n" for n in range(50))
    source = table_of(text, tmp_path)
    sentences = [[f"w{(n + k) % 50}" for k in range(9)] for n in range(50)] * 4
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda words: described(source.rules(words), ("rules",)), sentences))
    assert found == [described(source.rules(words), ("rules",)) for words in sentences]
    assert len(found[0]) == 9 + 8  # a gap has a word after it
