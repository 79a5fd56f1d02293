"""Orders from links: every choice of the reduction, and minimal phrases against their definition."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from random import Random

import numpy as np
import pytest

from pentaglot.align import Alignment
from pentaglot.errors import PentaglotError
from pentaglot.order import Permutation, gold_orders, minimal_phrases, word_orders

Links = list[tuple[int, int]]


def order(links: Links, words: int, **options: object) -> str:
    return str(word_orders(Alignment.from_links([links]), [words], **options)[0])  # type: ignore[arg-type]


def random_links(words: int, targets: int, seed: int) -> Links:
    random = Random(seed)
    cells = list(product(range(words), range(targets)))
    return sorted(random.sample(cells, random.randint(1, max(1, words + targets - 3))))


def test_which_link_counts() -> None:
    links = [(0, 0), (0, 5), (1, 1), (1, 2), (2, 2), (2, 3)]
    assert order(links, 3) == "1 2 3"
    assert order(links, 3, pick="rightmost") == "3 1 2"
    assert order(links, 3, pick="average") == "2 1 3"
    strong = Alignment(
        np.array([0, 4], np.uint64),
        np.array([0, 0, 1, 2], np.uint16),
        np.array([0, 5, 1, 2], np.uint16),
        np.array([0.2, 0.9, 0.5, 0.5], np.float32),
    )
    assert str(word_orders(strong, [3], pick="strongest")[0]) == "3 1 2"
    assert str(word_orders(strong, [3])[0]) == "1 2 3"


def test_words_without_links_go_with_a_neighbour() -> None:
    links = [(0, 1), (2, 0)]
    assert order(links, 3) == "3 1 2"
    assert order(links, 3, attach="left") == "2 3 1"
    assert order([(1, 1), (2, 0)], 4, attach="left") == "3 4 1 2"


def test_the_first_and_last_words_have_one_neighbour() -> None:
    for attach in ("left", "right"):
        assert order([(1, 1), (2, 0)], 4, attach=attach) == "3 4 1 2"
    assert order([], 3) == "1 2 3"
    assert order([], 0) == ""


def test_words_of_one_position_keep_their_order() -> None:
    assert order([(0, 1), (1, 1), (2, 1), (3, 0)], 4) == "2 3 4 1"


def test_one_to_one_links_are_the_permutation() -> None:
    given = Permutation.read("2413")
    links = list(enumerate(given.ranks))
    for pick in ("leftmost", "rightmost", "average", "strongest"):
        assert order(links, 4, pick=pick) == str(given)


def test_gold_orders_go_by_average_position() -> None:
    alignment = Alignment.from_links([[(0, 0), (0, 3), (1, 1), (3, 0)]])
    assert gold_orders(alignment, [4])[0] == Permutation.from_order((2, 3, 1, 0))


def consistent(links: Links, begin: int, end: int) -> bool:
    targets = [j for i, j in links if begin <= i < end]
    return bool(targets) and all(begin <= i < end for i, j in links if min(targets) <= j <= max(targets))


@pytest.mark.parametrize("seed", range(300))
def test_minimal_phrases_are_consistent_and_cannot_be_split(seed: int) -> None:
    words, targets = 1 + seed % 7, 1 + seed % 5
    links = random_links(words, targets, seed)
    units = minimal_phrases(Alignment.from_links([links]), [words])[0]
    phrases = [span for span, loose in zip(units.spans, units.loose, strict=True) if not loose]
    assert [begin for begin, _ in units.spans] == [0, *(end for _, end in units.spans[:-1])]
    assert units.words == words
    linked = {i for i, _ in links}
    assert all(begin not in linked for (begin, _), loose in zip(units.spans, units.loose, strict=True) if loose)
    firsts = [min(j for i, j in links if begin <= i < end) for begin, end in phrases]
    assert units.permutation.ranks == tuple(sorted(firsts).index(each) for each in firsts)
    for begin, end in phrases:
        assert consistent(links, begin, end) and begin in linked and end - 1 in linked
        inner = range(begin + 1, end)
        for cuts in (cut for number in range(1, len(inner) + 1) for cut in combinations(inner, number)):
            posts = [begin, *cuts, end]
            pieces = list(pairwise(posts))
            whole = [each for each in pieces if linked & set(range(*each))]
            assert len(whole) < 2 or not all(consistent(links, *each) for each in whole)


def test_worked_example() -> None:
    """Spec 7.4."""
    units = minimal_phrases(Alignment.from_links([[(0, 2), (1, 2), (2, 0), (4, 1)]]), [5])[0]
    assert units.spans == ((0, 2), (2, 3), (3, 4), (4, 5))
    assert str(units.permutation) == "3 1 2"
    assert order([(0, 2), (1, 2), (2, 0), (4, 1)], 5) == "4 5 1 2 3"
    assert minimal_phrases(Alignment.from_links([[(0, 0), (0, 2), (1, 1)]]), [2])[0].spans == ((0, 2),)
    crossed = minimal_phrases(Alignment.from_links([[(0, 1), (1, 3), (2, 0), (3, 2)]]), [4])[0]
    assert str(crossed.permutation) == "2 4 1 3"


def test_the_same_with_any_number_of_threads() -> None:
    sentences = [random_links(9, 8, seed) for seed in range(3000)]
    alignment, lengths = Alignment.from_links(sentences), [9] * len(sentences)
    one, four = (word_orders(alignment, lengths, threads=threads) for threads in (1, 4))
    assert one.ranks.tobytes() == four.ranks.tobytes()
    assert minimal_phrases(alignment, lengths) == minimal_phrases(alignment, lengths, threads=4)


def test_links_must_fit() -> None:
    with pytest.raises(PentaglotError, match="sentence 2 has a link of word 3, but only 2 words"):
        word_orders(Alignment.from_links([[(0, 0)], [(3, 0)]]), [1, 2])
    with pytest.raises(PentaglotError, match="links for 1 sentence, but 2 sentences"):
        minimal_phrases(Alignment.from_links([[(0, 0)]]), [1, 2])
    with pytest.raises(PentaglotError, match="cannot have fewer than 0 words"):
        minimal_phrases(Alignment.from_links([[(0, 0)]]), [-1])
    with pytest.raises(PentaglotError, match="unknown way 'first'"):
        order([(0, 0)], 1, pick="first")
    with pytest.raises(PentaglotError, match="there is no side 'rigth'; did you mean 'right'"):
        order([(0, 0)], 1, attach="rigth")
