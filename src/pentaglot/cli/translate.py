"""`pentaglot translate`: lines in, translations out."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from pentaglot.cli.layers import beside_options
from pentaglot.cli.nbest import forced_line, records
from pentaglot.cli.options import given_here, quiet_option, threads_option, with_options
from pentaglot.cli.outputs import check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.requests import annotated_lines, beside_lines, counted, located, read_terms, requests
from pentaglot.corpus import Beside, Sentence, open_output, read_lines
from pentaglot.corpus.compression import shown
from pentaglot.errors import InputError, OptionError, PentaglotError
from pentaglot.forest import read_weights
from pentaglot.order import OrderOptions
from pentaglot.parallel import in_order
from pentaglot.rules import RuleOptions
from pentaglot.search import Cancellation, SearchOptions
from pentaglot.systems import (
    Model,
    Request,
    Translation,
    Translator,
    WordLattice,
)
from pentaglot.systems.inducing import induction_beside

_PATH = click.Path(path_type=Path)
_ORDERS = ("orders", "lattice_from", "arcs")
_RULE_FLAGS = (
    "max_span",
    "max_symbols",
    "max_gaps",
    "min_gap",
    "max_chunks",
    "extraction",
    "sample",
    "sampling",
    "unknown",
    "fallbacks",
)


@click.command()
@click.argument("model", type=_PATH)
@click.argument("input_file", metavar="[INPUT]", type=_PATH, default="-")
@click.option("-o", "--output", type=_PATH, default="-", help="The file to write; standard output by default.")
@click.option(
    "--nbest", type=click.IntRange(min=1), help="Print up to this many distinct translations, in Moses format."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line, with scores and features.")
@click.option("--prefix", type=_PATH, help="A file with the beginning of each translation, line by line.")
@click.option(
    "--references", type=_PATH, help="Score these translations instead, line by line, if the rules allow them."
)
@click.option(
    "--order-by",
    type=_PATH,
    help="A file of translations, line by line: put the input into their word order, not that of the model's grammar.",
)
@click.option("--markup", is_flag=True, help='Interpret <fix translation="..."> and <keep> in the input.')
@click.option("--keep", type=_PATH, help="A file of terms to keep untranslated, one per line.")
@click.option("--glossary", type=_PATH, help="A file of terms and their translations, separated by tabs.")
@click.option("--weights", "weights_file", type=_PATH, help="Use these weights instead of the model's.")
@beside_options("source")
@click.option("--lattices", type=click.Choice(["plf", "json"]), help="Each line of input is a word lattice.")
@with_options(SearchOptions, table="search", name="searching", changes="the model's")
@with_options(OrderOptions, table="order", name="ordering", changes="the model's", flags=_ORDERS)
@with_options(RuleOptions, table="rules", name="grammar", changes="the model's", flags=_RULE_FLAGS)
@threads_option
@quiet_option
def command(
    model: Path,
    input_file: Path,
    output: Path,
    nbest: int | None,
    as_json: bool,
    prefix: Path | None,
    references: Path | None,
    order_by: Path | None,
    markup: bool,
    keep: Path | None,
    glossary: Path | None,
    weights_file: Path | None,
    lattices: str | None,
    beside: Beside,
    searching: dict[str, Any],
    ordering: dict[str, Any],
    grammar: dict[str, Any],
    threads: int,
    quiet: bool,
) -> None:
    """Translate a text, one sentence per line, with a MODEL made by `pentaglot train`.

    The output has one line per line of input, in the same order, with any number of threads. With --nbest each line of
    output is: number of the input line ||| translation ||| features ||| score. A treebank (.conllu) is translated
    sentence by sentence; rules and features can use its layers.
    """
    if " " in str(input_file) and not input_file.exists():
        raise InputError("no such file", path=input_file, hint="give sentences on standard input, not here")
    check_files(output, inputs=(input_file, prefix, references, order_by, keep, glossary, weights_file))
    translator = _opened(Model.open(model), weights_file, searching, ordering, grammar)
    opened = translator.model
    terms = read_terms(keep, glossary)
    if markup and beside.annotates(input_file):
        raise OptionError("--markup cannot be combined with layers or metadata", hint="leave one out")
    if lattices and beside.source_layers:
        raise OptionError("lattices cannot have layers, only metadata", hint="leave out --source-layer or --lattices")
    numbers: deque[int] = deque()  # of the lines that are being translated
    lines = annotated_lines(input_file, beside, opened.source_tokenizer)
    if order_by is not None and opened.ordering is None:
        raise OptionError("--order-by needs a model trained with --preorder", hint="leave it out")
    if order_by is not None and opened.ordering is not None and opened.ordering.keeps:
        raise OptionError("--order-by would change nothing: this model keeps text as it was typed", hint="leave it out")
    wanted = requests(input_file, lines, numbers, prefix, order_by, markup, terms, opened.target_tokenizer.letters)
    demanding = prefix is not None or order_by is not None or markup or terms is not None
    if references is not None and (demanding or nbest is not None or lattices):
        raise OptionError(
            "--references must be used alone", hint="leave out --prefix, --order-by, --nbest, --markup and terms"
        )
    if lattices is not None and demanding:
        raise OptionError("--lattices cannot have a prefix, a known order, marks or terms", hint="leave them out")
    # Translations on the screen show the progress themselves.
    silent = quiet or str(output) == "-"
    with (
        open_output(output) as out,
        shown_progress(quiet=silent) as progress,
        progress.task("translating", total=None if silent else _count(input_file), unit="lines") as task,
    ):
        if references is not None:
            printed = counted(_force(translator, wanted, numbers, input_file, references, as_json, threads), task)
        elif lattices is not None:
            found = _lattices(translator, input_file, beside, lattices, nbest or 1, threads)
            printed = records(counted(found, task), nbest, as_json)
        else:
            found = translator.translate_all(wanted, nbest=nbest or 1, threads=threads)
            printed = records(counted(located(found, input_file, numbers), task), nbest, as_json)
        for record in printed:
            out.write(record)
            if str(output) == "-":
                out.flush()


def _opened(
    model: Model,
    weights_file: Path | None,
    searching: dict[str, Any],
    ordering: dict[str, Any],
    grammar: dict[str, Any],
) -> Translator:
    """A translator with the options that were given, and the model's for all others."""
    described = model.description
    if grammar.get("source", described.rules.source) != described.rules.source:
        raise OptionError("the source of rules cannot be changed here", hint="change it in pentaglot.toml of the model")
    search = dataclasses.replace(described.search, **searching)
    if search.search == "stack" and grammar.get("max_gaps"):
        raise OptionError("the stack search uses no rules with gaps", hint="leave out --max-gaps or use --search chart")
    weights = None if weights_file is None else read_weights(weights_file)
    rules = dataclasses.replace(described.rules, **grammar)
    _check_ordering(model, ordering)
    order = dataclasses.replace(described.order, **ordering) if ordering else None
    induction = None if weights_file is None else induction_beside(weights_file, model)
    return Translator(model, weights=weights, search=search, rules=rules, order=order, induction=induction)


