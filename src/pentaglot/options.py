"""Options are frozen dataclasses; they are read from TOML or from flags, and every mistake in them is named.

>>> @dataclass(frozen=True)
... class Baking:
...     minutes: int = setting(30, "how long to bake", minimum=1)
...     heat: Literal["low", "high"] = setting("low", "how hot")
>>> read_options(Baking, {"minutes": 45})
Baking(minutes=45, heat='low')
>>> read_options(Baking, {"minuts": 45})
Traceback (most recent call last):
pentaglot.errors.OptionError: unknown option 'minuts'; did you mean 'minutes'?
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import numbers
import operator
import os
import re
import tomllib
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, SupportsIndex, TypeVar, Union, get_args, get_origin, get_type_hints

from pentaglot.errors import InputError, OptionError, reading

__all__ = [
    "Setting",
    "Tables",
    "check_choice",
    "check_number",
    "checked",
    "cpu_count",
    "nearest",
    "nested",
    "read_options",
    "read_toml",
    "setting",
    "settings_of",
    "suggestion",
    "tables_in",
]

_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")  # where the parser says a mistake is

Options = TypeVar("Options")


@dataclass(frozen=True)
class Setting:
    """One field of an options class as a person sees it."""

    name: str
    type: Any
    default: Any
    help: str
    choices: tuple[str, ...] | None
    minimum: float | None
    maximum: float | None
    optional: bool
    flag: str  # what it is called on the command line
    known: Callable[[], Iterable[str]] | None = None  # its allowed values, if packages may add more
    presets: Mapping[str, Mapping[str, Any]] | None = None  # values of other options, by name
    check: Callable[[Any], object] | None = None  # an OptionError if a value will not do


def setting(
    default: Any,
    help: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    flag: str | None = None,
    known: Callable[[], Iterable[str]] | None = None,
    presets: Mapping[str, Mapping[str, Any]] | None = None,
    check: Callable[[Any], object] | None = None,
) -> Any:
    """A dataclass field with a default, a sentence of help, bounds, optionally another name for the command line, and a
    function that lists the `known` names if it must be one of a registry. The name of one of the `presets` stands for
    values of other options; explicit ones win over it. Any other `check` raises an `OptionError`."""
    known = known if presets is None else presets.keys
    about = {"help": help, "minimum": minimum, "maximum": maximum, "flag": flag, "known": known, "presets": presets}
    return dataclasses.field(default=default, metadata=about | {"check": check})


@dataclass(frozen=True)
class Tables:
    """Options within options: each name has its own class, and other settings say which one applies."""

    own: Callable[[], Mapping[str, type[Any]]]  # those that get flags on the command line
    find: Callable[[str], type[Any]]  # the class of any name; an OptionError if there is none
    chosen: Callable[[Any], str]  # the name that applies, given the options around it
    field: str = ""


def nested(tables: Tables) -> Any:
    """A dataclass field for the options of the table that applies; None stands for its defaults.

    >>> @dataclass(frozen=True)
    ... class Bread:
    ...     crust: str = setting("thin", "how thick the crust is")
    >>> @dataclass(frozen=True)
    ... class Baking:
    ...     what: str = setting("bread", "what to bake")
    ...     how: Any = nested(Tables(dict, {"bread": Bread}.__getitem__, lambda baking: baking.what))
    >>> read_options(Baking, {"bread": {"crust": "thick"}})
    Baking(what='bread', how=Bread(crust='thick'))
    """
    return dataclasses.field(default=None, metadata={"tables": tables})


def tables_in(options: type[Any]) -> Tables | None:
    """The tables within an options class, if it has any."""
    for each in dataclasses.fields(options):
        if "tables" in each.metadata:
            tables: Tables = each.metadata["tables"]
            return dataclasses.replace(tables, field=each.name)
    return None


def settings_of(options: type[Any]) -> list[Setting]:
    """All settings of an options class, in order; other fields cannot be chosen."""
    hints = get_type_hints(options)
    found = []
    for field in dataclasses.fields(options):
        if "help" not in field.metadata:
            continue
        kind, optional = _without_none(hints[field.name])
        entry = get_args(kind)[0] if get_origin(kind) is tuple else kind
        choices = tuple(map(str, get_args(entry))) if get_origin(entry) is Literal else None
        found.append(
            Setting(
                name=field.name,
                type=str if choices and entry is kind else kind,
                default=field.default,
                help=field.metadata.get("help", ""),
                choices=choices,
                minimum=field.metadata.get("minimum"),
                maximum=field.metadata.get("maximum"),
                optional=optional,
                flag=field.metadata.get("flag") or field.name,
                known=field.metadata.get("known"),
                presets=field.metadata.get("presets"),
                check=field.metadata.get("check"),
            )
        )
    return found


def read_options(
    options: type[Options], values: Mapping[str, Any], *, path: str | os.PathLike[str] | None = None
) -> Options:
    """Makes an options object from names and values; `path` says where they were read, for messages."""
    if not isinstance(values, Mapping):
        raise OptionError(f"options are given by name, not as {values!r}", path=path)
    known = {each.name: each for each in settings_of(options)}
    tables = tables_in(options)
    values = _with_presets(values, known.values())
    checked, inner = {}, {}
    for name, value in values.items():
        key = name.replace("-", "_")
        if key in known:
            checked[key] = _checked(known[key], value, path)
        elif tables is not None and isinstance(value, Mapping):
            inner[name] = read_options(_table_class(tables, name, path), value, path=path)
        else:
            if tables is not None and name in tables.own():
                raise OptionError(f"'{name}' must be a table, not {value!r}", path=path)
            hint = suggestion(key, known) if tables is None else _hint_for_tables(key, known, tables)
            raise OptionError(f"unknown option '{name}'", path=path, hint=hint)
    made = options(**checked)
    if tables is None or (chosen := tables.chosen(made)) not in inner:
        return made
    return typing.cast("Options", dataclasses.replace(typing.cast(Any, made), **{tables.field: inner[chosen]}))


def _with_presets(values: Mapping[str, Any], settings: Iterable[Setting]) -> Mapping[str, Any]:
    for each in settings:
        chosen = values.get(each.name)
        if each.presets is None or not isinstance(chosen, str) or chosen not in each.presets:
            continue  # what is wrong with a name is said later
        found = dict(each.presets[chosen])
        for name, value in values.items():
            inner = found.get(name)
            found[name] = {**inner, **value} if isinstance(inner, Mapping) and isinstance(value, Mapping) else value
        values = found
    return values


def _table_class(tables: Tables, name: str, path: str | os.PathLike[str] | None) -> type[Any]:
    try:
        return tables.find(name)
    except OptionError as error:
        raise OptionError(error.message, path=path, hint=error.hint) from error


def _hint_for_tables(name: str, known: Mapping[str, Setting], tables: Tables) -> str:
    for table, options in tables.own().items():
        rest = name.removeprefix(f"{table}_")
        if rest != name and any(each.name == rest for each in settings_of(options)):
            return f"write '{rest}' into the table '{table}' within this one"
    return suggestion(name, known)


def checked(options: Options) -> Options:
    """Returns the options if every value is allowed; options that a program makes itself are unchecked before.

    >>> @dataclass(frozen=True)
    ... class Baking:
    ...     minutes: int = setting(30, "how long to bake", minimum=1)
    >>> checked(Baking(minutes=-5))
    Traceback (most recent call last):
    pentaglot.errors.OptionError: option 'minutes' is -5; it must be at least 1
    """
    kind = type(options)
    values = {each.name: getattr(options, each.name) for each in settings_of(kind)}
    if (tables := tables_in(kind)) is not None and (inner := getattr(options, tables.field)) is not None:
        values[tables.chosen(options)] = {each.name: getattr(inner, each.name) for each in settings_of(type(inner))}
    return read_options(kind, values)


def check_number(name: str, value: int, minimum: int, maximum: int) -> int:
    """Returns a whole number given to a function if it lies within bounds."""
    wanted = Setting(name, int, None, "", None, minimum, maximum, optional=False, flag=name)
    number: int = _checked(wanted, value, None)
    return number


def check_choice(name: str, value: str, known: Iterable[str]) -> str:
    """Returns a word given to a function if it is one of those known.

    >>> check_choice("ties", "strikt", ["inclusive", "strict"])
    Traceback (most recent call last):
    pentaglot.errors.OptionError: option 'ties' cannot be 'strikt'; did you mean 'strict'?
    """
    if value not in (words := tuple(known)):
        raise OptionError(f"option '{name}' cannot be {value!r}", hint=suggestion(str(value), words))
    return value


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """A TOML file as nested dictionaries."""
    with reading(path):
        data = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf")  # editors of Windows begin a file with a mark
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("is not valid TOML: it is not text in UTF-8", path=path, line=line) from error
    except (ValueError, RecursionError) as error:
        place = _TOML_PLACE.search(str(error))
        told = str(error) if place is None else f"{str(error)[: place.start()]} (column {place[2]})"
        number = None if place is None else int(place[1])
        raise InputError(f"is not valid TOML: {told}", path=path, line=number) from error


def suggestion(name: str, known: Iterable[str]) -> str:
    """A hint for a name that is not known: the nearest one, or all of them."""
    known = sorted(known)
    near = nearest(name, known)
    return f"did you mean '{near}'?" if near else "known: " + ", ".join(known)


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most like this one; empty if none is.

    >>> nearest("serch", ["rules", "search"]), nearest("x", ["rules", "search"])
    ('search', '')
    """
    return next(iter(difflib.get_close_matches(name, list(known), n=1)), "")


