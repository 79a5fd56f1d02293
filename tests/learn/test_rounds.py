"""The loop: it ends for the right reason, goes on after a crash, and judges by real decodings."""

from __future__ import annotations

import dataclasses
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.learn.problems import Errors, PoolDecoder, random_errors, translation_pools

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn import Candidate, KBestTuner, LossLearner, Mert, Mira, Problem, TuneOptions, Tuning, chosen_metric
from pentaglot.metrics import Bleu

BLEU = Bleu(tokenize="none")
START = Weights({"length": 1.0, "noise": 1.0, "unseen": 0.5})
TUNERS = {
    "mert": KBestTuner(Mert(restarts=3), size=10, rounds=4),
    "mira": KBestTuner(Mira(epochs=10), size=10, rounds=4),
}
each_tuner = pytest.mark.parametrize("tuner", TUNERS.values(), ids=TUNERS)


@each_tuner
def test_a_run_that_was_stopped_goes_on_to_the_same_end(tuner: KBestTuner, tmp_path: Path) -> None:
    references, pools = translation_pools(17)
    whole = PoolDecoder(pools)
    wanted = tuner.tune(whole, [references], BLEU, START, seed=3)
    assert whole.calls > 2
    for stop in range(whole.calls):
        place = tmp_path / f"stop{stop}"
        with pytest.raises(KeyboardInterrupt):
            tuner.tune(PoolDecoder(pools, broken_at=stop), [references], BLEU, START, seed=3, checkpoint=place)
        again = PoolDecoder(pools)
        found = tuner.tune(again, [references], BLEU, START, seed=3, checkpoint=place)
        assert found == wanted
        assert again.calls == whole.calls - stop
    finished = PoolDecoder(pools, broken_at=0)
    assert tuner.tune(finished, [references], BLEU, START, seed=3, checkpoint=place) == wanted


@each_tuner
@pytest.mark.parametrize("name", ["beer", "recpef", "kendall", "ribes", "meteor"])
def test_any_metric_can_be_tuned_for(tuner: KBestTuner, name: str) -> None:
    references, pools = translation_pools(17)
    metric = chosen_metric(TuneOptions(metric=name))
    found = tuner.tune(PoolDecoder(pools), [references], metric, START, seed=3)
    assert found.score > found.rounds[0].score + 1 and not metric.on_words


def test_small_steps_go_on_where_nothing_is_new() -> None:
    """Gimpel 2012, algorithm 1: rounds of two steps on the same lists are one of eight. A learner that has reached its
    minimum on them ends, and so does one that no longer moves."""
    references, pools = translation_pools(17, 6, 8)

    def tuned(learner: LossLearner, rounds: int) -> Tuning:
        tuner = KBestTuner(learner, size=8, rounds=rounds, patience=9, final="last")
        return tuner.tune(PoolDecoder(pools), [references], BLEU, START)

    slow, once = (tuned(LossLearner(rate=1e-3, steps=steps), rounds) for steps, rounds in ((2, 4), (8, 1)))
    assert [each.new for each in slow.rounds] == [48, 0, 0, 0, 0] and slow.ended == "all rounds done"
    assert dict(slow.weights) == pytest.approx(dict(once.weights)) and slow.weights.distance(START) > 0.1
    assert tuned(LossLearner("soft-ramp3", solver="lbfgs", steps=99), 4).ended == "no new candidates"
    assert tuned(LossLearner(rate=1e-3, scale=0.0), 4).ended == "the weights stay the same"


def test_another_run_begins_anew(tmp_path: Path) -> None:
    """Whatever differs: nothing of the earlier run is used, and nothing stands in the way."""
    references, pools = translation_pools(17, 5, 10)
    tuner, place = TUNERS["mira"], tmp_path / "tuning"
    tuner.tune(PoolDecoder(pools), [references], BLEU, START, checkpoint=place)
    others = [
        (tuner, [references], BLEU, START, 1),
        (tuner, [references], BLEU, Weights({"length": 2.0}), 0),
        (tuner, [references], Bleu(tokenize="none", lowercase=True), START, 0),
        (tuner, [references, references], BLEU, START, 0),
        (TUNERS["mert"], [references], BLEU, START, 0),
    ]
    for other, texts, metric, start, seed in others:
        wanted = other.tune(PoolDecoder(pools), texts, metric, start, seed=seed)
        decoder = PoolDecoder(pools)
        assert other.tune(decoder, texts, metric, start, seed=seed, checkpoint=place) == wanted
        assert decoder.calls == len(wanted.rounds)
    decoder = PoolDecoder(pools)
    other.tune(decoder, texts, metric, start, seed=seed, checkpoint=place, decoder="another")
    assert decoder.calls > 0