def _check_ordering(model: Model, ordering: dict[str, Any]) -> None:
    flags = [
        "--" + name.replace("_", "-") for name in _ORDERS if given_here(name)
    ]  # a file may have them for other models
    hint = f"leave out {' and '.join(flags)}" if flags else "leave out the table [order]"
    if ordering and model.ordering is None:
        raise OptionError("the order of the input needs a model trained with --preorder", hint=hint)
    if flags and model.ordering is not None and model.ordering.keeps:
        raise OptionError(f"{flags[0]} would change nothing: this model keeps text as it was typed", hint=hint)


def _count(path: Path) -> int | None:
    """The number of lines, if it can be known: a pipe can be read only once."""
    try:
        return sum(1 for _ in read_lines(path)) if path.is_file() else None
    except PentaglotError:
        return None  # errors are reported when the line is reached


def _lattices(
    translator: Translator, input_file: Path, beside: Beside, form: str, nbest: int, threads: int
) -> Iterator[Translation]:
    read = WordLattice.from_plf if form == "plf" else WordLattice.from_json
    unwanted = Cancellation()

    def translate(numbered: tuple[int, Sentence]) -> Translation:
        number, line = numbered
        if not line.words:
            return Translation("", "", (), ())
        try:
            lattice = read(line.line).with_metadata(line.metadata)
            return translator.translate_lattice(lattice, nbest=nbest, cancellation=unwanted)
        except PentaglotError as error:
            if error.path is not None:
                raise
            raise InputError(error.message, path=shown(input_file), line=number, hint=error.hint) from error

    return in_order(translate, beside.sources(input_file), threads, unwanted.cancel)


def _force(
    translator: Translator,
    requests: Iterator[Request],
    numbers: deque[int],
    input_file: Path,
    references: Path,
    as_json: bool,
    threads: int,
) -> Iterator[str]:
    reached = limited = total = 0
    lines = (request.line for request in requests)
    pairs = beside_lines(input_file, lines, references)
    unwanted = Cancellation()
    found = in_order(
        lambda pair: (pair[1], translator.force(*pair, cancellation=unwanted)), pairs, threads, unwanted.cancel
    )
    for reference, forced in located(found, input_file, numbers):
        yield forced_line(total, reference, forced, as_json) + "\n"
        total += 1
        reached += forced.reachable
        limited += forced.limited and not forced.reachable
    cut = f"; {limited} more met a limit and may be reachable" if limited else ""
    click.echo(f"{reached} of {total} references can be reached{cut}", err=True)
