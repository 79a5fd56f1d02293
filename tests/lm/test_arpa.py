"""ARPA files: exact to the format, and every mistake in one named by its line."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import pytest
from tests.lm import texts
from tests.lm.random_arpa import random_arpa

from pentaglot.corpus import encode
from pentaglot.corpus.vocabulary import END, START, UNKNOWN
from pentaglot.errors import InputError, OutputError
from pentaglot.lm import LanguageModel, build
from pentaglot.lm.arpa import read_arpa, write_arpa

GOOD = r"""\data\
ngram 1=5
ngram 2=3
ngram 3=1

\1-grams:
-1.5	<unk>
-99	<s>	-0.25
-0.75	</s>
-1	the	-0.5
-1.25	house	0

\2-grams:
-0.5	<s> the	-0.125
-0.25	the house	0
-0.5	house </s>

\3-grams:
-0.125	<s> the house

\end\
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.arpa"


def test_reading_and_writing_exactly(path: Path) -> None:
    path.write_text(GOOD)
    ngrams, vocabulary = read_arpa(path)
    assert vocabulary.words(ngrams.level(1)[0]) == ["<unk>", "<s>", "</s>", "<null>", "the", "house"]
    assert (vocabulary.find("the"), vocabulary.find("<s>")) == (4, UNKNOWN), "special words have no spelling"
    write_arpa(path, ngrams, vocabulary)
    lines = path.read_text().split("\n")
    expected = GOOD.split("\n")
    assert lines[:5] == expected[:5] and lines[-2:] == expected[-2:]
    # back-off weights of zero may be left out; we write them, as lmplz does
    pattern = re.compile(r"-?[\d.]+\t[^\t]+(\t-?[\d.]+)?")
    ours = {re.sub("\t0$", "", line) for line in lines if pattern.fullmatch(line)}
    assert ours == {re.sub("\t0$", "", line) for line in expected if pattern.fullmatch(line)}


def test_words_by_native_ids(path: Path) -> None:
    path.write_text(GOOD)
    model = LanguageModel.open(path)
    begin = model.native.begin_sentence()
    assert begin.words == [START]
    score, state = model.native.score(begin, model.vocabulary.find("the"))
    assert score == -0.5
    score, state = model.native.score(state, model.vocabulary.find("house"))
    assert score == -0.125
    assert model.native.score(state, END)[0] == -0.5


@pytest.mark.parametrize("name", ["model.arpa", "model.arpa.gz", "model.arpa.zst", "model.lm"])
def test_round_trip(name: str, tmp_path: Path) -> None:
    model = texts.build_from(texts.random_sentences(300), 4, prune="0 0 1")
    model.save(tmp_path / name)
    again = LanguageModel.open(tmp_path / name)
    assert sorted(model.score(texts.random_sentences(20)).log_probabilities.tolist()) == sorted(
        again.score(texts.random_sentences(20)).log_probabilities.tolist()
    )
    again.save(tmp_path / "again.arpa")
    model.save(tmp_path / "plain.arpa")
    assert (tmp_path / "again.arpa").read_bytes() == (tmp_path / "plain.arpa").read_bytes()


def test_threads_change_nothing(tmp_path: Path) -> None:
    model = texts.build_from(texts.random_sentences(3000, words=2000), 3)
    files = []
    for threads in (1, 2, 8):
        model.save(tmp_path / f"{threads}.arpa", threads=threads)
        files.append((tmp_path / f"{threads}.arpa").read_bytes())
    assert len(set(files)) == 1


