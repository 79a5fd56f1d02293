"""Scoring against the kenlm package, states, and models on disk."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import kenlm
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies
from tests.lm import texts
from tests.lm.random_arpa import back_off_scores, random_arpa

from pentaglot._core.lm import State
from pentaglot.corpus import Vocabulary, encode
from pentaglot.corpus.vocabulary import END, NULL, START, UNKNOWN
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.lm import BuildOptions, LanguageModel, Scores, build


def _kenlm(path: Path) -> kenlm.Model:
    config = kenlm.Config()
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    config.show_progress = False
    return kenlm.Model(str(path), config)


def _assert_equal_to_kenlm(model: LanguageModel, other: kenlm.Model, sentences: texts.Sentences) -> None:
    scores = model.score(sentences)
    expected = [each for sentence in sentences for each in other.full_scores(" ".join(sentence))]
    assert scores.log_probabilities.tolist() == pytest.approx([p for p, _, _ in expected], abs=1e-5)
    assert scores.lengths.tolist() == [length for _, length, _ in expected]
    assert scores.unknown.tolist() == [unknown for _, _, unknown in expected]
    totals = [other.score(" ".join(sentence)) for sentence in sentences]
    assert scores.totals().tolist() == pytest.approx(totals, abs=1e-4)


@pytest.mark.parametrize("order", [2, 3, 5, 6])
@pytest.mark.parametrize("prune", ["0", "0 1"])
def test_equals_kenlm_on_built_models(order: int, prune: str, tmp_path: Path) -> None:
    model = texts.build_from(texts.random_sentences(500), order, prune=prune)
    model.save(tmp_path / "model.arpa")
    model.save(tmp_path / "model")
    other = _kenlm(tmp_path / "model.arpa")
    held_out = texts.random_sentences(200, words=40, seed=9)
    for same in (model, LanguageModel.open(tmp_path / "model"), LanguageModel.open(tmp_path / "model.arpa")):
        _assert_equal_to_kenlm(same, other, held_out)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=strategies.integers(0, 10**9), order=strategies.integers(2, 6), closed=strategies.booleans())
def test_equals_kenlm_on_random_models(seed: int, order: int, closed: bool, tmp_path: Path) -> None:
    """Models that no text would give: any probability, any back-off, and (not `closed`) missing ends of n-grams, of
    which kenlm bears only a few."""
    path = tmp_path / "model.arpa"
    path.write_text(random_arpa(seed, order, closed=closed))
    chance = random.Random(seed)
    sentences = [[chance.choice("abcdefx") for _ in range(chance.randrange(9))] for _ in range(30)]
    ours = LanguageModel.open(path).score(sentences).log_probabilities.tolist()
    assert ours == pytest.approx(back_off_scores(path.read_text(), sentences), abs=1e-5)
    if closed:
        other = _kenlm(path)
        expected = [p for sentence in sentences for p, _, _ in other.full_scores(" ".join(sentence))]
        assert ours == pytest.approx(expected, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(seed=strategies.integers(0, 10**9), order=strategies.integers(1, 6))
def test_states_say_all_that_matters(seed: int, order: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The minimised state gives the same scores as the whole history, and equal states are interchangeable."""
    path = tmp_path_factory.mktemp("lm") / "model.arpa"
    path.write_text(random_arpa(seed, order))
    model = LanguageModel.open(path)
    native = model.native
    chance = random.Random(seed)
    ids = [UNKNOWN, *range(4, len(model.vocabulary))]
    future: dict[State, tuple[list[int], list[float]]] = {}
    for _ in range(30):
        words = [chance.choice(ids) for _ in range(chance.randrange(8))]
        state = native.begin_sentence()
        for word in words:
            _, state = native.score(state, word)
        assert len(state.words) < max(order, 1)
        assert state.words == list(reversed([START, *words]))[: len(state.words)]
        following = [chance.choice(ids) for _ in range(3)]
        if state in future:
            following = future[state][0]
        scores = []
        after = state
        for word in following:
            score, after = native.score(after, word)
            scores.append(score)
        assert future.setdefault(state, (following, scores))[1] == scores


