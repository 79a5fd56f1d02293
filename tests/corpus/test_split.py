"""Nothing that is held out is trained on, and what is held out does not depend on the order of the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus.split import split

PAIRS = st.lists(st.tuples(st.text("abAB", min_size=1, max_size=3), st.text("xyXY", min_size=1, max_size=3)))


def _sides(pairs: list[tuple[str, str]], numbers: list[int]) -> tuple[set[str], set[str]]:
    return {pairs[n][0].lower() for n in numbers}, {pairs[n][1].lower() for n in numbers}


@given(pairs=PAIRS, dev=st.integers(0, 5), test=st.integers(0, 5), seed=st.integers(0, 3))
def test_no_side_is_in_two_parts(pairs: list[tuple[str, str]], dev: int, test: int, seed: int) -> None:
    parts = split(pairs, {"dev": dev, "test": test}, seed)
    assert sorted(number for numbers in parts.values() for number in numbers) == list(range(len(pairs)))
    assert all(numbers == sorted(numbers) for numbers in parts.values())
    assert len(parts["dev"]) <= dev and len(parts["test"]) <= test
    for one, other in (("train", "dev"), ("train", "test"), ("dev", "test")):
        for left, right in zip(_sides(pairs, parts[one]), _sides(pairs, parts[other]), strict=True):
            assert not left & right


@given(pairs=PAIRS, data=st.data())
def test_order_does_not_matter(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(pairs))
    sizes = {"dev": 3, "test": 2}
    one, other = split(pairs, sizes, 1), split(shuffled, sizes, 1)
    for name in one:
        assert sorted(pairs[n] for n in one[name]) == sorted(shuffled[n] for n in other[name])


def test_sizes_are_reached_and_the_seed_matters() -> None:
    pairs = [(f"source {i}", f"target {i}") for i in range(5000)]
    parts = split(pairs, {"dev": 200, "test": 300}, 1)
    assert [len(parts[name]) for name in ("dev", "test", "train")] == [200, 300, 4500]
    assert split(pairs, {"dev": 200, "test": 300}, 2)["dev"] != parts["dev"]
    # Spread over the whole corpus: no tenth of it is left out.
    assert {number // 500 for number in parts["dev"]} == set(range(10))


def test_a_long_chain_is_one_group() -> None:
    chain = [pair for i in range(20_000) for pair in ((f"s{i}", f"t{i}"), (f"s{i + 1}", f"t{i}"))]
    parts = split([*chain, ("alone", "by itself")], {"dev": 10}, 1)
    assert parts == {"dev": [40_000], "train": list(range(40_000))}
