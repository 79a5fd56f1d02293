"""`pentaglot corpus`: check, prepare, convert, tokenise, detokenise."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import click
from rich.table import Table
from rich.text import Text

from pentaglot.cli.console import Console
from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.outputs import check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.usage import Group
from pentaglot.corpus.check import CheckOptions, check
from pentaglot.corpus.check_report import PROBLEMS, CheckReport
from pentaglot.corpus.inputs import group_inputs
from pentaglot.corpus.lines import read_line_batches, read_lines
from pentaglot.corpus.outputs import open_output
from pentaglot.corpus.pair import Languages, Pair, check_language
from pentaglot.corpus.pairs import read_pairs, write_pairs
from pentaglot.corpus.prepare import PrepareOptions, prepare
from pentaglot.corpus.prepared_corpus import PARTS, PreparedCorpus
from pentaglot.corpus.reading import in_batches, tokenise_stream
from pentaglot.corpus.tokenizer import Tokenizer, modes
from pentaglot.errors import OptionError
from pentaglot.wording import number_of

_FILE = click.Path(path_type=str, allow_dash=True)


@click.group(cls=Group)
def command() -> None:
    """Check and prepare parallel text.

    Files may be plain text (two files, line by line), .tsv, .tmx or .po; any other single file holds lines of
    'source ||| target'. All of them may end in .gz or .zst, and - is standard input or output,
    of plain text or such lines.
    """


def _held_out(function: Callable[..., Any]) -> Callable[..., Any]:
    for name, use in (("test", "testing"), ("dev", "tuning")):
        function = click.option(
            f"--{name}", nargs=2, type=_FILE, metavar="SOURCE TARGET", help=f"Held-out files for {use}."
        )(function)
    return function


def _language_options(function: Callable[..., Any]) -> Callable[..., Any]:
    function = click.option("--target-language", metavar="CODE", help="Target language, such as en.")(function)
    return click.option("--source-language", metavar="CODE", help="Source language, such as de or de-AT.")(function)


@command.command("check")
@click.argument("source", type=_FILE)
@click.argument("target", type=_FILE, required=False)
@_held_out
@_language_options
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--strict", is_flag=True, help="Exit with code 1 if there is any problem.")
@quiet_option
@with_options(CheckOptions, table="check")
def check_command(
    source: str,
    target: str | None,
    dev: tuple[str, str] | None,
    test: tuple[str, str] | None,
    source_language: str | None,
    target_language: str | None,
    as_json: bool,
    strict: bool,
    quiet: bool,
    options: CheckOptions,
) -> None:
    """Report what is wrong with a corpus, with file and line.

    Finds unequal lengths, invalid UTF-8, control characters, separators that other programs take for line ends, empty
    sides, extreme length ratios, overlong segments, identical sides, placeholders and numbers that only one side has,
    duplicates, and overlap with held-out parts.

    \b
    pentaglot corpus check train.de train.en --dev dev.de dev.en
    pentaglot corpus check memory.tmx --source-language de --target-language en --json
    """
    languages = _languages(source_language, target_language)
    train = [source] if target is None else [source, target]
    with shown_progress(quiet=quiet) as progress:
        report = check(train, dev=dev, test=test, languages=languages, options=options, progress=progress)
    if as_json:
        click.echo(json.dumps(report.as_facts(), ensure_ascii=False, indent=2))
    else:
        _show_report(report)
    if strict and report.counts.total():
        sys.exit(1)


@command.command("prepare")
@click.argument("inputs", nargs=-1, required=True, type=_FILE)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The directory to write.")
@_held_out
@threads_option
@quiet_option
@with_options(PrepareOptions, table="prepare")
def prepare_command(
    inputs: tuple[str, ...],
    output: Path,
    dev: tuple[str, str] | None,
    test: tuple[str, str] | None,
    threads: int,
    quiet: bool,
    options: PrepareOptions,
) -> None:
    """Normalise, filter, split and tokenise a corpus.

    INPUTS are files with both sides, or source and target files one after the other. The output directory holds train,
    dev and test as plain and as tokenised text, the training part as a bitext of word ids, both tokenizers, and
    contents.toml with all options. No sentence, on either side, is in two of the parts.

    \b
    pentaglot corpus prepare news.de news.en memory.tmx -o corpus --source-casing truecase --target-casing truecase
    """
    with shown_progress(quiet=quiet) as progress:
        corpus = prepare(inputs, output, dev=dev, test=test, options=options, threads=threads, progress=progress)
    _show_prepared(corpus)


@command.command("convert")
@click.argument("inputs", nargs=-1, required=True, type=_FILE)
@click.option("-o", "--output", required=True, type=_FILE, help="File to write; its extension sets the format.")
@click.option("-p", "--target-output", type=_FILE, help="For plain text: the file for the target side.")
@click.option("--domains", type=_FILE, help="A file for the domains of the pairs, the third column of .tsv files.")
@_language_options
def convert_command(
    inputs: tuple[str, ...],
    output: str,
    target_output: str | None,
    domains: str | None,
    source_language: str | None,
    target_language: str | None,
) -> None:
    """Read pairs in one format and write them in another.

    \b
    pentaglot corpus convert memory.tmx --source-language de --target-language en -o memory.de -p memory.en
    pentaglot corpus convert news.de news.en --source-language de --target-language en -o news.tmx.gz
    """
    languages = _languages(source_language, target_language)
    outputs = [output] if target_output is None else [output, target_output]
    pairs = (pair for group in group_inputs(inputs) for pair in read_pairs(group, languages))
    with open_output(domains) if domains is not None else contextlib.nullcontext() as out:
        written = write_pairs(outputs, pairs if out is None else _noted(pairs, out), languages)
    click.echo(f"{_pairs(written)} written", err=True)


def _pairs(count: int) -> str:
    return number_of(count, "pair")


def _noted(pairs: Iterator[Pair], out: TextIO) -> Iterator[Pair]:
    """The same pairs; their domains are written on the way."""
    for pair in pairs:
        out.write(f"{pair.domain}\n")
        yield pair


def _tokenizer_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("-o", "--output", type=_FILE, default="-", help="File to write.  [default: standard output]"),
        click.option("--using", type=click.Path(path_type=Path), metavar="DIR", help="A stored tokenizer to use."),
        click.option("--tokenizer", "mode", type=click.Choice(modes()), help="How to cut.  [default: conservative]"),
        click.argument("source", type=_FILE, default="-"),
    ):
        function = option(function)
    return function


@command.command("tokenise")
@_tokenizer_options
@click.option("--lowercase", is_flag=True, help="Write everything in lower case.")
@threads_option
def tokenise_command(
    source: str, mode: str | None, using: Path | None, output: str, lowercase: bool, threads: int
) -> None:
    """Cut lines into words, separated by spaces.

    Words that touch in the text carry a joiner, so that detokenise can restore the line exactly. --using takes a
    tokenizer of a prepared corpus or of a model, with its casing.

    \b
    echo "Hello, world!" | pentaglot corpus tokenise
    pentaglot corpus tokenise new.de --using corpus/source.tokenizer -o new.tokens.de
    """
    check_files(output, inputs=(source,))
    tokenizer = _chosen(mode, using, lowercase)
    batches = (batch for lines in read_line_batches(source) for batch in in_batches(lines))
    with open_output(output) as out:
        for sentences in tokenise_stream(batches, tokenizer, threads):
            out.writelines(" ".join(words) + "\n" for words in sentences)


@command.command("detokenise")
@_tokenizer_options
@click.option("--recase", is_flag=True, help="Restore capitals as the stored tokenizer has learnt them.")
def detokenise_command(source: str, mode: str | None, using: Path | None, output: str, recase: bool) -> None:
    """Join words into lines; the opposite of tokenise."""
    check_files(output, inputs=(source,))
    tokenizer = _chosen(mode, using, recase and using is None)
    with open_output(output) as out:
        for line in read_lines(source):
            joined = tokenizer.detokenise([word for word in line.split(" ") if word])
            out.write((tokenizer.recase(joined) if recase else joined) + "\n")


def _chosen(mode: str | None, using: Path | None, lowercase: bool) -> Tokenizer:
    if using is None:
        return Tokenizer(mode or "conservative", "lowercase" if lowercase else "keep")
    if mode is not None or lowercase:
        raise OptionError("--using already sets the tokenizer", hint="leave out --tokenizer and --lowercase")
    return Tokenizer.open(using)


def _languages(source: str | None, target: str | None) -> Languages | None:
    if (source is None) != (target is None):
        raise OptionError("both languages are needed", hint="give --source-language and --target-language")
    for code in filter(None, (source, target)):
        check_language(code)
    return (source, target) if source is not None and target is not None else None


def _show_report(report: CheckReport) -> None:
    console = Console()
    parts = ", ".join(f"{_pairs(count)} in {name}" for name, count in report.pairs.items())
    if not report.counts.total():
        console.print(f"No problems in {parts}.")
        return
    console.print(f"Problems in {parts}")
    table = Table()
    table.add_column("problem", no_wrap=True)
    table.add_column("count", justify="right")
    table.add_column("what it means")
    for problem, meaning in PROBLEMS.items():
        if report.counts[problem]:
            table.add_row(problem, f"{report.counts[problem]:,}", meaning)
    console.print(table)
    for problem in PROBLEMS:
        examples = report.examples.get(problem, [])
        if examples:
            more = report.counts[problem] - len(examples)
            first = f" (the first {len(examples)})" if more else ""
            console.print(Text.assemble("\n", (problem, "bold"), first))
        for each in examples:
            console.print(f"  {each.path}:{each.line}: {each.detail}", soft_wrap=True)


def _show_prepared(corpus: PreparedCorpus) -> None:
    pairs, dropped = corpus.facts["pairs"], corpus.facts["dropped"]
    table = Table(show_header=False)
    table.add_column("what")
    table.add_column("pairs", justify="right")
    table.add_row("read", f"{pairs['read']:,}")
    for reason, count in dropped.items():
        table.add_row(f"  dropped: {reason}", f"{count:,}")
    for part in PARTS:
        table.add_row(part, f"{pairs[part]:,}")
    console = Console()
    console.print(f"Prepared corpus in {corpus.path}")
    console.print(table)
