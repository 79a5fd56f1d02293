"""Feature spaces: names, bins, conjunctions, and the structure that regularisers ask for."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot import storage
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.forest import FeatureSpace, Weights


def test_names_and_ids() -> None:
    space = FeatureSpace(["a", "b", "a"])
    assert space.names == ["a", "b"] and space.add("b") == 1 and space.add("c") == 2
    assert "c" in space and "d" not in space and [each.name for each in space] == ["a", "b", "c"]
    with pytest.raises(PentaglotError, match="no feature 'd'"):
        space.id("d")
    with pytest.raises(PentaglotError, match="no feature 3"):
        space.name(3)
    with pytest.raises(PentaglotError, match="needs a name"):
        space.add("")


def test_groups_and_visibility() -> None:
    space = FeatureSpace()
    space.add("lm")
    space.add("domain=news", group="domain", visible=False)
    space.add("domain=talk", group="domain", visible=False)
    assert {name: ids.tolist() for name, ids in space.groups().items()} == {"domain": [1, 2]}
    assert space.visible().tolist() == [True, False, False]
    assert space.orders().tolist() == [1, 1, 1]


def test_neighbours_of_bins_and_of_their_conjunctions() -> None:
    space = FeatureSpace()
    one, other = space.add_bins("p", "abcd"), space.add_bins("q", "xyz")
    assert space.neighbours().tolist() == [one[0:3], one[1:4], other]
    grid = {pair: space.conjoin(pair, ordered=False) for pair in itertools.product(one, other)}
    triples = {tuple(triple) for triple in space.neighbours().tolist() if triple[1] >= 7}
    expected = {(grid[one[i - 1], q], grid[one[i], q], grid[one[i + 1], q]) for i in (1, 2) for q in other} | {
        (grid[p, other[0]], grid[p, other[1]], grid[p, other[2]]) for p in one
    }
    assert triples == expected
    with pytest.raises(PentaglotError, match="new, distinct names"):
        space.add_bins("p", ["a"])


def test_conjunctions_have_no_order_and_are_flat() -> None:
    space = FeatureSpace(["a", "b", "c"])
    both = space.conjoin([1, 0], ordered=False)
    assert space.conjoin([0, 1], ordered=False) == both and space.conjoin([0, 0], ordered=False) == 0
    three = space.conjoin([both, 2], ordered=False)
    assert three == space.conjoin([2, 1, 0], ordered=False) and space[three].order == 3
    with pytest.raises(PentaglotError, match="at least one"):
        space.conjoin([], ordered=False)


@given(st.lists(st.text("ab^\\", min_size=1, max_size=4), min_size=2, max_size=6, unique=True))
def test_names_of_conjunctions_are_never_shared(names: list[str]) -> None:
    space = FeatureSpace(names)
    seen: dict[str, tuple[int, ...]] = {}
    for size in (2, 3):
        for chosen in itertools.combinations(range(len(names)), size):
            with contextlib.suppress(PentaglotError):  # a simple feature may have the name
                name = space.name(space.conjoin(chosen, ordered=False))
                assert seen.setdefault(name, chosen) == chosen


def test_names_that_could_be_mistaken() -> None:
    space = FeatureSpace(["a^", "b", "a", "^b", "a^b"])
    assert space.name(space.conjoin([0, 1], ordered=False)) != space.name(space.conjoin([2, 3], ordered=False))
    with pytest.raises(PentaglotError, match="taken by a simple feature"):
        space.conjoin([1, 2], ordered=False)


THREADS, NAMES = 8, 300


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns far more often than usual, so that a gap between a question and an act is found."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], None]) -> None:
    """Does the same work on several threads, which begin together; what goes wrong in one of them goes wrong here."""
    begin = threading.Barrier(THREADS)
    problems: list[BaseException] = []

    def run(thread: int) -> None:
        begin.wait()
        try:
            work(thread)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


@pytest.mark.usefixtures("hasty")
def test_threads_that_name_the_same_features() -> None:
    for _ in range(5):
        space = FeatureSpace(["lm"])
        found: list[list[int]] = [[] for _ in range(THREADS)]

        def name(thread: int, space: FeatureSpace = space, found: list[list[int]] = found) -> None:
            for number in range(NAMES):
                feature = space.add(f"hook {number}")
                assert space.name(feature) == f"hook {number}"
                found[thread].append(space.conjoin([feature, 0], ordered=False))

        at_once(name)
        assert [feature.id for feature in space] == list(range(1 + 2 * NAMES))
        assert len(set(space.names)) == len(space) and [space.id(name) for name in space.names] == list(
            range(len(space))
        )
        assert all(each == found[0] for each in found)


@pytest.mark.usefixtures("hasty")
def test_a_space_is_read_while_it_grows() -> None:
    space = FeatureSpace(["lm"])
    weights = Weights(
        {"lm": 0.5, **{f"{thread} {number}": 1.0 for thread in range(THREADS) for number in range(NAMES)}}
    )

    def use(thread: int) -> None:
        for number in range(NAMES):
            space.add(f"{thread} {number}")
            if number % 10 == 0:
                vector = weights.dense(space)
                assert vector[0] == 0.5 and np.count_nonzero(vector) == len(vector)
                assert len(space.groups()) == len(space.neighbours()) == 0

    at_once(use)
    assert len(space) == 1 + THREADS * NAMES


@pytest.mark.usefixtures("hasty")
def test_only_one_thread_gets_the_bins() -> None:
    labels = [str(number) for number in range(NAMES)]
    for _ in range(20):
        space = FeatureSpace()
        refused: list[int] = []

        def cut(thread: int, space: FeatureSpace = space, refused: list[int] = refused) -> None:
            try:
                space.add_bins("count", labels)
            except PentaglotError:
                refused.append(thread)

        at_once(cut)
        assert len(refused) == THREADS - 1
        assert space.neighbours().tolist() == [[at - 1, at, at + 1] for at in range(1, NAMES - 1)]


def test_ordered_conjunctions_keep_order_and_repetition() -> None:
    space = FeatureSpace(["a", "b", "target=a"])
    ids = {each: space.conjoin(each, ordered=True) for each in itertools.product(range(3), repeat=2)}
    assert len(set(ids.values())) == 9 and len(set(ids.values()) & {0, 1, 2}) == 0
    assert all(space[each].parts == parts and space[each].ordered for parts, each in ids.items())
    unordered = space.conjoin([0, 1], ordered=False)
    assert unordered not in ids.values() and not space[unordered].ordered
    assert space.conjoin([ids[0, 1], 0], ordered=True) == space.conjoin([0, ids[1, 0]], ordered=True)
    mixed = space.conjoin([unordered, 2], ordered=True)  # a part of the other kind stays one
    assert space[mixed].parts == (unordered, 2) and space[mixed].order == 3
    assert space.conjoin([0], ordered=True) == 0 == space.conjoin([0, 0], ordered=False)


@given(st.lists(st.text("ab^>\\", min_size=1, max_size=4), min_size=2, max_size=5, unique=True), st.data())
def test_no_two_conjunctions_share_a_name(names: list[str], data: st.DataObject) -> None:
    space = FeatureSpace(names)
    known: dict[str, tuple[object, ...]] = {}
    for _ in range(12):
        chosen = data.draw(st.lists(st.integers(0, len(space) - 1), min_size=2, max_size=3))
        ordered = data.draw(st.booleans())
        with contextlib.suppress(PentaglotError):  # a simple feature may have the name
            found = space[space.conjoin(chosen, ordered=ordered)]
            assert known.setdefault(found.name, (found.parts, found.ordered)) == (found.parts, found.ordered)


def example_space() -> FeatureSpace:
    space = FeatureSpace(["lm", "häuser %"])
    space.add("domain=news", group="domain", visible=False)
    one, other = space.add_bins("p", "abcd"), space.add_bins("q", "xyz", group="other")
    for pair in itertools.product(one, other):
        space.conjoin(pair, ordered=False, group="grid")
    space.conjoin([1, 0, 1], ordered=True, visible=False)
    space.conjoin([space.conjoin([0, 1], ordered=True), 2], ordered=False)
    return space


def told(space: FeatureSpace) -> tuple[object, ...]:
    groups = {name: ids.tolist() for name, ids in space.groups().items()}
    orders, visible = space.orders().tolist(), space.visible().tolist()
    return list(space), groups, orders, visible, space.neighbours().tolist(), space.bins


def test_a_space_comes_back_the_same(tmp_path: Path) -> None:
    for number, space in enumerate((example_space(), FeatureSpace())):
        place = tmp_path / str(number)
        space.save(place)
        again = FeatureSpace.open(place)
        assert told(again) == told(space)
        again.save(tmp_path / "again")
        for file in place.iterdir():
            assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()
    space, again = example_space(), FeatureSpace.open(tmp_path / "0")
    for each in (space, again):  # and goes on the same
        each.conjoin([3, 4], ordered=True, group="late")
        each.conjoin([4, each.add("new", group="late")], ordered=False)
        assert each.conjoin([3, 7], ordered=False) == 10
    assert told(again) == told(space) and told(again.fork()) == told(space)


def test_damaged_spaces_are_refused_or_harmless(tmp_path: Path) -> None:
    example_space().save(tmp_path / "space")
    files = sorted((tmp_path / "space").glob("*.npy"))
    assert len(files) == 10
    rng = np.random.default_rng(5)
    for file in files:
        good = np.load(file)
        refused = 0
        for _ in range(20):
            bad = good.copy()
            if rng.random() < 0.3:
                bad = bad[: rng.integers(0, len(bad))]
            else:
                bad[rng.integers(0, len(bad))] = rng.integers(0, 256)
            shutil.rmtree(tmp_path / "bad", ignore_errors=True)
            with storage.create(tmp_path / "bad", kind="features", version=1) as new:
                for each in files:
                    new.add(each.stem, bad if each == file else np.load(each))
            try:
                told(FeatureSpace.open(tmp_path / "bad"))
            except StorageError as error:
                refused += str(tmp_path / "bad") in str(error)
        assert refused, file.name


def test_a_fork_grows_apart() -> None:
    for size in (3, 5000):
        space = FeatureSpace([f"f{number}" for number in range(size)])
        one, other = space.fork(), space.fork()
        assert one.add("one") == other.add("other") == space.add("own") == size
        assert one.names == [*space.names[:size], "one"] and other.find("one") is None
        assert one.fork().fork().names == one.names and "f2" in one and one.id("f2") == 2


def test_features_in_another_order(tmp_path: Path) -> None:
    space = FeatureSpace(["z", "y"])
    both = space.conjoin([0, 1], ordered=True, group="pairs")
    bins = space.add_bins("b", "12")
    made = space.reordered([1, 0, both, *reversed(bins)])
    assert made.names == ["y", "z", "z>y", "b=2", "b=1"] and made[2].parts == (1, 0) and made.bins == ((4, 3),)
    for wrong in ([both, 0, 1, *bins], [0, 1], [0, 0, 1, 2, 3]):
        with pytest.raises(PentaglotError, match=r"after its parts|new place"):
            space.reordered(wrong)


@pytest.mark.usefixtures("hasty")
def test_threads_that_add_many_names_at_once() -> None:
    space = FeatureSpace()
    weights = Weights({f"hook {number}": float(number) for number in range(NAMES)})

    def name(thread: int) -> None:
        mine = [f"hook {(number * 7 + thread) % NAMES}" for number in range(NAMES)]
        ids = space.add_all(mine)
        assert [space.name(int(each)) for each in ids] == mine
        assert weights.dense(space)[ids].tolist() == [weights[each] for each in mine]
        assert not weights.unknown_to(space)

    at_once(name)
    assert len(space) == NAMES == len(set(space.names))


def test_names_that_utf8_cannot_hold() -> None:
    space = FeatureSpace(["a"])
    for add in (space.add, lambda name: space.add(name, group="g"), lambda name: space.add_all(["b", name])):
        with pytest.raises(PentaglotError, match="UTF-8"):
            add("\ud800")
    assert "\ud800" not in space and space.add("c", visible=False) == len(space) - 1 and not space.groups()
