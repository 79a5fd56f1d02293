"""Length is that of BLEU, in percent of the reference."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu

from pentaglot.metrics import Bleu, Length

Translations = tuple[list[str], list[list[str]]]


def test_equal_to_the_lengths_of_sacrebleu(translations: Translations) -> None:
    hypotheses, references = translations
    wanted = sacrebleu.BLEU(force=True).corpus_score(hypotheses, references)
    length = Length()
    assert length.score(length.statistics(hypotheses, references)) == pytest.approx(
        100 * wanted.sys_len / wanted.ref_len
    )


def test_words_and_references_are_chosen_as_in_bleu() -> None:
    pair = ["a, b c"], [["a b", "c"][:1], ["a b c d e f"]]
    assert Length(Bleu(tokenize="none")).statistics(*pair).tolist() == [[3, 2]]
    assert Length().statistics(*pair).tolist() == [[4, 2]]
    shortest = Length(Bleu(reference_length="shortest"))
    assert shortest.statistics(["a b c d e"], pair[1]).tolist() == [[5, 2]]
    assert shortest.signature(2) == Bleu(reference_length="shortest").signature(2)


def test_costs_are_distances_and_nothing_is_as_long_as_nothing() -> None:
    length = Length()
    rows = np.array([[8.0, 10], [12, 10], [10, 10], [3, 0], [0, 0]])
    assert length.costs(rows).tolist() == pytest.approx([0.2, 0.2, 0, 1, 0])
    assert length.scores(rows).tolist() == pytest.approx([80, 120, 100, 100, 0])
    assert length.statistics([], [[]]).shape == (0, 2)