@each_tuner
def test_more_rounds_go_on(tuner: KBestTuner, tmp_path: Path) -> None:
    references, pools = translation_pools(17)
    few, many = dataclasses.replace(tuner, rounds=2), dataclasses.replace(tuner, rounds=4)
    whole = PoolDecoder(pools)
    wanted = many.tune(whole, [references], BLEU, START, seed=3)
    few.tune(PoolDecoder(pools), [references], BLEU, START, seed=3, checkpoint=tmp_path / "tuning")
    again = PoolDecoder(pools)
    assert many.tune(again, [references], BLEU, START, seed=3, checkpoint=tmp_path / "tuning") == wanted
    assert again.calls == whole.calls - 2, "all but the one that only judged"
    less = few.tune(PoolDecoder(pools), [references], BLEU, START, seed=3)
    assert few.tune(PoolDecoder(pools), [references], BLEU, START, seed=3, checkpoint=tmp_path / "tuning") == less


def test_it_ends_when_nothing_new_turns_up() -> None:
    references, pools = translation_pools(19, 10, 12)
    decoder = PoolDecoder(pools)
    found = KBestTuner(Mira(), size=12, patience=99).tune(decoder, [references], BLEU, START)
    assert found.ended == "no new candidates" and decoder.calls == 2
    assert [done.new for done in found.rounds] == [found.rounds[0].candidates, 0]
    assert found.rounds[0].predicted == found.rounds[1].score == found.score, "all is in the lists: they foretell it"


@dataclass(frozen=True)
class Worse:
    """An optimiser that makes the weights worse and worse, and never the same."""

    by: float

    def optimise(self, problem: Problem, random: np.random.Generator) -> NDArray[np.float64]:
        spoiled = problem.lists.vector({"right": -1.0, "wrong": 1.0})
        return problem.weights + self.by * (spoiled + random.normal(0, 0.5, len(spoiled)))


def test_it_ends_when_nothing_gets_better() -> None:
    references, pools = translation_pools(19)
    for by, ended, rounds in [
        (0.0, "the weights stay the same", 1),
        (0.1, "no better score in 3 rounds", 4),
    ]:
        tuner = KBestTuner(Worse(by), size=3, patience=3)
        found = tuner.tune(PoolDecoder(pools), [references], BLEU, Weights({"right": 0.05}))
        assert (found.ended, len(found.rounds)) == (ended, rounds)
        assert found.best_round == 0 and found.weights == Weights({"right": 0.05, **found.weights})
    found = KBestTuner(Worse(0.1), size=3, rounds=2, patience=3).tune(PoolDecoder(pools), [references], BLEU, START)
    assert (found.ended, len(found.rounds)) == ("all rounds done", 3)


def test_features_that_vary_from_run_to_run() -> None:
    """Lopez 2008, §3.4: with sampling at random, tuning ends only if the first vector stands for a string."""
    references, pools = translation_pools(23, 8, 10)
    ended = {}
    for identity in ("features", "string"):
        tuner = KBestTuner(Worse(0.001), size=10, rounds=6, patience=99, identity=identity)  # type: ignore[arg-type]
        found = tuner.tune(PoolDecoder(pools, noise=0.5), [references], BLEU, Weights({"right": 1.0}))
        ended[identity] = found.ended
    assert ended == {"features": "all rounds done", "string": "no new candidates"}


def test_the_best_round_is_chosen_by_decoding() -> None:
    """Lists may promise what the decoder does not keep."""

    class Liar:
        calls = 0

        def __call__(self, weights: Mapping[str, float], size: int) -> list[list[Candidate]]:
            self.calls += 1
            errors = [5, 3, 4, 6][self.calls - 1]
            return [[Candidate(f"call{self.calls} {errors}", {"x": 1.0}), Candidate("never 0", {"y": 9.0})]]

    found = KBestTuner(Worse(0.1), rounds=3).tune(Liar(), [["a b"]], Errors(), {"x": 1.0})
    assert [done.score for done in found.rounds] == [5.0, 3.0, 4.0, 6.0]
    assert (found.best_round, found.score) == (1, 3.0)
    assert found.weights == found.rounds[1].weights


def test_sentences_without_translation_are_left_out() -> None:
    pools = random_errors(3, 6, 8, 2)
    pools[2] = []
    for optimiser in (Mert(restarts=2), Mira(epochs=3)):
        found = KBestTuner(optimiser, size=4, rounds=3).tune(PoolDecoder(pools), [["x y"] * 6], Errors(), {})
        assert found.rounds[0].score >= 9.0, "the missing one counts as empty"


def test_what_cannot_be_tuned() -> None:
    tuner = TUNERS["mira"]
    with pytest.raises(PentaglotError, match="no development sentences"):
        tuner.tune(PoolDecoder([]), [[]], BLEU, START)
    with pytest.raises(PentaglotError, match="lists for 1 sentences instead of 2"):
        tuner.tune(PoolDecoder([[]]), [["a", "b"]], BLEU, START)
    with pytest.raises(OptionError, match="'seed' is -1; it must be from 0"):
        tuner.tune(PoolDecoder([[]]), [["a"]], BLEU, START, seed=-1)


