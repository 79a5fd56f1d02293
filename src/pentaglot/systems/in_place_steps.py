"""The training steps that add parts to a model in place: further corpora, and what makes lookups quick."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pentaglot.index import origin, replace_precomputation, replace_target_suffixes
from pentaglot.seals import file_key
from pentaglot.steps import Result, Step
from pentaglot.systems.adding import word_ids_locked
from pentaglot.systems.corpora import index_corpus

if TYPE_CHECKING:
    from pentaglot.systems.recipe import Recipe

__all__ = ["InPlaceSteps"]


class InPlaceSteps:
    """The last steps of a recipe, which change the model that the others have made."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe, self._given = recipe, recipe.materials
        self._work: dict[str, Any] = {"threads": recipe.threads, "progress": recipe.progress}

    def __iter__(self) -> Iterator[Step]:
        yield from self._parts("index", self._recipe.index, "")
        for name, step in self.corpora.items():
            yield step
            yield from self._parts(f"corpora/{name}", step, f" of {name}")

    @functools.cached_property
    def corpora(self) -> dict[str, Step]:
        """The step of each further corpus. Each continues the word ids of those before it."""
        found: dict[str, Step] = {}
        for name, files in sorted(self._given.corpora.items()):
            keys = {
                f"{side} text of {name}": file_key(path) for side, path in zip(("source", "target"), files, strict=True)
            }
            found[name] = Step(
                f"corpus {name}",
                functools.partial(self._index_corpus, name, files),
                files=keys,
                needs=(self._recipe.prepare, self._recipe.align, *found.values()),
                makes=(Result(f"corpora/{name}", origin.index_seal),),
                in_place=True,
                goes_first=True,
            )
        return found

    def _index_corpus(self, name: str, files: tuple[Path, Path]) -> None:
        with word_ids_locked(self._recipe.output):
            place = self._recipe.shop.to(f"corpora/{name}")
            index_corpus(self._recipe.output, *files, **self._work).save(place)

    def _parts(self, index: str, need: Step, of: str) -> Iterator[Step]:
        """The steps that make lookups in an index quick; each depends on little besides its text."""
        path, lists = self._recipe.output / index, self._given.lists

        def step(name: str, part: str, work: Callable[[], None], options: dict[str, Any]) -> Step:
            def locked() -> None:
                with word_ids_locked(self._recipe.output):
                    work()

            makes = (Result(f"{index}/{part}", origin.part_seal),)
            return Step(f"{name}{of}", locked, options, needs=(need,), makes=makes, in_place=True)

        if self._given.rules.inverse:
            sort = functools.partial(replace_target_suffixes, path, progress=self._recipe.progress)
            yield step("target suffixes", "target_suffixes", sort, {})
        if lists is not None:
            count = functools.partial(replace_precomputation, path, lists, **self._work)
            yield step("frequent patterns", "precomputation", count, dataclasses.asdict(lists))
