"""Training BEER: gradients, recovery of what judges look at, scales."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize

from pentaglot import PentaglotError
from pentaglot.errors import OptionError
from pentaglot.evaluate import BeerOptions, Judged, fitted, pseudo_pairs, segment_tau, self_trained, train_beer
from pentaglot.evaluate.beer_objectives import BeerObjective, CorpusRanking, SentenceRanking, minimised
from pentaglot.evaluate.beer_scaling import _line
from pentaglot.metrics import Beer, BeerFeatures, BeerModel
from pentaglot.metrics.scaling import Scaling, ScalingKind

WORDS = ["the", "a", "old", "young", "cat", "dog", "house", "sees", "finds", "likes", "near", "under", "big", "small"]


def worse(words: list[str], harm: int, random: np.random.Generator) -> str:
    found = list(words)
    for _ in range(harm):
        at = int(random.integers(len(found)))
        kind = random.integers(3)
        if kind == 0 and len(found) > 1:
            del found[at]
        elif kind == 1:
            found[at] = str(random.choice(WORDS))
        else:
            found.insert(at, str(random.choice(WORDS)))
    return " ".join(found)


def made_up(seed: int, segments: int = 150) -> Judged:
    """Judges who prefer what has less harm; three systems that do more and more of it."""
    random = np.random.default_rng(seed)
    hypotheses, references, preferred = [], [], []
    for segment in range(segments):
        words = [str(each) for each in random.choice(WORDS, random.integers(4, 12))]
        harms = [int(random.integers(0, 3)) + system for system in range(3)]
        hypotheses += [worse(words, harm, random) for harm in harms]
        references += [" ".join(words)] * 3
        for one, other in ((0, 1), (0, 2), (1, 2)):
            if harms[one] != harms[other]:
                pair = (3 * segment + one, 3 * segment + other)
                preferred.append(pair if harms[one] < harms[other] else pair[::-1])
    count = 3 * segments
    return Judged(
        f"set{seed}",
        tuple(str(at // 3) for at in range(count)),
        ("good", "middling", "bad") * segments,
        tuple(hypotheses),
        tuple(references),
        np.array(preferred),
        np.empty((0, 2), np.int64),
        np.full(count, np.nan),
    )


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
def test_gradients_of_rankings_of_sentences(loss: str) -> None:
    random = np.random.default_rng(1)
    objective = SentenceRanking(random.standard_normal((30, 4)), random.random(30), loss, 0.01)
    weights = random.standard_normal(4)
    assert objective(weights)[1] == pytest.approx(approx_fprime(weights, lambda w: objective(w)[0], 1e-7), abs=1e-5)


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
def test_the_least_loss_with_and_without_fixed_signs(loss: str) -> None:
    """Against scipy, which needs hundreds of steps."""
    random = np.random.default_rng(4)
    base = random.standard_normal((400, 3))
    rows = np.concatenate([base, base + 0.05 * random.standard_normal((400, 3))], axis=1)  # features that are alike
    objective = SentenceRanking(rows + 0.3, random.random(400), loss, 1e-3)
    weights = random.standard_normal(6)
    assert objective.curvature(weights) == pytest.approx(
        np.array([approx_fprime(weights, lambda w, at=at: objective(w)[1][at], 1e-7) for at in range(6)]), abs=1e-3
    )
    for signs in (None, np.array([1.0, 1, -1, -1, 1, -1])):
        found = minimised(objective, signs)
        bounds = None if signs is None else [(0, None) if sign > 0 else (None, 0) for sign in signs]
        options = {"maxiter": 10_000, "ftol": 1e-15, "gtol": 1e-10}
        theirs = minimize(objective, np.zeros(6), jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        assert objective(found)[0] == pytest.approx(theirs.fun, abs=1e-7)
        assert signs is None or ((found * signs >= 0).all() and (found == 0).any())


def test_gradients_of_rankings_of_systems() -> None:
    random = np.random.default_rng(2)
    corpus = CorpusRanking(tuple(random.standard_normal((20, 3)) for _ in range(2)), np.array([0.9, 0.1]))
    weights = 0.3 * random.standard_normal(4)
    value, gradient = corpus.loss(weights, 0, 1)
    assert value > 0
    assert gradient == pytest.approx(approx_fprime(weights, lambda w: corpus.loss(w, 0, 1)[0], 1e-7), abs=1e-5)
    ahead = CorpusRanking(corpus.systems, np.array([0.1, 0.1]))
    better = int(ahead._score(weights, 0)[0] < ahead._score(weights, 1)[0])
    assert ahead.loss(weights, better, 1 - better)[0] == 0


def test_joint_training_is_the_mean_of_both() -> None:
    random = np.random.default_rng(3)
    corpus = CorpusRanking(tuple(random.standard_normal((20, 3)) for _ in range(2)), np.array([0.9, 0.1]))
    # One pair of sentences, so that every batch is the same.
    sentences = SentenceRanking(np.array([[1.0, 2.0, -1.0]]), np.ones(1), "hinge", 0.0)
    weights = np.array([0.1, -0.2, 0.05, 0.3])
    alone = BeerObjective(None, [corpus], 0.0).step(weights, np.random.default_rng(0))
    joint = BeerObjective(sentences, [corpus], 0.0).step(weights, np.random.default_rng(0))
    missing = 1 - sentences.differences[0] @ weights[:3]
    assert joint[0] == pytest.approx(alone[0] / 2 + missing / 2)
    assert joint[1][:3] == pytest.approx(alone[1][:3] / 2 - sentences.differences[0] / 2)
    assert joint[1][3] == pytest.approx(alone[1][3] / 2)


@pytest.mark.parametrize(
    "options",
    [
        BeerOptions(),
        BeerOptions(loss="hinge", template="release62"),
        BeerOptions(pieces=4, monotone=False),
        BeerOptions(objective="corpus", steps=500),
        BeerOptions(objective="joint", steps=500),
    ],
    ids=str,
)
def test_it_learns_what_judges_look_at(options: BeerOptions) -> None:
    model, unseen = train_beer([made_up(1), made_up(2)], options), made_up(3)
    scores = model.scores(unseen.hypotheses, unseen.references)
    assert segment_tau(scores, unseen) > 0.6
    again = train_beer([made_up(1), made_up(2)], options, threads=3)
    assert again == model  # to the last bit


def test_a_copy_of_the_reference_scores_highest() -> None:
    unseen = made_up(4)
    for monotone in (False, True):
        model = train_beer([made_up(1)], BeerOptions(monotone=monotone))
        scores = model.scores(unseen.hypotheses, unseen.references)
        copies = model.scores(unseen.references, unseen.references)
        assert (copies == 1).all() and (scores <= 1).all() and scores.min() < 0.9
        if monotone:
            assert (np.array(model.weights) * model.features.directions >= 0).all()


@pytest.mark.parametrize("kind", ["share", "probability", "linear", "platt", "isotonic"])
def test_no_scale_lets_anything_exceed_a_copy(kind: ScalingKind) -> None:
    """Weights that are not monotone can find longer texts better than the reference itself (spec 7.8, property 9)."""
    features = BeerFeatures("thesis57", symmetric=False)
    weights = np.zeros(len(features.names))
    weights[[features.names.index(name) for name in ("char1 f1", "characters longer")]] = 1.0, 0.5
    numbers = {"linear": (0.4, 0.1), "platt": (1.0, -0.5), "isotonic": (0.0, 2.0, 0.1, 0.9)}
    model = BeerModel(features, tuple(weights.tolist()), Scaling(kind, numbers.get(kind, ())))
    wanted, said = ["the cat sat"] * 3, ["the cat sat", "the cat sat there and there", "the mug"]
    raw, copies = model.raw(features.counts(said, wanted))
    assert raw[1] > copies[1]
    copied, longer, worse = model.scores(said, wanted)
    assert copied == longer > worse


def test_the_probability_of_beating_the_reference() -> None:
    """Spec 5.3: twice the logistic of what a translation's raw score lacks of that of a copy; 1 for a copy (7.7)."""
    features = BeerFeatures("thesis57", symmetric=False)
    weights = [1.5 if name == "word1 precision" else 0.7 if name == "char1 recall" else 0.0 for name in features.names]
    model = BeerModel(features, tuple(weights), Scaling("probability"))
    lost = 1.5 * (1 - 2 / 3) + 0.7 * (1 - 8 / 11)  # one word of three; c, a and t of eleven characters
    found = model.scores(["the cat sat", "the dog sat"], ["the cat sat"] * 2)
    assert found == pytest.approx([1, 2 / (1 + np.exp(lost))])


