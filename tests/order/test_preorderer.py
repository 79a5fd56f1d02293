"""Preordering of whole texts, and its pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from tests.order.brute import all_permutations
from tests.order.toy import examples, grammar

from pentaglot.align import Alignment
from pentaglot.corpus import Tokenizer
from pentaglot.errors import OptionError
from pentaglot.order import (
    OrderOptions,
    OrderPicture,
    OrderTree,
    Permutation,
    Preorderer,
    ReorderingGrammar,
    Units,
    crossings,
    minimal_phrases,
    tree_of,
)


@cache
def learnt() -> ReorderingGrammar:
    return grammar(examples(400), binary_states=4, iterations=8)


NEW = [words for words, _ in examples(30, seed=9)]


def test_a_text_is_ordered_like_its_sentences() -> None:
    found = list(Preorderer(learnt()).order(NEW))
    for words, each in zip(NEW, found, strict=True):
        assert each.permutation == learnt().order(words)
        assert each.words == each.permutation.apply(words)
        assert each.log_probability == pytest.approx(learnt().parse(words).log_probability)
        assert not each.glued and not each.cut and 0 <= each.expected_loss < 0.5


@pytest.mark.parametrize("choice", ["expected", "drawn", "best-tree"])
def test_the_same_with_any_number_of_threads(choice: str) -> None:
    preorderer = Preorderer(learnt(), OrderOptions(choice=choice, samples=50))  # type: ignore[arg-type]
    one, four = (list(preorderer.order(NEW * 20, threads=threads)) for threads in (1, 4))
    assert one == four


def test_every_way_to_choose_finds_the_order() -> None:
    wanted = [each.order for _, each in examples(30, seed=9)]
    for choice in ("expected", "drawn", "best-tree"):
        options = OrderOptions(choice=choice, samples=None if choice != "drawn" else 500)  # type: ignore[arg-type]
        found = [each.permutation.order for each in Preorderer(learnt(), options).order(NEW)]
        assert sum(one == other for one, other in zip(found, wanted, strict=True)) > 15


def test_empty_and_long_sentences() -> None:
    long = [word for words in NEW * 2 for word in words][:300]
    found = list(Preorderer(learnt(), OrderOptions(longest=40)).order([[], long, ["dog"]]))
    assert found[0].words == [] and found[2].words == ["dog"]
    assert found[1].cut and sorted(found[1].permutation.ranks) == list(range(300))
    # A piece is ordered by itself.
    piece = found[1].permutation.ranks[:37]
    assert sorted(piece) == list(range(37))


def test_unknown_words_alone() -> None:
    (found,) = Preorderer(learnt()).order([["?"] * 30])
    assert sorted(found.words) == ["?"] * 30


def test_saved_with_its_tokenizer(tmp_path: Path) -> None:
    made = grammar(examples(50), binary_states=2, iterations=2)
    assert Preorderer(made).tokenizer.mode == "none"
    with_tokenizer = ReorderingGrammar(**{**_fields(made), "tokenizer": Tokenizer()})
    with_tokenizer.save(tmp_path / "grammar")
    preorderer = Preorderer.open(tmp_path / "grammar")
    assert preorderer.tokenizer.mode == Tokenizer().mode
    (found,) = preorderer.order_lines(["the dog sees the cat"])
    assert sorted(found.words) == ["cat", "dog", "sees", "the", "the"]
    for make in (lambda given: Preorderer.open(tmp_path / "grammar", given), lambda given: Preorderer(made, given)):
        for options, problem in (
            (OrderOptions(longest=0), "'longest' is 0"),
            (OrderOptions(samples=-5), "'samples' is -5"),
            (OrderOptions(choice="beste-tree"), "did you mean 'best-tree'"),  # type: ignore[arg-type]
        ):
            with pytest.raises(OptionError, match=problem):
                make(options)


def _fields(made: ReorderingGrammar) -> dict[str, object]:
    names = ("vocabulary", "options", "terminals", "lexicon", "rules", "unsplit", "log", "sentences")
    return {name: getattr(made, name) for name in names}


def test_trees_of_links() -> None:
    for permutation in all_permutations(6):
        tree = OrderTree.gold(Units.of_words(permutation))
        assert tree.order == permutation.order
        shape = tree_of(permutation)
        assert tree.places == shape.operator and tree.span == shape.span


def picture() -> OrderPicture:
    words, target = ("he", "has", "<not>", "seen", "it"), ("il", "ne", "l'", "a", "vu")
    links = ((0, 0), (1, 3), (2, 1), (3, 4), (4, 2))
    tree = OrderTree.gold(minimal_phrases(Alignment.from_links([links]), [5])[0])
    return OrderPicture(words, Permutation.from_order(tree.order), (tree,), target, links)


def test_links_no_longer_cross_after_the_gold_order() -> None:
    assert crossings(picture().links) == 3
    assert crossings(picture().moved_links) == 0


def test_the_picture_shows_everything() -> None:
    svg = picture().to_svg()
    root = ElementTree.fromstring(svg)
    assert "&lt;not&gt;" in svg and "<not>" not in svg
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    for word in picture().words:
        assert texts.count(word) == 3  # in its place, in its new place, and before
    assert texts.count("vu") == 2
    assert "3 crossings before" in texts and "0 crossings now" in texts
    assert len(list(root.iter("{http://www.w3.org/2000/svg}line"))) == 5 + 5 + 5
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == 2 + 4
    alone = OrderPicture(("a", "b"), Permutation((0, 1)), (OrderTree((0, 1)), OrderTree((1, 2))))
    assert ElementTree.fromstring(alone.to_svg()) is not None


def test_no_line_passes_through_the_box_of_another_operator() -> None:
    for permutation in (*all_permutations(6, 6), Permutation((0, 9, 7, 8, 6, 1, 2, 3, 10, 11, 12, 5, 4, 13))):
        words = tuple(f"word{place}" for place in range(len(permutation)))
        tree = OrderTree.gold(Units.of_words(permutation))
        root = ElementTree.fromstring(OrderPicture(words, permutation, (tree,)).to_svg())
        boxes = [
            [float(each.get(name, "")) for name in ("x", "y", "width", "height")]
            for each in root.iter("{http://www.w3.org/2000/svg}rect")
            if each.get("class")
        ]
        assert boxes

        def inside(point: tuple[float, ...], boxes: list[list[float]] = boxes) -> int | None:
            x, y = point
            found = [n for n, (left, top, w, h) in enumerate(boxes) if left < x < left + w and top < y < top + h]
            return found[0] if found else None

        for line in root.iter("{http://www.w3.org/2000/svg}polyline"):
            points = [tuple(map(float, each.split(","))) for each in line.get("points", "").split()]
            ends = [inside(points[0]), inside(points[-1])]  # at a word there is no box
            on_the_way = [
                inside((x + (to - x) * share / 100, y + (low - y) * share / 100))
                for (x, y), (to, low) in pairwise(points)
                for share in range(101)
            ]
            assert ends[0] is not None and {*on_the_way} - {None} == {*ends} - {None}


def test_the_tree_in_a_terminal() -> None:
    lines = picture().text().splitlines()
    assert lines[0] == "12" and "└─ " in lines[-1]
    assert any(line.endswith("it → 3") for line in lines)


def test_a_word_in_a_place_where_it_was_never_seen() -> None:
    """It is taken for an unknown word there, so that sentences are not glued together."""
    given = [
        ([f"{w}{n}" if w == "child" else w for w in words], order) for n, (words, order) in enumerate(examples(150))
    ]
    with_share, without = (grammar(given, binary_states=2, cutoff=1, unseen=share) for share in (0.001, 0.0))
    odd = [["the", "because", "sees", "the", "dog"], ["old", "because", "because", "sees", "likes"]]
    glued = [[each.glued for each in Preorderer(made).order(odd)] for made in (with_share, without)]
    assert sum(glued[0]) < sum(glued[1])


def test_the_typed_order_is_kept_where_little_is_gained() -> None:
    made = grammar(examples(100), binary_states=2)
    sentences = [words for words, _ in examples(40, seed=8)]
    typed = [Permutation.identity(len(words)) for words in sentences]
    free = [each.permutation for each in Preorderer(made, OrderOptions(least_gain=0.0)).order(sentences)]
    never = [each.permutation for each in Preorderer(made, OrderOptions(least_gain=1.0)).order(sentences)]
    some = list(Preorderer(made, OrderOptions(least_gain=0.2)).order(sentences))
    assert never == typed and free != typed
    for words, each, chosen in zip(sentences, some, free, strict=True):
        before = made.parse(words).before
        losses = [
            sum(before[order[y], order[x]] for x in range(len(words)) for y in range(x + 1, len(words)))
            for order in (range(len(words)), chosen.order)
        ]
        gain = (losses[0] - losses[1]) / max(1, len(words) * (len(words) - 1) / 2)
        assert each.permutation == (chosen if gain >= 0.2 else Permutation.identity(len(words)))


def test_moves_further_than_training_sentences_are_long_are_doubted(tmp_path: Path) -> None:
    pairs = [([f"w{n}" for n in range(length)], Permutation(tuple(range(length))[::-1])) for length in (4, 5, 6) * 30]
    made = grammar(pairs, binary_states=2)
    assert made.reach == 6
    words = [f"w{n % 6}" for n in range(40)]
    exact, doubted = made.parse(words), made.parse(words, far=2.0)
    for u in range(40):
        for v in range(u + 1, 40):
            share = 1.0 if v - u <= 6 else (6 / (v - u)) ** 2
            assert doubted.turned[u, v] == pytest.approx(exact.turned[u, v] * share)
    free, near = (Preorderer(made, OrderOptions(far=far)).order_one(words) for far in (0.0, 2.0))
    assert free.permutation.order == tuple(range(40))[::-1]
    assert 0 < max(abs(rank - word) for word, rank in enumerate(near.permutation.ranks)) < 20
    assert near.permutation == doubted.best_order()
    made.save(tmp_path / "grammar")
    assert Preorderer.open(tmp_path / "grammar").order_one(words) == near


def test_the_loss_of_a_sentence_in_pieces_is_a_share_of_its_pairs() -> None:
    made = grammar(examples(60), binary_states=2)
    (found,) = Preorderer(made, OrderOptions(longest=10)).order([["odd"] * 300])
    assert found.cut and 0 <= found.expected_loss <= 1


def test_lattices_have_a_limited_number_of_arcs() -> None:
    either = [Permutation((0, 1, 2, 3)), Permutation((3, 2, 1, 0)), Permutation((1, 0, 3, 2))]  # of the same words
    made = grammar([(["a", "b", "c", "d"], each) for each in either * 30], binary_states=2)
    words = ["a", "b", "c", "d"] * 10
    large, small, tiny = (
        Preorderer(made, OrderOptions(arcs=arcs, boundaries=False)).lattice(words) for arcs in (100_000, 200, 1)
    )
    assert len(large.arcs) > 400 and large.count() == 100
    assert 100 < len(small.arcs) <= 200 and 2 < small.count() < 100
    paths = {path.words for path in large.kbest(100)}
    assert {path.words for path in small.kbest(100)} < paths
    best = made.parse(words, far=2.0).best_order(0).order
    assert {path.words for path in tiny.kbest(9)} == {best, tuple(range(40))}
    short = Preorderer(made).lattice(words[:8])
    assert short == Preorderer(made, OrderOptions(arcs=100_000)).lattice(words[:8])


def test_very_long_lines_have_an_answer() -> None:
    preorderer = Preorderer(grammar(examples(40), binary_states=2))
    words = [word for sentence, _ in examples(2000) for word in sentence]
    short, long, endless = words[:100], words[:3000], (words * 40)[:70_000]
    found = list(preorderer.order([short, endless, long, []]))
    assert [each.kept for each in found] == [False, True, False, False]
    assert [each.cut for each in found] == [False, False, True, False]
    assert found[1].words == endless and found[1].permutation == Permutation.identity(70_000)
    assert found[0] == preorderer.order_one(short)
    for begin in range(0, 3000, 40):  # pieces of 40 words, not of 150
        assert sorted(found[2].permutation.order[begin : begin + 40]) == list(range(begin, begin + 40))
    assert preorderer.lattice(endless).count() == 1
