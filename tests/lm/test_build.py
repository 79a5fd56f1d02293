"""Estimation against a twin made of dictionaries; the same bytes whatever the threads and the memory."""

from __future__ import annotations

import itertools
import logging
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies
from tests.lm import texts
from tests.lm.kneser_ney_twin import Twin

from pentaglot._core.lm import State
from pentaglot.corpus import Text, Vocabulary, encode
from pentaglot.corpus.vocabulary import FIRST_WORD, NULL, START
from pentaglot.errors import InputError, OptionError, OutputError, PentaglotError
from pentaglot.lm import BuildOptions, LanguageModel, build


def _assert_equal_to_twin(model: LanguageModel, twin: Twin, contexts: list[tuple[str, ...]]) -> None:
    ids = {word: model.vocabulary.find(word) for word in twin.words} | {"<s>": START, "</s>": 2, "<unk>": 0}
    for context in contexts:
        state = State()
        for word in context:
            _, state = model.native.score(state, ids.get(word, 0))
        for word in twin.words:
            ours = 10 ** model.native.score(state, ids[word])[0]
            assert ours == pytest.approx(twin.probability(context, word), rel=1e-5, abs=1e-9), (context, word)


def _all_contexts(order: int, words: str) -> list[tuple[str, ...]]:
    within = [c for n in range(order) for c in itertools.product(words, repeat=n)]
    return within + [("<s>", *c) for c in within if len(c) < order - 1]


@pytest.mark.parametrize("order", range(1, 8))
@settings(max_examples=15, deadline=None)
@given(sentences=texts.sentences)
def test_equals_the_twin(order: int, sentences: texts.Sentences) -> None:
    contexts = {()} | {
        tuple(["<s>", *sentence][max(0, end - order + 1) : end])
        for sentence in sentences
        for end in range(1, len(sentence) + 2)
    }
    contexts |= {("h", *context)[: order - 1] for context in contexts}
    _assert_equal_to_twin(texts.build_from(sentences, order), Twin(sentences, order), sorted(contexts)[:40])


@pytest.mark.parametrize(("prune", "limits"), [("0 1", [0, 1, 1]), ("0 0 1", [0, 0, 1]), ("0,2,3", [0, 2, 3])])
def test_pruning_equals_the_twin(prune: str, limits: list[int]) -> None:
    text = [list(words) for words in ("abcabd", "abcab", "ab", "cab", "dabc", "", "abd", "cabd", "bad")]
    model = texts.build_from(text, 3, prune=prune)
    twin = Twin(text, 3, limits)
    _assert_equal_to_twin(model, twin, _all_contexts(3, "abcd"))
    kept = [sum(len(n) == length and (length == 1 or twin.kept(n)) for n in twin.plain) for length in (1, 2, 3)]
    assert model.counts == [kept[0] + 2, kept[1], kept[2]]
    assert kept[2] < sum(len(n) == 3 for n in twin.plain)


def test_realistic_text_uses_computed_discounts(caplog: pytest.LogCaptureFixture) -> None:
    text = texts.random_sentences(300, words=2000)
    model = build(*encode(text), BuildOptions(order=3))
    assert not caplog.records
    twin = Twin(text, 3)
    assert all(discounts != (0.5, 1.0, 1.5) for discounts in twin.discounts)
    _assert_equal_to_twin(model, twin, [(), ("<s>",), ("w1",), ("w1", "w8"), ("<s>", "w1"), ("w29", "w3"), ("x", "y")])


def test_small_text_warns(caplog: pytest.LogCaptureFixture) -> None:
    build(*encode([["a"]]), BuildOptions(order=2))
    assert "too little text to compute the discounts of 2-grams; using [0.5, 1.0, 1.5]" in caplog.text


@pytest.mark.parametrize("order", [1, 2, 5, 7])
@pytest.mark.parametrize("prune", ["0", "0 1 2"])
def test_sums_to_one(order: int, prune: str) -> None:
    if order < 3:
        prune = "0"
    model = texts.build_from(texts.random_sentences(300), order, prune=prune)
    texts.assert_sums_to_one(model, texts.contexts_of(model))


@settings(max_examples=40, deadline=None)
@given(sentences=texts.sentences, order=strategies.integers(1, 6), memory=strategies.integers(1, 3000))
def test_spilling_changes_nothing(sentences: texts.Sentences, order: int, memory: int) -> None:
    whole = texts.build_from(sentences, order)
    assert texts.bytes_of(texts.build_from(sentences, order, memory=f"{memory}")) == texts.bytes_of(whole)