def test_a_line_that_small_errors_do_not_move() -> None:
    """Support vector regression: all points within the tolerance of a line, most of them on one side of it."""
    raw = np.tile(np.linspace(0, 1, 40), 5)
    wanted = 0.2 + 0.6 * raw + np.repeat([0.045, 0.045, 0.045, -0.045, -0.045], 40)
    slope, start = _line(raw, wanted, logistic=False)
    assert np.abs(slope * raw + start - wanted).max() < 0.053


def test_pairs_of_the_released_program() -> None:
    """Spec 5.6: the best k of each list with its worst k, where k = ⌊√(number / lists)⌋ + 1, or half of the list."""
    model, wanted = BeerModel.shipped(), ["a b c d e f g h"]
    lists = [[" ".join("abcdefgh"[:size]) for size in range(1, 9)]]
    for number, most in ((3, 2), (4, 3), (60_000, 4)):
        pairs = pseudo_pairs(model, lists, wanted, way="extremes", number=number).preferred
        assert {tuple(pair) for pair in pairs.tolist()} == {
            (7 - good, bad) for good in range(most) for bad in range(most)
        }
    released, thesis = (
        self_trained(model, [made_up(1, segments=20)], lists, wanted, way=way) for way in ("release", "thesis")
    )
    alone = pseudo_pairs(model, lists, wanted, way="extremes")
    assert released == train_beer([alone]) and thesis.weights != released.weights


