"""Operators composed in TOML: each is a table of a list `[[induce]]` that names its `operator`.

>>> operators_from([{"operator": "pairs", "least": 2}, {"operator": "domains"}])
(WordPairs(classes=0, least=2, most=0, linked=True), Domains(features=(), metadata='domain', least=1))
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pentaglot.errors import OptionError
from pentaglot.forest import DeclaredFeature
from pentaglot.options import checked, read_options, read_toml, suggestion
from pentaglot.rules.features import FEATURES, declared_feature
from pentaglot.rules.operators import (
    MOST_ACROSS,
    OPERATOR_PRESETS,
    OPERATORS,
    CutIntoBins,
    Domains,
    Operator,
    TargetNgrams,
    WordOperator,
)
from pentaglot.rules.quantities import quantity_named
from pentaglot.toml_lines import located

__all__ = ["check_operators", "operators_from", "operators_to", "preset_operators", "read_operators"]

_LIST = ("induce",)


def operators_from(
    tables: Any,
    *,
    path: str | os.PathLike[str] | None = None,
    place: Sequence[str] = _LIST,
    declared: Mapping[str, DeclaredFeature] = FEATURES,
    undeclared: bool = True,
) -> tuple[Operator, ...]:
    """Operators from the tables of a TOML file, or of the preset with this name; `path` says where they were read, and
    `place` which tables of it they are, for messages. For the rest see `check_operators`.

    >>> operators_from([{"operator": "bin"}])
    Traceback (most recent call last):
    pentaglot.errors.OptionError: there is no operator 'bin'; did you mean 'bins'?
    """
    if isinstance(tables, str):
        return preset_operators(tables, path=path)
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise OptionError("'induce' must be a list of tables", path=path, hint="write [[induce]] before each operator")
    found = []
    for number, table in enumerate(tables, 1):
        options = dict(table)
        name = options.pop("operator", None)
        with _located(path, place, number):
            if not isinstance(name, str) or name not in OPERATORS:
                message = "a table of 'induce' names no operator" if name is None else f"there is no operator '{name}'"
                raise OptionError(message, path=path, hint=suggestion(str(name), OPERATORS))
            found.append(read_options(OPERATORS[name], options, path=path))
    return check_operators(found, path=path, place=place, declared=declared, undeclared=undeclared)


@contextmanager
def _located(path: str | os.PathLike[str] | None, place: Sequence[str], number: int) -> Iterator[None]:
    """Names the line of mistakes in one of several operators."""
    if path is None:
        yield
        return
    with located(Path(path), *place, number=number):
        yield


def preset_operators(name: str, *, path: str | os.PathLike[str] | None = None) -> tuple[Operator, ...]:
    """The operators of a publication.

    >>> preset_operators("clark2015-domains")
    (Domains(features=(), metadata='domain', least=1),)
    """
    if name not in OPERATOR_PRESETS:
        hint = suggestion(name, OPERATOR_PRESETS)
        raise OptionError(f"there are no operators called '{name}'", path=path, hint=hint)
    return OPERATOR_PRESETS[name]


def check_operators(
    operators: Sequence[Operator],
    *,
    path: str | os.PathLike[str] | None = None,
    place: Sequence[str] = _LIST,
    declared: Mapping[str, DeclaredFeature] = FEATURES,
    undeclared: bool = True,
) -> tuple[Operator, ...]:
    """Returns the operators if they can be used together, on features that are `declared`; others may exist if
    `undeclared` ones do, which hooks give."""
    if isinstance(operators, str) or not isinstance(operators, Iterable):
        hint = "the operators of a publication are `preset_operators(NAME)`"
        raise OptionError("operators are given as a list", path=path, hint=hint)
    found: list[Operator] = []
    cut: set[tuple[str, str]] = set()
    for number, operator in enumerate(operators, 1):
        with _located(path, place, number):
            if not isinstance(operator, Operator):
                raise OptionError(f"{operator!r} is not an operator", path=path, hint="give such as WordPairs(least=2)")
            each = checked(operator)
            _check_beside(each, found)
            if isinstance(each, CutIntoBins):
                _check_bins(each, cut, declared, undeclared)
            elif isinstance(each, Domains):
                _check_domains(each, declared, undeclared)
            found.append(each)
    return tuple(found)


def _check_beside(each: Operator, others: Sequence[Operator]) -> None:
    """Whether an operator can be used at all, and together with those before it."""
    words = isinstance(each, WordOperator) and any(
        isinstance(other, WordOperator) and other.prefix == each.prefix for other in others
    )
    if words or (isinstance(each, Domains) and any(isinstance(other, Domains) for other in others)):
        raise OptionError(f"the operator '{each.operator}' is given twice", hint="leave one of them out")
    if isinstance(each, TargetNgrams) and each.across and each.order > MOST_ACROSS:
        message = f"n-grams across rules have at most {MOST_ACROSS} words, so 'order' cannot be {each.order}"
        raise OptionError(message)


def _check_domains(each: Domains, declared: Mapping[str, DeclaredFeature], undeclared: bool) -> None:
    for at, name in enumerate(each.features):
        if name in each.features[:at]:
            raise OptionError(f"'{name}' is multiplied by domains twice", hint="leave one of them out")
        if undeclared or name.endswith("="):  # bins are found later
            continue
        if declared_feature(name, declared) is None:
            hint = suggestion(name, declared)
            raise OptionError(f"there is no feature '{name}' to multiply by domains", hint=hint)


def _check_bins(
    each: CutIntoBins, cut: set[tuple[str, str]], declared: Mapping[str, DeclaredFeature], undeclared: bool
) -> None:
    for name in each.chosen:
        if (name, each.kind) in cut:
            raise OptionError(f"'{name}' is cut into bins twice", hint="leave one of them out")
        cut.add((name, each.kind))
        quantity = quantity_named(name, declared, undeclared=undeclared)
        if each.kind == "probability" and not quantity.logarithm:
            hint = "cut it into bins, or leave it out"
            raise OptionError(f"'{name}' is not the logarithm of a probability", hint=hint)


def operators_to(operators: Sequence[Operator]) -> list[dict[str, Any]]:
    """Operators as tables for a TOML file, without what is as usual.

    >>> operators_to([CutIntoBins(bins=8)])
    [{'operator': 'bins', 'bins': 8}]
    """
    found = []
    for each in operators:
        usual = asdict(type(each)())
        options = {name: value for name, value in asdict(each).items() if value != usual[name]}
        lists = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
        found.append({"operator": each.operator, **lists})
    return found


def read_operators(
    path: str | os.PathLike[str], declared: Mapping[str, DeclaredFeature] = FEATURES, *, undeclared: bool = True
) -> tuple[Operator, ...]:
    """Reads the operators of a TOML file; the name of a preset stands for its own. For the rest see
    `check_operators`."""
    name = os.fspath(path)
    if name in OPERATOR_PRESETS and not Path(path).exists():
        return preset_operators(name)
    contents = read_toml(path)
    unknown = sorted(set(contents) - {"induce"})
    if unknown:
        with located(Path(path)):
            raise OptionError(f"unknown table '{unknown[0]}'", path=path, hint="operators are tables [[induce]]")
    found = operators_from(contents.get("induce", []), path=path, declared=declared, undeclared=undeclared)
    if not found:
        raise OptionError("has no operators", path=path, hint="write a table [[induce]] for each")
    return found
