"""The systems of an experiment: what the tables of one say, and all points of its sweep."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pentaglot._core import base
from pentaglot.align import AlignOptions
from pentaglot.corpus.segmenters import known_segmenters, load_segmenter
from pentaglot.errors import MissingDependencyError, OptionError
from pentaglot.learn import TuneOptions, chosen_metric, chosen_tuner
from pentaglot.options import read_options, suggestion
from pentaglot.order import GrammarOptions, OrderOptions
from pentaglot.rules import RuleOptions
from pentaglot.rules.operator_tables import operators_from, operators_to
from pentaglot.rules.operators import Operator
from pentaglot.search import SearchOptions
from pentaglot.systems.materials import TrainOptions
from pentaglot.systems.registry import find_system

__all__ = ["TABLES", "Variant", "read_variants", "table_of"]

Options = TypeVar("Options", RuleOptions, SearchOptions)

TABLES = ("train", "align", "preorder", "order", "rules", "search", "tune")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_-]*")
# Rule options that training depends on; a search over an index may change all others.
_WHEN_TRAINED = ("source", "reordering", "fallbacks")
# What training does not depend on, of the options of word order: how many orders are translated at once.
_WHEN_TRANSLATED = ("orders", "lattice_from", "arcs")
_SWITCHES = {"separate": False, "tuned": True, "true_order": False}


@dataclass(frozen=True)
class Variant:
    """A system with all its options, or one point of its sweep."""

    system: str
    point: str  # its settings in the sweep
    train: TrainOptions
    align: AlignOptions
    rules: RuleOptions
    search: SearchOptions
    tuning: TuneOptions
    induce: tuple[Operator, ...] = ()
    separate: bool = False  # tuned for each domain by itself
    grammar: GrammarOptions = field(default_factory=GrammarOptions)  # of word order, if that is learnt
    order: OrderOptions = field(default_factory=OrderOptions)
    without: tuple[str, ...] = ()  # features that weigh nothing
    tuned: bool = True  # else the weights are those of training
    told: str = ""  # the point for people
    true_order: bool = False  # text is translated in the order of its first reference, though not tuned so

    @property
    def orders_by_reference(self) -> bool:
        """Whether text is put into the order of its first reference before it is translated."""
        return self.true_order or self.train.preorder == "gold"

    @property
    def trained_order(self) -> OrderOptions:
        """The options of word order that a model is trained with; those that only matter later are the usual ones, so
        that variants share a model."""
        usual = OrderOptions()
        return dataclasses.replace(self.order, **{name: getattr(usual, name) for name in _WHEN_TRANSLATED})

    @property
    def name(self) -> str:
        return f"{self.system} {self.point}" if self.point else self.system

    @property
    def trained_rules(self) -> RuleOptions:
        """The rule options that a model is trained with; those that only the search uses are the system's, so that
        variants share a model."""
        if self.rules.source != "index":
            return self.rules
        own = find_system(self.train.system).rules
        return dataclasses.replace(own, **{name: getattr(self.rules, name) for name in _WHEN_TRAINED})


def table_of(tables: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    """A table of others; empty if it is not there."""
    found = tables.get(name, {})
    if not isinstance(found, dict):
        raise OptionError(f"has a value '{name}' where a table should be", path=path)
    return found


def read_variants(name: str, table: dict[str, Any], shared: Mapping[str, Any], path: Path) -> list[Variant]:
    """A system, or all points of its sweep."""
    if not _NAME.fullmatch(name):
        raise OptionError(f"has a system '{name}'", path=path, hint="use letters, digits and . + _ - in names")
    known = (*TABLES, "induce", "sweep", *_SWITCHES, "without")
    for part in table:
        if part not in known:
            hint = suggestion(part, known)
            raise OptionError(f"[systems.{name}] has an unknown part '{part}'", path=path, hint=hint)
    own: dict[str, Any] = {part: _merged(shared[part], table_of(table, part, path)) for part in TABLES}
    own["induce"] = table.get("induce", shared["induce"])
    own["induced_by"] = ("systems", name, "induce") if "induce" in table else ("induce",)
    sweep = table_of(table, "sweep", path)
    own |= _switches(name, table, path)
    if not own["tuned"]:
        own["induce"] = []
    for setting_name, values in sweep.items():
        part = setting_name.partition(".")[0]
        if part not in (*TABLES, "induce"):
            problem = f"[systems.{name}] has a sweep '{setting_name}' of an unknown part '{part}'"
            raise OptionError(problem, path=path, hint=suggestion(part, (*TABLES, "induce")))
        if not isinstance(values, list) or not values:
            hint = 'write sweep = { "tune.size" = [50, 100] }'
            raise OptionError(f"[systems.{name}] has a sweep '{setting_name}' without values", path=path, hint=hint)
    points = []
    for values in itertools.product(*sweep.values()):
        tables: dict[str, Any] = own
        for setting_name, value in zip(sweep, values, strict=True):
            if setting_name.startswith("induce."):
                tables = tables | {"induce": _with_operator(tables["induce"], setting_name, value, path)}
                continue
            for part in reversed(setting_name.split(".")):
                value = {part: value}
            tables = _merged(tables, value)
        chosen = ",".join(f"{each}={value}" for each, value in zip(sweep, values, strict=True))
        found = _variant(name, _short(re.sub(r"[^A-Za-z0-9.=,+_-]", "_", chosen)), tables, path)
        told = "; ".join(f"{each} {_told(value)}" for each, value in zip(sweep, values, strict=True))
        points.append(dataclasses.replace(found, told=told))
    if len({each.point for each in points}) < len(points):
        raise OptionError(f"[systems.{name}] sweeps a value twice", path=path, hint="leave one out")
    return points


def _told(value: Any) -> str:
    """
    >>> _told(["monotone=1000", "l2=50@induced"]), _told(0.25)
    ('monotone=1000 and l2=50@induced', '0.25')
    """
    return " and ".join(map(str, value)) if isinstance(value, list) else str(value)


def _short(point: str) -> str:
    """A point that names a directory and files, of which most systems allow 255 characters.

    >>> _short("tune.size=50"), len(_short("tune.size=50," * 99))
    ('tune.size=50', 128)
    """
    if len(point) <= 128:
        return point
    return f"{point[:111]}-{base.checksum(point.encode()):016x}"


def _switches(name: str, table: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Whether a system is tuned, for each domain by itself, and tested in the true order; and what it is without."""
    found: dict[str, Any] = {switch: table.get(switch, usual) for switch, usual in _SWITCHES.items()}
    for switch, value in found.items():
        if not isinstance(value, bool):
            raise OptionError(f"[systems.{name}] has '{switch}' = {value!r}", path=path, hint="true or false")
    found["without"] = table.get("without", [])
    if not isinstance(found["without"], list) or not all(isinstance(each, str) for each in found["without"]):
        hint = 'a list of features, such as ["rules", "coherence"]'
        raise OptionError(f"[systems.{name}] has 'without' = {found['without']!r}", path=path, hint=hint)
    if not found["tuned"]:
        needless = [part for part in ("tune", "induce", "separate") if table.get(part)]
        needless += [each for each in table.get("sweep", ()) if each.partition(".")[0] in ("tune", "induce")]
        if needless:
            problem = f"[systems.{name}] is not tuned, so '{needless[0]}' would change nothing"
            raise OptionError(problem, path=path, hint="leave it out, or leave out tuned = false")
    return found


