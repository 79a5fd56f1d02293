"""`--source-layer`, `--target-layer`, `--metadata` and `--domain`: annotations of a text."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from pentaglot.corpus import Beside
from pentaglot.errors import OptionError

Function = Callable[..., Any]


def beside_options(*sides: str, about: str = "", name: str = "beside") -> Callable[[Function], Function]:
    """Flags for the layers of these sides and for metadata, which the command receives together as `name`. With
    `about`, they are for another text than the main one, and begin with its name (`--dev-source-layer`)."""
    start = f"--{about}-" if about else "--"
    of = f" of the {about} text" if about else ""

    def decorate(function: Function) -> Function:
        flag = {side: f"{about}{side}_layer" for side in ("source", "target")}

        @functools.wraps(function)
        def command(*arguments: Any, **given: Any) -> Any:
            files = {side: _files(given.pop(flag[side], ()), f"{start}{side}-layer") for side in flag}
            metadata = _files(given.pop(f"{about}metadata"), f"{start}metadata")
            domain = given.pop(f"{about}domain") or ""
            given[name] = Beside(files["source"], files["target"], metadata, domain)
            return function(*arguments, **given)

        text = f"The domain{of}, such as medicine, unless --metadata domain=FILE gives one."
        decorated: Function = click.option(f"{start}domain", f"{about}domain", metavar="NAME", help=text)(command)
        text = f"A file with one value for each line{of}, such as its domain; may be repeated."
        decorated = click.option(f"{start}metadata", f"{about}metadata", multiple=True, metavar="NAME=FILE", help=text)(
            decorated
        )
        for side in reversed(sides):
            text = f"A file with a value (lemma, tag, ...) for each {side} word{of}, line by line; may be repeated."
            names = f"{start}{side}-layer", flag[side]
            decorated = click.option(*names, multiple=True, metavar="NAME=FILE", help=text)(decorated)
        return decorated

    return decorate


def _files(given: tuple[str, ...], flag: str) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for each in given:
        name, _, path = each.partition("=")
        if not (name and path):
            raise OptionError(f"'{each}' is not a name and a file", hint=f"write {flag} NAME=FILE")
        if name in found:
            raise OptionError(f"two files are given for '{name}'", hint="give each its own name")
        found[name] = Path(path)
    return found
