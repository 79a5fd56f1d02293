"""A trained model on disk: its parts and options."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from pentaglot import __version__, storage
from pentaglot._core.corpus import FIRST_WORD
from pentaglot.align import Aligner, Alignment
from pentaglot.corpus import Bitext, Text, Tokenizer, Vocabulary
from pentaglot.errors import OptionError, StorageError
from pentaglot.forest import FeatureSpace, Lattice, Weights
from pentaglot.guarded import check_entries, inside
from pentaglot.index import Additions, Index
from pentaglot.lm import AnyLanguageModel, LanguageModel, open_language
from pentaglot.options import read_options, read_toml, suggestion
from pentaglot.order import OrderOptions
from pentaglot.rules import Induction, Letters, Operator, RuleOptions, Table, WordChoice, open_induction, operators_from
from pentaglot.rules.features import FEATURES, INVERSE_ESTIMATE, TABLE_FEATURES, WORD_CHOICE
from pentaglot.rules.operators import operators_to
from pentaglot.search import SearchOptions, language_features
from pentaglot.steady import read_steadily
from pentaglot.systems.ordering import PREORDER, Ordering, PreorderName
from pentaglot.systems.registry import find_system
from pentaglot.systems.system import System

__all__ = ["Description", "Model", "corpus_paths", "is_model", "language_paths", "largest_vocabularies"]

_FORMAT = 1
_FILE = "pentaglot.toml"
_FURTHER = language_features("")[0]  # prefix of the features of further language models
# Parts that may be replaced while a model is being opened: all but the journal, which only grows.
_PARTS = (
    _FILE,
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


@dataclass(frozen=True)
class Description:
    """The contents of `pentaglot.toml`."""

    system: str
    rules: RuleOptions
    search: SearchOptions
    made: dict[str, Any] = field(default_factory=dict)
    induce: tuple[Operator, ...] = ()  # what the next tuning fits
    preorder: PreorderName | None = None  # how the words of its training text were ordered
    order: OrderOptions = field(default_factory=OrderOptions)

    def save(self, directory: Path) -> None:
        """Writes the file, which makes the directory a model."""
        contents = {
            "format": _FORMAT,
            "pentaglot": __version__,
            "system": self.system,
            "rules": dataclasses.asdict(self.rules),
            "search": {name: value for name, value in dataclasses.asdict(self.search).items() if value is not None},
            "made": self.made,
        }
        if self.preorder is not None:
            order = {name: value for name, value in dataclasses.asdict(self.order).items() if value is not None}
            contents |= {"preorder": self.preorder, "order": order}
        if self.induce:
            contents["induce"] = operators_to(self.induce)
        storage.write_text(directory / _FILE, tomli_w.dumps(contents))

    @classmethod
    def open(cls, directory: Path) -> Description:
        """Reads the file of a model directory."""
        if not directory.is_dir():
            raise StorageError("there is no model here", path=directory, hint="check the path, or train one")
        file = inside(directory, _FILE)
        if not file.exists():
            hint = "run 'pentaglot train' again to finish it" if (directory / ".train").exists() else "check the path"
            raise StorageError(f"is not a finished model: it has no {_FILE}", path=directory, hint=hint)
        contents = read_toml(file)
        version = contents.get("format")
        if type(version) is not int or version < 1:
            raise StorageError("is damaged: it does not say which format it has", path=file, hint="train it again")
        if version > _FORMAT:
            raise StorageError(
                f"was written by a newer Pentaglot (model format {version}; this one reads up to {_FORMAT})",
                path=file,
                hint="upgrade pentaglot or train it again",
            )
        system = str(contents.get("system"))
        try:
            known = find_system(system)
        except OptionError as error:
            raise StorageError(f"names an unknown system '{system}'", path=file, hint=error.hint) from None
        rules = read_options(RuleOptions, contents.get("rules", {}), path=file)
        search = read_options(SearchOptions, _renamed(contents.get("search", {}), rules), path=file)
        known.check_labels(search, path=file)
        preorder = contents.get("preorder")
        if preorder is not None and preorder not in PREORDER:
            raise StorageError(
                f"names an unknown word order '{preorder}'", path=file, hint=suggestion(str(preorder), PREORDER)
            )
        order = read_options(OrderOptions, contents.get("order", {}), path=file)
        induce = operators_from(contents.get("induce", []), path=file)
        made = contents.get("made")
        return cls(system, rules, search, made if isinstance(made, dict) else {}, induce, preorder, order)


def _renamed(search: Any, rules: RuleOptions) -> Any:
    """Older models have a `max_span` of the search, which is now that of the rules unless `input_span` is set. They
    allowed gaps of one word in the input, whatever their rules said."""
    if not isinstance(search, dict) or "max_span" not in search:
        return search
    renamed = {name: value for name, value in search.items() if name != "max_span"}
    if search["max_span"] != rules.max_span:
        renamed["input_span"] = search["max_span"]
    return renamed if rules.min_gap == 1 else renamed | {"input_gap": 1}


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

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Model:
        """Opens a model; the error says what is missing or damaged."""
        directory = Path(path)
        return read_steadily([directory / name for name in _PARTS], lambda: cls._open(directory))

    @classmethod
    def _open(cls, directory: Path) -> Model:
        description = Description.open(directory)
        weights = _renamed_weights(Weights.open(inside(directory, "weights.txt")), description.rules)
        _check_languages(directory, weights)
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
            induction=_induction(inside(directory, "induction"), description.system),
        )

    @property
    def system(self) -> System:
        """The system that it translates with."""
        return find_system(self.description.system)

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


def _induction(place: Path, system: str) -> Induction | None:
    own = {each.name: each for each in find_system(system).features}
    return open_induction(place, FEATURES | own) if place.exists() else None


def _empty_index(table: Table) -> Index:
    """An empty index with the words of a table."""
    empty = Text(np.empty(0, np.uint32), np.zeros(1, np.uint64))
    bitext = Bitext(empty, empty, table.source_vocabulary, table.target_vocabulary)
    return Index.build(bitext, Alignment.from_links([]))


def is_model(path: str | os.PathLike[str]) -> bool:
    """Whether there is a trained model at `path`."""
    return (Path(path) / _FILE).exists()


def aligner_of(path: str | os.PathLike[str]) -> Aligner:
    """The aligner of a model directory, with the model's tokenizers."""
    directory = Path(path)
    if not (directory / "aligner").exists():
        raise StorageError("has no aligner: it was trained with given links", path=path, hint="name an aligner")
    opened = [Tokenizer.open(directory / f"{side}.tokenizer") for side in ("source", "target")]
    return dataclasses.replace(Aligner.open(directory / "aligner"), tokenizers=(opened[0], opened[1]))


