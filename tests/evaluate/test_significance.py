"""The paired bootstrap: its samples are sacrebleu's, its chances are honest."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu
from numpy.typing import NDArray
from sacrebleu.significance import PairedTest

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.evaluate import holm, paired_bootstrap
from pentaglot.metrics import Bleu, Chrf, Metric, Ter

Translations = tuple[list[str], list[list[str]]]


def _worse(lines: list[str], every: int) -> list[str]:
    return [" ".join(line.split()[1:]) if number % every == 0 else line for number, line in enumerate(lines)]


def _resampled(theirs: sacrebleu.BLEU, lines: list[str], references: list[list[str]], seed: int) -> NDArray[np.float64]:
    """Scores of samples, drawn and computed by hand with sacrebleu."""
    rows = np.array(theirs._extract_corpus_statistics(lines, references), dtype=np.float64)
    drawn = np.random.default_rng(seed).choice(len(rows), size=(200, len(rows)), replace=True)
    return np.array([theirs._compute_score_from_stats(rows[each].sum(0).tolist()).score for each in drawn])


@pytest.mark.parametrize(
    ("metric", "theirs"),
    [(Bleu(), sacrebleu.BLEU(force=True)), (Chrf(), sacrebleu.CHRF()), (Ter(), sacrebleu.TER())],
    ids=["bleu", "chrf", "ter"],
)
@pytest.mark.parametrize("every", [2, 9])
def test_equal_to_the_definition(
    metric: Metric, theirs: sacrebleu.BLEU, every: int, translations: Translations, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, references = translations
    other = _worse(lines, every)
    found = paired_bootstrap(
        metric,
        [metric.statistics(lines, references)],
        [metric.statistics(other, references)],
        resamples=200,
        seed=7,
    )
    assert found.score == pytest.approx(theirs.corpus_score(lines, references).score)
    assert found.baseline == pytest.approx(theirs.corpus_score(other, references).score)
    differences = _resampled(theirs, lines, references, 7) - _resampled(theirs, other, references, 7)
    sign = 1 if metric.higher_is_better else -1
    assert found.better == np.mean(sign * differences > 0)
    far = np.sum(np.abs(differences - differences.mean()) >= abs(found.difference))
    assert found.p == pytest.approx((far + 1) / 201)
    assert (found.low, found.high) == pytest.approx(tuple(np.sort(differences)[[5, 194]]))

    # sacrebleu counts one side only where a system is clearly better: its chance is never above ours.
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    systems = [("base", other), ("ours", lines)]
    _, results = PairedTest(systems, {"metric": theirs}, references, test_type="bs", n_samples=200, n_jobs=1)()
    assert list(results.values())[1][1].p_value <= found.p + 1e-9


def test_replicas_are_averaged(translations: Translations) -> None:
    lines, references = translations
    bleu = Bleu()
    good, bad = (bleu.statistics(each, references) for each in (lines, _worse(lines, 3)))
    mixed = paired_bootstrap(bleu, [good, bad], [bad])
    assert mixed.score == pytest.approx((bleu.score(good) + bleu.score(bad)) / 2)
    whole = paired_bootstrap(bleu, [good], [bad])
    assert mixed.difference == pytest.approx(whole.difference / 2)
    assert mixed.p == whole.p


def test_a_system_beside_itself(translations: Translations) -> None:
    statistics = Ter().statistics(*translations)
    found = paired_bootstrap(Ter(), [statistics], [statistics])
    assert (found.difference, found.low, found.high, found.better, found.p) == (0, 0, 0, 0, 1)


def test_equally_good_systems_seldom_differ() -> None:
    """Of pairs of systems whose segments are drawn alike, about one in twenty differs with p under 0.05."""
    random, ter = np.random.default_rng(5), Ter()
    chances = []
    for _ in range(400):
        errors = random.binomial(10, 0.3, (2, 120))
        rows = [np.stack([each, np.full(120, 10)], axis=1).astype(np.float64) for each in errors]
        chances.append(paired_bootstrap(ter, [rows[0]], [rows[1]], resamples=200).p)
    assert 0.02 < np.mean(np.array(chances) < 0.05) < 0.09
    assert 0.4 < np.mean(np.array(chances) < 0.5) < 0.6


def test_what_cannot_be_compared(translations: Translations) -> None:
    statistics = Ter().statistics(*translations)
    with pytest.raises(PentaglotError, match="cannot be compared"):
        paired_bootstrap(Ter(), [statistics], [statistics[1:]])
    with pytest.raises(PentaglotError, match="nothing to compare"):
        paired_bootstrap(Ter(), [], [statistics])
    with pytest.raises(OptionError, match="'seed' is -1; it must be from 0"):
        paired_bootstrap(Ter(), [statistics], [statistics], seed=-1)


def test_holm_by_its_definition() -> None:
    """The smallest level at which the step-down procedure would reject each hypothesis."""
    random = np.random.default_rng(2)
    for _ in range(50):
        chances = random.random(random.integers(1, 7)).round(2).tolist()
        corrected = holm(chances)
        for level in (0.01, 0.05, 0.2, 0.5, 0.99):
            rejected = set()
            for rank, which in enumerate(np.argsort(chances, kind="stable")):
                if chances[which] * (len(chances) - rank) > level:
                    break
                rejected.add(int(which))
            assert {at for at, p in enumerate(corrected) if p <= level} == rejected
    assert holm([]) == [] and holm([0.7]) == [0.7] and holm([0.6, 0.9]) == [1.0, 1.0]
