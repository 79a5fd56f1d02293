"""Makes command-line flags from options classes, so that each setting is described only once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_origin

import click
from click.core import ParameterSource

from pentaglot.cli.config_files import read_table
from pentaglot.errors import OptionError
from pentaglot.options import Setting, cpu_count, read_options, settings_of, tables_in
from pentaglot.toml_lines import located

Function = Callable[..., Any]

_MOST_THREADS = 1024  # as in core/base/parallel.hpp


def with_options(
    options: type[Any],
    *,
    table: str,
    name: str = "options",
    changes: str = "",
    flags: Collection[str] | None = None,
) -> Callable[[Function], Function]:
    """Adds a flag for each setting of `options` to a command, and `--config FILE`, which reads them from the TOML table
    `[table]`. Flags override the file, the file overrides the defaults. The command receives the object as `name`. A
    command may have several options classes; they share `--config`, and each reads its own table if there is one.

    `changes` says where the defaults come from, if not from the class (\"the model's\"): the command then receives a
    checked dictionary of the given settings. With `flags`, only the settings it names get a flag; the others are read
    from the file. Settings of a table within the options (`[table.inner]` in the file) get flags that begin with its
    name (`--inner-...`)."""

    def decorate(function: Function) -> Function:
        settings = [each for each in settings_of(options) if flags is None or each.name in flags]
        inner = _inner_settings(options) if flags is None else {}
        tables: list[str] = getattr(function, "option_tables", [])  # one list for all classes of a command
        first = not tables
        tables.insert(0, table)

        @functools.wraps(function)
        def command(*arguments: Any, config: Path | None, **parameters: Any) -> Any:
            given = _given(settings, parameters)
            values = {}
            if config is not None:
                values = read_table(config, table, tables)
                with located(config, table):  # names the file and the line if a value in it is wrong
                    read_options(options, values, path=config)
            values.update(given)
            flagged = {within: _given(parts, parameters, f"{within}_") for within, parts in inner.items()}
            for within, chosen in flagged.items():
                if chosen:
                    values[within] = {**values.get(within, {}), **chosen}
            shared = {} if first else {"config": config}
            made = read_options(options, values)
            if inner:
                _check_chosen(made, flagged)
            if changes:
                made = {key.replace("-", "_"): getattr(made, key.replace("-", "_")) for key in values}
            return function(*arguments, **{name: made}, **parameters, **shared)

        command.option_tables = tables  # type: ignore[attr-defined]
        decorated: Function = command
        for parameter in getattr(command, "__click_params__", []):
            if parameter.name == "config":
                named = ", ".join(f"[{each}]" for each in tables)
                parameter.help = f"Read options from the tables {named} of a TOML file."
        if first:
            decorated = click.option(
                "--config",
                type=click.Path(path_type=Path),
                help=f"Read options from the table [{table}] of a TOML file.",
            )(command)
        further = [replace(each, flag=f"{within}_{each.flag}") for within, parts in inner.items() for each in parts]
        for each in reversed([*settings, *further]):
            decorated = _flag(each, changes)(decorated)
        return decorated

    return decorate


def _inner_settings(options: type[Any]) -> dict[str, list[Setting]]:
    tables = tables_in(options)
    return {} if tables is None else {name: settings_of(each) for name, each in tables.own().items()}


def _given(settings: list[Setting], parameters: dict[str, Any], within: str = "") -> dict[str, Any]:
    """The settings whose flags were given, taken out of the parameters of a command."""
    values = {each.name: parameters.pop(within + each.flag) for each in settings}
    return {name: value for name, value in values.items() if value not in (None, ())}


def _check_chosen(made: Any, flagged: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises an error if flags were given for a table that does not apply; a file may have it for other runs."""
    tables = tables_in(type(made))
    assert tables is not None
    applies = tables.chosen(made)
    for within, given in flagged.items():
        if given and within != applies:
            flag = f"--{within}-{next(iter(given))}".replace("_", "-")
            problem = f"{flag} has no effect: the options of '{applies}' apply, not those of '{within}'"
            raise OptionError(problem, hint="leave it out, or choose differently")


def given_here(name: str) -> bool:
    """Whether a parameter of the running command was given on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def quiet_option(function: Function) -> Function:
    """`-q`, for commands that show progress."""
    return click.option("-q", "--quiet", is_flag=True, help="Show no progress.")(function)


def tokenizer_options(default: str) -> Callable[[Function], Function]:
    """`--tokenizer`, and `--source-tokenizer` and `--target-tokenizer` for one side of a text only."""

    def decorate(function: Function) -> Function:
        for side in ("target", "source"):
            text = f"The same for the {side} side only."
            function = click.option(f"--{side}-tokenizer", help=text)(function)
        text = f"How both sides are cut into words; none: at spaces.  [default: {default}]"
        return click.option("--tokenizer", help=text)(function)

    return decorate


def threads_option(function: Function) -> Function:
    """`--threads N`; the result never depends on it."""
    return click.option(
        "--threads",
        type=click.IntRange(min=1),
        default=cpu_count,
        callback=lambda _, __, threads: min(threads, _MOST_THREADS),
        show_default="all processors",
        help="How many threads to use; the result is the same with any number.",
    )(function)


class _Names(click.ParamType[list[str]]):
    """A choice of several names, separated by commas."""

    name = "names"

    def __init__(self, known: Collection[str]) -> None:
        self._known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        names = [name.strip() for name in str(value).split(",")]
        if names == ["none"]:
            return []
        for name in names:
            if name not in self._known:
                self.fail(f"'{name}' is not one of {', '.join(self._known)}", param, ctx)
        return list(dict.fromkeys(names))


def _may_be_empty(each: Setting) -> bool:
    try:
        _ = each.check is None or each.check(())
    except OptionError:
        return False
    return True


def _flag(each: Setting, default: str) -> Callable[[Function], Function]:
    flag = "--" + each.flag.replace("_", "-")
    shown = default or ("" if each.default is None else str(each.default))
    kinds: dict[Any, Any] = {int: click.INT, float: click.FLOAT}
    if each.type is bool:
        shown = default or ("on" if each.default else "off")
        return click.option(f"{flag}/--no-{flag[2:]}", each.flag, default=None, help=f"{each.help}  [default: {shown}]")
    if get_origin(each.type) is tuple and each.choices:
        shown = default or ",".join(each.default) or "none"
        none = ", or none" if _may_be_empty(each) else ""
        text = f"{each.help}: {', '.join(each.choices)}, separated by commas{none}  [default: {shown}]"
        return click.option(flag, each.flag, type=_Names(each.choices), default=None, help=text)
    if get_origin(each.type) is tuple:
        shown = default or ", ".join(map(str, each.default)) or "none"
        text = f"{each.help}  [may be repeated; default: {shown}]"
        return click.option(flag, each.flag, type=kinds.get(get_args(each.type)[0]), multiple=True, help=text)
    kind = click.Choice(each.choices) if each.choices else kinds.get(each.type, click.STRING)
    text = f"{each.help}  [default: {shown}]" if shown else each.help
    names = None if each.known is None else f"[{'|'.join(each.known())}]"
    return click.option(flag, each.flag, type=kind, metavar=names, default=None, help=text)