def corpus_paths(directory: Path) -> list[Path]:
    """The indexes of the further corpora of a model, by name."""
    return _named_parts(directory, "corpora")


def _check_languages(directory: Path, weights: Weights) -> None:
    """Raises an error if a further language model with a weight, even 0, is missing: translations would differ."""
    known = {each.name for each in language_paths(directory)}
    for feature in weights.starting_with(_FURTHER):
        name = feature.removeprefix(_FURTHER)
        if name not in known:
            hint = "train it again, or remove its weights"
            raise StorageError(
                "is missing; the model has weights for it", path=directory / "languages" / name, hint=hint
            )


def _opened_choice(directory: Path, weights: Weights) -> WordChoice | None:
    """The word choice of a model. Raises an error if it has a weight and is missing: translations would differ."""
    place = inside(directory, "choice")
    if place.exists():
        return WordChoice.open(place)
    if any(weights.get(name) for name in WORD_CHOICE):
        hint = f"train it again, or remove the weights of {' and '.join(WORD_CHOICE)}"
        raise StorageError("is missing; the model has a weight for it", path=place, hint=hint)
    return None


def language_paths(directory: Path) -> list[Path]:
    """The further language models of a model, by name."""
    return _named_parts(directory, "languages")


def _named_parts(directory: Path, folder: str) -> list[Path]:
    place = inside(directory, folder)
    if not place.is_dir():
        return []
    check_entries(place)
    return sorted(each for each in place.iterdir() if each.is_dir() and not each.name.startswith("."))


def largest_vocabularies(directory: Path, index: Index, corpora: dict[str, Index]) -> tuple[Vocabulary, Vocabulary]:
    """Checks that the corpora share their word ids: each has the words of those before it, and more."""
    bitexts = {directory / "index": index.bitext} | {
        directory / "corpora" / name: each.bitext for name, each in corpora.items()
    }
    largest = []
    for side in ("source", "target"):
        vocabularies = {path: getattr(each, f"{side}_vocabulary") for path, each in bitexts.items()}
        chosen: Vocabulary = max(vocabularies.values(), key=len)
        for path, vocabulary in vocabularies.items():
            last = len(vocabulary) - 1
            if last >= FIRST_WORD and vocabulary.word(last) != chosen.word(last):
                raise StorageError("has other word ids than the rest of the model", path=path, hint="add it again")
        largest.append(chosen)
    return largest[0], largest[1]
