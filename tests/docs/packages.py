"""Packages that somebody else has installed, made from what a page shows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

__all__ = ["blocks_of", "entries_of", "install"]


def blocks_of(page: str, heading: str) -> dict[str, str]:
    """The code blocks below a heading of a page, up to the next of its level, by language (the last of each)."""
    level, inside, language, found = heading.split(" ")[0], False, "", {}
    for line in page.splitlines(keepends=True):
        if line.startswith("```"):
            language = "" if language else line[3:].strip()
            if inside and language:
                found[language] = ""
        elif language:
            if inside:
                found[language] += line
        elif line.startswith("#"):
            inside = line.rstrip() == heading or (inside and len(line.split(" ")[0]) > len(level))
    assert found, f"the page shows nothing below '{heading}'"
    return found


def entries_of(toml: str, group: str) -> dict[str, str]:
    """The entry points of a group in a `pyproject.toml`."""
    found: dict[str, str] = tomllib.loads(toml)["project"]["entry-points"][group]
    return found


def install(
    folder: Path, name: str, entries: Mapping[str, str], *, group: str = "pentaglot.systems", **modules: str
) -> None:
    """What an installer leaves of a package: modules, and a note of its entry points."""
    note = folder / f"{name}-1.0.dist-info"
    note.mkdir(parents=True)
    (note / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    lines = "".join(f"{each} = {value}\n" for each, value in entries.items())
    (note / "entry_points.txt").write_text(f"[{group}]\n{lines}", "utf-8")
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text, "utf-8")
