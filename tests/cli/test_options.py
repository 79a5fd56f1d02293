"""Flags made from options classes: every setting once, flags over file over defaults."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Literal

import click
import pytest
from click.testing import CliRunner, Result

from pentaglot.cli.config_files import COMMAND_TABLES
from pentaglot.cli.main import COMMANDS
from pentaglot.cli.options import threads_option, with_options
from pentaglot.errors import PentaglotError
from pentaglot.options import cpu_count, setting


@dataclass(frozen=True)
class Kitchen:
    minutes: int = setting(30, "How long.", minimum=1)
    heat: Literal["low", "high"] = setting("low", "How hot.")
    share: float = setting(0.5, "How much.")
    covered: bool = setting(False, "With a lid.")
    seed: int | None = setting(None, "Of the dice.")
    spices: tuple[str, ...] = setting((), "What to add.")
    stirs: tuple[int, ...] = setting((1, 2), "When to stir.")


@click.command()
@click.argument("dish")
@with_options(Kitchen, table="kitchen")
@threads_option
def cook(dish: str, options: Kitchen, threads: int) -> None:
    click.echo(f"{dish} {options} {threads}")


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(cook, ["soup", *arguments])


def _kitchen(*arguments: str) -> str:
    done = _run(*arguments)
    assert done.exit_code == 0, done.output
    return done.output


def test_defaults() -> None:
    assert _kitchen() == f"soup {Kitchen()} {cpu_count()}\n"


def test_flags() -> None:
    given = [
        "--minutes",
        "5",
        "--heat",
        "high",
        "--share",
        "2",
        "--covered",
        "--seed",
        "0",
        "--spices",
        "salt",
        "--spices",
        "pepper",
        "--stirs",
        "7",
    ]
    wanted = Kitchen(5, "high", 2.0, True, 0, ("salt", "pepper"), (7,))
    assert _kitchen(*given, "--threads", "3") == f"soup {wanted} 3\n"


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    config = tmp_path / "a.toml"
    config.write_text('[kitchen]\nminutes = 5\ncovered = true\nspices = ["salt"]\n[tune]\nx = 1\n')
    assert str(Kitchen(5, covered=True, spices=("salt",))) in _kitchen("--config", str(config))
    shown = _kitchen("--config", str(config), "--minutes", "7", "--no-covered", "--spices", "mint")
    assert str(Kitchen(7, spices=("mint",))) in shown


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[kitchen]\nminuts = 5", r"a\.toml:2: unknown option 'minuts'; did you mean 'minutes'"),
        ("[tune]\nminutes = 0\n[kitchen] # minutes\n\nminutes = 0", r"a\.toml:5: option 'minutes' is 0"),
        ("[kitchn]\nminutes = 5", r"a\.toml:1: has an unknown table \[kitchn\]; did you mean \[kitchen\]\?$"),
        ("[kitchen]\nminutes = 5\n\n[kitchn]", r"a\.toml:4: has an unknown table \[kitchn\]; did you mean"),
        ("[kitchen]\nminutes = 5\n[[serch]]", r"a\.toml:3: has an unknown table \[serch\]; did you mean \[search\]"),
        ("[kitchen]\n[qqq]", r"a\.toml:2: has an unknown table \[qqq\]; this command reads \[kitchen\]$"),
        ("# heat\nheat = 3\n[kitchen]", r"a\.toml:2: has an option 'heat' outside of all tables; this command reads"),
        ("kitchen = 3", r"a\.toml:1: has a value 'kitchen' where a table should be; write \[kitchen\] on a line"),
        ("[tune]", r"a\.toml: has no table \[kitchen\]; write it"),
        ("", r"a\.toml: has no table \[kitchen\]"),
        ("[kitchen", r"a\.toml: is not valid TOML"),
        (None, r"a\.toml: no such file"),
    ],
)
def test_mistakes_in_the_file(tmp_path: Path, content: str | None, complaint: str) -> None:
    config = tmp_path / "a.toml"
    if content is not None:
        config.write_text(content)
    done = _run("--config", str(config), "--minutes", "5")
    with pytest.raises(PentaglotError, match=complaint):
        assert done.exception is not None
        raise done.exception


def test_mistakes_in_flags() -> None:
    done = _run("--minutes", "0")
    assert isinstance(done.exception, PentaglotError) and "at least 1" in str(done.exception)
    for wrong in (["--minutes", "x"], ["--heat", "medium"], ["--threads", "0"], ["--stirs", "x"]):
        assert _run(*wrong).exit_code == 2


def test_help_shows_every_setting_with_its_default() -> None:
    shown = " ".join(_kitchen("--help").split())
    for text in (
        "--minutes INTEGER How long. [default: 30]",
        "--heat [low|high] How hot. [default: low]",
        "--share FLOAT How much. [default: 0.5]",
        "--covered / --no-covered With a lid. [default: off]",
        "--seed INTEGER Of the dice. --spices",
        "--spices TEXT What to add. [may be repeated; default: none]",
        "--stirs INTEGER When to stir. [may be repeated; default: 1, 2]",
        "--threads INTEGER RANGE",
        "[default: (all processors);",
        "--config PATH Read options from the table [kitchen] of a TOML file.",
    ):
        assert text in shown


def test_changes_are_only_what_was_given(tmp_path: Path) -> None:
    @click.command()
    @with_options(Kitchen, table="kitchen", name="changes", changes="the model's")
    def change(changes: dict[str, object]) -> None:
        click.echo(str(changes))

    config = tmp_path / "a.toml"
    config.write_text("[kitchen]\nminutes = 5\n")
    run = CliRunner().invoke
    assert run(change, []).output == "{}\n"
    assert run(change, ["--no-covered", "--share", "1"]).output == "{'share': 1.0, 'covered': False}\n"
    assert run(change, ["--config", str(config), "--heat", "high"]).output == "{'minutes': 5, 'heat': 'high'}\n"
    assert isinstance(run(change, ["--minutes", "0"]).exception, PentaglotError)
    assert "How long. [default: the model's]" in " ".join(run(change, ["--help"]).output.split())


@dataclass(frozen=True)
class Table:
    plates: int = setting(4, "For how many.", minimum=1)
    candles: bool = setting(False, "With candles.")


@click.command()
@with_options(Kitchen, table="kitchen", changes="the cook's", flags=("minutes",))
@with_options(Table, table="table", name="laid", flags=())
def serve(options: dict[str, object], laid: Table) -> None:
    click.echo(f"{options} {laid}")


def test_some_settings_only_in_the_file(tmp_path: Path) -> None:
    config = tmp_path / "a.toml"
    config.write_text('[kitchen]\nheat = "high"\nminutes = 5\n[table]\nplates = 2\n')
    done = CliRunner().invoke(serve, ["--config", str(config), "--minutes", "7"])
    assert done.output == f"{ {'heat': 'high', 'minutes': 7} } {Table(2)}\n"
    assert CliRunner().invoke(serve, []).output == f"{ {} } {Table()}\n"
    assert CliRunner().invoke(serve, ["--heat", "low"]).exit_code == 2
    config.write_text("[kitchen]\nminutes = 5\n")
    assert CliRunner().invoke(serve, ["--config", str(config)]).output == f"{ {'minutes': 5} } {Table()}\n"
    shown = " ".join(CliRunner().invoke(serve, ["--help"]).output.split())
    assert "[default: the cook's]" in shown and "tables [kitchen], [table]" in shown and "--plates" not in shown


def test_another_name_on_the_command_line(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Soup:
        source: str = setting("tap", "Where the water is from.", flag="water")

    @click.command()
    @click.argument("source")
    @with_options(Soup, table="soup")
    def cook(source: str, options: Soup) -> None:
        click.echo(f"{source} {options.source}")

    config = tmp_path / "a.toml"
    config.write_text('[soup]\nsource = "well"\n')
    for given, wanted in ((["--water", "rain"], "rain"), (["--config", str(config)], "well"), ([], "tap")):
        assert CliRunner().invoke(cook, ["x", *given]).output == f"x {wanted}\n"


def test_a_file_without_any_table_of_a_command_is_told_all_of_them(tmp_path: Path) -> None:
    config = tmp_path / "a.toml"
    config.write_text("[tune]\n")
    error = CliRunner().invoke(serve, ["--config", str(config)]).exception
    assert str(error) == f"{config}: has no table [kitchen] or [table]; write it before the options of this command"


def test_the_tables_of_all_commands_are_known() -> None:
    """One file may serve several commands, so each of them knows the tables of all."""
    found: set[str] = set()
    groups = [import_module(f"pentaglot.cli.{name.replace('-', '_')}").command for name in COMMANDS]
    while groups:
        each = groups.pop()
        found.update(getattr(each.callback, "option_tables", ()))
        groups += getattr(each, "commands", {}).values()
    assert found == COMMAND_TABLES


def test_files_of_models_and_experiments_may_be_given(tmp_path: Path) -> None:
    for content in ('format = 1\npentaglot = "1"\nsystem = "hiero"\npreorder = "pet"\n[made]\n[[induce]]\n',
                    "[experiment]\n[data]\n[systems.a]\n[compare]\n"):  # fmt: skip
        (tmp_path / "a.toml").write_text(content + "[kitchen]\nminutes = 5\n")
        assert str(Kitchen(5)) in _kitchen("--config", str(tmp_path / "a.toml"))
