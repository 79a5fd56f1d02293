"""The steps of a training that choose weights: those to begin with, and better ones by tuning.

Weights that were tuned, or changed by a person, are worth more than what they took: they stay as long as they belong to
the features that the model has, and are kept under another name if others have to take their place.
"""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pentaglot._core import base
from pentaglot.errors import PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn import Tuning
from pentaglot.steps import Result, Step, file_key
from pentaglot.systems.model import Model
from pentaglot.systems.recipe import Recipe
from pentaglot.systems.translator import Translator
from pentaglot.systems.tuning import read_development, tune

__all__ = ["Weighing"]

_FILE = "weights.txt"

# What rules are but what does not change a translation.
_IDLE = ("cache_megabytes", "sightings")


class Weighing:
    """How the model of a recipe gets its weights; `tuning` is there when they have been tuned."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe, self._given = recipe, recipe.materials
        self._file = recipe.output / _FILE
        self.start = self._given.start_weights([*self._given.corpora, *recipe.others])
        self.tuning: Tuning | None = None

    def first(self) -> Step:
        """Weights to begin with: usual or given ones."""
        rules = self._given.rules
        options = {
            "system": self._given.options.system,
            "rules": {"source": rules.source, "inverse": rules.inverse, "reordering": rules.reordering},
            "corpora": sorted(self._given.corpora),
        }
        files = {} if self._given.weights is None else {"weights to begin with": file_key(self._given.weights)}
        return Step("weights", self._begin, options, files, makes=(Result(_FILE, _readable),))

    def tuned(self) -> Iterator[Step]:
        """Better weights, if there is text to find them on."""
        given, recipe = self._given, self._recipe
        if given.dev is None:
            return
        rules = {name: value for name, value in dataclasses.asdict(given.rules).items() if name not in _IDLE}
        options = {"tuning": dataclasses.asdict(given.tuning), "seed": given.options.seed}
        options |= {"rules": rules, "search": dataclasses.asdict(given.search)}
        files = {"weights to begin with": _text_key(self.start)}
        for side, path in zip(("source", "target"), given.dev, strict=True):
            files[f"{side} of the development text"] = file_key(path)
        needs = (recipe.prepare, recipe.align, recipe.language, recipe.index, *recipe.corpora.values())
        needs += () if recipe.table is None else (recipe.table,)
        yield Step("tune", self._tune, options, files, needs=needs, makes=(Result(_FILE),), in_place=True)

    def kept(self) -> bool:
        """Whether the model has weights that are not those to begin with."""
        return self._file.exists() and file_key(self._file) != self._recorded("weights")

    def _begin(self) -> dict[str, Any]:
        found = self._fitting()
        if found is None:
            self._keep_aside()
            found = self.start
        place = self._recipe.shop.to(_FILE)
        found.save(place)
        return {"wrote": file_key(place) if found == self.start else ""}

    def _fitting(self) -> Weights | None:
        """The weights that are there, if they were made for the same features, with those of all corpora that there
        will be and of no others."""
        old = self._recipe.shop.done.record("weights")
        wanted = self.first().inputs
        if old is None or not self._file.exists() or _apart_from_corpora(old["inputs"]) != _apart_from_corpora(wanted):
            return None
        try:
            present = Weights.open(self._file)
        except PentaglotError:
            return None
        names = {*self._given.corpora, *self._recipe.others}
        gone = tuple(f"@{name}" for name in old["inputs"]["options"]["corpora"] if name not in names)
        stays = {name: value for name, value in present.items() if not (gone and name.endswith(gone))}
        new = {name: value for name, value in self.start.items() if "@" in name and name not in stays}
        return Weights(stays | new)

    def _tune(self) -> None:
        given, recipe = self._given, self._recipe
        assert given.dev is not None
        sources, references = read_development(given.dev)
        self.tuning = tune(
            Translator(Model.open(recipe.output), weights=self.start),
            sources,
            references,
            given.tuning,
            seed=given.options.seed,
            threads=recipe.threads,
            checkpoint=recipe.shop.marks / "tuning",
            progress=recipe.progress,
        )
        self._keep_aside()
        self.tuning.weights.save(self._file)

    def remove_rounds(self) -> None:
        """What tuning keeps until it is done."""
        shutil.rmtree(self._recipe.shop.marks / "tuning", ignore_errors=True)

    def _keep_aside(self) -> None:
        self._recipe.keep_aside(_FILE, self._recorded("weights"), self._recorded("tune"))

    def _recorded(self, step: str) -> str | None:
        """The weights that a step has left."""
        record = self._recipe.shop.done.record(step)
        if record is None:
            return None
        return str(record["facts"].get("wrote") if step == "weights" else record["makes"].get(_FILE))


def _readable(path: Path) -> str:
    """Any weights will do that can be read: they may have been tuned, or changed by a person."""
    Weights.open(path)
    return "weights"


def _apart_from_corpora(inputs: dict[str, Any]) -> dict[str, Any]:
    options = {name: value for name, value in inputs["options"].items() if name != "corpora"}
    return {**inputs, "options": options}


def _text_key(weights: Weights) -> str:
    return f"{base.checksum(repr(list(weights.items())).encode()):016x}"
