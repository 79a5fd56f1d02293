"""The `pentaglot` command: finds the subcommand, and turns every failure into one sentence and an exit code."""

from __future__ import annotations

import errno
import gc
import importlib
import os
import signal
import sys
from typing import Any

import click

from pentaglot import __version__
from pentaglot.cli.interruption import Terminated, raised_when_asked
from pentaglot.cli.showing import guard_terminal, visible
from pentaglot.cli.usage import Group, complaint
from pentaglot.errors import WRITING_ERRORS, PentaglotError, describe_os_error

# Each command lives in the module of its name and is imported only when it is used, so that --help is quick.
COMMANDS = {
    "add": "teach a trained model a sentence pair, used by the very next translation",
    "align": "word alignment: train, apply, evaluate, show",
    "beer": "a metric that is trained to agree with people: train, score, evaluate",
    "compare": "test whether systems differ, over sentences and tuning runs",
    "corpus": "check and prepare parallel text",
    "demo": "see it all at work on the Bible in German and English",
    "evaluate": "score translations by BLEU, chrF, TER, BEER and word order",
    "experiment": "train, tune, test and compare the systems described in a file",
    "explain": "show how a translation was put together, and from which training sentences",
    "find": "search a bitext for words with gaps, and see how they were translated",
    "forest": "show the best translations in forests, and draw them",
    "index": "the index of a bitext: build, describe, add to, merge",
    "lm": "language models: build, score, convert, perplexity",
    "metric-eval": "measure how well metrics agree with people",
    "preorder": "put source words into the order of a translation: train, apply, lattice, show",
    "rules": "show the rules by which a model translates a phrase",
    "separability": "test whether the features of a model can tell good translations from bad ones",
    "table": "tables of rules: extract, import, export, filter",
    "train": "make a translator from parallel text",
    "translate": "translate text with a trained model",
    "tune": "find better weights for a trained model",
    "weights": "show what the weights of a model mean, and how they were tuned",
}


class _LazyGroup(Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"pentaglot.cli.{name.replace('-', '_')}"), "command")  # noqa: B009
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__)
@click.option("-v", "--verbose", is_flag=True, help="Print more details.")
def command(verbose: bool) -> None:
    """From a parallel corpus to a translator that explains itself, on one laptop, offline."""
    from pentaglot.cli.logs import show_logs

    show_logs(verbose)


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line. Exit codes: 0 done, 1 a check found problems, 2 bad input or usage, 130 interrupted, 143
    terminated, 141 output closed."""
    # Our loops are native and have their own threads; those of NumPy's linear algebra only waste time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Modules and lists of words are many objects but hardly any garbage: collect less often.
    gc.set_threshold(50_000, 20, 20)
    guard_terminal()
    try:
        with raised_when_asked():
            _run(sys.argv[1:] if arguments is None else arguments)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as problem:
        _complain(complaint(problem, command, sys.argv[1:] if arguments is None else arguments))
        sys.exit(2)
    except Terminated as asked:
        _clean_up()
        sys.exit(128 + asked.number)
    except (KeyboardInterrupt, click.Abort):
        _clean_up()
        if sys.stderr.isatty():
            print(file=sys.stderr)  # after the terminal's own ^C
        _complain("interrupted; nothing is left half-written")
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:
        # The reader of our output has closed it (`| head`).
        _give_up_output()
        sys.exit(128 + signal.SIGPIPE)
    except PentaglotError as problem:
        _complain(str(problem))
        sys.exit(2)
    except OSError as problem:
        _give_up_output()
        message, hint = describe_os_error(problem)
        path = problem.filename
        if path is None and problem.errno in (*WRITING_ERRORS, errno.EBADF):
            # Files are written aside and name themselves; where standard output goes, there is a part already.
            path, hint = "standard output", hint.removesuffix("; nothing was changed")
        _complain(str(PentaglotError(message, path=path, hint=hint)))
        sys.exit(2)
    except MemoryError:
        _complain("out of memory; use a smaller input or a machine with more memory")
        sys.exit(2)


def _run(arguments: list[str]) -> None:
    if "_PENTAGLOT_COMPLETE" in os.environ:  # a shell asks for completions
        command.main(prog_name="pentaglot")
    # Not command.main(), which prints and exits in its own way on errors.
    with command.make_context("pentaglot", list(arguments)) as context:
        command.invoke(context)
    sys.stdout.flush()  # notice a full disk here, while it can still be reported


def _give_up_output() -> None:
    """Keeps the interpreter from flushing into a closed pipe or a full disk as it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _clean_up() -> None:
    """Exits after a signal: does not wait for a reader of the output, and leaves nothing half-written."""
    from pentaglot import placing

    _give_up_output()
    placing.remove_begun()


def _complain(sentence: str) -> None:
    print(f"pentaglot: {visible(sentence, one_line=True)}", file=sys.stderr)
