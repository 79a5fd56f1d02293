"""A trial on held-out sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.order.toy import examples

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.errors import StorageError
from pentaglot.order import GrammarOptions, Permutation, Preorderer, train_grammar
from pentaglot.order.measures import kendall
from pentaglot.order.trial import Trial, agreement, held_out_pairs, without_links


def text() -> tuple[Bitext, Alignment]:
    made = examples(200)
    links = [[(word, rank) for word, rank in enumerate(order.ranks)] for _, order in made]
    return Bitext.from_sentences([words for words, _ in made], [words for words, _ in made]), Alignment.from_links(
        links
    )


def test_held_out_sentences_come_closer_to_their_order() -> None:
    bitext, links = text()
    pairs = held_out_pairs(bitext, links)
    assert len(pairs) == 10 and len(set(pairs.tolist())) == 10
    left = without_links(links, pairs)
    assert [bool(left.links(number)) for number in range(len(left))] == [each not in pairs for each in range(len(left))]
    assert all(left.links(number) == links.links(number) for number in range(len(left)) if number not in pairs)
    grammar = train_grammar(bitext.source, bitext.source_vocabulary, left, GrammarOptions(binary_states=4))
    trial = Trial.of(Preorderer(grammar), bitext, links, pairs.tolist(), threads=2)
    expected = [kendall(Permutation(tuple(rank for _, rank in links.links(pair)))) for pair in pairs]
    assert trial.typed == pytest.approx(np.mean(expected))
    assert trial.ordered > trial.typed + 0.1 and trial.is_worthwhile(0.1) and not trial.is_worthwhile(0.9)


def test_agreement_is_that_of_the_words_that_moved() -> None:
    order = Permutation((2, 0, 1))
    assert agreement(order, order) == 1.0
    assert agreement(Permutation.identity(3), order) == pytest.approx(1 / 3)


def test_figures_are_kept(tmp_path: Path) -> None:
    trial = Trial(0.25, 0.5, 7, True)
    trial.save(tmp_path / "trial")
    assert Trial.open(tmp_path / "trial") == trial
    Trial(2.0, 0.5, 7).save(tmp_path / "trial")
    with pytest.raises(StorageError, match="not shares"):
        Trial.open(tmp_path / "trial")
    assert Trial(1.0, 1.0, 0).is_worthwhile(0.5), "nothing is known"