def test_only_pairs_that_were_judged_alike() -> None:
    people = made_up(1, segments=4)
    preferred = np.array([(0, 1), (0, 1), (1, 0), (3, 4), (3, 4), (6, 7), (9, 10), (9, 10)])
    preferred = np.concatenate([preferred, [(2, 3)] * 3, [(3, 2)] * 2])
    several = Judged(**{**people.__dict__, "preferred": preferred, "tied": np.array([(9, 10), (9, 10)])})
    from pentaglot.evaluate.beer_training import _repeated

    assert _repeated(several).tolist() == [[0, 1], [3, 4]]  # 2 of 3; 2 of 2; one alone; 2 of 4 with ties; 3 of 5


def test_scales_keep_the_ranking(tmp_path: Path) -> None:
    model, people = train_beer([made_up(1)]), made_up(2)
    raw = model.scores(people.hypotheses, people.references)
    noise = 0.02 * np.random.default_rng(1).standard_normal(len(raw))
    scored = Judged(**{**people.__dict__, "direct": np.clip(100 * (0.2 + 0.6 * raw + noise), 0, 100)})
    for kind in ("linear", "platt", "isotonic"):
        scaled = fitted(model, scored, kind)
        scores = scaled.scores(people.hypotheses, people.references)
        assert np.abs(scores - scored.direct / 100).mean() < 0.1
        order = np.argsort(model.raw(model.features.counts(people.hypotheses, people.references))[0], kind="stable")
        assert (np.diff(scores[order]) >= -1e-12).all()
        scaled.save(tmp_path / "model.toml")
        assert BeerModel.open(tmp_path / "model.toml") == scaled
    with pytest.raises(PentaglotError, match="has 0 direct scores, but a scale needs at least 10"):
        fitted(model, people)


def test_scales_for_standardised_scores() -> None:
    """WMT publishes the scores of each judge less their mean, by their standard deviation."""
    model, people = train_beer([made_up(1)]), made_up(2)
    raw = model.scores(people.hypotheses, people.references)
    standardised = Judged(**{**people.__dict__, "direct": (raw - raw.mean()) / raw.std()})
    for kind in ("linear", "platt", "isotonic"):
        scores = fitted(model, standardised, kind).scores(people.hypotheses, people.references)
        assert abs(scores.mean() - 0.5) < 0.06 and scores.std() > 0.1
    with pytest.raises(PentaglotError, match="go from -50 to -10; .* or be standardised"):
        fitted(model, Judged(**{**people.__dict__, "direct": np.linspace(-50, -10, len(raw))}))