MISTAKES = {
    "wrong count": (("ngram 2=3", "ngram 2=4"), 17, "there are 3 2-grams, but the header says 4"),
    "wrong count of words": (("ngram 1=5", "ngram 1=4"), 12, "there are 5 1-grams, but the header says 4"),
    "huge count": (("ngram 3=1", "ngram 3=999999999999999999"), 20, "there are 1 3-grams"),
    "no counts": (("ngram 1=5\nngram 2=3\nngram 3=1\n", ""), 3, "counts .* are missing"),
    "counts out of order": (("ngram 2=3\n", ""), 3, "in order"),
    "no count": (("ngram 2=3", "ngram 2=three"), 3, "looks like 'ngram 2=1000'"),
    "order too high": (("\n\n\\1", "\nngram 4=0\nngram 5=0\nngram 6=0\nngram 7=0\nngram 8=0\n\n\\1"), 9, "at most 7"),
    "missing section": (("\\2-grams:\n", ""), 13, r"the section \\2-grams: is expected"),
    "missing last section": (("\\3-grams:\n-0.125\t<s> the house\n\n", ""), 18, r"the section \\3-grams: is expected"),
    "no beginning": (("\\data\\", "data"), 1, r"begins with \\data\\, not with 'data'"),
    "no end": (("\\end\\\n", ""), 20, "cut short"),
    "text after the end": (("\\end\\\n", "\\end\\\nmore\n"), 22, "text after"),
    "something else than the end": (("\\end\\", "\\4-grams:"), 21, r"\\end\\ is expected here"),
    "bad number": (("-1\tthe", "-x1\tthe"), 10, "'-x1' is not a number"),
    "nan": (("-1\tthe", "nan\tthe"), 10, "'nan' is not a number"),
    "infinity": (("-1\tthe", "-inf\tthe"), 10, "'-inf' is not a number"),
    "too large a number": (("-1\tthe", "-1e99\tthe"), 10, "'-1e99' is not a number"),
    "half a number": (("-1\tthe", "-1.5e\tthe"), 10, "is not a number"),
    "bad back-off": (("<s> the\t-0.125", "<s> the\tx"), 14, "'x' is not a number"),
    "positive": (("-0.25\tthe house", "0.25\tthe house"), 15, "cannot be above 0"),
    "duplicate word": (("-1.25\thouse", "-1.25\tthe"), 11, "the word 'the' is here a second time"),
    "duplicate n-gram": (("house </s>", "the house"), 16, "this 2-gram is here a second time"),
    "unknown word": (("the house\t0", "the castle\t0"), 15, "'castle' is not among the unigrams"),
    "missing context": (("-0.125\t<s> the house", "-0.125\thouse the house"), 19, "the context of this 3-gram"),
    "too few words": (("-0.125\t<s> the house", "-0.125\tthe house"), 19, "too few words for a 3-gram"),
    "too many words": (("-1.5\t<unk>", "-1.5\t<unk> 0 0"), 7, "too many words for a 1-gram"),
    "back-off of the longest": (("<s> the house", "<s> the house\t-1"), 19, "have no back-off"),
    "no <s>": (("-99\t<s>", "-99\tx"), 12, "the unigrams lack <s>"),
    "no </s>": (("-0.75\t</s>", "-0.75\tx"), 12, "the unigrams lack </s>"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake: str, path: Path) -> None:
    (old, new), line, message = MISTAKES[mistake]
    assert old in GOOD
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as caught:
        LanguageModel.open(path)
    assert (caught.value.path, caught.value.line) == (path, line)


def test_no_words_at_all(path: Path) -> None:
    for header in ("ngram 1=0\n", "ngram 1=0\nngram 2=0\n"):
        path.write_text(f"\\data\\\n{header}\n\\1-grams:\n\n\\end\\\n")
        with pytest.raises(InputError, match="the unigrams lack <s>") as caught:
            LanguageModel.open(path)
        assert caught.value.line == 3 + header.count("\n") + 1


def test_cut_anywhere(path: Path) -> None:
    """No beginning of a good file is good (the last line end apart), and each gives one sentence."""
    whole = GOOD.encode()
    for size in range(len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"model\.arpa"):
            LanguageModel.open(path)


def test_odd_but_legal(path: Path) -> None:
    path.write_text(GOOD)
    expected = texts.bytes_of(LanguageModel.open(path))
    for odd in (
        GOOD.replace("\n", "\r\n"),
        "\n\n" + GOOD,
        "\ufeff" + GOOD,
        GOOD.rstrip("\n"),
        GOOD.replace("<unk>", "<UNK>"),
        GOOD.replace("-1\tthe\t-0.5", "-1.0e0 the -5e-1"),
        GOOD.replace("\n\n\\2-grams", "\n\\2-grams"),
        GOOD.replace("house\t0", "house\t1e-99"),
        GOOD.replace("house\t0", "house\t-0." + 60 * "0" + "1"),
    ):
        path.write_bytes(odd.encode())
        assert texts.bytes_of(LanguageModel.open(path)) == expected


def _longer_lines(lines: list[str]) -> dict[int, range]:
    """The places of the lines of each section that is not empty, by the length of its n-grams; not of the first."""
    titles = {int(line[1]): at for at, line in enumerate(lines) if re.fullmatch(r"\\[2-9]-grams:", line)}
    sections = {length: range(title + 1, lines.index("", title)) for length, title in titles.items()}
    return {length: section for length, section in sections.items() if section}


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_lines_in_any_order(path: Path, seed: int, closed: bool) -> None:
    """Sorted by beginnings (SRILM) or by ends (lmplz), or not at all."""
    lines = random_arpa(seed, 4, closed=closed).split("\n")
    words = {at: lines[at].split("\t")[1].split(" ") for section in _longer_lines(lines).values() for at in section}
    chance = random.Random(seed)
    models = []
    for key in (words.__getitem__, lambda at: words[at][::-1], lambda at: [chance.random()]):
        ordered = list(lines)
        for section in _longer_lines(lines).values():
            ordered[section.start : section.stop] = [lines[at] for at in sorted(section, key=key)]
        path.write_text("\n".join(ordered))
        models.append(texts.bytes_of(LanguageModel.open(path)))
    assert models[0] == models[1] == models[2]


@pytest.mark.parametrize("seed", range(20))
def test_an_ngram_that_is_there_twice(path: Path, seed: int) -> None:
    lines = random_arpa(seed, 3).split("\n")
    chance = random.Random(seed)
    length, section = chance.choice(list(_longer_lines(lines).items()))
    copied = chance.choice(section)
    place = chance.randint(copied + 1, section.stop)
    lines.insert(place, lines[copied])
    lines[length] = f"ngram {length}={len(section) + 1}"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match=f"this {length}-gram is here a second time") as caught:
        LanguageModel.open(path)
    assert caught.value.line == place + 1


