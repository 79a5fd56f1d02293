"""Further corpora of a model: each has its own index and features; all share one vocabulary."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from pentaglot import placing
from pentaglot._core.corpus import FIRST_WORD, mapped_vocabulary
from pentaglot.align import Alignment, AlignOptions
from pentaglot.align import train as train_aligner
from pentaglot.corpus import Beside, Bitext, Text, Vocabulary, read_bitext
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import Weights
from pentaglot.index import Index
from pentaglot.index.added_index import joined
from pentaglot.order import gold_orders
from pentaglot.order.places import reordered_bitext, typed_bitext
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.features import CORPUS_FEATURES, FOUND, corpus_feature
from pentaglot.search import language_features
from pentaglot.systems.adding import word_ids_locked
from pentaglot.systems.further_parts import corpus_paths
from pentaglot.systems.model import Model

__all__ = ["add_corpus", "check_corpus_name", "check_name", "corpus_weights", "index_corpus", "remove_corpus"]

_NAME = re.compile(r"\w[\w.-]*")

# The penalty of a rule of a further corpus, in units of the weight of `translation`: the main text is preferred.
_PREFERENCE = 2.5


def add_corpus(
    path: str | os.PathLike[str],
    name: str,
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    beside: Beside | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> int:
    """Adds a further corpus to the model at `path` from two parallel files, replacing one of the same name; returns the
    number of pairs.

    Its rules are used beside those of the main text, with features such as `translation@NAME`. Their weights start as
    those of the main text and can be tuned. The language model does not change. Layers and metadata come from files
    `beside` the text and from treebanks.
    """
    check_corpus_name(name)
    directory = Path(path)
    with word_ids_locked(directory):
        index = index_corpus(directory, source, target, beside, whole=True, threads=threads, progress=progress)
        weights = Weights.open(directory / "weights.txt")
        new = {each: value for each, value in corpus_weights(weights, name).items() if each not in weights}
        Weights(dict(weights) | new).save(directory / "weights.txt")
        try:
            index.save(directory / "corpora" / name)
        except BaseException:
            weights.save(directory / "weights.txt")
            raise
    return len(index)


def index_corpus(
    directory: Path,
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    beside: Beside | None = None,
    *,
    whole: bool = False,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Index:
    """Builds the index of a further corpus for the model in a directory, with the word ids of the model. With `whole`,
    it gets everything that makes lookups in the main index quick. No other process may assign word ids meanwhile (see
    `word_ids_locked`)."""
    model = Model.open(directory)
    if model.table is not None:
        raise PentaglotError("translates with a table, which cannot have further corpora", path=directory)
    read = read_bitext(
        source,
        target,
        source_tokenizer=model.source_tokenizer,
        target_tokenizer=model.target_tokenizer,
        keep_lines=True,
        threads=threads,
        progress=progress,
    )
    # Layer values have the same ids as in the main text.
    known = typed_bitext(model.index.bitext).annotation.empty()
    read = replace(read, annotation=(beside or Beside()).annotation(read, (source, target), known))
    return _indexed(model, _with_vocabularies(read, model.vocabularies), whole, threads, progress)


def remove_corpus(path: str | os.PathLike[str], name: str) -> None:
    """Removes a further corpus from the model at `path`, with the weights of its features."""
    directory = Path(path)
    with word_ids_locked(directory):
        weights = Model.open(directory).weights
        known = [each.name for each in corpus_paths(directory)]
        if name not in known:
            listed = ", ".join(known) or "none"
            raise PentaglotError(f"the model has no corpus '{name}'", hint=f"its further corpora are: {listed}")
        own = [each for each in weights if each.endswith(f"@{name}") and each not in language_features(name)]
        kept = {each: value for each, value in weights.items() if each not in own}
        with placing.take_away(directory / "corpora" / name):
            Weights(kept).save(directory / "weights.txt")


def check_corpus_name(name: str) -> None:
    """Raises an error if this is not a valid corpus name."""
    check_name(name, "corpus")


def check_name(name: str, what: str) -> None:
    """The same for any named thing."""
    if not _NAME.fullmatch(name) or name == "added":
        raise OptionError(f"a {what} cannot be called '{name}'", hint="use letters and digits, such as 'news'")


def corpus_weights(weights: Weights, name: str) -> dict[str, float]:
    """Weights for the features of a further corpus: those of the main text, with some preference for the main text.

    >>> corpus_weights(Weights({"translation": 0.25, "words": 1.0}), "news")
    {'translation@news': 0.25, 'found@news': -0.625}
    """
    made = {corpus_feature(each, name): weights[each] for each in CORPUS_FEATURES if each in weights}
    return made | {corpus_feature(FOUND, name): -_PREFERENCE * abs(weights.get("translation", 0.0))}


def _with_vocabularies(bitext: Bitext, vocabularies: tuple[Vocabulary, Vocabulary]) -> Bitext:
    """The same text with the word ids of a model; new words get the ids after them."""
    texts, larger = [], []
    for text, own, shared in (
        (bitext.source, bitext.source_vocabulary, vocabularies[0]),
        (bitext.target, bitext.target_vocabulary, vocabularies[1]),
    ):
        grown = mapped_vocabulary(*shared.flatten())
        ids = np.arange(len(own), dtype=np.uint32)
        ids[FIRST_WORD:] = [grown.add(word) for word in own.words(ids[FIRST_WORD:])]
        texts.append(Text(ids[text.tokens], text.offsets))
        larger.append(grown)
    return Bitext(texts[0], texts[1], larger[0], larger[1], bitext.written, bitext.annotation)


def _indexed(model: Model, bitext: Bitext, whole: bool, threads: int, progress: Progress) -> Index:
    # Aligned together with the main text, which knows more about the words they share; but not by its aligner, which
    # does not know the new words.
    main = model.index.bitext
    if model.ordering is not None:
        bitext = _reordered(model, typed_bitext(main), bitext, threads, progress)
    alignment = _aligned(main, bitext, _options(model), threads, progress)
    return Index.build(
        bitext,
        alignment,
        model.index.options if whole else None,
        both_sides=whole and "target_suffixes" in model.index.arrays,
        threads=threads,
        progress=progress,
    )


def _options(model: Model) -> AlignOptions:
    return AlignOptions() if model.aligner is None else model.aligner.options


def _aligned(main: Bitext, bitext: Bitext, options: AlignOptions, threads: int, progress: Progress) -> Alignment:
    """The links of a text, aligned together with the main one."""
    words = bitext.source_vocabulary, bitext.target_vocabulary
    both = Bitext(joined(main.source, bitext.source), joined(main.target, bitext.target), *words)
    aligner = train_aligner(both, options, threads=threads, progress=progress)
    return aligner.align(bitext, **options.joining, threads=threads, progress=progress)


def _reordered(model: Model, main: Bitext, bitext: Bitext, threads: int, progress: Progress) -> Bitext:
    """A text with its source sentences in the order of their translations, or as typed, like the main text."""
    if model.ordering is not None and model.ordering.keeps:
        links = Alignment.from_links([[]] * len(bitext))
    else:
        links = _aligned(main, bitext, _options(model), threads, progress)
    return reordered_bitext(bitext, gold_orders(links, bitext.source, threads=threads))
