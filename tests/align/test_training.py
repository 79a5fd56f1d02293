"""Training: equal to enumeration of all alignments, the same with any number of threads, never nan."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st

from pentaglot._core import align as native
from pentaglot._core.align import digamma
from pentaglot.align import Aligner, AlignOptions, train
from pentaglot.align.words import spellings, words_of
from pentaglot.corpus import Bitext
from pentaglot.errors import PentaglotError

from .twins import Twin, first_jumps, iterate

SENTENCES = [
    ("das haus ist klein", "the house is small"),
    ("das haus", "the house"),
    ("klein", "is small"),
    ("das buch ist", "book"),
]


def bitext_of(pairs: list[tuple[str, str]]) -> Bitext:
    return Bitext.from_sentences([s.split() for s, _ in pairs], [t.split() for _, t in pairs])


def native_trainer(
    bitext: Bitext,
    *,
    agreement: bool,
    smoothing: float,
    stems: int = 0,
    threads: int = 1,
    bytes_in_copies: int = 1 << 30,
) -> native.Trainer:
    options = native.TrainingOptions(
        null_probability=0.2,
        agreement=agreement,
        smoothing=smoothing,
        null_smoothing=smoothing,
        spelling=0.0,
        stem_letters=stems,
        stem_strength=3.0,
        variational=False,
        jump_uniform=0.1,
        jump_strength=10.0,
        longest=100,
        bytes_in_copies=bytes_in_copies,
    )
    return native.Trainer(
        bitext.source,
        bitext.target,
        len(bitext.source_vocabulary),
        len(bitext.target_vocabulary),
        spellings(words_of(bitext.source_vocabulary)),
        spellings(words_of(bitext.target_vocabulary)),
        options,
        {},
        threads,
    )


def twins_of(bitext: Bitext, smoothing: float, stems: int = 0) -> tuple[Twin, Twin]:
    pairs = [bitext.pair(k) for k in range(len(bitext))]
    pairs = [(source, target) for source, target in pairs if source and target]
    twins = (
        Twin(pairs, len(bitext.target_vocabulary), 0.2, 0.1, smoothing),
        Twin([(target, source) for source, target in pairs], len(bitext.source_vocabulary), 0.2, 0.1, smoothing),
    )
    for twin in twins:
        twin.stem_letters, twin.stem_strength = stems, 3.0
    return twins


def assert_equal_parameters(trainer: native.Trainer, twins: tuple[Twin, Twin], bitext: Bitext) -> None:
    found = trainer.parameters()
    rows, columns = found["rows"], found["columns"]
    chances = found["probabilities"].reshape(-1, 2)
    seen = 0
    for word in range(len(rows) - 1):
        for cell in range(int(rows[word]), int(rows[word + 1])):
            pair = bitext.source_vocabulary.word(word), bitext.target_vocabulary.word(int(columns[cell]))
            assert chances[cell, 0] == pytest.approx(twins[0].lexicon[pair], abs=1e-9)
            assert chances[cell, 1] == pytest.approx(twins[1].lexicon[pair[1], pair[0]], abs=1e-9)
            seen += 1
    assert seen == len(twins[0].lexicon)
    for name, twin, vocabulary in (
        ("to_target", twins[0], bitext.target_vocabulary),
        ("to_source", twins[1], bitext.source_vocabulary),
    ):
        for word, chance in twin.null.items():
            assert found[f"null_{name}"][vocabulary.find(word)] == pytest.approx(chance, abs=1e-9)
        assert found[f"jumps_{name}"] == pytest.approx(np.concatenate(twin.jumps), abs=1e-9)


FORMS = [("kleines haus", "small houses"), ("das kleine haus", "the small house"), ("kleine", "smaller")]


@pytest.mark.parametrize("agreement", [False, True])
@pytest.mark.parametrize("model", ["ibm1", "hmm"])
@pytest.mark.parametrize(("stems", "classes"), [(0, 1), (4, 1), (4, 3)])
def test_iterations_equal_enumeration(model: str, agreement: bool, stems: int, classes: int) -> None:
    bitext = bitext_of(SENTENCES + FORMS)
    trainer = native_trainer(bitext, agreement=agreement, smoothing=0.01, stems=stems)
    twins = twins_of(bitext, 0.01, stems)
    for way, twin, vocabulary in zip(
        (native.Direction.to_target, native.Direction.to_source),
        twins,
        (bitext.source_vocabulary, bitext.target_vocabulary),
        strict=True,
    ):
        numbers = np.arange(len(vocabulary), dtype=np.uint16) % classes
        trainer.set_classes(way, numbers.astype(np.uint16), classes)
        twin.classes = {word: int(numbers[vocabulary.find(word)]) for word in words_of(vocabulary)}
        twin.word_classes, twin.jumps = classes, [first_jumps() for _ in range(classes + 2)]
    for step in ["ibm1", model, model]:
        wanted = iterate(twins, step, agreement=agreement)
        found = trainer.iterate(getattr(native.AlignmentModel, step))
        assert found == pytest.approx(wanted, abs=1e-9)
        assert_equal_parameters(trainer, twins, bitext)


words = st.lists(st.sampled_from(["aa", "ab", "c"]), max_size=3).map(" ".join)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(words, words).filter(all), min_size=1, max_size=4),
    st.booleans(),
    st.sampled_from([0.0, 0.5]),
    st.sampled_from([0, 1]),
)
def test_random_corpora_equal_enumeration(
    pairs: list[tuple[str, str]], agreement: bool, smoothing: float, stems: int
) -> None:
    bitext = bitext_of([*pairs, ("", ""), ("", "")])
    twins = twins_of(bitext, smoothing, stems)
    trainer = native_trainer(bitext, agreement=agreement, smoothing=smoothing, stems=stems)
    for step in ["ibm1", "hmm"]:
        wanted = iterate(twins, step, agreement=agreement)
        assert trainer.iterate(getattr(native.AlignmentModel, step)) == pytest.approx(wanted, abs=1e-9)
    assert_equal_parameters(trainer, twins, bitext)


def test_the_diagonal_prior_by_its_formula() -> None:
    """One iteration of the fast model from uniform probabilities has the prior itself as posterior."""
    bitext = bitext_of([("a b c", "x y")])
    trainer = native_trainer(bitext, agreement=False, smoothing=0.0)
    likelihood = trainer.iterate(native.AlignmentModel.fast)[0]
    assert likelihood == pytest.approx(2 * math.log(1 / len(bitext.target_vocabulary)))
    found = trainer.parameters()
    for i, word in enumerate("abc"):
        weights = {}
        for j, other in enumerate("xy", 1):
            prior = [math.exp(-4 * abs((k + 1) / 3 - j / 2)) for k in range(3)]
            weights[other] = prior[i] / sum(prior)
        row = int(found["rows"][bitext.source_vocabulary.find(word)])
        for cell in (row, row + 1):
            other = bitext.target_vocabulary.word(int(found["columns"][cell]))
            assert found["probabilities"][2 * cell] == pytest.approx(weights[other] / sum(weights.values()), abs=1e-9)


def test_tension_rises_when_links_are_on_the_diagonal() -> None:
    pairs = [(" ".join(f"s{(k + n) % 50}" for k in range(9)), " ".join(f"t{(k + n) % 50}" for k in range(9)))
             for n in range(50)]  # fmt: skip
    aligner = train(bitext_of(pairs), AlignOptions(model="fast", iterations=5))
    assert (aligner.tables["tension"] > 4.5).all()


@given(st.floats(1e-6, 1e6))
def test_digamma(x: float) -> None:
    assert digamma(x) == pytest.approx(float(scipy.special.digamma(x)), rel=1e-9, abs=1e-9)


def corpus(pairs: int, seed: int = 1) -> Bitext:
    """A language whose words are translated one by one, now and then with two neighbours exchanged."""
    chooser = random.Random(seed)
    made = []
    for _ in range(pairs):
        words = [f"{chooser.choice('bdfgk')}{chooser.randrange(40)}" for _ in range(chooser.randrange(1, 12))]
        other = [f"x{word}" for word in words if word != "b0"]
        if len(other) > 2 and chooser.random() < 0.3:
            other[0], other[1] = other[1], other[0]
        made.append((" ".join(words), " ".join(other)))
    return bitext_of(made)


@pytest.mark.parametrize(
    "options",
    [
        AlignOptions(),
        AlignOptions(classes=6),
        AlignOptions(model="fast", variational=True, agreement=False, smoothing=0.01),
        AlignOptions(model="ibm1"),
    ],
    ids=["hmm", "classes", "fast", "ibm1"],
)
def test_same_bytes_with_any_number_of_threads(tmp_path: Path, options: AlignOptions) -> None:
    bitext = corpus(3000)
    files = []
    for threads in (1, 2, 8):
        aligner = train(bitext, options, threads=threads)
        aligner.save(tmp_path / str(threads))
        alignment = aligner.align(bitext, threads=threads)
        alignment.save(tmp_path / f"{threads}.links", bitext)
        files.append(
            {
                str(path.relative_to(root)): path.read_bytes()
                for root in (tmp_path / str(threads), tmp_path / f"{threads}.links")
                for path in sorted(root.rglob("*.*"))
                if path.is_file()
            }
        )
    assert files[0] == files[1] == files[2]
    assert len(files[0]) > 20


def test_same_bits_whether_threads_share_counts_or_not() -> None:
    bitext = corpus(2000)
    found = []
    for threads, copies in ((1, 1 << 30), (4, 1 << 30), (4, 0)):
        trainer = native_trainer(bitext, agreement=True, smoothing=0.0, threads=threads, bytes_in_copies=copies)
        likelihoods = [trainer.iterate(model) for model in (native.AlignmentModel.ibm1, native.AlignmentModel.hmm)]
        found.append((likelihoods, {name: array.tobytes() for name, array in trainer.parameters().items()}))
    assert found[0] == found[1] == found[2]


def test_plain_ibm1_never_gets_less_likely() -> None:
    options = AlignOptions(model="ibm1", agreement=False, smoothing=0.0, spelling=0.0, iterations=15, stop=0.0)
    log = train(corpus(300), options).log
    assert len(log) == 15
    for before, after in itertools.pairwise(log):
        assert after.perplexity_to_target <= before.perplexity_to_target + 1e-9
        assert after.perplexity_to_source <= before.perplexity_to_source + 1e-9


def test_training_stops_when_nothing_improves() -> None:
    log = train(corpus(300), AlignOptions(model="ibm1", agreement=False, iterations=200, stop=0.01)).log
    assert 2 < len(log) < 50


def test_the_corpus_is_learnt() -> None:
    bitext = corpus(3000)
    alignment = train(bitext).align(bitext)
    right = wrong = 0
    for number in range(len(bitext)):
        source, target = bitext.pair(number)
        for i, j in alignment.links(number):
            right += target[j] == f"x{source[i]}"
            wrong += target[j] != f"x{source[i]}"
    assert wrong < 0.01 * right
    assert right > 0.95 * bitext.target.words


def finite(aligner: Aligner, bitext: Bitext) -> bool:
    alignment = aligner.align(bitext)
    tables = [each for each in aligner.tables.values() if each.dtype.kind == "f"]
    values = [*tables, alignment.strengths, alignment.scores]
    log = [x for each in aligner.log for x in (each.perplexity_to_target, each.perplexity_to_source)]
    return all(np.isfinite(each).all() for each in values if each is not None) and np.isfinite(log).all()


@pytest.mark.parametrize("model", ["hmm", "fast", "ibm1"])
@pytest.mark.parametrize("variational", [False, True])
@pytest.mark.parametrize(
    "pairs",
    [
        [("a", "b")],
        [("a", "b"), ("", "c"), ("d", ""), ("", "")],
        [("a", " ".join(["b"] * 60)), (" ".join(["a"] * 60), "b")],
        [(" ".join(f"w{k}" for k in range(500)), " ".join(f"v{k % 400}" for k in range(490)))],
        [("das haus", "the house")] * 10_000,
    ],
    ids=["one word", "empty sides", "lopsided", "500 words", "repeated 10,000 times"],
)
def test_no_nan(pairs: list[tuple[str, str]], variational: bool, model: str) -> None:
    bitext = bitext_of(pairs)
    for smoothing in (0.0, 0.01):
        options = AlignOptions(
            model=model,  # type: ignore[arg-type]
            variational=variational,
            smoothing=smoothing,
            spelling=0.0,
            iterations=3,
            stop=0.0,
        )
        assert finite(train(bitext, options), bitext)


def test_zero_counts_do_not_become_nan() -> None:
    """Agreement drives counts of rare words to nothing; no row may divide by zero."""
    bitext = corpus(200)
    aligner = train(bitext, AlignOptions(smoothing=0.0, spelling=0.0, iterations=60, stop=0.0))
    assert finite(aligner, bitext)


def test_pairs_that_are_too_long_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    bitext = bitext_of([("a b", "x y"), ("a " * 30, "x")])
    aligner = train(bitext, AlignOptions(longest=20))
    alignment = aligner.align(bitext)
    assert alignment.links(1) == [] and alignment.links(0)
    assert "1 pairs have more than 20 words" in caplog.text


def test_nothing_to_train_on() -> None:
    with pytest.raises(PentaglotError, match="no sentence pair to train on"):
        train(bitext_of([("", "a"), ("b", "")]))


def test_going_on_with_new_data() -> None:
    old, new = corpus(2000), bitext_of([("neu b1", "new xb1"), ("neu d1", "new xd1"), ("neu", "new")] * 20)
    first = train(old)
    then = train(new, start=first)
    assert then.align_pair(["neu", "b1"], ["new", "xb1"]) == [(0, 0), (1, 1)]
    assert then.align_pair(["k3", "f7"], ["xk3", "xf7"]) == [(0, 0), (1, 1)], "the old data is not forgotten"
    assert len(then.log) > len(first.log)
    kept = {(each.source, each.target) for each in then.lexicon(minimum=0.5)}
    assert ("neu", "new") in kept and ("k3", "xk3") in kept


def test_forms_of_a_word_help_each_other() -> None:
    pairs = [("βλέπω τὸν λόγον", "see word"), ("βλέπω τὴν πόλιν", "see city"), ("λόγος", "word"), ("πόλις", "city")]
    bitext = bitext_of([*pairs * 3, ("πόλεων λόγων", "words cities")])
    strangers, forms = (
        train(bitext, AlignOptions(stems=letters)).posteriors(["πόλεων", "λόγων"], ["words", "cities"]).mean
        for letters in (0, 3)
    )
    assert strangers[1, 0] < 0.2, "without stems only the order tells anything"
    assert forms[1, 0] > 0.6


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("houses", "hous"),
        ("be", "be"),
        ("λόγων", "λόγω"),
        ("12345", "12345"),
        ("日本人", "日"),
        ("はじめに", "はじめに"),
        ("", ""),
    ],
)
def test_stems(word: str, stem: str) -> None:
    assert native.stem_of(word, 4) == stem


def test_words_spelt_alike_find_each_other() -> None:
    pairs = [("Obama spricht laut", "Obama speaks loudly"), ("er sah Merkel gestern", "yesterday he saw Merkel")]
    bitext = bitext_of(pairs)
    alignment = train(bitext).align(bitext, threshold=0.3)
    assert (0, 0) in alignment.links(0) and (2, 3) in alignment.links(1)