def test_progress_is_told(caplog: pytest.LogCaptureFixture) -> None:
    notes: list[str] = []
    advanced: list[int] = []

    class Listener:
        def task(self, name: str, *, total: int | None = None, unit: str = "") -> Self:
            assert (name, total, unit) == ("tuning", 5, "rounds")
            return self

        def say(self, text: str) -> None: ...

        def advance(self, amount: int = 1) -> None:
            advanced.append(amount)

        def note(self, text: str) -> None:
            notes.append(text)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...

    references, pools = translation_pools(29, 5, 30)
    with caplog.at_level(logging.INFO, "pentaglot.learn"):
        found = TUNERS["mira"].tune(PoolDecoder(pools), [references], BLEU, START, progress=Listener())
    first = found.rounds[0]
    assert notes[0] == f"BLEU {first.score:.2f}, best {first.score:.2f} (round 0)"
    assert notes[-1] == f"BLEU {found.rounds[-1].score:.2f}, best {found.score:.2f} (round {found.best_round})"
    assert f"round 0: BLEU {first.score:.2f}, {first.new} new candidates of {first.candidates}" in caplog.text
    assert len(notes) == len(advanced) == len(found.rounds) == len(caplog.records)


def test_the_optimiser_of_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "tuning.md").read_text("utf-8")
    [code] = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "class Perceptron" in block]
    names: dict[str, Any] = {"__name__": __name__}
    exec(code, names)
    references, pools = translation_pools(37)
    found = names["tuner"].tune(PoolDecoder(pools), [references], BLEU, START)
    assert found.score > found.rounds[0].score + 10


def test_a_judge_chooses_the_round() -> None:
    """By its own scores, whatever those of the development text; round 0 may win, and patience goes by the judge."""
    references, pools = translation_pools(17)
    tuner = dataclasses.replace(TUNERS["mira"], rounds=4, patience=9)
    free = tuner.tune(PoolDecoder(pools), [references], BLEU, START, seed=3)
    assert len(free.rounds) > 3 and free.best_round > 0
    for wanted in range(len(free.rounds)):
        chosen = free.rounds[wanted].weights
        found = tuner.tune(
            PoolDecoder(pools),
            [references],
            BLEU,
            START,
            seed=3,
            judge=lambda weights, best=chosen: float(weights == best),
        )
        first = min(each.number for each in free.rounds if each.weights == chosen)
        assert found.best_round == first and found.weights == chosen and found.score == free.rounds[first].score
        assert [each.held_out for each in found.rounds] == [float(each.weights == chosen) for each in free.rounds]
    hasty = dataclasses.replace(tuner, patience=2)
    found = hasty.tune(
        PoolDecoder(pools), [references], BLEU, START, seed=3, judge=lambda weights: float(weights == START)
    )
    assert (found.best_round, len(found.rounds), found.ended) == (0, 3, "no better score in 2 rounds")


def test_a_judge_of_errors_wants_few() -> None:
    found = random_errors(5, 4, 8, 3)
    tuner = KBestTuner(Mira(epochs=5), size=4, rounds=3, patience=9)
    count = iter(range(100))
    tuning = tuner.tune(
        PoolDecoder(found), [["x"] * 4], Errors(), {"f0": 1.0}, judge=lambda weights: float(next(count))
    )
    assert tuning.best_round == 0


def test_judged_rounds_go_on_after_a_stop(tmp_path: Path) -> None:
    references, pools = translation_pools(17)
    tuner = TUNERS["mira"]

    def judge(weights: Mapping[str, float]) -> float:
        return -abs(weights["length"] - 0.9)

    whole = PoolDecoder(pools)
    wanted = tuner.tune(whole, [references], BLEU, START, seed=3, judge=judge)
    for stop in range(whole.calls):
        place = tmp_path / f"stop{stop}"
        with pytest.raises(KeyboardInterrupt):
            tuner.tune(
                PoolDecoder(pools, broken_at=stop), [references], BLEU, START, seed=3, checkpoint=place, judge=judge
            )
        assert (
            tuner.tune(PoolDecoder(pools), [references], BLEU, START, seed=3, checkpoint=place, judge=judge) == wanted
        )
    unjudged = tuner.tune(PoolDecoder(pools), [references], BLEU, START, seed=3, checkpoint=place)
    assert all(each.held_out is None for each in unjudged.rounds)


def test_there_is_nothing_to_choose_if_the_last_round_counts() -> None:
    references, pools = translation_pools(17)
    with pytest.raises(PentaglotError, match="the last round is kept, so there is nothing to choose"):
        KBestTuner(Mira(), final="last").tune(PoolDecoder(pools), [references], BLEU, START, judge=lambda weights: 0.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 0}, "option 'size' is 0; it must be from 1"),
        ({"rounds": -1}, "option 'rounds' is -1; it must be from 0"),
        ({"patience": 0}, "option 'patience' is 0; it must be from 1"),
        ({"final": "lst"}, "'final' cannot be 'lst'; did you mean 'last'?"),
        ({"identity": "text"}, "'identity' cannot be 'text'; known: features, string"),
    ],
)
def test_settings_that_will_not_do(settings: dict[str, Any], message: str) -> None:
    """A run without candidates, or one whose last round counts by mistake, would look like any other."""
    references, pools = translation_pools(17)
    with pytest.raises(OptionError, match=re.escape(message)):
        KBestTuner(Mira(), **settings).tune(PoolDecoder(pools, broken_at=0), [references], BLEU, START)
