"""How what a step depends on differs from what it was, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["differences"]


def differences(
    old: Mapping[str, Any], new: Mapping[str, Any], titles: Mapping[str, str] | None = None
) -> Iterator[str]:
    """How inputs differ, for people; `titles` are what they call the files."""
    for name in sorted({**old.get("files", {}), **new["files"]}):
        if old.get("files", {}).get(name) != new["files"].get(name):
            yield f"{(titles or {}).get(name, f'the {name}')} changed"
    before, after = _flat(old.get("options", {})), _flat(new["options"])
    for name in [*after, *(each for each in before if each not in after)]:
        if before.get(name) != after.get(name):
            yield f"{name} changed from {_shown(before.get(name))} to {_shown(after.get(name))}"
    for name in sorted({**old.get("needs", {}), **new["needs"]}):
        if old.get("needs", {}).get(name) != new["needs"].get(name):
            yield f"{name} changed"


def _flat(options: Mapping[str, Any], of: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in options.items():
        shown = name.replace("_", " ") + of
        found.update(_flat(value, f" of {shown}") if isinstance(value, dict) else {shown: value})
    return found


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)