def test_self_training(tmp_path: Path) -> None:
    people = made_up(1)
    model = train_beer([people])
    lists = [[people.hypotheses[3 * at + system] for system in range(3)] for at in range(50)]
    wanted = [people.references[3 * at] for at in range(50)]
    pairs = pseudo_pairs(model, lists, wanted, number=500)
    scores = model.scores(pairs.hypotheses, pairs.references)
    assert len(pairs.preferred) > 200 and segment_tau(scores, pairs) == 1
    same = {pairs.segments[one] == pairs.segments[other] for one, other in pairs.preferred.tolist()}
    assert same == {True}
    joint = BeerOptions(objective="joint", steps=300)
    for way, options in (("thesis", None), ("release", None), ("thesis", joint)):
        anew = self_trained(model, [people], lists, wanted, options, way=way)
        assert segment_tau(anew.scores(people.hypotheses, people.references), people) > 0.6
    for way, options in (("release", joint), ("thesis", BeerOptions(objective="corpus"))):
        with pytest.raises(PentaglotError, match="n-best lists rank sentences, not systems"):
            self_trained(model, [people], lists, wanted, options, way=way)


def test_nothing_to_learn_from() -> None:
    people = made_up(1, segments=3)
    with pytest.raises(PentaglotError, match="no pair was judged more than once with more than 60 % agreement"):
        train_beer([people], BeerOptions(repeated=True))
    with pytest.raises(PentaglotError, match="no preferences to learn from"):
        train_beer([Judged(**{**people.__dict__, "preferred": np.empty((0, 2), np.int64)})])


def test_training_from_anything_that_yields_sets() -> None:
    people = made_up(1, segments=20)
    assert train_beer(each for each in [people]) == train_beer([people])
    with pytest.raises(OptionError, match="option 'objective' cannot be 'corpora'; did you mean 'corpus'"):
        train_beer([people], BeerOptions(objective="corpora"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [BeerOptions(), BeerOptions(monotone=False), BeerOptions(objective="corpus", steps=200)],
    ids=["monotone", "any", "systems"],
)
def test_rankings_upside_down(options: BeerOptions) -> None:
    people = made_up(1, segments=60)
    swapped = Judged(**{**people.__dict__, "preferred": people.preferred[:, ::-1]})
    with pytest.raises(PentaglotError, match=r"the less they are like their references; are lower ranks better\?"):
        train_beer([swapped], options)


@pytest.mark.parametrize("kind", ["linear", "platt", "isotonic"])
def test_direct_scores_that_do_not_rise(kind: ScalingKind) -> None:
    people = made_up(1, segments=60)
    model = train_beer([people])
    raw = model.raw(model.features.counts(people.hypotheses, people.references))[0]
    for direct in (np.full(len(people), 0.7), 1 - (raw - raw.min()) / np.ptp(raw)):
        with pytest.raises(PentaglotError, match="direct scores do not rise with the model's"):
            fitted(model, Judged(**{**people.__dict__, "direct": direct}), kind)


def test_attacks_on_the_shipped_model() -> None:
    """Nobody gains by padding, cutting, shuffling, or by copying something else."""
    random = np.random.default_rng(11)
    wanted = ["The old man sat down near the river and waited for his daughter .",
              "We have not yet decided what to do about it ."]  # fmt: skip
    beer = Beer()
    for reference in wanted:
        words = reference.split()
        good = " ".join(["A", *words[1:]])
        attacks = {
            "longer": " ".join([*words, *words[2:6], "and", "so", "on"]),
            "shorter": " ".join(words[: len(words) // 2]),
            "shuffled": " ".join(random.permutation(words)),
            "copied": "Der alte Mann setzte sich an den Fluss und wartete .",
            "empty": "",
        }
        lines = [reference, good, *attacks.values()]
        scores = beer.statistics(lines, [[reference] * len(lines)])[:, 0]
        assert scores[0] == 1 > scores[1] > scores[2:].max(), dict(zip(attacks, scores[2:], strict=True))
