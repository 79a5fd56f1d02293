"""The typed stubs of the native core are written by hand; here they are held against what the core really offers."""

from __future__ import annotations

import ast
import enum
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import pentaglot
from pentaglot import _core

STUBS = Path(pentaglot.__file__).with_name("_core")
SUBMODULES = [name for name, value in vars(_core).items() if isinstance(value, ModuleType)]

# What every nanobind class has without our doing.
_ALWAYS = {"__doc__", "__module__", "__new__", "__nb_signature__", "__init__", "__qualname__"}


def _source_of_stubs() -> Path:
    """An installed package keeps its stubs beside itself, a development one in the source tree."""
    here = Path(__file__).parents[1] / "src" / "pentaglot" / "_core"
    return here if here.is_dir() else STUBS


def _names(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found[statement.name] = statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if isinstance(statement.annotation, ast.Name) and statement.annotation.id == "TypeAlias":
                continue  # a name for readers of types only
            found[statement.target.id] = statement
        elif isinstance(statement, ast.Assign):
            found.update({target.id: statement for target in statement.targets if isinstance(target, ast.Name)})
    # A name that begins with one underscore is the stub's own, such as an alias of a type.
    return {name: statement for name, statement in found.items() if not re.match(r"_[^_]", name)}


def _offered(owner: Any) -> dict[str, Any]:
    if isinstance(owner, type) and issubclass(owner, enum.Enum):
        return dict(owner.__members__)
    names = {name: value for name, value in vars(owner).items() if name not in _ALWAYS}
    if isinstance(owner, ModuleType):
        names = {name: value for name, value in names.items() if not name.startswith("__")}
    return names


def _parameters(stub: ast.FunctionDef) -> list[tuple[str, bool]]:
    """Names of parameters, and whether each has a default."""
    ordered = [*stub.args.posonlyargs, *stub.args.args]
    given = [False] * (len(ordered) - len(stub.args.defaults)) + [True] * len(stub.args.defaults)
    listed = list(zip((argument.arg for argument in ordered), given, strict=True))
    keywords = zip(stub.args.kwonlyargs, stub.args.kw_defaults, strict=True)
    return listed + [(argument.arg, default is not None) for argument, default in keywords]


def _native_parameters(function: Any) -> list[tuple[str, bool]] | None:
    """The same of a native function; None if it is overloaded, which one signature cannot say."""
    signatures = getattr(function, "__nb_signature__", ())
    if len(signatures) != 1:
        return None
    # nanobind writes defaults as \0, \1, ... and describes arrays in brackets, neither of which Python can parse.
    text, brackets = re.sub(r"\\\d+", "...", signatures[0][0]), 1
    while brackets:
        text, brackets = re.subn(r"\[[^\[\]]*\]", "", text)
    definition = ast.parse(f"{text}: ...").body[0]
    assert isinstance(definition, ast.FunctionDef)
    return _parameters(definition)


def _differences(owner: Any, body: list[ast.stmt], where: str) -> Iterator[str]:
    offered, described = _offered(owner), _names(body)
    public_dunders = {name for name in offered if name.startswith("__")} | {"__init__"}
    yield from (f"{where}.{name} is not in the stub" for name in sorted(offered.keys() - described.keys()))
    for name, statement in described.items():
        if name not in offered:
            if name not in public_dunders:
                yield f"{where}.{name} is only in the stub"
            continue
        value = offered[name]
        if isinstance(statement, ast.ClassDef):
            yield from _differences(value, statement.body, f"{where}.{name}")
        elif isinstance(statement, ast.FunctionDef) and not isinstance(value, property):
            native = _native_parameters(value)
            # Operators are called by position; the names of their parameters mean nothing.
            if native is not None and not name.startswith("__") and native != _parameters(statement):
                yield f"{where}.{name} takes {native}, the stub says {_parameters(statement)}"


def test_all_submodules_have_stubs() -> None:
    assert {"base", "corpus"} <= set(SUBMODULES)
    stubs = {file.stem for file in _source_of_stubs().glob("*.pyi")} - {"__init__"}
    assert stubs == set(SUBMODULES)
    listed = ast.parse((_source_of_stubs() / "__init__.pyi").read_text("utf-8")).body
    assert {alias.name for node in listed if isinstance(node, ast.ImportFrom) for alias in node.names} == stubs


@pytest.mark.parametrize("name", SUBMODULES)
def test_stub_is_what_the_core_offers(name: str) -> None:
    stub = ast.parse((_source_of_stubs() / f"{name}.pyi").read_text("utf-8"))
    assert list(_differences(getattr(_core, name), stub.body, name)) == []


@pytest.mark.parametrize("name", SUBMODULES)
def test_everything_native_says_what_it_does(name: str) -> None:
    module = getattr(_core, name)
    silent = [each for each, value in _offered(module).items() if callable(value) and not inspect.getdoc(value)]
    assert silent == []


def test_the_check_can_fail() -> None:
    stub = ast.parse("def checksum(data: bytes, seed: int = 0) -> int: ...\ndef invented() -> None: ...")
    found = list(_differences(_core.base, stub.body, "base"))
    assert "base.exercise_parallel_for is not in the stub" in found
    assert "base.invented is only in the stub" in found
    assert any(text.startswith("base.checksum takes") for text in found)
