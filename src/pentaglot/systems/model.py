"""A trained model on disk: its parts and options."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pentaglot.align import Aligner, Alignment
from pentaglot.corpus import Bitext, Text, Tokenizer, Vocabulary
from pentaglot.errors import StorageError
from pentaglot.forest import DeclaredFeature, FeatureSpace, Lattice, Weights, read_weights
from pentaglot.guarded import inside
from pentaglot.index import Additions, Index
from pentaglot.lm import AnyLanguageModel, LanguageModel, open_language
from pentaglot.rules import Induction, Letters, RuleOptions, Table, WordChoice, open_induction
from pentaglot.rules.features import INVERSE_ESTIMATE, TABLE_FEATURES, TABLE_GROUP, WORD_CHOICE
from pentaglot.rules.table import COUNT_COLUMNS
from pentaglot.steady import read_steadily
from pentaglot.systems.description import FILE, Description
from pentaglot.systems.further_parts import check_languages, corpus_paths, language_paths, largest_vocabularies
from pentaglot.systems.ordering import Ordering
from pentaglot.systems.registry import find_system
from pentaglot.systems.system import System

__all__ = ["Model"]

# Parts that may be replaced while a model is being opened: all but the journal, which only grows.
_PARTS = (
    FILE,
    "index",
    "table",
    "corpora",
    "lm",
    "languages",
    "letters",
    "choice",
    "order",
    "source.tokenizer",
    "target.tokenizer",
    "weights.txt",
    "features",
    "induction",
)


def _renamed_weights(weights: Weights, rules: RuleOptions) -> Weights:
    """In older models the weight of `inverse_estimate` is called `inverse`."""
    if rules.source == "table" or INVERSE_ESTIMATE in weights:
        return weights
    exact = TABLE_FEATURES[0]
    names = {name: INVERSE_ESTIMATE + name.removeprefix(exact) for name in weights if name.partition("@")[0] == exact}
    return Weights({names.get(name, name): value for name, value in weights.items()}) if names else weights


@dataclass(frozen=True)
class Model:
    """The opened parts of a model directory."""

    path: Path
    description: Description
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    index: Index  # empty in a model that has only a table
    table: Table | None  # where rules come from, if not from the index
    corpora: dict[str, Index]  # further ones, with their own features
    additions: Additions  # to the index
    language: LanguageModel
    languages: dict[str, AnyLanguageModel]  # further ones, with their own features
    choice: WordChoice | None  # none if it was not wanted, or in an old model
    letters: Letters  # none if both languages have one script, or in an old model
    weights: Weights
    features: FeatureSpace | None = None  # the features it was tuned with, if hooks named some
    stored: bool = True  # as stored at `path`, not changed in memory
    ordering: Ordering | None = None  # the word order of its text, if it is not that of the source language
    induction: Induction | None = None  # features induced from others, if it was tuned with some

    def __repr__(self) -> str:
        return f"Model('{self.path}', {self.description.system})"

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Model:
        """Opens a model; the error says what is missing or damaged."""
        directory = Path(path)
        return read_steadily([directory / name for name in _PARTS], lambda: cls._open(directory))

    @classmethod
    def _open(cls, directory: Path) -> Model:
        description = Description.open(directory)
        weights = _renamed_weights(read_weights(inside(directory, "weights.txt")), description.rules)
        check_languages(directory, weights)
        table = Table.open(inside(directory, "table")) if description.rules.source == "table" else None
        place = inside(directory, "index")
        index = _empty_index(table) if table and not place.exists() else Index.open(place)
        corpora = {each.name: Index.open(each) for each in corpus_paths(directory)}
        vocabularies = largest_vocabularies(directory, index, corpora)
        words = index.bitext.target_vocabulary
        return cls(
            directory,
            description,
            Tokenizer.open(inside(directory, "source.tokenizer")),
            Tokenizer.open(inside(directory, "target.tokenizer")),
            index,
            table,
            corpora,
            Additions(index, directory / "index.additions", vocabularies),
            LanguageModel.open(inside(directory, "lm")),
            {each.name: open_language(each, words=words) for each in language_paths(directory)},
            _opened_choice(directory, weights),
            Letters.open(letters) if (letters := inside(directory, "letters")).exists() else Letters(),
            weights,
            FeatureSpace.open(features) if (features := inside(directory, "features")).exists() else None,
            ordering=_ordering(directory, description),
            induction=_induction(inside(directory, "induction"), _declared(find_system(description.system), table)),
        )

    @property
    def system(self) -> System:
        """The system that it translates with."""
        return find_system(self.description.system)

    @property
    def declared(self) -> dict[str, DeclaredFeature]:
        """All features that are known before a sentence: those of its system, and the scores of its table."""
        return _declared(self.system, self.table)

    @property
    def needs_translations(self) -> bool:
        """Whether sentences can be ordered only by their translations: the model was trained with `--preorder gold`."""
        return self.ordering is not None and self.ordering.preorderer is None

    def order(self, words: Sequence[str], order_by: Sequence[str] | None = None) -> tuple[int, ...]:
        """The order in which a sentence is translated: at place p the word `order[p]`. It is that of the translation
        `order_by`, if that is given; empty if the model keeps sentences as they were typed."""
        if self.ordering is None:
            return ()
        return self.ordering.order(words, self.additions.snapshot, order_by)

    def order_lattice(self, words: Sequence[str]) -> Lattice | None:
        """The orders in which a sentence is translated, if the model takes several of them at once."""
        return None if self.ordering is None else self.ordering.lattice(words, self.additions.snapshot)

    @property
    def index_path(self) -> Path:
        """The path of the main index."""
        return inside(self.path, "index")

    @property
    def journal_path(self) -> Path:
        """The path of the additions."""
        return self.path / "index.additions"

    @property
    def aligner_path(self) -> Path:
        """The path of the aligner, if there is one."""
        return inside(self.path, "aligner")

    @property
    def vocabularies(self) -> tuple[Vocabulary, Vocabulary]:
        """The words of all corpora and additions."""
        bitext = self.additions.snapshot.added.index.bitext
        return bitext.source_vocabulary, bitext.target_vocabulary

    @functools.cached_property
    def aligner(self) -> Aligner | None:
        """The aligner for new pairs; None if the model was trained with given links."""
        return Aligner.open(self.aligner_path) if self.aligner_path.exists() else None


def _ordering(directory: Path, description: Description) -> Ordering | None:
    if description.preorder is None:
        return None
    return Ordering.open(inside(directory, "order").parent, description.preorder, description.order)


def _declared(system: System, table: Table | None) -> dict[str, DeclaredFeature]:
    names = () if table is None else set(table.columns).difference(COUNT_COLUMNS, system.declared)
    scores = (DeclaredFeature(name, TABLE_GROUP, "rules", name, 0.0, always=False) for name in sorted(names))
    return system.declared | {each.name: each for each in scores}


def _induction(place: Path, declared: Mapping[str, DeclaredFeature]) -> Induction | None:
    return open_induction(place, declared) if place.exists() else None


def _empty_index(table: Table) -> Index:
    """An empty index with the words of a table."""
    empty = Text(np.empty(0, np.uint32), np.zeros(1, np.uint64))
    bitext = Bitext(empty, empty, table.source_vocabulary, table.target_vocabulary)
    return Index.build(bitext, Alignment.from_links([]))


def aligner_of(path: str | os.PathLike[str]) -> Aligner:
    """The aligner of a model directory, with the model's tokenizers."""
    directory = Path(path)
    if not (directory / "aligner").exists():
        raise StorageError("has no aligner: it was trained with given links", path=path, hint="name an aligner")
    opened = [Tokenizer.open(directory / f"{side}.tokenizer") for side in ("source", "target")]
    return dataclasses.replace(Aligner.open(directory / "aligner"), tokenizers=(opened[0], opened[1]))


def _opened_choice(directory: Path, weights: Weights) -> WordChoice | None:
    """The word choice of a model. Raises an error if it has a weight and is missing: translations would differ."""
    place = inside(directory, "choice")
    if place.exists():
        return WordChoice.open(place)
    if any(weights.get(name) for name in WORD_CHOICE):
        hint = f"train it again, or remove the weights of {' and '.join(WORD_CHOICE)}"
        raise StorageError("is missing; the model has a weight for it", path=place, hint=hint)
    return None
