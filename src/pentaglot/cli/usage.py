"""What is wrong with a command line, in our own sentences: those of click change with its version and with the
language of the machine, and some do not say which command they are about."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

__all__ = ["Group", "complaint", "unknown_command"]


class Group(click.Group):
    """Commands under one name. A name that is mistyped is answered with the nearest one, no name at all with help."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if not args and not context.resilient_parsing:
            click.echo(context.get_help(), err=True)
            context.exit(2)
        return super().parse_args(context, args)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not context.resilient_parsing and not name.startswith("-") and self.get_command(context, name) is None:
            raise unknown_command(name, context, self.list_commands(context))
        return super().resolve_command(context, args)


def unknown_command(name: str, context: click.Context, known: Iterable[str]) -> click.UsageError:
    """The error for an unknown command."""
    from pentaglot.options import suggestion

    return click.UsageError(f"no such command '{name}'; {suggestion(name, known)}", context)


def complaint(problem: click.ClickException, root: click.Command, arguments: list[str]) -> str:
    """One sentence for what click found wrong with a command line."""
    context = getattr(problem, "ctx", None) or _context_of(root, arguments)
    if advice := _on_one_file(problem, context):
        return advice
    sentence = " ".join(_sentence(problem, context).split()).rstrip(".")
    # click's own sentences begin with a capital letter; ours are part of a longer one.
    sentence = sentence if sentence.startswith("'") or sentence[:2].isupper() else sentence[:1].lower() + sentence[1:]
    shown = context.parent if context.command.hidden and context.parent is not None else context
    return sentence if sentence.endswith("?") else f"{sentence}; see '{shown.command_path} --help'"


def _on_one_file(problem: click.ClickException, context: click.Context) -> str:
    """What to do with a file that holds both sides where two files are needed; empty if that is not what is wrong."""
    missing = problem.param if isinstance(problem, click.MissingParameter) else None
    source = context.params.get("source")
    if missing is None or missing.name != "target" or source is None or not Path(source).is_file():
        return ""
    from pentaglot.corpus import read_lines
    from pentaglot.corpus.formats import FormatError, refuse_tables
    from pentaglot.errors import PentaglotError

    try:
        refuse_tables(source)
        next(read_lines(source), "")
    except FormatError as error:
        return str(error)
    except PentaglotError:
        return ""  # once there are two files, it is told what is wrong with this one
    return ""


def _sentence(problem: click.ClickException, context: click.Context) -> str:
    if isinstance(problem, click.NoSuchOption):
        return _unknown_option(problem.option_name, context.command)
    if isinstance(problem, click.MissingParameter) and problem.param is not None:
        return f"missing {problem.param.param_type_name} {_name(problem.param)}"
    if isinstance(problem, click.BadParameter) and problem.param is not None:
        wanted = _wanted(problem.param.type)
        if wanted:
            return f"{problem.param.param_type_name} {_name(problem.param)} must be {wanted}"
    if isinstance(problem, click.BadOptionUsage):
        for each in context.command.params:
            if problem.option_name in (*each.opts, *each.secondary_opts):
                return f"option '{problem.option_name}' {_takes(each)}"
    return problem.format_message()


def _unknown_option(name: str, command: click.Command) -> str:
    known = [option for each in command.params for option in (*each.opts, *each.secondary_opts) if option[:1] == "-"]
    import difflib

    near = difflib.get_close_matches(name, [*known, "--help"], n=1)
    return f"no such option '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")


def _name(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Option):
        return f"'{max(parameter.opts, key=len)}'"
    return f"'{parameter.human_readable_name}'"


def _takes(option: click.Parameter) -> str:
    if getattr(option, "is_flag", False):
        return "takes no value"
    return "needs a value" if option.nargs == 1 else f"needs {option.nargs} values"


def _wanted(kind: Any) -> str:
    """What the values of a type are like; nothing if only click knows."""
    if isinstance(kind, click.Choice):
        return "one of " + ", ".join(map(str, kind.choices))
    if isinstance(kind, click.Tuple):
        parts = [_wanted(each) for each in kind.types]
        return " and ".join(parts) if all(parts) else ""
    if isinstance(kind, (click.IntRange, click.FloatRange)):
        what = "a whole number" if isinstance(kind, click.IntRange) else "a number"
        low = "" if kind.min is None else f"{'above' if kind.min_open else 'at least'} {kind.min:g}"
        high = "" if kind.max is None else f"{'below' if kind.max_open else 'at most'} {kind.max:g}"
        return ", ".join(filter(None, (what, " and ".join(filter(None, (low, high))))))
    return {type(click.INT): "a whole number", type(click.FLOAT): "a number"}.get(type(kind), "")


def _context_of(root: click.Command, arguments: list[str]) -> click.Context:
    """The command that a command line is about, as far as its first words say so."""
    context = click.Context(root, info_name="pentaglot")
    for word in arguments:
        found = context.command.get_command(context, word) if isinstance(context.command, click.Group) else None
        if found is None:
            break
        context = click.Context(found, parent=context, info_name=word)
    return context
