"""Every command, as its help shows it: there, complete, and with a word for every option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pentaglot.cli import main
from pentaglot.cli.main import COMMANDS
from pentaglot.learn.registry import own_tables

# What most commands have and mean in the same way.
COMMON = {"--help", "--config", "--quiet", "--threads", "--version"}
PAGES = Path(__file__).parents[2] / "docs" / "commands"


def _walk(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _walk(inner, (*path, name))


EVERY = dict(_walk(main.command))


def test_all_commands_are_there() -> None:
    assert {path[0] for path in EVERY if path} == set(COMMANDS)
    assert len(EVERY) > len(COMMANDS) + 1, "subcommands are found too"


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_help(path: tuple[str, ...]) -> None:
    command = EVERY[path]
    shown = CliRunner().invoke(main.command, [*path, "--help"])
    assert shown.exit_code == 0, shown.output
    assert command.help, f"{' '.join(path)} does not say what it does"
    for parameter in command.params:
        if not isinstance(parameter, click.Option) or parameter.hidden:
            continue
        assert parameter.help, f"{' '.join(path)} {parameter.opts[0]} has no help"
        # A group such as align may show the help of the command that it stands for.
        assert all(name in shown.output for name in parameter.opts), f"{' '.join(path)} hides {parameter.opts}"


def test_training_takes_the_flags_of_every_tuner() -> None:
    begin = tuple(f"--{table}-" for table in own_tables())
    train, tune = (
        {name: parameter.help for parameter in EVERY[path,].params for name in parameter.opts if name.startswith(begin)}
        for path in ("train", "tune")
    )
    assert train == tune and {"--pro-kept", "--loss-scale", "--mira-pull", "--mert-step"} <= train.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_documentation(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text("utf-8")
    for path, command in EVERY.items():
        if path[:1] != (name,):
            continue
        for parameter in command.params:
            if not isinstance(parameter, click.Option) or COMMON & set(parameter.opts):
                continue
            named = any(
                f"`{option}" in page or f" {option}" in page or f"[{option}" in page for option in parameter.opts
            )
            assert named, f"docs/commands/{name}.md does not mention {' '.join(path)} {parameter.opts}"