def cpu_count() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _without_none(kind: Any) -> tuple[Any, bool]:
    if get_origin(kind) in (Union, types.UnionType):
        inner = [each for each in get_args(kind) if each is not type(None)]
        if len(inner) == 1:
            return inner[0], True
    return kind, False


def _plain(value: Any, kind: Any) -> Any:
    """A number or a path of another library as Python's own; what does not fit stays as it is."""
    if isinstance(value, bool):
        return value
    if kind is int and isinstance(value, SupportsIndex):
        return operator.index(value)
    if kind is float and isinstance(value, numbers.Real):
        return float(value)
    if kind is str and isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a string", tuple: "a list"}


def _checked(wanted: Setting, value: Any, path: str | os.PathLike[str] | None) -> Any:
    if value is None and wanted.optional:
        return None
    origin = typing.get_origin(wanted.type) or wanted.type
    if wanted.choices is not None and origin is not tuple:
        if value not in wanted.choices:
            raise OptionError(
                f"option '{wanted.name}' cannot be {value!r}",
                path=path,
                hint=suggestion(str(value), wanted.choices),
            )
        return value
    if origin is tuple and isinstance(value, list | tuple):
        value = tuple(_plain(entry, get_args(wanted.type)[0]) for entry in value)
    else:
        value = _plain(value, origin)
    if not isinstance(value, origin) or (isinstance(value, bool) and origin is not bool):
        raise OptionError(
            f"option '{wanted.name}' must be {_KINDS.get(origin, origin.__name__)}, not {value!r}", path=path
        )
    if origin is tuple:
        of = str if wanted.choices else get_args(wanted.type)[0]
        for entry in value:
            if wanted.choices and isinstance(entry, str) and entry not in wanted.choices:
                problem = f"option '{wanted.name}' cannot hold {entry!r}"
                raise OptionError(problem, path=path, hint=suggestion(entry, wanted.choices))
            if type(entry) is not of:
                problem = f"option '{wanted.name}' holds {entry!r}; every entry must be {_KINDS.get(of, of.__name__)}"
                raise OptionError(problem, path=path)
    if wanted.known is not None and value not in (names := tuple(wanted.known())):
        raise OptionError(f"there is no {wanted.name} '{value}'", path=path, hint=suggestion(value, names))
    low, high = wanted.minimum, wanted.maximum
    for number in value if origin is tuple else (value,):
        if (low is not None and not number >= low) or (high is not None and not number <= high):
            bounds = (
                f"at least {low}" if high is None else f"at most {high}" if low is None else f"from {low} to {high}"
            )
            raise OptionError(f"option '{wanted.name}' is {number}; it must be {bounds}", path=path)
        if isinstance(number, float) and not math.isfinite(number):
            raise OptionError(f"option '{wanted.name}' is {number}; it must be a finite number", path=path)
    if wanted.check is not None:
        try:
            wanted.check(value)
        except OptionError as error:
            where = "" if path is None else f"option '{wanted.name}': "  # it may be hard to find in a file
            raise OptionError(where + error.message, path=path, hint=error.hint) from error
    return value
