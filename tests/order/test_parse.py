"""Orders of new sentences against all derivations, one by one."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import exp, log

import numpy as np
import pytest
from tests.order.brute import all_permutations
from tests.order.brute_grammar import BruteGrammar, Order
from tests.order.toy import examples, grammar, tangled

from pentaglot._core import order as core
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.order import Permutation, Preorderer, ReorderingGrammar, largest_operator

SENTENCES = ("a b c d", "b a x d", "d c b a", "x d a", "a b", "e c d", "a", "b c d a b", "c a b x", "b b b", "d a b c")


@cache
def learnt() -> ReorderingGrammar:
    return tangled(iterations=2)


@cache
def exact(sentence: str) -> dict[Order, float]:
    return BruteGrammar(learnt()).distribution(sentence.split())


def shares(sentence: str) -> dict[Order, float]:
    total = sum(exact(sentence).values())
    return {order: value / total for order, value in exact(sentence).items()}


def turned_of(chances: dict[Order, float]) -> np.ndarray:
    """For words u < v the probability that v comes first."""
    size = len(next(iter(chances)))
    turned = np.zeros((size, size))
    for order, chance in chances.items():
        for u in range(size):
            for v in range(u + 1, size):
                turned[u, v] += chance * (order.index(v) < order.index(u))
    return turned


def loss(one: Order, other: Order) -> float:
    """The share of pairs of words that are the other way round."""
    size = len(one)
    pairs = [(u, v) for u in range(size) for v in range(u)]
    different = sum((one.index(u) < one.index(v)) != (other.index(u) < other.index(v)) for u, v in pairs)
    return different / len(pairs) if pairs else 0.0


@pytest.mark.parametrize("sentence", SENTENCES)
def test_probability_is_the_sum_over_all_derivations(sentence: str) -> None:
    parse = learnt().parse(sentence.split())
    assert not parse.glued
    assert exp(parse.log_probability) == pytest.approx(sum(exact(sentence).values()), rel=1e-5)


def test_there_are_orders_that_no_binary_tree_makes() -> None:
    """So that the sentences above are a test of operators with four children, and of phrases."""
    assert shares("a b c d")[2, 0, 3, 1] > 0.01
    assert largest_operator(Permutation.from_order((2, 0, 3, 1))) == 4
    assert learnt().terminals.count > learnt().terminals.first


@pytest.mark.parametrize("sentence", SENTENCES)
def test_expected_precedence_is_that_of_all_orders(sentence: str) -> None:
    parse = learnt().parse(sentence.split())
    assert parse.turned == pytest.approx(turned_of(shares(sentence)), abs=1e-5)
    both = parse.before + parse.before.T + np.eye(len(parse.words))
    assert both == pytest.approx(np.ones_like(both))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_drawn_orders_are_as_frequent_as_they_are_likely(sentence: str) -> None:
    """Chi-square over all orders that are expected at least five times."""
    samples = 5000
    drawn = {each.order: count for each, count in learnt().parse(sentence.split()).draw(samples, seed=7)}
    assert sum(drawn.values()) == samples
    wanted = {order: samples * chance for order, chance in shares(sentence).items()}
    assert set(drawn) <= set(wanted)
    often = [order for order, number in wanted.items() if number >= 5]
    chi_square = sum((drawn.get(order, 0) - wanted[order]) ** 2 / wanted[order] for order in often)
    freedom = max(1, len(often) - 1)
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5 + 4


def test_drawing_depends_on_the_seed_alone() -> None:
    parse = learnt().parse(["a", "b", "c", "d"])
    assert parse.draw(500, 1) == parse.draw(500, 1) != parse.draw(500, 2)
    assert learnt().parse(["a", "b"]).draw(0) == []


@pytest.mark.parametrize("sentence", SENTENCES)
def test_expected_loss_is_the_mean_loss(sentence: str) -> None:
    """The fast risk against the naive one (Eq. 3.3), of all orders."""
    words, chances = sentence.split(), shares(sentence)
    turned = learnt().parse(words).turned.reshape(-1)
    for order in permutations(range(len(words))):
        naive = sum(chance * loss(order, other) for other, chance in chances.items())
        found = core.expected_losses(len(words), turned, np.array(order, np.uint16))[0]
        assert found == pytest.approx(naive, abs=1e-5)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_best_order_is_the_best_of_all(sentence: str) -> None:
    words, chances = sentence.split(), shares(sentence)
    found = learnt().parse(words).best_order(samples=1000)
    risks = {
        each: sum(chance * loss(each.order, other) for other, chance in chances.items())
        for each in all_permutations(len(words), len(words))
        if largest_operator(each) <= 2 or chances.get(each.order, 0) > 0.01
    }
    assert risks[found] == pytest.approx(min(risks.values()), abs=1e-5)


@pytest.mark.parametrize("size", range(1, 7))
def test_the_exact_pass_finds_the_best_binary_order(size: int) -> None:
    random = np.random.default_rng(size)
    binary = [each for each in all_permutations(size, size) if largest_operator(each) <= 2]
    orders = np.array([each.order for each in binary], np.uint16)
    for _ in range(10):
        turned = np.triu(random.uniform(size=(size, size)), 1).reshape(-1)
        found = core.best_binary_order(size, turned)
        losses = core.expected_losses(size, turned, orders.reshape(-1))
        assert core.expected_losses(size, turned, found)[0] == pytest.approx(losses.min())


def test_the_rarest_order_may_have_the_least_risk() -> None:
    """Spec 7.6."""
    chances = {(2, 1, 0): 0.40, (0, 1, 2): 0.35, (0, 2, 1): 0.25}
    turned = turned_of(chances)
    assert 1 - turned[0, 1] == pytest.approx(0.6)
    assert 1 - turned[0, 2] == pytest.approx(0.6)
    assert turned[1, 2] == pytest.approx(0.65)
    orders = np.array(list(chances), np.uint16).reshape(-1)
    losses = core.expected_losses(3, turned.reshape(-1), orders)
    assert losses.tolist() == pytest.approx([0.516667, 0.483333, 0.383333], abs=1e-5)
    assert core.best_binary_order(3, turned.reshape(-1)).tolist() == [0, 2, 1]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_best_tree_is_the_best_derivation(sentence: str) -> None:
    """No derivation is likelier, and its order is its own."""
    words = sentence.split()
    parse = learnt().parse(words)
    (tree,) = parse.best_trees()
    assert tree.span == (0, len(words))
    best = _best_derivation(BruteGrammar(learnt()), words)
    assert exp(parse.best_log_probability) == pytest.approx(best[0], rel=1e-4)
    assert str(tree) == best[1]
    assert sorted(parse.best_tree_order().order) == list(range(len(words)))


def _best_derivation(brute: BruteGrammar, words: list[str]) -> tuple[float, str]:
    from itertools import combinations
    from math import prod

    from pentaglot.order.forest import OPERATORS

    terminals = brute.terminals(words)

    @cache
    def best(kind: int, state: int, child: int, begin: int, end: int) -> tuple[float, str]:
        found = (0.0, "")
        if (begin, end) in terminals:
            terminal, factor = terminals[begin, end]
            found = (factor * brute.word(kind, state, child, terminal), " ".join(map(str, range(begin, end))))
        for other, name in enumerate(OPERATORS):
            for inner in range(brute.states[other]):
                chance = brute.filled(kind, state, child, other, inner)
                for cuts in combinations(range(begin + 1, end), len(name) - 1) if chance else ():
                    posts = (begin, *cuts, end)
                    parts = [best(other, inner, c, posts[c], posts[c + 1]) for c in range(len(name))]
                    value = chance * prod(part for part, _ in parts)
                    if value > found[0]:
                        found = (value, f"{name}({','.join(text for _, text in parts)})")
        return found

    return best(len(OPERATORS), 0, 0, 0, len(words))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_chart_as_a_forest(sentence: str) -> None:
    """All of it has the same total, best derivation and orders; a part of it has less."""
    parse = learnt().parse(sentence.split())
    forest = parse.forest(0.0)
    assert forest.log_total() == pytest.approx(parse.log_probability, abs=1e-4)
    best = forest.viterbi()
    assert best.score == pytest.approx(parse.best_log_probability, abs=1e-4)
    assert best.words == parse.best_tree_order().order
    if forest.count() < 20_000:
        found: dict[Order, float] = {}
        for each in forest.derivations():
            found[each.words] = found.get(each.words, 0.0) + exp(each.score)
        wanted = {
            order: value for order, value in exact(sentence).items() if value > 1e-5 * sum(exact(sentence).values())
        }
        assert {order: found[order] for order in wanted} == pytest.approx(wanted, rel=1e-3)
    part = parse.forest(0.05)
    assert part.edges <= forest.edges and part.log_total() <= forest.log_total() + 1e-6


def test_a_glued_chart_as_a_forest() -> None:
    made = grammar(examples(100), binary_states=2, iterations=2, cutoff=0)
    parse = made.parse(["the", "dog", "sees", "the", "cat", "xyz", "the", "child", "likes", "the", "tree"])
    assert parse.glued
    assert parse.forest().viterbi().words == parse.best_tree_order().order


def test_orders_come_with_their_risk() -> None:
    parse = learnt().parse(["a", "b", "c", "d"])
    found = parse.orders(4, samples=2000)
    assert [each.expected_loss for each in found] == sorted(each.expected_loss for each in found)
    assert len({each.permutation for each in found}) == 4
    wanted = shares("a b c d")
    assert all(abs(each.probability - wanted[each.permutation.order]) < 0.05 for each in found)
    for k, samples in [(0, 10), (-1, 10), (3, -1)]:
        with pytest.raises(PentaglotError, match="it must be"):
            parse.orders(k, samples)
    with pytest.raises(PentaglotError, match="'orders' is 0; it must be"):
        Preorderer(learnt()).lattice(["a", "b"], 0)
    assert {each.permutation for each in parse.orders(1000)} <= {Permutation.from_order(each) for each in wanted}


def test_glue_where_no_tree_is() -> None:
    """A grammar without unknown words meets one: its neighbours keep their trees, and the order of stretches stays."""
    made = grammar(examples(100), binary_states=2, iterations=2, cutoff=0)
    parse = made.parse(["the", "dog", "sees", "the", "cat"])
    assert not parse.glued
    odd = made.parse(["the", "dog", "sees", "the", "cat", "xyz", "the", "child", "likes", "the", "tree"])
    assert odd.glued
    trees = odd.best_trees()
    assert [each for tree in trees for each in range(*tree.span)] == list(range(11))
    assert odd.best_order().ranks[5] == 5
    assert odd.best_order().order[:5] == parse.best_order().order
    assert np.isfinite(odd.log_probability) and odd.log_probability < parse.log_probability + 3 * log(1e-21)
    assert odd.draw(10)[0][1] > 0


def test_only_unknown_words() -> None:
    parse = learnt().parse(["?", "!", "?"])
    assert len(parse.best_order()) == 3
    with pytest.raises(PentaglotError, match="without words"):
        learnt().parse([])


def test_pruning_loses_little() -> None:
    made = grammar(examples(300), binary_states=4, iterations=5)
    for words, _ in examples(10, seed=5):
        whole, pruned = made.parse(words), made.parse(words, prune=1e-4)
        assert pruned.log_probability <= whole.log_probability + 1e-6
        assert pruned.log_probability > whole.log_probability - 0.5
        assert len(pruned.allowed) == len(words) * (len(words) + 1) // 2


def test_what_cannot_be_asked_of_a_parse() -> None:
    sentence = ["a", "b", "c", "d"]
    for options, problem in (({"prune": -0.1}, "'prune' is -0.1"), ({"prune": float("nan")}, "'prune' is nan"),
                             ({"far": -1.0}, "'far' is -1.0"), ({"far": float("inf")}, "'far' is inf")):  # fmt: skip
        with pytest.raises(OptionError, match=problem):
            learnt().parse(sentence, **options)
    parse = learnt().parse(iter(sentence))  # type: ignore[arg-type]
    assert parse.words == learnt().parse(np.array(sentence)).words == learnt().parse(sentence).words  # type: ignore[arg-type]
    for least in (-0.1, 1.1, float("nan")):
        with pytest.raises(OptionError, match="'least' is"):
            parse.forest(least)
    with pytest.raises(OptionError, match="'arcs' is -1"):
        parse.lattice(-1)


def test_unlikely_sentences_give_numbers() -> None:
    """Sentences in a row are none that the grammar knows: what hardly any tree covers must not overflow."""
    made = grammar(examples(400), binary_states=4, iterations=8)
    for seed in range(6):
        words = [word for sentence, _ in examples(8, seed=seed) for word in sentence][:37]
        parse = made.parse(words)
        assert np.isfinite(parse.log_probability) and np.isfinite(parse.turned).all()
        assert sorted(parse.best_order().ranks) == list(range(37))
        assert sorted(parse.best_tree_order().ranks) == list(range(37))


def test_long_sentences_take_no_harm_from_small_numbers() -> None:
    """A hundred words have a probability far below what single precision can hold."""
    made = grammar(examples(300), binary_states=3, iterations=4)
    words = [word for sentence, _ in examples(15, seed=2) for word in sentence][:100]
    parse = made.parse(words)
    assert parse.log_probability < -200 and not parse.glued
    assert parse.turned.min() >= 0 and parse.turned.max() <= 1
    assert sorted(parse.best_order().ranks) == list(range(100))
    assert parse.best_log_probability <= parse.log_probability
