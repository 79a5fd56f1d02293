"""Leaving languages out: nothing of a language is seen before it is measured."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluate.test_beer_training import made_up

from pentaglot import PentaglotError
from pentaglot.evaluate import BeerOptions, Judged, language_groups, leave_out, segment_tau, train_beer


def named(name: str, seed: int, **more: object) -> Judged:
    return Judged(**{**made_up(seed, segments=60).__dict__, "name": name, **more})


SETS = [named("x.cs-en", 1), named("x.en-cs", 2), named("x.de-en", 3), named("x.en-fr", 4)]


@pytest.mark.parametrize("options", [BeerOptions(), BeerOptions(template="release11")], ids=["edits59", "release11"])
def test_models_are_trained_on_all_other_languages(options: BeerOptions) -> None:
    found = leave_out(SETS, [options])
    for own, others in (([0, 1], [2, 3]), ([2], [0, 1, 3]), ([3], [0, 1, 2])):
        model = train_beer([SETS[at] for at in others], options)
        for at in own:
            wanted = model.scores(SETS[at].hypotheses, SETS[at].references)
            assert found.scores[at] == pytest.approx(wanted)
    assert set(found.chosen) == {"cs-en", "de-en", "en-fr"}


def test_settings_are_chosen_without_the_language() -> None:
    """Judges of one language prefer what is worse. Whatever they say, it changes no choice for that language."""
    settings = [BeerOptions(strength=1e-3), BeerOptions(strength=100.0), BeerOptions(without=("characters",))]
    turned = named("x.de-en", 3, preferred=SETS[2].preferred[:, ::-1])
    plain, other = (leave_out([*SETS[:2], each, SETS[3]], settings) for each in (SETS[2], turned))
    assert plain.chosen["de-en"] == other.chosen["de-en"]
    assert (plain.scores[2] == other.scores[2]).all()
    assert not (plain.scores[0] == other.scores[0]).all()
    assert segment_tau(plain.scores[2], SETS[2]) > 0.5 > segment_tau(other.scores[2], turned)
    for name, chosen in plain.chosen.items():  # the best among the others, by hand
        rest = [each for each in SETS if name.split("-")[0] not in each.name or name.split("-")[1] not in each.name]
        taus = []
        for options in settings:
            scores = leave_out(rest, [options]).scores
            taus.append(np.mean([segment_tau(own, each) for own, each in zip(scores, rest, strict=True)]))
        assert chosen == settings[int(np.argmax(taus))]


def test_which_sets_are_of_one_language() -> None:
    names = ["my-set.cs-en", "my-set.de-en", "one-two.en-cs.x", "my-set.gsw-de", "all", "all"]
    assert language_groups(names) == {"cs-en": [0, 2], "de-en": [1], "de-gsw": [3], "all": [4, 5]}


def test_too_few_languages() -> None:
    with pytest.raises(PentaglotError, match="at least 2 groups of test sets to leave out, not 1"):
        leave_out(SETS[:2], [BeerOptions()])
    with pytest.raises(PentaglotError, match="at least 3 groups of test sets to leave out, not 2"):
        leave_out(SETS[:3], [BeerOptions(), BeerOptions(cut=False)])


def test_settings_that_cannot_be() -> None:
    with pytest.raises(PentaglotError, match="there are no settings to train with"):
        leave_out(SETS, [])
    with pytest.raises(PentaglotError, match="option 'loss' cannot be 'square'"):
        leave_out(iter(SETS), [BeerOptions(loss="square")])  # type: ignore[arg-type]
