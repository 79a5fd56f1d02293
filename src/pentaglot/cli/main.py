"""The `pentaglot` command: finds the subcommand, and turns every failure into one sentence and an exit code."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from typing import Any

import click

from pentaglot.errors import PentaglotError, describe_os_error

# Each command lives in the module of its name and is imported only when it is used, so that --help is quick.
COMMANDS = {
    "align": "word alignment: train, apply, evaluate, show",
    "corpus": "check and prepare parallel text",
    "demo": "see it all at work on the Bible in German and English",
    "evaluate": "BLEU, chrF and TER of translations",
    "lm": "language models: build, score, convert, perplexity",
}


class _LazyGroup(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"pentaglot.cli.{name}"), "command")  # noqa: B009
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="pentaglot")
@click.option("-v", "--verbose", is_flag=True, help="Say more about what is done.")
def command(verbose: bool) -> None:
    """From a parallel corpus to a translator that explains itself, on one laptop, offline."""
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(levelname)s: %(message)s")


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line. Exit codes: 0 done, 1 a check found problems, 2 bad input or usage, 130 interrupted."""
    try:
        command.main(args=arguments, prog_name="pentaglot", standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as problem:
        problem.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted; nothing is left half-written")
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has seen enough (`| head`); keep the interpreter from flushing into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except PentaglotError as problem:
        _complain(str(problem))
        sys.exit(2)
    except OSError as problem:
        message, hint = describe_os_error(problem)
        _complain(str(PentaglotError(message, path=problem.filename, hint=hint)))
        sys.exit(2)
    except MemoryError:
        _complain("out of memory; use a smaller input or a machine with more memory")
        sys.exit(2)


def _complain(sentence: str) -> None:
    print(f"pentaglot: {sentence}", file=sys.stderr)
