"""A trained aligner: posteriors against enumeration, unknown words, saving, loading, damage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pentaglot import storage
from pentaglot._core.align import JUMP_CLASSES
from pentaglot.align import Aligner, AlignOptions, train
from pentaglot.align.options import SYMMETRISATIONS
from pentaglot.corpus import Bitext, Tokenizer
from pentaglot.errors import PentaglotError, StorageError

from .test_training import SENTENCES, bitext_of, corpus
from .twins import Twin


@pytest.fixture(scope="module")
def aligner() -> Aligner:
    return train(corpus(1500), AlignOptions(classes=4))


@pytest.mark.parametrize("model", ["ibm1", "hmm"])
def test_posteriors_equal_enumeration(model: str) -> None:
    aligner = train(
        bitext_of(SENTENCES), AlignOptions(model=model, spelling=0.0, agreement=False, warm_up=1, iterations=1)
    )  # type: ignore[arg-type]
    source, target = ["das", "haus", "ist", "klein"], ["the", "house", "is", "small"]
    found = aligner.posteriors(source, target)
    chances = {
        (each.source, each.target): (each.target_given_source, each.source_given_target) for each in aligner.lexicon()
    }
    assert all((s, t) in chances for s in source for t in target), "small corpora keep all their pairs"
    for way, name, pair in ((0, "to_target", (source, target)), (1, "to_source", (target, source))):
        vocabulary = (aligner.target_vocabulary, aligner.source_vocabulary)[way]
        twin = Twin([pair], len(vocabulary), aligner.options.null_probability, aligner.options.jump_uniform)
        twin.lexicon = {
            (one, other): chances[(one, other) if way == 0 else (other, one)][way]
            for one in pair[0]
            for other in pair[1]
        }
        twin.null = {word: max(1e-12, float(aligner.tables[f"null_{name}"][vocabulary.find(word)])) for word in pair[1]}
        twin.jumps = aligner.tables[f"jumps_{name}"].reshape(-1, JUMP_CLASSES).tolist()
        twin.word_classes = len(twin.jumps) - 2
        generating = (aligner.source_vocabulary, aligner.target_vocabulary)[way]
        twin.classes = {word: int(aligner.tables[f"classes_{name}"][generating.find(word)]) for word in pair[0]}
        real, null, total = twin.posteriors(*pair, model)
        matrix = found.to_target.T if way == 0 else found.to_source
        assert matrix == pytest.approx(np.array(real), abs=1e-9)
        assert (found.target_from_nothing, found.source_from_nothing)[way] == pytest.approx(null, abs=1e-9)
        assert found.log_likelihoods[way] == pytest.approx(np.log(total), abs=1e-9)


def test_posteriors_are_distributions(aligner: Aligner) -> None:
    found = aligner.posteriors(["b1", "k2", "nie"], ["xk2", "xb1", "gesehen", "xb3"])
    assert found.to_target.sum(axis=0) + found.target_from_nothing == pytest.approx(np.ones(4))
    assert found.to_source.sum(axis=1) + found.source_from_nothing == pytest.approx(np.ones(3))
    assert found.mean.shape == (3, 4)


def test_save_and_open_give_the_same_links(tmp_path: Path, aligner: Aligner) -> None:
    bitext = corpus(300, seed=9)
    aligner.save(tmp_path / "model")
    opened = Aligner.open(tmp_path / "model")
    assert opened.options == aligner.options and opened.log == aligner.log and opened.tokenizers is None
    for name in SYMMETRISATIONS:
        before, after = (each.align(bitext, symmetrise=name) for each in (aligner, opened))  # type: ignore[arg-type]
        assert np.array_equal(before.source, after.source) and np.array_equal(before.offsets, after.offsets)
        assert before.strengths is not None and np.array_equal(before.strengths, after.strengths)
    opened.save(tmp_path / "again")
    for file in sorted((tmp_path / "model").glob("*.npy")):
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


def test_a_pair_is_aligned_as_in_a_corpus(aligner: Aligner) -> None:
    bitext = corpus(100, seed=5)
    alignment = aligner.align(bitext)
    for number in range(len(bitext)):
        assert aligner.align_pair(*bitext.pair(number)) == alignment.links(number)
    assert aligner.align_pair([], ["xb1"]) == aligner.align_pair(["b1"], []) == []


def test_unknown_words_go_by_spelling_and_place(aligner: Aligner) -> None:
    assert aligner.align_pair(["b1", "Timbuktu", "k2"], ["xb1", "Timbuktu", "xk2"]) == [(0, 0), (1, 1), (2, 2)]
    assert (1, 1) in aligner.align_pair(["b1", "gänzlich", "k2"], ["xb1", "altogether", "xk2"], threshold=0.3)


def test_capitals_and_joiners_do_not_matter(aligner: Aligner) -> None:
    assert aligner.align_pair(["B1", "￭k2"], ["XB1￭", "xk2"]) == aligner.align_pair(["b1", "k2"], ["xb1", "xk2"])
    strict = train(bitext_of([("A b", "X y"), ("a b", "x y")]), AlignOptions(lowercase=False))
    assert {"A", "a"} <= {each.source for each in strict.lexicon()}


def test_words_never_seen_are_compared_without_their_joiners(aligner: Aligner) -> None:
    marked = aligner.posteriors(["￭Bratislava", "b1"], ["xb1", "Bratislava￭"])
    plain = aligner.posteriors(["Bratislava", "b1"], ["xb1", "Bratislava"])
    assert np.array_equal(marked.to_target, plain.to_target) and np.array_equal(marked.to_source, plain.to_source)
    assert plain.to_target[0, 1] > 0.5


def test_higher_thresholds_give_fewer_links(aligner: Aligner) -> None:
    bitext = corpus(200, seed=3)
    for name in ("posterior-product", "posterior-mean"):
        found = [
            set(zip(np.repeat(np.arange(200), np.diff(a.offsets.astype(int))), a.source, a.target, strict=True))
            for a in (aligner.align(bitext, symmetrise=name, threshold=t, grow=1.0) for t in (0.1, 0.5, 0.9))  # type: ignore[arg-type]
        ]
        assert found[0] >= found[1] >= found[2] and len(found[0]) > len(found[2])
    product = aligner.align(bitext, symmetrise="posterior-product", threshold=0.7, grow=1.0)
    assert product.strengths is not None and product.strengths.min() >= 0.7 - 1e-6


@pytest.mark.parametrize("name", ["posterior-mean", "posterior-product"])
def test_links_grow_along_links(aligner: Aligner, name: Any) -> None:
    bitext = corpus(150, seed=12)
    added = 0
    for number in range(len(bitext)):
        source, target = bitext.pair(number)
        target = ["unseen", *target[:2], "new", *target[2:]]
        found = aligner.posteriors(source, target)
        strengths = found.mean if name == "posterior-mean" else np.sqrt(found.to_target * found.to_source)
        links = before = {(i, j) for i, j in np.ndindex(strengths.shape) if strengths[i, j] >= 0.9}
        while True:
            new = {
                (i, j)
                for i, j in np.ndindex(strengths.shape)
                if strengths[i, j] >= 0.02 * 0.9
                and (all(i != link[0] for link in links) or all(j != link[1] for link in links))
                and links & {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)}
            }
            if not new:
                break
            links = links | new
        assert aligner.align_pair(source, target, symmetrise=name, threshold=0.9, grow=0.02) == sorted(links)
        assert aligner.align_pair(source, target, symmetrise=name, threshold=0.9, grow=1.0) == sorted(before)
        added += len(links) - len(before)
    assert added > 5


@pytest.mark.parametrize("name", ["posterior-mean", "posterior-product", "intersection"])
def test_words_left_alone_get_the_likeliest_link_of_their_own_direction(aligner: Aligner, name: Any) -> None:
    bitext = corpus(150, seed=11)
    added = 0
    for number in range(len(bitext)):
        source, target = bitext.pair(number)
        target = ["unseen", *target[:2], *target[:1], *target[2:]]  # words that are hard to place
        before = set(aligner.align_pair(source, target, symmetrise=name, threshold=0.9))
        found = aligner.posteriors(source, target)
        for least in (0.2, 0.6):
            wanted = set(before)
            for j in set(range(len(target))) - {link[1] for link in before}:
                best = int(found.to_target[:, j].argmax())
                wanted |= {(best, j)} if found.to_target[best, j] >= least else set()
            for i in set(range(len(source))) - {link[0] for link in before}:
                best = int(found.to_source[i].argmax())
                wanted |= {(i, best)} if found.to_source[i, best] >= least else set()
            links = aligner.align_pair(source, target, symmetrise=name, threshold=0.9, complete=least)
            assert links == sorted(wanted)
            added += len(wanted) - len(before)
    assert added > 20


def test_lexical_probabilities_sum_to_one() -> None:
    aligner = train(bitext_of(SENTENCES), AlignOptions(agreement=False, spelling=0.0, stems=0))
    sums: dict[str, float] = {}
    for each in aligner.lexicon():
        sums[each.source] = sums.get(each.source, 0.0) + each.target_given_source
    assert sums == pytest.approx(dict.fromkeys(sums, 1.0), abs=1e-4)
    assert "<null>" in sums


def test_tokenizers_are_kept(tmp_path: Path) -> None:
    chosen = (Tokenizer("none"), Tokenizer("characters"))
    train(bitext_of(SENTENCES), tokenizers=chosen).save(tmp_path / "model")
    assert Aligner.open(tmp_path / "model").tokenizers == chosen


def test_damage_is_named(tmp_path: Path, aligner: Aligner) -> None:
    aligner.save(tmp_path / "model")
    file = tmp_path / "model" / "probabilities.npy"
    whole = file.read_bytes()
    file.write_bytes(whole[:-8])
    with pytest.raises(StorageError, match="probabilities.npy: is cut short"):
        Aligner.open(tmp_path / "model")
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(StorageError, match="was altered"):
        Aligner.open(tmp_path / "model")
    with pytest.raises(StorageError, match="there is no aligner here"):
        Aligner.open(tmp_path / "nowhere")


def test_a_newer_version_is_named(tmp_path: Path) -> None:
    with storage.create(tmp_path / "model", kind="aligner", version=99) as new:
        new.add("rows", np.zeros(1, np.uint64))
    with pytest.raises(StorageError, match="newer Pentaglot"):
        Aligner.open(tmp_path / "model")


@pytest.mark.parametrize("name", ["rows", "columns", "probabilities", "null_to_target", "jumps_to_source", "tension"])
def test_tables_that_contradict_each_other_are_refused(aligner: Aligner, name: str) -> None:
    for bad in (aligner.tables[name][:-1], aligner.tables[name].astype(np.int8)):
        with pytest.raises(PentaglotError, match="inconsistent|missing or has the wrong type"):
            Aligner(
                aligner.source_vocabulary, aligner.target_vocabulary, aligner.options, {**aligner.tables, name: bad}
            )


def test_very_long_pairs_have_no_posteriors(aligner: Aligner) -> None:
    with pytest.raises(PentaglotError, match="more than 1000 words"):
        aligner.posteriors(["b1"] * 1001, ["xb1"])


def test_an_empty_bitext_is_legal(aligner: Aligner) -> None:
    assert len(aligner.align(Bitext.from_sentences([], []))) == 0
