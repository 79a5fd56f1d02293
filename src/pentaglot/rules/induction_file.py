"""An `Induction` on disk: a directory of text files.

`operators.toml` has the operators and what was fitted of them; the features of words, which may be many, stand in files
of their own, one on each line, and so do word classes. In these, white space and `%` in a word are written as in
weights (`%20`).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from pentaglot import storage
from pentaglot.corpus import read_lines
from pentaglot.errors import InputError, PentaglotError
from pentaglot.forest import DeclaredFeature
from pentaglot.forest.weight_lines import escaped_name, unescaped_name
from pentaglot.guarded import inside
from pentaglot.options import read_options, read_toml
from pentaglot.placing import new_directory, put_in_place
from pentaglot.rules.binning import Bins
from pentaglot.rules.features import FEATURES
from pentaglot.rules.induced import BinnedQuantity, ConjoinedQuantities, FittedDomains, WordClassMaps, WordFeatures
from pentaglot.rules.induction import Induction
from pentaglot.rules.operator_tables import operators_from, operators_to
from pentaglot.rules.operators import CutIntoBins, WordOperator
from pentaglot.rules.quantities import quantity_named

__all__ = ["open_induction", "save_induction"]

_FORMAT = 1
_FILE = "operators.toml"
_COLUMNS = ("first", "last", "mean")
_SIDES = ("source", "target")


def save_induction(induction: Induction, path: str | os.PathLike[str]) -> None:
    """Writes an induction as a directory, whole or not at all."""
    place = Path(path)
    with new_directory(place) as beside:
        for name, text in _files(induction):
            storage.write_text(beside / name, text)
        put_in_place(beside, place)


def _files(induction: Induction) -> Iterator[tuple[str, str]]:
    contents: dict[str, Any] = {"format": _FORMAT, "induce": operators_to(induction.operators)}
    contents["binned"] = [
        {
            "quantity": each.quantity.name,
            "kind": each.kind,
            "keep": each.keep,
            "shown": each.shown,
            "population": list(each.bins.population),
            **{name: list(getattr(each.bins, name)) for name in _COLUMNS},
        }
        for each in induction.binned
    ]
    contents["conjoined"] = [
        {"quantities": [induction.binned[each].name for each in conjoined.sets]} for conjoined in induction.conjoined
    ]
    if induction.domains is not None:
        domains = induction.domains
        named = {"names": list(domains.names), "features": list(domains.features)}
        contents["domains"] = {"metadata": domains.metadata, **named}
    yield _FILE, tomli_w.dumps(contents)
    for number, each in enumerate(induction.conjoined, 1):
        yield _bins_file(number), "".join(" ".join(map(str, row)) + "\n" for row in each.bins.tolist())
    for words in induction.worded:
        yield _words_file(words.operator), "".join(f"{escaped_name(each)}\n" for each in words.words)
    for size, maps in induction.classes.items():
        for side, known in zip(_SIDES, (maps.source, maps.target), strict=True):
            lines = (f"{escaped_name(word)} {number}\n" for word, number in known.items())
            yield _classes_file(size, side), "".join(lines)


def _bins_file(number: int) -> str:
    return f"conjoined-{number}.txt"


def _words_file(operator: WordOperator) -> str:
    return f"{operator.prefix}.txt"


def _classes_file(size: int, side: str) -> str:
    return f"classes-{size}.{side}.txt"


def open_induction(path: str | os.PathLike[str], declared: Mapping[str, DeclaredFeature] = FEATURES) -> Induction:
    """Opens a saved induction; the error says which file is damaged, and where."""
    directory = Path(path)
    file = inside(directory, _FILE)
    contents = read_toml(file)
    version = contents.get("format")
    if type(version) is not int or not 1 <= version <= _FORMAT:
        raise InputError(
            f"has format {version!r}, but this Pentaglot reads format {_FORMAT}", path=file, hint="tune the model again"
        )
    operators = operators_from(contents.get("induce", []), path=file)
    worded = [each for each in operators if isinstance(each, WordOperator)]
    sizes = {each.classes for each in worded if each.classes}
    with storage.damage_at(file):
        binned = tuple(_binned(each, declared) for each in _tables(contents, "binned"))
        places = {each.name: place for place, each in enumerate(binned)}
        conjoined = [_sets(each, places) for each in _tables(contents, "conjoined")]
        domains = _domains(contents.get("domains"))
    made = Induction(
        operators,
        binned,
        tuple(_conjoined(sets, inside(directory, _bins_file(at))) for at, sets in enumerate(conjoined, 1)),
        tuple(_words(each, inside(directory, _words_file(each))) for each in worded),
        domains,
        {size: _class_maps(directory, size) for size in sorted(sizes)},
    )
    with storage.damage_at(file):
        made.check()
    return made


def _tables(contents: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = contents.get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise PentaglotError(f"'{name}' is not a list of tables")
    return found


def _binned(table: dict[str, Any], declared: Mapping[str, DeclaredFeature]) -> BinnedQuantity:
    columns = [_numbers(table, name) for name in _COLUMNS]
    population = table.get("population")
    if not isinstance(population, list) or not all(type(each) is int for each in population):
        raise PentaglotError("'population' is not a list of whole numbers")
    bins = Bins(columns[0], columns[1], columns[2], tuple(population))
    bins.check()
    how = read_options(CutIntoBins, {name: table.get(name) for name in ("kind", "keep", "shown")})
    quantity = quantity_named(_text(table, "quantity"), declared, undeclared=True)
    return BinnedQuantity(quantity, bins, how.kind, how.keep, how.shown)


def _numbers(table: dict[str, Any], name: str) -> tuple[float, ...]:
    found = table.get(name)
    if not isinstance(found, list) or not all(type(each) in (int, float) for each in found):
        raise PentaglotError(f"'{name}' is not a list of numbers")
    return tuple(map(float, found))


def _text(table: dict[str, Any], name: str) -> str:
    found = table.get(name)
    if not isinstance(found, str) or not found:
        raise PentaglotError(f"'{name}' is not a name")
    return found


def _names(table: dict[str, Any], name: str) -> tuple[str, ...]:
    found = table.get(name)
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise PentaglotError(f"'{name}' is not a list of names")
    if len(set(found)) != len(found):
        raise PentaglotError(f"'{name}' has a name twice")
    return tuple(found)


def _sets(table: dict[str, Any], places: Mapping[str, int]) -> tuple[int, ...]:
    names = _names(table, "quantities")
    if not 2 <= len(names) <= 3 or not all(name in places for name in names):
        raise PentaglotError("bins are conjoined of quantities that are not cut into bins")
    return tuple(places[name] for name in names)


def _domains(table: Any) -> FittedDomains | None:
    if table is None:
        return None
    if not isinstance(table, dict):
        raise PentaglotError("'domains' is not a table")
    return FittedDomains(_text(table, "metadata"), _names(table, "names"), _names(table, "features"))


def _conjoined(sets: tuple[int, ...], file: Path) -> ConjoinedQuantities:
    rows = []
    for number, line in enumerate(read_lines(file), 1):
        fields = line.split()
        if len(fields) != len(sets) or not all(_is_number(each) for each in fields):
            raise InputError(f"{len(sets)} numbers of bins are needed", path=file, line=number)
        rows.append(tuple(map(int, fields)))
    if len(set(rows)) != len(rows):
        raise InputError("has the same bins twice", path=file)
    return ConjoinedQuantities(sets, np.array(rows, np.uint32).reshape(-1, len(sets)))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 7


def _words(operator: WordOperator, file: Path) -> WordFeatures:
    found: dict[str, None] = {}
    for number, line in enumerate(read_lines(file), 1):
        joined = _unescaped(line, file, number)
        if joined in found:
            raise InputError(f"has '{joined}' twice", path=file, line=number, hint="keep one of them")
        with _at(file, number):
            WordFeatures(operator, (joined,)).check()
        found[joined] = None
    return WordFeatures(operator, tuple(found))


def _class_maps(directory: Path, size: int) -> WordClassMaps:
    source, target = (_classes(inside(directory, _classes_file(size, side)), size) for side in _SIDES)
    return WordClassMaps(source, target)


def _classes(file: Path, size: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, line in enumerate(read_lines(file), 1):
        word, _, of = line.partition(" ")
        if not word or not _is_number(of) or not 1 <= int(of) <= size:
            raise InputError(f"a word and its class from 1 to {size} are needed", path=file, line=number)
        found[_unescaped(word, file, number)] = int(of)
    return found


def _unescaped(text: str, file: Path, number: int) -> str:
    try:
        return unescaped_name(text)
    except ValueError:
        raise InputError("has a % that is not followed by two hexadecimal digits", path=file, line=number) from None


@contextlib.contextmanager
def _at(file: Path, number: int) -> Iterator[None]:
    try:
        yield
    except PentaglotError as error:
        raise InputError(error.message, path=file, line=number) from error
