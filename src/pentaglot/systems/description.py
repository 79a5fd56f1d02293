"""The file `pentaglot.toml`, which makes a directory a model: its system and options."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from pentaglot import __version__, storage
from pentaglot.errors import OptionError, StorageError
from pentaglot.guarded import inside
from pentaglot.options import read_options, read_toml, suggestion
from pentaglot.order import OrderOptions
from pentaglot.rules import Operator, RuleOptions, operators_from
from pentaglot.rules.operator_tables import operators_to
from pentaglot.search import SearchOptions
from pentaglot.systems.ordering import PREORDER, PreorderName
from pentaglot.systems.registry import find_system
from pentaglot.toml_lines import located

__all__ = ["FILE", "Description", "is_model"]

_FORMAT = 1
_KNOWN = ("format", "pentaglot", "system", "rules", "search", "made", "preorder", "order", "induce")
FILE = "pentaglot.toml"


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
        storage.write_text(directory / FILE, tomli_w.dumps(contents))

    @classmethod
    def open(cls, directory: Path) -> Description:
        """Reads the file of a model directory."""
        if not directory.is_dir():
            raise StorageError("there is no model here", path=directory, hint="check the path, or train one")
        file = inside(directory, FILE)
        if not file.exists():
            hint = "run 'pentaglot train' again to finish it" if (directory / ".train").exists() else "check the path"
            raise StorageError(f"is not a finished model: it has no {FILE}", path=directory, hint=hint)
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
        with located(file):
            for name in contents:
                if name not in _KNOWN:
                    raise OptionError(f"has an unknown part '{name}'", path=file, hint=suggestion(name, _KNOWN))
        with located(file, "rules"):
            rules = read_options(RuleOptions, contents.get("rules", {}), path=file)
        with located(file, "search"):
            search = read_options(SearchOptions, _renamed(contents.get("search", {}), rules), path=file)
        known.check_labels(search, path=file)
        preorder = contents.get("preorder")
        if preorder is not None and preorder not in PREORDER:
            raise StorageError(
                f"names an unknown word order '{preorder}'", path=file, hint=suggestion(str(preorder), PREORDER)
            )
        with located(file, "order"):
            order = read_options(OrderOptions, contents.get("order", {}), path=file)
        induce = operators_from(contents.get("induce", []), path=file, declared=known.declared)
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


def is_model(path: str | os.PathLike[str]) -> bool:
    """Whether there is a trained model at `path`."""
    return (Path(path) / FILE).exists()
