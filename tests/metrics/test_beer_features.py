"""BEER's features against a slow definition in Python, and the values of the specification."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import metrics as core
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.metrics import BeerFeatures, BeerModel
from pentaglot.metrics.scaling import Scaling

TEXT = st.text(st.sampled_from("ab bc cad é日本。,.'3- \t𝄞"), max_size=40)


def overlap(one: list[object], other: list[object]) -> list[float]:
    return [sum((Counter(one) & Counter(other)).values()), len(one), len(other)]


def ngrams(units: list[str] | str, order: int) -> list[object]:
    return [tuple(units[at : at + order]) for at in range(len(units) - order + 1)]


def pairs(words: list[str], most: int) -> list[object]:
    return [(words[i], words[j]) for i, j in combinations(range(len(words)), 2) if j - i - 1 <= most]


def table_distance(one: list[str] | str, other: list[str] | str) -> int:
    """Insertions, deletions and substitutions, by the textbook's table."""
    row = list(range(len(other) + 1))
    for i, unit in enumerate(one, 1):
        diagonal, row[0] = row[0], i
        for j, wanted in enumerate(other, 1):
            diagonal, row[j] = row[j], min(diagonal + (unit != wanted), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def twin(said: str, wanted: str) -> list[float]:
    """What the core counts, word by word between spaces."""
    sides = said.split(), wanted.split()
    texts = [" ".join(side) for side in sides]
    row: list[float] = []
    for order in range(1, 7):
        row += overlap(*(ngrams(text, order) for text in texts))
    for order in range(1, 5):
        row += overlap(*(ngrams(side, order) for side in sides))
    for order in range(1, 5):
        ends = [
            [("<s>", *side[:order]), (*side[-order:], "</s>")] if len(side) >= order else [] for side in sides
        ]  # fmt: skip
        row += overlap(*([*ngrams(side, order), *end] for side, end in zip(sides, ends, strict=True)))
    for most in (1, 2, 3, 4, 1000):
        row += overlap(*(pairs(side, most) for side in sides))
    edits = [table_distance(*texts), table_distance(*sides)]
    return [*row, *edits, *map(len, sides), *map(len, texts)]


@given(TEXT, TEXT)
@settings(max_examples=300, deadline=None)
def test_counts_are_those_of_the_definition(said: str, wanted: str) -> None:
    assert core.overlaps((said,), (wanted,), False).tolist() == twin(said, wanted)


@pytest.mark.parametrize("size", [63, 64, 65, 127, 128, 129, 300, 520])
def test_edits_of_long_texts(size: int) -> None:
    random = np.random.default_rng(size)
    one, other = (" ".join(random.choice(list("abcd"), size + extra)) for extra in (0, 7))
    for said, wanted in ((one, other), (other, one), (one, one), (one, ""), ("", one)):
        row = core.overlaps((said,), (wanted,), False)
        assert row[-6:-4].tolist() == [table_distance(said, wanted), table_distance(said.split(), wanted.split())]


def test_texts_of_many_different_characters_and_words() -> None:
    # Keys of n-grams have no room for so many: they are renamed on the way.
    random = np.random.default_rng(1)
    lines = ["".join(map(chr, random.integers(0x4E00, 0x9000, 600))) for _ in range(2)]
    lines[1] = lines[0][:300] + lines[1][300:]
    spaced = [" ".join(line) for line in lines]
    for said, wanted in (lines, spaced):
        assert core.overlaps((said,), (wanted,), False).tolist() == twin(said, wanted)


def test_the_values_of_the_specification() -> None:
    said, wanted = ["the cat sat"], ["the cat sat down"]
    plain, symmetric = (BeerFeatures("thesis57", symmetric=each) for each in (False, True))
    found = dict(zip(plain.names, plain.of(said, wanted)[0], strict=True))
    expected = {
        "word1 precision": 1, "word1 recall": 0.75, "word1 f1": 0.857143, "word1 f2": 0.789474, "word1 f0.5": 0.9375,
        "word2 precision": 1, "word2 recall": 2 / 3, "skip precision": 1, "skip recall": 1 / 2,
        "words longer": 1 / 3, "characters longer": 5 / 11, "char1 recall": 11 / 16,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    mirrored = dict(zip(symmetric.names, symmetric.of(said, wanted)[0], strict=True))
    assert mirrored["word1 f2"] == pytest.approx(0.9375) and mirrored["word1 f0.5"] == pytest.approx(0.789474, abs=1e-6)


def test_how_far_pairs_of_words_reach() -> None:
    """Spec 4.1 and 4.2: two words count as a pair of skip k with up to k words between them."""
    for between in range(6):
        wanted = " ".join(["a", *(f"w{number}" for number in range(between)), "z"])
        for template, share, kinds in (
            ("thesis57", "precision", {"skip2": 2, "skip": 9}),
            ("release62", "recall", {"skip1": 1, "skip2": 2, "skip3": 3, "skip4": 4, "skip": 9}),  # the larger
        ):
            features = BeerFeatures(template, symmetric=False)  # type: ignore[arg-type]
            found = dict(zip(features.names, features.of(["a z"], [wanted])[0], strict=True))
            assert {kind: found[f"{kind} {share}"] for kind in kinds} == {
                kind: float(most >= between) for kind, most in kinds.items()
            }


def test_the_sizes_of_templates() -> None:
    assert len(BeerFeatures("thesis57").names) == 57 and len(BeerFeatures("release62").names) == 62
    for template in ("thesis57", "release62"):
        for pieces in (1, 3):
            features = BeerFeatures(template, pieces=pieces)
            assert features.of(["a b"], ["a c"]).shape == (1, len(features.names)) == (1, len(features.directions))


@given(TEXT, TEXT)
@settings(max_examples=100, deadline=None)
def test_symmetric_features_do_not_tell_the_sides_apart(one: str, other: str) -> None:
    for template in ("thesis57", "release62"):
        features = BeerFeatures(template)
        assert features.of([one], [other]).tolist() == features.of([other], [one]).tolist()


@given(TEXT, TEXT, st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_nothing_agrees_better_with_a_reference_than_its_copy(said: str, wanted: str, pieces: int) -> None:
    for template in ("thesis57", "release62"):
        features = BeerFeatures(template, pieces=pieces)
        counts = features.counts([said, wanted], [wanted, wanted])
        rows, copies = features.from_counts(counts), features.copies(counts)
        assert rows[1] == pytest.approx(copies[0])
        assert (features.directions * (copies[0] - rows[0]) >= -1e-12).all()


def test_curves_add_up_to_the_feature() -> None:
    plain, pieces = (BeerFeatures(pieces=each) for each in (1, 5))
    said, wanted = ["the old cat", "a dog sat there"], ["the cat sat", "the dog sat"]
    shares = pieces.of(said, wanted)[:, :-2].reshape(2, -1, 5).mean(axis=2)
    assert shares == pytest.approx(plain.of(said, wanted)[:, :-2])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Don't go, now!", 5),  # Don't go , now !
        ("3.5 and 12,345.", 4),
        ("日本語です", 5),
        ("«Oui»", 3),
        ("\ufeffword", 1),
        ("a\u200bb", 1),
        ("well-known - fact", 3),
        ("በስብሰባ፣ ነበሩ።", 4),
        ("", 0),
    ],
)
def test_how_words_are_found(line: str, words: int) -> None:
    assert core.overlaps((line,), (line,))[-4] == words


def test_marks_that_nobody_sees_do_not_count() -> None:
    for mark in "\u00ad\u061c\u200b\u200f\u202a\u202e\u2060\u2066\u2069\ufeff":
        assert core.cut_words((f"{mark}של{mark}ום {mark} a{mark}",), True) == ("שלום a",)


def test_letters_of_words_without_spaces() -> None:
    """A letter of Thai is a word by itself for want of better ones, but characters are as they are written."""
    for text, words, characters in (
        ("กินข้าว", 7, 7), ("กิน ข้าว", 7, 7),
        ("กข 3ค!", 5, 8), ("吃饭", 2, 3),
    ):  # fmt: skip
        assert core.overlaps((text,), (text,))[[-4, -2]].tolist() == [words, characters]
    assert core.overlaps(("ก ข",), ("ก",), False)[-2] == 3
    said, wanted = "กินข้าว", "กินน้ำ"
    found = core.overlaps((said,), (wanted,))
    assert found[:18].tolist() == twin(said, wanted)[:18] and found[-6] == table_distance(said, wanted)


@given(TEXT, TEXT, st.integers(0, 2**19 - 1))
@settings(max_examples=100, deadline=None)
def test_kinds_that_are_wanted_are_those_of_all(said: str, wanted: str, kinds: int) -> None:
    every = core.overlaps((said,), (wanted,))
    some = core.overlaps((said,), (wanted,), kinds=kinds)
    for kind in range(19):
        if kinds >> kind & 1:
            assert some[3 * kind : 3 * kind + 3].tolist() == every[3 * kind : 3 * kind + 3].tolist()
    assert some[-4:].tolist() == every[-4:].tolist()


@pytest.mark.parametrize("template", ["thesis57", "release62", "release11", "edits59"])
@pytest.mark.parametrize("pieces", [1, 3])
def test_features_without_weight_are_not_needed(template: str, pieces: int) -> None:
    random = np.random.default_rng(7)
    lines = [" ".join(random.choice(list("abcdefgh"), random.integers(0, 12))) for _ in range(60)]
    features = BeerFeatures(template, pieces=pieces)  # type: ignore[arg-type]
    for _ in range(10):
        weights = np.where(random.random(len(features.names)) < 0.1, random.random(len(features.names)), 0.0)
        model = BeerModel(features, tuple(weights.tolist()), Scaling())
        every = model.features.counts(lines, lines[::-1])
        assert model.scores(lines, lines[::-1]).tolist() == model.from_counts(every).tolist()
    some = features.counts(lines, lines[::-1], needed=["char2 f1", "characters alike"])
    assert some[:, 3:6].any() and not some[:, :3].any() and not some[:, 6 : 3 * 19].any()


def test_any_number_of_threads_gives_the_same() -> None:
    lines = tuple(f"line {number} {number % 7} of {number % 3}" for number in range(2000))
    one, eight = (core.overlaps(lines, lines[::-1], True, threads) for threads in (1, 8))
    assert one.tobytes() == eight.tobytes()


def test_very_long_lines_take_bounded_time() -> None:
    long = " ".join(map(str, range(20_000)))
    counts = core.overlaps((long,), (long,), False)
    assert counts[-4] == 20_000 and counts[54 - 3 + 1] <= 4_000_000


def test_long_lines_of_different_words_take_little_memory() -> None:
    script = (
        "import resource; from pentaglot._core import metrics\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
        "lines = [' '.join(side + str(at) for at in range(40_000)) for side in 'vw']\n"
        "before = peak(); edits = metrics.overlaps((lines[0],), (lines[1],), False, 1, 1 << 20)[-5]\n"
        "print(int(edits), peak() - before)"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    edits, megabytes = map(int, found.stdout.split())
    assert edits == 40_000 and megabytes < 100


def test_odd_input() -> None:
    with pytest.raises(Exception, match="each hypothesis needs one reference"):
        core.overlaps(("a",), ())
    with pytest.raises(Exception, match="segment 1 cannot be encoded as UTF-8"):
        core.overlaps(("\ud800",), ("a",))
    empty = BeerFeatures().of(["", "a", ""], ["", "", "a"])
    assert np.isfinite(empty).all() and empty[1:, -2:].max() == 10


def test_edits_beside_the_thesis() -> None:
    features, plain = BeerFeatures("edits59"), BeerFeatures("thesis57")
    said, wanted = ["the cat sat", "", "a"], ["the cat sat down", "", ""]
    found = features.of(said, wanted)
    assert len(features.names) == 59 and features.names[-4:-2] == ("characters alike", "words alike")
    assert (np.delete(found, [55, 56], axis=1) == plain.of(said, wanted)).all()
    assert found[:, 55:57].tolist() == [[11 / 16, 3 / 4], [1, 1], [0, 0]]
    copies = features.copies(features.counts(said, wanted))
    assert copies[:, 55:57].tolist() == [[1, 1]] * 3


def test_the_template_of_release_11() -> None:
    """Spec 4.3: characters, matched words by stage and by kind, Kendall, permutation trees."""
    features = BeerFeatures("release11", symmetric=False, function_words=("the", "of"))
    said, wanted = "the cats sat of old house", "the old house of the cat"
    named = dict(zip(features.names, features.of([said], [wanted])[0].tolist(), strict=True))
    assert len(named) == 3 * (6 + 4) + 7
    assert named["exact precision"] == 4 / 6 and named["exact recall"] == 4 / 6
    assert named["similar precision"] == 0
    assert named["function precision"] == 1 and named["function recall"] == 2 / 3
    assert named["content precision"] == 2 / 4 and named["content recall"] == 2 / 3
    assert named["kendall"] == pytest.approx(4 / 6)  # the of old house, seen from the reference: 1 3 4 2
    assert named["kendall scaled"] == pytest.approx(4 / 6 * np.exp(1 - 6 / 4))
    shares = [named[f"trees {each}"] for each in ("straight", "turned", "four", "more")]
    assert shares == pytest.approx([2 / 3, 1 / 3, 0, 0])
    turned = dict(zip(features.names, features.of(["b d a c"], ["a b c d"])[0].tolist(), strict=True))
    assert turned["trees four"] == 1 and turned["trees number"] == 0 and turned["kendall"] == 0.5


@pytest.mark.parametrize("template", ["thesis57", "release62", "release11", "edits59"])
def test_symmetric_features_do_not_tell_sides_apart(template: str) -> None:
    """Spec 7.8, property 9."""
    random = np.random.default_rng(5)
    words = ["the", "of", "walks", "walked", "house", "a", "b"]
    lines = [" ".join(random.choice(words, random.integers(0, 12))) for _ in range(200)]
    features = BeerFeatures(template, function_words=("the", "of"))  # type: ignore[arg-type]
    assert features.of(lines, lines[::-1]) == pytest.approx(features.of(lines[::-1], lines))
    plain = BeerFeatures(template, symmetric=False, function_words=("the", "of"))  # type: ignore[arg-type]
    differs = np.abs(plain.of(lines, lines[::-1]) - plain.of(lines[::-1], lines)).max()
    assert (differs > 0.1) == (template != "release62")
    for each in (features, plain):
        assert each.of(lines, lines) == pytest.approx(each.copies(each.counts(lines, lines)))


@pytest.mark.parametrize("template", ["thesis57", "release62", "release11", "edits59"])
def test_symmetric_scores_do_not_tell_sides_apart(template: str) -> None:
    """Spec 7.8, property 9, also where one text is too short to have all n-grams, and the other is not."""
    random = np.random.default_rng(6)
    lines = ["", "a", "the house", *(" ".join(random.choice(["the", "of", "a", "walks"], size)) for size in range(12))]
    said, wanted = zip(*((one, other) for one in lines for other in lines), strict=True)
    features = BeerFeatures(template, function_words=("the", "of"))  # type: ignore[arg-type]
    weights = features.directions * random.random(len(features.names))
    for model in (BeerModel(features, tuple(weights.tolist()), Scaling()), BeerModel.shipped()):
        scores = model.scores(said, wanted)
        assert scores.tolist() == pytest.approx(model.scores(wanted, said).tolist(), abs=1e-12)
        assert [score == 1 for score in scores] == [one == other for one, other in zip(said, wanted, strict=True)]


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("template", ["thesis57", "release62", "release11", "edits59"])
def test_nothing_agrees_with_an_empty_text(template: str, symmetric: bool) -> None:
    features = BeerFeatures(template, symmetric=symmetric, without=("lengths", "edits"))  # type: ignore[arg-type]
    for kind, numbers in (("share", ()), ("probability", ()), ("linear", (0.5, 0.5))):
        model = BeerModel(features, (1.0,) * len(features.names), Scaling(kind, numbers))  # type: ignore[arg-type]
        assert model.scores(["a b", "", "\ufeff"], ["", "a b", "a"]).tolist() == [0, 0, 0]
        assert model.scores([""], [" "])[0] == model.scaling.scores(np.zeros(1), np.zeros(1))[0]


@pytest.mark.parametrize("pieces", [1, 3])
def test_groups_can_be_left_out(pieces: int) -> None:
    names = BeerFeatures("release11", pieces=pieces).names
    for group, marks in {
        "characters": ["char"], "f": [" f1"], "trees": ["trees"], "kendall": ["kendall"],
        "words": ["exact", "similar", "function", "content"], "order": ["trees", "kendall"],
    }.items():  # fmt: skip
        features = BeerFeatures("release11", pieces=pieces, without=(group,))
        left = [name for name in names if not any(mark in name for mark in marks)]
        assert list(features.names) == left and 0 < len(left) < len(names)
        assert features.of(["a b"], ["b a c"]).shape == features.copies(features.counts(["a"], ["b"])).shape
        assert features.of(["a b"], ["b a c"]).shape == (1, len(left)) and len(features.directions) == len(left)
    assert len(BeerFeatures("thesis57", without=("lengths",)).names) == 55
    assert BeerFeatures("edits59", without=("words", "characters")).names == (
        "characters alike", "words alike", "words longer", "characters longer"
    )  # fmt: skip
    with pytest.raises(OptionError, match="no group of features 'word'; did you mean 'words'"):
        BeerFeatures(without=("word",))
    with pytest.raises(OptionError, match="no features are left"):
        BeerFeatures("thesis57", without=("words", "characters", "lengths"))


def test_templates_that_do_not_exist() -> None:
    with pytest.raises(OptionError, match="option 'template' cannot be 'thesis58'; did you mean 'thesis57'"):
        BeerFeatures("thesis58")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="option 'pieces' is 0"):
        BeerFeatures(pieces=0)
    with pytest.raises(PentaglotError, match="a text is given where a list of names is needed"):
        BeerFeatures(without="f")  # type: ignore[arg-type]
    assert BeerFeatures(pieces=np.int64(2), without=["f"]) == BeerFeatures(pieces=2, without=("f",))  # type: ignore[arg-type]