def test_a_word_that_looks_like_a_section(path: Path) -> None:
    path.write_text(GOOD.replace("the", r"\2-grams:"))
    assert LanguageModel.open(path).score([["\\2-grams:", "house"]]).unknown.tolist() == [False] * 3


def test_packed_file_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "model.arpa.gz"
    texts.build_from(texts.random_sentences(300), 3).save(path)
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(InputError, match=r"model\.arpa\.gz: .*cut short"):
        LanguageModel.open(path)
    path.write_bytes(gzip.compress(b""))
    with pytest.raises(InputError, match="is empty"):
        LanguageModel.open(path)


def test_not_utf8(path: Path) -> None:
    path.write_bytes(GOOD.encode().replace(b"the", b"th\xe9"))
    with pytest.raises(InputError, match=r"model\.arpa:10: not valid UTF-8"):
        LanguageModel.open(path)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.arpa: no such file"):
        LanguageModel.open(tmp_path / "none.arpa")
    with pytest.raises(OutputError, match="directory"):
        (tmp_path / "dir.arpa").mkdir()
        texts.build_from([["a"]], 2).save(tmp_path / "dir.arpa")


def test_words_that_arpa_cannot_hold(tmp_path: Path) -> None:
    model = build(*encode([["two words"], ["x"]] * 5))
    with pytest.raises(OutputError, match="'two words' cannot be written"):
        model.save(tmp_path / "model.arpa")
    assert not list(tmp_path.iterdir())
    model.save(tmp_path / "model")
    assert LanguageModel.open(tmp_path / "model").score([["two words"]]).unknown.tolist() == [False, False]