def test_states_are_minimal() -> None:
    model = texts.build_from([list("abc"), list("xbc")], 4)
    ids = {word: model.vocabulary.find(word) for word in "abcx"}
    native = model.native
    state = State()
    for word in "abc":
        _, state = native.score(state, ids[word])
    assert state.words == [ids["c"], ids["b"], ids["a"]]
    _, state = native.score(state, ids["x"])
    assert state.words == [ids["x"]], "nothing is known after 'c x'"
    _, state = native.score(state, UNKNOWN)
    assert state.words == [] and state == State() and hash(state) == hash(State())
    _, state = native.score(native.begin_sentence(), END)
    assert state.words == []


def test_score_without_context() -> None:
    model = texts.build_from([list("abc"), list("abd")], 3)
    words = np.array([model.vocabulary.find(word) for word in "ab"], np.uint32)
    one, state = model.native.score(State(), int(words[0]))
    two, _ = model.native.score(state, int(words[1]))
    assert model.native.score_without_context(words) == pytest.approx(one + two)


def test_ids_out_of_range_are_unknown() -> None:
    model = texts.build_from([list("abc")], 3)
    unknown = model.native.score(State(), UNKNOWN)[0]
    for strange in (NULL, len(model.vocabulary), 2**32 - 1):
        assert model.native.score(State(), strange)[0] == unknown


def test_mapping_another_vocabulary() -> None:
    model = texts.build_from([list("abc")], 2)
    text, vocabulary = encode([list("cba"), list("xa")])
    mapped = model.map_vocabulary(vocabulary)
    assert mapped[:4].tolist() == [UNKNOWN, START, END, UNKNOWN]
    assert mapped[vocabulary.find("x")] == UNKNOWN and mapped[vocabulary.find("b")] == model.vocabulary.find("b")
    ours, theirs = model.score([list("cba"), list("xa")]), model.score(text, vocabulary)
    assert ours.log_probabilities.tolist() == theirs.log_probabilities.tolist()
    assert ours.unknown.tolist() == theirs.unknown.tolist() == [False] * 4 + [True, False, False]


def test_threads_change_nothing() -> None:
    model = texts.build_from(texts.random_sentences(2000), 4)
    text = texts.random_sentences(3000, seed=5)
    results = [model.score(text, threads=n) for n in (1, 2, 8)]
    assert len({r.log_probabilities.tobytes() + r.lengths.tobytes() for r in results}) == 1


def test_nothing_to_score() -> None:
    model = texts.build_from([["a"]], 2)
    assert model.score([]).totals().tolist() == []
    assert model.score([[]]).log_probabilities.shape == (1,)


def test_saved_and_opened(tmp_path: Path) -> None:
    model = texts.build_from(texts.random_sentences(300), 4)
    model.save(tmp_path / "one")
    again = LanguageModel.open(tmp_path / "one")
    assert again.counts == model.counts and again.order == 4 and again.facts == model.facts
    assert texts.bytes_of(again) == texts.bytes_of(model)
    again.save(tmp_path / "two")
    for file in (tmp_path / "one").rglob("*.npy"):
        assert file.read_bytes() == (tmp_path / "two" / file.relative_to(tmp_path / "one")).read_bytes()


def test_smaller_than_probing(tmp_path: Path) -> None:
    """KenLM's probing tables take 24 bytes for each n-gram, 18 for each of the longest."""
    model = texts.build_from(texts.random_sentences(5000, words=500), 4)
    counts = model.counts
    assert model.table_bytes < 8 * (counts[0] + 1) + 24 * (counts[1] + counts[2]) + 18 * counts[3]


@pytest.mark.parametrize("name", ["ngrams1.npy", "ngrams2.npy", "ngrams3.npy", "contents.toml"])
def test_damaged_directories(name: str, tmp_path: Path) -> None:
    texts.build_from([list("abc")], 3).save(tmp_path / "model")
    file = tmp_path / "model" / name
    whole = bytearray(file.read_bytes())
    whole[-5] ^= 1
    file.write_bytes(whole)
    with pytest.raises(StorageError, match="altered"):
        LanguageModel.open(tmp_path / "model")
    file.write_bytes(whole[:-1])
    with pytest.raises(StorageError, match="model"):
        LanguageModel.open(tmp_path / "model")
    file.unlink()
    with pytest.raises(StorageError, match="model"):
        LanguageModel.open(tmp_path / "model")


