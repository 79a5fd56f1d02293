"""Word-order metrics: measures of permutations found in text, and the numbers made of them."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from tests.order.brute import all_permutations
from tests.order.test_measures import TABLE

from pentaglot.errors import OptionError
from pentaglot.metrics import ORDER_METRICS, Matching, OrderMetric, ScoringOptions, chosen_metrics
from pentaglot.order import Permutation
from pentaglot.order.measures import MEASURES, forest_score, kendall_root, tree_score

# Names of metrics by those of the measures.
NAMES = {name: name for name in MEASURES} | {"|pet|": "tree-size", "max|op|": "operator-size", "#pets": "tree-number"}


def texts(permutation: Permutation) -> tuple[str, str]:
    """A reference, and a translation in which its words stand where the permutation sends them."""
    words = [f"w{number}" for number in range(len(permutation))]
    return " ".join(permutation.apply(words)), " ".join(words)


def check(permutations: list[Permutation], beta: float = 0.6) -> None:
    """Native measures are those of the functions in Python, which other tests compare with definitions."""
    hypotheses, references = zip(*map(texts, permutations), strict=True)
    found = Matching("exact").orders(hypotheses, references, beta=beta, uniform=True)
    for name, measure in MEASURES.items():
        if not name.startswith("rec"):
            assert found[NAMES[name]].tolist() == pytest.approx(list(map(measure, permutations)), abs=1e-12), name
    for name, wanted in {
        "kendall-root": map(kendall_root, permutations),
        "recpet": (tree_score(each, beta) for each in permutations),
        "recpef": (forest_score(each, beta) for each in permutations),
        "recpef-uniform": (forest_score(each, beta, "uniform-length") for each in permutations),
    }.items():
        assert found[name].tolist() == pytest.approx(list(wanted), abs=1e-9), name


def test_every_small_permutation() -> None:
    check([*all_permutations(6), Permutation((0,)), Permutation(())])
    check(list(all_permutations(5)), beta=0.0)
    check(list(all_permutations(5)), beta=0.9)


def test_larger_permutations() -> None:
    draw = random.Random(3)
    found = [Permutation.identity(35), Permutation(tuple(reversed(range(40))))]
    for size in (8, 15, 31, 33, 60):
        found.append(Permutation(tuple(draw.sample(range(size), size))))
        turned = list(range(size))  # nearly in order: long chains with something inside
        for at in draw.sample(range(0, size - 1, 2), 3):
            turned[at], turned[at + 1] = turned[at + 1], turned[at]
        found.append(Permutation(tuple(turned)))
    check(found)


@pytest.mark.parametrize(("name", "row"), TABLE.items())
def test_values_of_the_specification(name: str, row: str) -> None:
    """Spec 7.2, through the metric: alpha 0 leaves the order alone."""
    said, wanted = texts(Permutation.read(name))
    for measure, value in zip(MEASURES, row.split(), strict=False):
        metric = OrderMetric(NAMES[measure], alpha=0.0)
        assert metric.score(metric.statistics([said], [[wanted]])) == pytest.approx(100 * float(Fraction(value)))


def test_the_forest_averages_over_inferences_and_not_over_trees() -> None:
    said, wanted = texts(Permutation.read("12354"))
    local, uniform = (
        OrderMetric(name, alpha=0.0).statistics([said], [[wanted]])[0, 0] / 5 for name in ("recpef", "recpef-uniform")
    )
    assert local == pytest.approx(331 / 375) and local != pytest.approx(547 / 625)
    assert uniform == pytest.approx(forest_score(Permutation.read("12354"), variant="uniform-length"))


def test_which_side_is_permuted() -> None:
    """RecPET changes under inversion: units are words of the reference."""
    permutation = Permutation.read("3421")
    said, wanted = texts(permutation)
    score, turned = (
        OrderMetric("recpet", alpha=0.0).statistics([one], [[other]])[0, 0] / 4
        for one, other in ((said, wanted), (wanted, said))
    )
    assert score == pytest.approx(0.16) and tree_score(permutation) == pytest.approx(0.16)
    assert turned == pytest.approx(0.2) and tree_score(permutation.inverse) == pytest.approx(0.2)


def test_words_order_and_brevity() -> None:
    """Spec 3.11, by hand: four of five words, two of them turned."""
    said, wanted = ["b a c d"], [["a b c d e"]]
    penalty, kendall = np.exp(1 - 5 / 4), 5 / 6
    for lexical, value in (("f1", 8 / 9), ("bleu", penalty)):
        for alpha in (0.0, 0.3, 1.0):
            metric = OrderMetric("kendall", alpha=alpha, lexical=lexical)  # type: ignore[arg-type]
            wanted_score = alpha * value + (1 - alpha) * penalty * kendall
            assert metric.score(metric.statistics(said, wanted)) == pytest.approx(100 * wanted_score)


def test_the_penalty_is_for_words_that_are_not_matched() -> None:
    """Spec 3.11: BP(|π|, |ref|) compares matched words with those of the reference, however long the translation is."""
    metric = OrderMetric("kendall", alpha=0.0)
    score = metric.score(metric.statistics(["x a b y z u v w"], [["a c b d"]]))
    assert score == pytest.approx(100 * np.exp(1 - 4 / 2))


def test_the_score_of_a_text_is_weighted_by_length() -> None:
    metric = OrderMetric("recpef")
    said, wanted = ["a b c", "x", "b a c d e"], ["a b c", "y", "a b c d e"]
    statistics = metric.statistics(said, [wanted])
    parts = [metric.score(statistics[at : at + 1]) for at in range(3)]
    assert parts[0] == pytest.approx(100) and parts[1] == 0
    assert metric.score(statistics) == pytest.approx((3 * parts[0] + parts[1] + 5 * parts[2]) / 9)
    assert metric.costs(statistics) == pytest.approx([1 - part / 100 for part in parts])


@pytest.mark.parametrize("name", [*ORDER_METRICS, "ribes", "meteor"])
def test_the_contract(name: str) -> None:
    [metric] = chosen_metrics(ScoringOptions(metrics=name))
    said = ["", "", "x", "a", "a b", "the small house", "b a , 日本語", "the the the"]
    wanted = ["", "a", "", "a", "b a", "the house is small", "日本語 a b", "the"]
    statistics = metric.statistics(said, [wanted])
    scores, costs = metric.scores(statistics), metric.costs(statistics)
    assert metric.higher_is_better and ((scores >= 0) & (scores <= 100 + 1e-9)).all()
    assert costs[0] == 0 and costs[1] == 1 and costs[2] == 1 and costs[3] == pytest.approx(0)
    copies = metric.statistics(wanted, [wanted])
    assert metric.costs(copies) == pytest.approx(np.zeros(len(wanted)))
    assert metric.statistics([], [[]]).shape == (0, statistics.shape[1])
    assert metric.scores(np.zeros((1, statistics.shape[1]))).tolist() == [0.0]
    both = metric.statistics(said, [wanted[::-1], wanted])
    assert (metric.costs(both) <= costs + 1e-12).all()  # the better reference counts
    assert metric.signature(2, resamples=10, seed=3).startswith("nrefs:2|bs:10|seed:3|")


def test_nothing_in_common() -> None:
    for name in ORDER_METRICS:
        metric = OrderMetric(name)
        assert metric.score(metric.statistics(["x y"], [["a b"]])) == 0


def test_options() -> None:
    options = ScoringOptions(metrics="RecPEF,kendall", alpha=0.2, beta=0.4, lexical="bleu", matching="exact",
                             unmatched="left", lowercase=True)  # fmt: skip
    matching = Matching("exact", lowercase=True, unmatched="left")
    assert chosen_metrics(options) == [
        OrderMetric("recpef", 0.2, 0.4, "bleu", matching),
        OrderMetric("kendall", 0.2, 0.4, "bleu", matching),
    ]
    signatures = {metric.signature() for metric in (OrderMetric(), OrderMetric(alpha=0.1), OrderMetric(lexical="bleu"))}
    assert len(signatures) == 3
    with pytest.raises(OptionError, match="no measure of word order 'recpfe'; did you mean 'recpe"):
        OrderMetric("recpfe")
    with pytest.raises(OptionError, match="between 0 and 1"):
        OrderMetric(alpha=1.5)
    with pytest.raises(OptionError, match="option 'lexical' cannot be 'f2'; known: bleu, f1"):
        OrderMetric(lexical="f2")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ORDER_METRICS)
def test_scores_never_exceed_that_of_a_copy(name: str) -> None:
    metric = OrderMetric(name)
    texts = [" ".join(f"w{number}" for number in range(size)) for size in range(1, 60)]
    costs = metric.costs(metric.statistics(texts, [texts]))
    assert (costs >= 0).all() and costs.max() < 1e-12
