"""From raw parallel text to everything that training needs, in one directory:

```
train.de train.en  dev.de dev.en  test.de test.en      normalised text
train.tokens.de train.tokens.en  ...                   the same, tokenised and cased
bitext/                                                the tokenised training part as ids
source.tokenizer/ target.tokenizer/                    how to do the same to new text
contents.toml                                          options, what was dropped and why, checksums
```
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pentaglot
from pentaglot import storage
from pentaglot._core.corpus import Text, TextBuilder, Vocabulary
from pentaglot.corpus.bitext import Bitext, finish
from pentaglot.corpus.compression import StrPath, shown
from pentaglot.corpus.filters import FilterOptions, PairFilter
from pentaglot.corpus.inputs import group_inputs, languages_of
from pentaglot.corpus.lengths import usual_ratio
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.outputs import open_output
from pentaglot.corpus.pair import Languages, check_language
from pentaglot.corpus.pairs import read_pairs
from pentaglot.corpus.prepared_corpus import KIND, PARTS, VERSION, PreparedCorpus
from pentaglot.corpus.reading import in_batches, tokenise_stream
from pentaglot.corpus.split import split
from pentaglot.corpus.tokenizer import Casing, Tokenizer, check_mode
from pentaglot.errors import InputError
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress

__all__ = ["PrepareOptions", "prepare"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PrepareOptions(FilterOptions):
    """Options for preparing a corpus."""

    source_language: str | None = setting(
        None, "source language, such as de; needed where a file holds several", check=check_language
    )
    target_language: str | None = setting(None, "target language", check=check_language)
    source_tokenizer: str = setting(
        "auto",
        "how to cut the source into words (auto, conservative, aggressive, none, characters, or a segmenter)",
        check=check_mode,
    )
    target_tokenizer: str = setting("auto", "how to cut the target into words", check=check_mode)
    source_casing: Casing = setting("keep", "what to do about capitals in the source")
    target_casing: Casing = setting("keep", "what to do about capitals in the target")
    dev_size: int = setting(1000, "how many pairs to hold out for tuning (never more than a tenth)", minimum=0)
    test_size: int = setting(1000, "how many pairs to hold out for testing (never more than a tenth)", minimum=0)
    seed: int = setting(1, "which pairs are held out follows from this number and their text", minimum=0)
    normalise: bool = setting(True, "compose characters, tidy spaces, remove control characters")

    @property
    def languages(self) -> Languages | None:
        """Both languages, if both are given."""
        if self.source_language is None or self.target_language is None:
            return None
        return self.source_language, self.target_language


Pairs = list[tuple[str, str]]


def prepare(
    inputs: Sequence[StrPath],
    output: str | os.PathLike[str],
    *,
    dev: Sequence[StrPath] | None = None,
    test: Sequence[StrPath] | None = None,
    options: PrepareOptions | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> PreparedCorpus:
    """Reads, normalises, filters, splits, tokenises and writes a corpus. `dev` and `test` are held-out files; without
    them pairs of the training text are held out. The directory appears when all is done."""
    options = options or PrepareOptions()
    storage.check_place(Path(output))
    groups = group_inputs(inputs)
    languages = options.languages or languages_of(groups[0])
    given = {name: list(paths) for name, paths in (("dev", dev), ("test", test)) if paths is not None}
    parts: dict[str, Pairs] = {}
    for name, paths in given.items():
        parts[name] = [pair for pair in _read([tuple(paths)], options, languages, name, progress) if all(pair)]
    read = list(_read(groups, options, languages, "train", progress))
    keep = PairFilter(options, usual_ratio([len(source) for source, _ in read], [len(target) for _, target in read]))
    for pairs in parts.values():
        for pair in pairs:
            keep.hold_out(*pair)
    kept = [pair for pair in read if keep(*pair) is None]
    seen = len(read)
    if not kept:
        what = "no pairs" if seen == 0 else f"{seen} pairs, and none of them can be used"
        raise InputError(f"the corpus has {what}", path=shown(inputs[0]), hint="see 'pentaglot corpus check'")
    parts.update(_split(kept, given, options))
    tokenizers = _trained_tokenizers(options, parts["train"])
    names = languages if languages and languages[0] != languages[1] else ("source", "target")
    with storage.create(output, kind=KIND, version=VERSION) as new:
        new.facts.update(
            pentaglot=pentaglot.__version__,
            inputs=[shown(path) for path in inputs],
            held_out={name: [shown(path) for path in paths] for name, paths in given.items()},
            sides=list(names),
            options={key: value for key, value in asdict(options).items() if value is not None},
            pairs={"read": seen, **{name: len(parts[name]) for name in PARTS}},
            dropped=dict(keep.reasons.most_common()),
        )
        _write(new, parts, names, tokenizers, threads, progress)
    return PreparedCorpus.open(output)


def _read(
    groups: list[tuple[StrPath, ...]],
    options: PrepareOptions,
    languages: Languages | None,
    name: str,
    progress: Progress,
) -> Iterator[tuple[str, str]]:
    tidy = normalise if options.normalise else str.strip
    with progress.task(f"reading {name}", unit="pairs") as task:
        for paths in groups:
            number = 0
            for number, pair in enumerate(read_pairs(paths, languages), 1):
                yield tidy(pair.source), tidy(pair.target)
                if number % 4096 == 0:
                    task.advance(4096)
            task.advance(number % 4096)


def _split(kept: Pairs, given: dict[str, Any], options: PrepareOptions) -> dict[str, Pairs]:
    """Training pairs, and the held-out ones that were not given."""
    wanted = {"dev": options.dev_size, "test": options.test_size}
    sizes = {name: min(size, len(kept) // 10) for name, size in wanted.items() if name not in given}
    parts = split(kept, sizes, options.seed)
    for name, size in sizes.items():
        if len(parts[name]) < wanted[name]:
            _log.info("%s has %d pairs instead of %d: the corpus has no more to spare", name, size, wanted[name])
    return {name: [kept[number] for number in numbers] for name, numbers in parts.items()}


def _trained_tokenizers(options: PrepareOptions, train: Pairs) -> tuple[Tokenizer, Tokenizer]:
    source = Tokenizer(options.source_tokenizer, options.source_casing, language=options.source_language)
    target = Tokenizer(options.target_tokenizer, options.target_casing, language=options.target_language)
    return source.train(pair[0] for pair in train), target.train(pair[1] for pair in train)


def _write(
    new: storage.NewDirectory,
    parts: dict[str, Pairs],
    names: Languages,
    tokenizers: tuple[Tokenizer, Tokenizer],
    threads: int,
    progress: Progress,
) -> None:
    encoded: list[tuple[Text, Vocabulary]] = []
    for part in PARTS:
        for side, (name, tokenizer) in enumerate(zip(names, tokenizers, strict=True)):
            lines = [pair[side] for pair in parts[part]]
            vocabulary = Vocabulary()
            builder = TextBuilder(vocabulary)
            plain, tokens = new.path / f"{part}.{name}", new.path / f"{part}.tokens.{name}"
            with (
                progress.task(f"tokenising {part}.{name}", total=len(lines), unit="lines") as task,
                open_output(plain) as plain_out,
                open_output(tokens) as tokens_out,
            ):
                plain_out.writelines(f"{line}\n" for line in lines)
                for sentences in tokenise_stream(in_batches(lines), tokenizer, threads):
                    tokens_out.writelines(" ".join(words) + "\n" for words in sentences)
                    if part == "train":
                        builder.append_sentences(sentences)
                    task.advance(len(sentences))
            new.add_file(plain.name)
            new.add_file(tokens.name)
            if part == "train":
                encoded.append(finish(builder, vocabulary, renumber=True))
    Bitext.from_texts(encoded[0], encoded[1]).save(new.path / "bitext")
    tokenizers[0].save(new.path / "source.tokenizer")
    tokenizers[1].save(new.path / "target.tokenizer")