def test_tables_that_contradict_themselves() -> None:
    """Wrong numbers from outside are an error, never a crash or an endless search."""
    from pentaglot._core.lm import build_tables, language_model

    arrays, homes, _ = build_tables(texts.build_from([list("abc")], 3).ngrams)
    full = arrays[1].copy()
    full[1::4] = 5
    for bad_arrays, bad_homes in (
        ([], []),
        ([arrays[0][:-1], *arrays[1:]], homes),
        ([arrays[0], full, arrays[2]], homes),
        ([arrays[0], arrays[1][:-4], arrays[2]], homes),
        (arrays, [0, 10**9, homes[2]]),
        (arrays, [0, 0, homes[2]]),
        (arrays, homes[:2]),
        (arrays[:1] * 8, [0] * 8),
    ):
        with pytest.raises(PentaglotError):
            language_model(bad_arrays, bad_homes)
    wrong = arrays[2].copy()
    wrong[0::3] = 999
    wrong[1::3] = np.where(wrong[1::3] == 2**32 - 1, wrong[1::3], 10**6)
    with pytest.raises(PentaglotError, match="contradict"):
        language_model([arrays[0], arrays[1], wrong], homes).ngrams()


def test_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no language model here"):
        LanguageModel.open(tmp_path / "nothing")
    with pytest.raises(StorageError, match="holds no language model"):
        LanguageModel.open(tmp_path)


def test_foreign_vocabulary() -> None:
    model = texts.build_from([list("abc")], 2)
    with pytest.raises(PentaglotError, match="does not belong to the language model"):
        _ = LanguageModel(Vocabulary(), ngrams=model.ngrams).native


def test_missing_unknown_word(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "model.arpa"
    counts, words = "ngram 1=3\nngram 2=1\n", "-1\ta\n-99\t<s>\n-0.5\t</s>\n"
    path.write_text(f"\\data\\\n{counts}\n\\1-grams:\n{words}\n\\2-grams:\n-1\t<s> a\n\n\\end\\\n")
    with caplog.at_level(logging.WARNING):
        model = LanguageModel.open(path)
    assert "has no <unk>" in caplog.text
    assert model.score([["zebra"]]).log_probabilities[0] == -100
    assert _kenlm(path).score("zebra", eos=False) == -100


def test_a_vocabulary_of_another_model_is_refused_every_time() -> None:
    text, vocabulary = encode([["the", "house"]] * 3)
    logging.disable()
    tables = build(text, vocabulary, BuildOptions(order=2))._with_tables()
    logging.disable(logging.NOTSET)
    model = LanguageModel(Vocabulary(), tables=tables)
    for _ in range(2):
        with pytest.raises(PentaglotError, match="does not belong to the language model"):
            _ = model.native


ROWS = strategies.lists(strategies.lists(strategies.sampled_from(["a", "b", "ä", "never"]), max_size=5), max_size=6)


@given(ROWS, strategies.integers(1, 10**9))
def test_rows_are_what_the_scores_say(sentences: list[list[str]], first: int) -> None:
    known, vocabulary = encode([["a", "b"], ["b", "ä", "a"]])
    logging.disable()
    model = build(known, vocabulary, BuildOptions(order=2))
    logging.disable(logging.NOTSET)
    text, words = encode(sentences)
    scores = model.score(text, words)
    unknown = [0, *scores.unknown.cumsum().tolist()]
    offsets = text.offsets.tolist()
    expected = [
        f"{total:.6f}\t{end - begin}\t{unknown[end] - unknown[begin]}\n"
        for total, begin, end in zip(scores.totals(), offsets, offsets[1:], strict=False)
    ]
    assert scores.sentence_rows(text).decode() == "".join(expected)
    places = [(first + number, at) for number in range(len(text)) for at in range(offsets[number], offsets[number + 1])]
    rows = [
        f"{sentence}\t{words.word(int(text.tokens[at]))}\t{scores.log_probabilities[at]:.6f}\t{scores.lengths[at]}"
        f"\t{int(scores.unknown[at])}\n"
        for sentence, at in places
    ]
    assert scores.word_rows(text, words, first).decode() == "".join(rows)


def test_rows_need_one_score_for_each_token() -> None:
    text, words = encode([["a", "b"]])
    short = Scores(np.zeros(2, np.float32), np.zeros(3, np.uint8), np.zeros(3, bool), text.offsets)
    with pytest.raises(PentaglotError, match="one score for each token"):
        short.sentence_rows(text)
    with pytest.raises(PentaglotError, match="one score for each token"):
        short.word_rows(text, words)