def test_spilling_happens(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text, vocabulary = encode(texts.random_sentences(3000))
    with caplog.at_level(logging.INFO):
        small = build(text, vocabulary, BuildOptions(order=4, memory="200K", temporary=str(tmp_path)))
    assert caplog.text.count("wrote") > 1
    assert not list(tmp_path.iterdir()), "what was spilled is gone"
    large = build(text, vocabulary, BuildOptions(order=4))
    assert texts.bytes_of(small) == texts.bytes_of(large)


def test_threads_change_nothing() -> None:
    text, vocabulary = encode(texts.random_sentences(40_000, words=3000))
    models = [build(text, vocabulary, BuildOptions(order=4, prune="0 0 1"), threads=n) for n in (1, 2, 8)]
    assert len({texts.bytes_of(model) for model in models}) == 1


def test_pieces_change_nothing() -> None:
    sentences = texts.random_sentences(400)
    vocabulary = Vocabulary()
    for sentence in sentences:
        for word in sentence:
            vocabulary.add(word)
    pieces = [encode(sentences[i : i + 37], vocabulary)[0] for i in range(0, 400, 37)]
    whole = encode(sentences, vocabulary)[0]
    options = BuildOptions(order=3)
    assert texts.bytes_of(build(iter(pieces), vocabulary, options)) == texts.bytes_of(build(whole, vocabulary, options))


def test_one_sentence_ten_thousand_times() -> None:
    model = texts.build_from([["a", "b", "c"]] * 10_000, 5)
    assert model.counts == [6, 4, 3, 2, 1]
    texts.assert_sums_to_one(model, texts.contexts_of(model))
    assert model.score([["a", "b", "c"]]).totals()[0] > -0.1


@pytest.mark.parametrize("text", [[["a"]], [[]], [[], []], [["a"], []]])
def test_tiny_texts(text: texts.Sentences) -> None:
    for order in (1, 2, 7):
        model = texts.build_from(text, order)
        texts.assert_sums_to_one(model, [[], [START], [START, FIRST_WORD], [0, 0, 0]])


def test_no_text() -> None:
    with pytest.raises(InputError, match="no text to learn from"):
        build([], Vocabulary())


def test_unknown_scripts() -> None:
    model = texts.build_from([["ᚠᚢᚦ", "𒀀𒁀"], ["𒀀𒁀", "🏺"], ["­", "\x00"]], 2)
    texts.assert_sums_to_one(model, texts.contexts_of(model))
    assert model.score([["𒀀𒁀", "🏺"]]).unknown.tolist() == [False, False, False]


def test_words_allowed_by_a_list(tmp_path: Path) -> None:
    allowed = tmp_path / "words.txt"
    allowed.write_text("a b\nnever\n")
    model = texts.build_from([list("abcab"), list("acb")], 2, vocabulary=str(allowed))
    with_unknown = texts.build_from([["a", "b", "<unk>", "a", "b"], ["a", "<unk>", "b"]], 2)
    assert texts.bytes_of(model) == texts.bytes_of(with_unknown)
    assert model.score([["c", "never", "a"]]).unknown.tolist() == [True, True, False, False]
    texts.assert_sums_to_one(model, texts.contexts_of(model))
    allowed.write_text(" \n")
    with pytest.raises(InputError, match="words.txt: lists no words"):
        texts.build_from([["a"]], 2, vocabulary=str(allowed))


def test_most_frequent_words() -> None:
    text = [list("aaabbc"), list("dab")]
    model = texts.build_from(text, 2, vocabulary_size=2)
    assert model.vocabulary.words(np.arange(FIRST_WORD, len(model.vocabulary), dtype=np.uint32)) == ["a", "b"]
    texts.assert_sums_to_one(model, texts.contexts_of(model))
    encoded, vocabulary = encode(text)
    with pytest.raises(OptionError, match="twice"):
        build(iter([encoded]), vocabulary, BuildOptions(vocabulary_size=2))


@pytest.mark.parametrize("word", ["<s>", "</s>", "<unk>", "<UNK>"])
def test_reserved_words_in_the_text(word: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = build(*encode([["a", word, "b"], [word]]), BuildOptions(order=2))
    assert f"the text contains {word}; treated as unknown words" in caplog.text
    texts.assert_sums_to_one(model, texts.contexts_of(model))
    model.save(tmp_path / "model.arpa")
    assert texts.bytes_of(LanguageModel.open(tmp_path / "model.arpa")) == texts.bytes_of(model)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prune": "1"}, "must begin with 0"),
        ({"prune": "0 2 1"}, "must not fall"),
        ({"prune": "zero"}, "like '0 0 1'"),
        ({"prune": "0 0 0 0 0 0"}, "one number for each length"),
        ({"memory": "much"}, "like 500M"),
    ],
)
def test_bad_options(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        BuildOptions(**options)


@pytest.mark.parametrize(("memory", "number"), [("1G", 1 << 30), ("1.5k", 1536), ("20 MB", 20 << 20), ("7", 7)])
def test_memory(memory: str, number: int) -> None:
    assert BuildOptions(memory=memory).memory_bytes == number


def test_foreign_ids() -> None:
    vocabulary = Vocabulary()
    for bad in (START, NULL, 17):
        text = Text(np.array([bad, 2], np.uint32), np.array([0, 2], np.uint64))
        with pytest.raises(PentaglotError, match="word id that its vocabulary lacks"):
            build(text, vocabulary)


def test_spilling_to_nowhere(tmp_path: Path) -> None:
    text, vocabulary = encode([["a"]])
    with pytest.raises(OutputError, match="gone.*no such directory to write to"):
        build(text, vocabulary, BuildOptions(temporary=str(tmp_path / "gone")))