def _with_operator(operators: Any, name: str, value: Any, path: Path) -> list[dict[str, Any]]:
    """Operators with one option of one of them changed: `induce.1.bins` is the option `bins` of the second."""
    if isinstance(operators, str):
        operators = operators_to(operators_from(operators, path=path))
    if not isinstance(operators, list) or not all(isinstance(each, Mapping) for each in operators):
        return operators_to(operators_from(operators, path=path))  # says what is wrong with them
    _, place, *option = name.split(".")
    if not place.isdecimal() or int(place) >= len(operators) or len(option) != 1:
        hint = 'write "induce.0.bins" for an option of the first operator'
        raise OptionError(f"has a sweep '{name}' of no operator", path=path, hint=hint)
    found = [dict(each) for each in operators]
    found[int(place)][option[0]] = value
    return found


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Merges two tables, and tables within them; the second wins.

    >>> _merged({"size": 50, "mira": {"pull": 0.5, "epochs": 9}}, {"mira": {"pull": 0.1}})
    {'size': 50, 'mira': {'pull': 0.1, 'epochs': 9}}
    """
    found = {name.replace("-", "_"): value for name, value in first.items()}
    for name, value in second.items():
        key = name.replace("-", "_")
        both = isinstance(value, Mapping) and isinstance(found.get(key), Mapping)
        found[key] = _merged(found[key], value) if both else value
    return found


def _variant(name: str, point: str, tables: Mapping[str, Any], path: Path) -> Variant:
    given = table_of(tables, "train", path)
    if "tune" in given:
        hint = "write tuned = false for a system that is not tuned"
        raise OptionError(f"[systems.{name}] has 'tune' in train, which would change nothing", path=path, hint=hint)
    options = read_options(TrainOptions, {**given, "tune": False}, path=path)
    _check_segmenters(options, path)
    system = find_system(options.system)
    features = system.declared
    for each in tables["without"]:
        if each not in features:
            problem = f"[systems.{name}] is without '{each}', which is no feature"
            raise OptionError(problem, path=path, hint=suggestion(each, features))
    if tables["true_order"] and (options.preorder in (None, "gold") or options.reorder_by == "search"):
        problem = f"[systems.{name}] puts no text into an order of its own, so 'true_order' would change nothing"
        raise OptionError(problem, path=path, hint='add train = { preorder = "pet", reorder_by = "grammar" }')
    operators = operators_from(
        tables["induce"],
        path=path,
        place=tables["induced_by"],
        declared=system.declared,
        undeclared=bool(system.hooks),
    )
    return Variant(
        name,
        point,
        options,
        read_options(AlignOptions, tables["align"], path=path),
        _changed(system.rules, tables["rules"], path),
        _changed(system.search, tables["search"], path),
        _tuning(tables["tune"], path),
        operators,
        bool(tables["separate"]),
        read_options(GrammarOptions, tables["preorder"], path=path),
        read_options(OrderOptions, tables["order"], path=path),
        tuple(sorted(set(tables["without"]))),
        bool(tables["tuned"]),
        true_order=bool(tables["true_order"]),
    )


def _check_segmenters(options: TrainOptions, path: Path) -> None:
    """Raises an error if text is to be cut by a package that is not installed, before any system is trained."""
    for mode in {tokenizer.mode for tokenizer in options.tokenizers} & set(known_segmenters()):
        try:
            load_segmenter(mode)
        except MissingDependencyError as error:
            raise OptionError(f"cuts words by '{mode}', but {error.message}", path=path, hint=error.hint) from error


def _tuning(table: Mapping[str, Any], path: Path) -> TuneOptions:
    found = read_options(TuneOptions, table, path=path)
    if found.beer_model is not None:  # relative to the file of the experiment
        beer = path.parent / found.beer_model
        if not beer.exists():
            hint = f"train it first: pentaglot beer train -o {beer}"
            raise OptionError(f"tunes by a model of BEER, {beer}, which is not there", path=path, hint=hint)
        found = dataclasses.replace(found, beer_model=str(beer))
    try:
        chosen_tuner(found)  # a penalty may be wrong, or not go with the tuner
        chosen_metric(found)
    except OptionError as error:
        raise OptionError(error.message, path=path, hint=error.hint) from error
    return found


def _changed(own: Options, given: Mapping[str, Any], path: Path) -> Options:
    """Options of a system with some of them changed."""
    read = read_options(type(own), given, path=path)
    names = [name.replace("-", "_") for name in given]
    changed: Options = dataclasses.replace(own, **{name: getattr(read, name) for name in names})
    return changed
