"""A prepared corpus holds what was read, less what went, without leaks, and says what was chosen."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pentaglot.corpus.lines import read_lines
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.pair import Pair
from pentaglot.corpus.pairs import write_pairs
from pentaglot.corpus.prepare import PrepareOptions, prepare
from pentaglot.corpus.prepared_corpus import PARTS, PreparedCorpus
from pentaglot.errors import InputError, OptionError, StorageError


def _pairs(number: int) -> list[Pair]:
    return [Pair(f"Der {i}. Satz\u00a0ist  „gut“.", f"The  sentence {i} is “good”.") for i in range(number)]


@pytest.fixture
def inputs(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "news.de", tmp_path / "news.en.gz"]
    odd = [Pair("", "empty"), Pair("gleich", "gleich"), Pair("x", "y" * 200), Pair("z" * 1001, "z" * 1002)]
    write_pairs(paths, [*_pairs(300), *odd, *_pairs(10)])
    return paths


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_everything_is_there(tmp_path: Path, inputs: list[Path]) -> None:
    corpus = prepare(inputs, tmp_path / "out", options=PrepareOptions(dev_size=20, test_size=1000))
    assert corpus.facts["pairs"] == {"read": 314, "train": 250, "dev": 20, "test": 30}
    assert corpus.facts["dropped"] == {
        "duplicate": 10,
        "empty side": 1,
        "identical sides": 1,
        "length ratio": 1,
        "overlong": 1,
    }
    lines = {part: [list(read_lines(path)) for path in corpus.files(part)] for part in PARTS}
    everything = sorted(pair for part in PARTS for pair in zip(*lines[part], strict=True))
    assert everything == sorted((normalise(pair.source), normalise(pair.target)) for pair in _pairs(300))
    assert (
        corpus.files("train")[0].name == "train.de" and corpus.files("dev", tokenised=True)[1].name == "dev.tokens.en"
    )
    source, target = corpus.tokenizers
    for part in PARTS:
        for tokenizer, plain, path in zip(
            (source, target), lines[part], corpus.files(part, tokenised=True), strict=True
        ):
            assert [line.split(" ") for line in read_lines(path)] == tokenizer.tokenise_all(plain)
    bitext = corpus.bitext
    assert len(bitext) == 250
    assert bitext.pair(7) == (source.tokenise(lines["train"][0][7]), target.tokenise(lines["train"][1][7]))


def test_what_was_chosen_is_stored(tmp_path: Path, inputs: list[Path]) -> None:
    options = PrepareOptions(
        source_tokenizer="aggressive",
        target_tokenizer="characters",
        source_casing="truecase",
        target_casing="lowercase",
    )
    prepare(inputs, tmp_path / "out", options=options)
    corpus = PreparedCorpus.open(tmp_path / "out")
    stored = corpus.facts["options"]
    assert {key: stored[key] for key in ("source_tokenizer", "target_casing", "seed", "max_length")} == {
        "source_tokenizer": "aggressive",
        "target_casing": "lowercase",
        "seed": 1,
        "max_length": 1000,
    }
    source, target = corpus.tokenizers
    assert (source.mode, source.casing, target.mode, target.casing) == (
        "aggressive",
        "truecase",
        "characters",
        "lowercase",
    )
    assert source.truecaser is not None and target.tokenise("The X")[0] == "the"
    with pytest.raises(StorageError, match="has no part 'valid'"):
        corpus.files("valid")


def test_the_same_bytes_with_any_number_of_threads(tmp_path: Path, inputs: list[Path]) -> None:
    options = PrepareOptions(source_casing="truecase")
    prepare(inputs, tmp_path / "one", options=options, threads=1)
    prepare(inputs, tmp_path / "eight", options=options, threads=8)
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "eight")


def test_given_parts_are_used_and_kept_out_of_training(tmp_path: Path, inputs: list[Path]) -> None:
    dev = [tmp_path / "dev.de", tmp_path / "dev.en"]
    write_pairs(
        dev,
        [Pair("DER 5. Satz ist „gut“.", "something else"), Pair("anders", "The sentence 7 is “good”."), Pair("", "")],
    )
    corpus = prepare(inputs, tmp_path / "out", dev=dev, options=PrepareOptions(test_size=10))
    assert corpus.facts["pairs"] == {"read": 314, "train": 288, "dev": 2, "test": 10}
    assert corpus.facts["dropped"]["overlap with held-out pairs"] == 4, "two pairs, each of them twice"
    held = set(read_lines(corpus.files("dev")[1])) | set(read_lines(corpus.files("test")[1]))
    assert not held & set(read_lines(corpus.files("train")[1]))


def test_several_inputs_and_formats(tmp_path: Path, inputs: list[Path]) -> None:
    memory, table = tmp_path / "memory.tmx", tmp_path / "table.tsv"
    write_pairs([memory], [Pair("aus dem Speicher", "from the memory")], ("de-AT", "en-GB"))
    write_pairs([table], [Pair("aus der Tabelle", "from the table")])
    options = PrepareOptions(dev_size=0, test_size=0, source_language="de", target_language="en")
    corpus = prepare([memory, *inputs, table], tmp_path / "out", options=options)
    sources = list(read_lines(corpus.files("train")[0]))
    assert (sources[0], sources[-1], len(sources)) == ("aus dem Speicher", "aus der Tabelle", 302)
    plain = prepare([table], tmp_path / "plain", options=PrepareOptions(dev_size=0, test_size=0))
    assert plain.files("train")[0].name == "train.source"


def test_nothing_to_prepare(tmp_path: Path) -> None:
    paths = [tmp_path / "a.de", tmp_path / "a.en"]
    for lines, message in (("", "the corpus has no pairs"), ("\n\n", "has 2 pairs, and none of them can be used")):
        for path in paths:
            path.write_text(lines)
        with pytest.raises(InputError, match=message):
            prepare(paths, tmp_path / "out")
    paths[0].write_text("\n")
    with pytest.raises(InputError, match="ends after 1 line"):
        prepare(paths, tmp_path / "out")
    with pytest.raises(OptionError, match="no tokenizer 'x'"):
        write_pairs(paths, _pairs(3))
        prepare(paths, tmp_path / "out", options=PrepareOptions(source_tokenizer="x"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.de", "a.en"]


def test_an_interrupt_leaves_the_earlier_corpus(tmp_path: Path, inputs: list[Path]) -> None:
    prepare(inputs, tmp_path / "out")
    before = _bytes(tmp_path)

    class Interrupting:
        """A progress that presses Ctrl-C when the writing has begun."""

        def task(self, name: str, **_: object) -> object:
            if name.startswith("tokenising dev"):
                os.kill(os.getpid(), signal.SIGINT)
            from pentaglot.progress import SILENT

            return SILENT.task(name)

    with pytest.raises(KeyboardInterrupt):
        prepare(inputs, tmp_path / "out", options=PrepareOptions(seed=2), progress=Interrupting())  # type: ignore[arg-type]
    assert _bytes(tmp_path) == before
