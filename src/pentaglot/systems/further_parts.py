"""Further corpora and language models of a model directory, by name."""

from __future__ import annotations

from pathlib import Path

from pentaglot._core.corpus import FIRST_WORD
from pentaglot.corpus import Vocabulary
from pentaglot.errors import StorageError
from pentaglot.forest import Weights
from pentaglot.guarded import check_entries, inside
from pentaglot.index import Index
from pentaglot.search import language_features

__all__ = ["check_languages", "corpus_paths", "language_paths", "largest_vocabularies"]

_FURTHER = language_features("")[0]  # prefix of the features of further language models


def corpus_paths(directory: Path) -> list[Path]:
    """The indexes of the further corpora of a model, by name."""
    return _named_parts(directory, "corpora")


def check_languages(directory: Path, weights: Weights) -> None:
    """Raises an error if a further language model with a weight, even 0, is missing: translations would differ."""
    known = {each.name for each in language_paths(directory)}
    for feature in weights.starting_with(_FURTHER):
        name = feature.removeprefix(_FURTHER)
        if name not in known:
            hint = "train it again, or remove its weights"
            raise StorageError(
                "is missing; the model has weights for it", path=directory / "languages" / name, hint=hint
            )


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
