"""The plan of the house: data goes forward only, so a room imports only from rooms before it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "pentaglot"
CORE = ROOT / "core"
ORDER = [
    "corpus", "align", "lm", "forest", "syntax", "order", "index", "rules", "search", "metrics", "learn", "evaluate",
    "explain", "systems", "cluster", "serve", "cli",
]  # fmt: skip
DOORS = {"cluster", "serve", "cli"}
MODULES = sorted(PACKAGE.rglob("*.py"))
NATIVE = sorted(path for path in CORE.rglob("*.[ch]pp") if path.parent.name != "bindings")


def _imported(path: Path) -> Iterator[str]:
    """The names of all modules of this package that a file imports, wherever in it."""
    package = ["pentaglot", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _room_of(name: str) -> str | None:
    parts = name.split(".")
    return parts[1] if parts[0] == "pentaglot" and len(parts) > 1 and parts[1] in ORDER else None


def test_every_folder_is_a_room() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name not in ("__pycache__", "_core")}
    assert folders <= set(ORDER)
    assert {path.name for path in CORE.iterdir() if path.is_dir()} - {"base", "bindings"} <= set(ORDER)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_python_looks_backwards_only(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    room = parts[0] if len(parts) > 1 else None
    for name in _imported(path):
        other = _room_of(name)
        if other is None or other == room or path.name == "__main__.py":
            continue
        if parts == ("__init__.py",) and other == "systems":
            continue  # the package's face shows the last room's names, when they are asked for
        assert other not in DOORS, f"nothing imports {other}"
        assert room is not None, f"what all rooms use cannot use a room ({name})"
        assert ORDER.index(other) < ORDER.index(room), f"{name} comes later than {room}"


@pytest.mark.parametrize("path", NATIVE, ids=lambda path: str(path.relative_to(CORE)))
def test_native_looks_backwards_only(path: Path) -> None:
    text = path.read_text("utf-8")
    room = path.relative_to(CORE).parts[0]
    assert not re.search(r"#include\s+[<\"](nanobind|Python\.h)", text), "the core knows nothing of Python"
    for other in re.findall(r'#include\s+"([^"/]+)/', text):
        assert other in ORDER or other == "base"
        if other not in (room, "base"):
            assert room != "base" and ORDER.index(other) < ORDER.index(room), f"{other} comes later than {room}"
