"""Rules from several texts: added pairs count as if they had always been there, further corpora count by themselves."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, encode
from pentaglot.errors import PentaglotError
from pentaglot.index import Additions, Index, fold_in
from pentaglot.rules import IndexRules, RuleOptions, SentenceRules, feature_space
from pentaglot.rules.features import CORPUS_FEATURES, FOUND, RULE_FEATURES, corpus_feature

Links = list[tuple[int, int]]
Pair = tuple[list[str], list[str], Links]
Key = tuple[str, str]
SENTENCES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6)
OPTIONS = st.fixed_dictionaries(
    {
        "sample": st.just(0),
        "max_span": st.integers(2, 6),
        "max_gaps": st.integers(0, 2),
        "min_gap": st.integers(1, 2),
        "extraction": st.sampled_from(["tight", "loose"]),
        "remember": st.just(False),
        "reordering": st.booleans(),
    }
)


def pairs_of(*letters: str) -> st.SearchStrategy[list[Pair]]:
    @st.composite
    def pair(draw: st.DrawFn) -> Pair:
        source = draw(st.lists(st.sampled_from(letters), min_size=1, max_size=6))
        target = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=6))
        cells = [(s, t) for s in range(len(source)) for t in range(len(target))]
        return source, target, sorted(draw(st.lists(st.sampled_from(cells), unique=True, max_size=7)))

    return st.lists(pair(), min_size=1, max_size=4)


def index_of(pairs: list[Pair], weights: list[float] | None = None) -> Index:
    bitext = Bitext.from_sentences([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    alignment = Alignment.from_links([pair[2] for pair in pairs])
    return Index.build(bitext, alignment, weights=None if weights is None else np.array(weights, np.float32))


def additions_of(main: list[Pair], added: list[Pair], weights: list[float] | None = None) -> Additions:
    additions = Additions(index_of(main))
    for (source, target, links), weight in zip(added, weights or [1.0] * len(added), strict=True):
        additions.add(source, target, links, weight=weight)
    return additions


def listed(rules: SentenceRules, names: Any = RULE_FEATURES) -> dict[Key, tuple[Any, ...]]:
    """Everything about every rule that was found, by its two sides."""
    space, table = feature_space(), rules.table
    columns = [table.feature(space.id(name)) for name in names]
    copied = table.feature(space.id("unknown"))
    found = {}
    for pattern in range(table.patterns):
        for rule in range(*table.rule_offsets[pattern : pattern + 2].tolist()):
            if copied[rule]:
                continue
            key = " ".join(rules.source_side(pattern)), " ".join(rules.target_side(rule))
            facts = (table.occurrences[pattern], table.attempts[pattern], table.successes[pattern])
            assert key not in found
            found[key] = (*facts, table.counts[rule], *(column[rule] for column in columns), table.links(rule))
    return found


def collected(where: Index | Additions, sentence: list[str], **options: Any) -> SentenceRules:
    return IndexRules(where, feature_space(), RuleOptions(fallbacks=(), **options)).rules(sentence)


@settings(max_examples=150)
@given(pairs_of(*"abc"), pairs_of(*"abcd"), SENTENCES, OPTIONS)
def test_additions_count_as_if_they_had_always_been_there(
    main: list[Pair], added: list[Pair], sentence: list[str], options: dict[str, Any]
) -> None:
    grown = listed(collected(additions_of(main, added), sentence, **options))
    rebuilt = listed(collected(index_of(main + added), sentence, **options))
    if options["reordering"] or options["extraction"] == "loose":
        # Fractions may be added up in another order.
        assert grown.keys() == rebuilt.keys()
        for key, facts in grown.items():
            assert facts[:-1] == pytest.approx(rebuilt[key][:-1], rel=1e-5, abs=1e-6)
    else:
        strip = {key: facts[:-1] for key, facts in grown.items()}
        assert strip == {key: facts[:-1] for key, facts in rebuilt.items()}


@settings(max_examples=60)
@given(pairs_of(*"abc"), pairs_of(*"abcd"), st.lists(st.integers(1, 4), min_size=4, max_size=4), SENTENCES)
def test_a_weight_is_a_number_of_copies(
    main: list[Pair], added: list[Pair], weights: list[int], sentence: list[str]
) -> None:
    weights = weights[: len(added)]
    options: dict[str, Any] = {"sample": 0, "remember": False}
    weighed = listed(collected(additions_of(main, added, [float(each) for each in weights]), sentence, **options))
    copies = [pair for pair, weight in zip(added, weights, strict=True) for _ in range(weight)]
    copied = listed(collected(additions_of(main, copies), sentence, **options))
    built = listed(collected(index_of(main + added, [1.0] * len(main) + weights), sentence, **options))
    for key, facts in weighed.items():
        # Occurrences, attempts and successes are places in the text; counts and features know of weights.
        assert facts[3:-1] == pytest.approx(copied[key][3:-1], rel=1e-5, abs=1e-6)
        assert facts[:-1] == pytest.approx(built[key][:-1], rel=1e-5, abs=1e-6)
    assert weighed.keys() == copied.keys() == built.keys()


def test_fractional_weights_and_changed_ones() -> None:
    pair: Pair = (["a"], ["x"], [(0, 0)])
    additions = additions_of([(["a"], ["y"], [(0, 0)])], [pair], [0.5])
    space = feature_space()
    for weight, expected in ((0.5, 1 / 3), (3.0, 3 / 4)):
        additions.weigh(1, weight)
        rules = collected(additions, ["a"], remember=False)
        sides = [" ".join(rules.target_side(rule)) for rule in range(rules.table.rules)]
        for name in ("translation", "lexical_target"):
            values = np.exp(rules.table.feature(space.id(name)))
            assert values[sides.index("x")] == pytest.approx(expected, rel=1e-5)
        assert rules.table.feature(space.id("seen_once"))[sides.index("x")] == (weight <= 1)
    additions.remove(1)
    rules = collected(additions, ["a"])
    assert [rules.target_side(rule) for rule in range(rules.table.rules)] == [["y"]]


def test_sightings_say_where() -> None:
    additions = additions_of([(["a"], ["x"], [(0, 0)])], [(["b", "a"], ["w", "x"], [(0, 0), (1, 1)])])
    rules = collected(additions, ["b", "a"])
    sides = {" ".join(rules.target_side(rule)): rule for rule in range(rules.table.rules)}
    assert rules.table.sightings(sides["x"]) == [(0, 0, 0), (1, 0, 1)]
    assert rules.view is not None
    assert rules.view.indexes[1].bitext.pair(0) == (["b", "a"], ["w", "x"])
    assert [rules.view.pair_number(*place[:2]) for place in rules.table.sightings(sides["x"])] == [1, 1]


def remembered(rules: SentenceRules) -> list[str]:
    values = rules.table.feature(feature_space().id("remembered"))
    return [" ".join(rules.target_side(int(rule))) for rule in np.flatnonzero(values)]


def test_the_newest_addition_is_remembered_also_after_folding_in(tmp_path: Path) -> None:
    long = [f"w{number}" for number in range(40)]
    main = [(["a", "b"], ["x", "y"], [(0, 0), (1, 1)]), (long, ["x"], [(0, 0)])]
    index_of(main).save(tmp_path / "index")
    additions = Additions(Index.open(tmp_path / "index"), tmp_path / "journal")
    assert remembered(collected(additions, ["a", "b"])) == [], "what was trained is not remembered"
    additions.add(["a", "b"], ["z"], [])
    additions.add(["a", "b"], ["z", "z"], [])
    additions.add(["a", "b", "a"], ["no"], [])
    additions.add(long, ["quite", "long"], [(0, 0)])
    additions.add(["a"], ["x"], [(0, 0)])
    fold_in(tmp_path / "index", tmp_path / "journal")
    folded = Index.open(tmp_path / "index")
    for where in (additions, folded):
        assert remembered(collected(where, ["a", "b"])) == ["z z"]
        assert remembered(collected(where, long)) == ["quite long"]
        assert remembered(collected(where, ["b", "a"])) == []
        assert remembered(collected(where, ["a", "unknown"])) == []
        assert remembered(collected(where, [])) == []
        assert remembered(collected(where, ["a", "b"], remember=False)) == []
        rules = collected(where, ["a"])
        values = rules.table.feature(feature_space().id("remembered"))
        assert values.tolist() == [2.0], "a rule that is known already is marked, not doubled"
        rules.table.check()
    whole = collected(additions, ["a", "b"])
    assert listed(whole, RULE_FEATURES).keys() == listed(collected(folded, ["a", "b"])).keys()


def with_others(main: list[Pair], others: dict[str, list[Pair]]) -> tuple[Index, dict[str, Index]]:
    """Indexes with one vocabulary, as a model has them."""
    everything = [*main, *(pair for pairs in others.values() for pair in pairs)]
    words = Bitext.from_sentences([pair[0] for pair in everything], [pair[1] for pair in everything])

    def indexed(pairs: list[Pair]) -> Index:
        source, _ = encode([pair[0] for pair in pairs], words.source_vocabulary)
        target, _ = encode([pair[1] for pair in pairs], words.target_vocabulary)
        bitext = Bitext(source, target, words.source_vocabulary, words.target_vocabulary)
        return Index.build(bitext, Alignment.from_links([pair[2] for pair in pairs]))

    return indexed(main), {name: indexed(pairs) for name, pairs in others.items()}


@settings(max_examples=60)
@given(pairs_of(*"abc"), pairs_of(*"abd"), pairs_of(*"bcd"), SENTENCES, st.sampled_from(["merge", "compete"]))
def test_corpora_have_features_of_their_own(
    main: list[Pair], one: list[Pair], two: list[Pair], sentence: list[str], how: Any
) -> None:
    index, others = with_others(main, {"one": one, "two": two})
    space, options = feature_space(), RuleOptions(sample=0, corpora=how, fallbacks=())
    together = IndexRules(index, space, options, corpora=others).rules(sentence)
    together.table.check()
    alone = {
        name: listed(
            IndexRules(each, feature_space(), RuleOptions(sample=0, fallbacks=())).rules(sentence), CORPUS_FEATURES
        )
        for name, each in (("", index), *others.items())
    }
    columns = {
        name: [together.table.feature(space.id(corpus_feature(each, name) if name else each)) for each in names]
        for name in alone
        for names in [(*CORPUS_FEATURES, FOUND)]
    }
    copied = together.table.feature(space.id("unknown"))
    seen: dict[str, list[Key]] = {name: [] for name in alone}
    for pattern in range(together.table.patterns):
        for rule in range(*together.table.rule_offsets[pattern : pattern + 2].tolist()):
            if copied[rule]:
                continue
            key = " ".join(together.source_side(pattern)), " ".join(together.target_side(rule))
            corpora = []
            for name, found in alone.items():
                values = [float(column[rule]) for column in columns[name]]
                if values[-1]:
                    corpora.append(name)
                    seen[name].append(key)
                    assert values[:-1] == [float(each) for each in found[key][4:-1]]
                else:
                    assert not any(values), "0 in the features of a corpus that does not have the rule"
            assert len(corpora) == 1 if how == "compete" else corpora == [n for n in alone if key in alone[n]]
    assert {name: sorted(keys) for name, keys in seen.items()} == {name: sorted(each) for name, each in alone.items()}


def test_bad_names_of_corpora() -> None:
    index = index_of([(["a"], ["x"], [(0, 0)])])
    for name in ("", "a b", "a@b"):
        with pytest.raises(PentaglotError, match="invalid corpus name"):
            IndexRules(index, feature_space(), corpora={name: index})


def test_sampling_by_context() -> None:
    # "bank" by a river and with money; of six occurrences each, two are looked at.
    pairs: list[Pair] = []
    for number in range(6):
        pairs.append((["bank", f"a{number}", "river"], ["Ufer", f"a{number}", "Fluss"], [(0, 0), (1, 1), (2, 2)]))
        pairs.append((["bank", f"b{number}", "money"], ["Bank", f"b{number}", "Geld"], [(0, 0), (1, 1), (2, 2)]))
    index = index_of(pairs)
    for word, expected in (("river", {"Ufer"}), ("money", {"Bank"})):
        rules = collected(index, ["bank", word], sample=2, sampling="context", pool=100)
        first, last = rules.table.rule_offsets[:2].tolist()
        assert rules.source_side(0) == ["bank"]
        assert {" ".join(rules.target_side(rule)) for rule in range(first, last)} == expected
    assert len(listed(collected(index, ["bank"], sample=6, sampling="even"))) == 2


def test_the_same_from_any_thread_while_pairs_are_added() -> None:
    additions = additions_of([(["a", "b"], ["x", "y"], [(0, 0), (1, 1)])] * 20, [])
    source = IndexRules(additions, feature_space())
    wrong: list[str] = []

    def ask(_: int) -> None:
        rules = source.rules(["a", "neu", "b"])
        view = rules.view
        assert view is not None
        words = {" ".join(rules.target_side(rule)) for rule in range(rules.table.rules)}
        count = len(view.snapshot.added.pairs)
        if ("new" in words) != (count > 0) or rules.table.occurrences[0] != 20 + count:
            wrong.append(f"{words} with {count} pairs")
        if rules.table.rules != len(words):
            wrong.append("a rule twice")

    def add() -> None:
        for _ in range(30):
            additions.add(["a", "neu", "c"], ["x", "new", "z"], [(0, 0), (1, 1), (2, 2)])

    writer = threading.Thread(target=add)
    writer.start()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(200)))
    writer.join()
    assert not wrong
