"""Lattices of orders."""

from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import pytest
from tests.order.toy import examples, grammar, tangled

from pentaglot.errors import PentaglotError
from pentaglot.order import OrderOptions, Permutation, Preorderer
from pentaglot.order.lattice_drawing import lattice_svg, lattice_text
from pentaglot.order.order_lattice import order_lattice


def chances(size: int, random: Random) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """How likely each word is to come before each other."""
    upper = np.array([[random.random() for _ in range(size)] for _ in range(size)])
    before = np.triu(upper, 1)
    return before + np.tril(1 - upper.T, -1)


@pytest.mark.parametrize("seed", range(8))
def test_a_path_is_worth_the_pairs_that_it_puts_wrong(seed: int) -> None:
    random = Random(seed)
    size = random.randint(2, 5)
    before = chances(size, random)
    orders = random.sample(list(permutations(range(size))), k=min(10, len(list(permutations(range(size))))))
    lattice = order_lattice([Permutation.from_order(order) for order in orders], before)
    found = {path.words: path.score for path in lattice.kbest(1000)}
    assert found.keys() == set(orders), "exactly these"
    for order in orders:
        wrong = sum(before[order[y], order[x]] for x in range(size) for y in range(x + 1, size))
        assert found[order] == pytest.approx(-wrong)


def test_the_smallest_lattice() -> None:
    """Stanojević 2017, §3.5: three orders of three words."""
    orders = [Permutation.from_order(each) for each in ((0, 1, 2), (1, 0, 2), (0, 2, 1))]
    lattice = order_lattice(orders, np.full((3, 3), 0.5))
    assert (lattice.nodes, len(lattice.arcs), lattice.count()) == (6, 7, 3)


def test_orders_of_other_sentences_are_refused() -> None:
    with pytest.raises(PentaglotError, match="orders of one sentence"):
        order_lattice([], np.zeros((2, 2)))
    with pytest.raises(PentaglotError, match="orders of one sentence"):
        order_lattice([Permutation((0,))], np.zeros((2, 2)))


def test_a_preorderer_makes_lattices() -> None:
    made = tangled()
    preorderer = Preorderer(made, OrderOptions(samples=2000, least_gain=0.0))
    words = ["b", "c", "d", "a", "b"]
    parse = made.parse(words)
    lattice = preorderer.lattice(words, 12)
    paths = lattice.kbest(100)
    assert 2 < len(paths) <= 12
    assert tuple(range(5)) in {path.words for path in paths}, "the order as typed is one of them"
    assert paths[0].words == preorderer.order_one(words).permutation.order
    pairs = len(words) * (len(words) - 1) / 2
    for path in paths:
        (known,) = [each for each in parse.orders(1000, 2000) if each.permutation.order == path.words] or [None]
        if known is not None:
            assert -path.score / pairs == pytest.approx(known.expected_loss, abs=1e-6)
    assert preorderer.lattice(words, 1).count() == 1
    assert preorderer.lattice(["a"], 5).count() == 1
    assert Preorderer(made, OrderOptions(longest=3)).lattice(words, 5).count() == 1, "too long"
    assert lattice == preorderer.lattice(words, 12), "the same each time"


def test_pictures() -> None:
    preorderer = Preorderer(grammar(examples(60), binary_states=2))
    words = examples(70)[-1][0]
    lattice = preorderer.lattice(words, 20)
    picture = lattice_svg(lattice, words)
    assert picture.startswith("<svg ") and all(f">{word}<" in picture for word in set(words))
    assert f"{lattice.count()} orders" in picture
    # Programs that do not know paint-order would draw the rim over the word; and no line may pass over a word.
    assert "paint-order" not in picture and picture.rindex("<path") < picture.index(f">{words[0]}<")
    lines = lattice_text(lattice, words, paths=3).splitlines()
    best = lattice.best_path()
    assert len(lines) == min(3, lattice.count()) and lines[0].split()[1:] == [words[place] for place in best.words]
    assert lattice_svg(preorderer.lattice(["<b>", "&"], 2), ["<b>", "&"]).count("<b>") == 0, "signs are escaped"
