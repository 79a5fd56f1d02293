"""`pentaglot table`: extracts, imports, exports, filters, describes and estimates tables of rules."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from pentaglot import storage
from pentaglot.align import Alignment
from pentaglot.align.alignment import read_links_of
from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.usage import Group
from pentaglot.corpus import Bitext, Tokenizer, learn_tokenizer, read_bitext, read_lines
from pentaglot.guarded import inside
from pentaglot.index import Index
from pentaglot.progress import Progress
from pentaglot.rules import (
    LIMITS,
    ExtractionOptions,
    RuleOptions,
    Table,
    TextOptions,
    estimate_table,
    export_table,
    extract_table,
    filter_table,
    import_table,
)
from pentaglot.systems.description import Description, is_model

_PATH = click.Path(path_type=Path)
_table = click.argument("table", type=_PATH)
_output = click.option("-o", "--output", required=True, type=_PATH, help="The table (a directory) to write.")
_tokenizer = click.option(
    "--tokenizer", default="none", show_default=True, help="How lines of text are cut into words; none: at spaces."
)
_grammar = with_options(
    RuleOptions, table="rules", name="grammar", changes="the model's, or hiero's", flags=(*LIMITS, "reordering")
)


@click.group(cls=Group)
def command() -> None:
    """Tables of rules: all rules of a bitext, scored beforehand.

    A table can replace the index in a model, and be exchanged with Moses, cdec and Joshua.
    """


@command.command("extract")
@click.argument("text", nargs=-1, required=True, metavar="MODEL | SOURCE TARGET LINKS")
@_output
@_grammar
@with_options(ExtractionOptions, table="extract")
@_tokenizer
@threads_option
@quiet_option
def extract_command(
    text: tuple[str, ...],
    output: Path,
    grammar: dict[str, Any],
    options: ExtractionOptions,
    tokenizer: str,
    threads: int,
    quiet: bool,
) -> None:
    """Extract all rules of a MODEL or index, or of two texts with word LINKS, and score them.

    The limits default to those of the model. A stopped run continues where it left off.
    """
    with shown_progress(quiet=quiet) as progress:
        found, rules = _opened(text, tokenizer, grammar, threads, progress)
        table = extract_table(found, output, rules, options, threads=threads, progress=progress)
    _say(output, table, quiet)


@command.command("estimate")
@click.argument("text", nargs=-1, required=True, metavar="MODEL | SOURCE TARGET LINKS")
@_grammar
@with_options(ExtractionOptions, table="extract")
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.1,
    show_default=True,
    help="The share of sentence pairs from which the size is extrapolated.",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@_tokenizer
@threads_option
@quiet_option
def estimate_command(
    text: tuple[str, ...],
    grammar: dict[str, Any],
    options: ExtractionOptions,
    share: float,
    as_json: bool,
    tokenizer: str,
    threads: int,
    quiet: bool,
) -> None:
    """Count the rules and estimate the size of their table, without making it."""
    with shown_progress(quiet=quiet) as progress:
        found, rules = _opened(text, tokenizer, grammar, threads, progress)
        estimate = estimate_table(found, rules, options, share=share, threads=threads, progress=progress)
    if as_json:
        click.echo(json.dumps(asdict(estimate), indent=2))
        return
    for name, value in (
        ("sentence pairs", f"{estimate.pairs:,}"),
        ("rules, counting repeats", f"{estimate.instances:,}"),
        ("distinct rules, about", f"{estimate.rules:,}"),
        ("bytes of their table, about", f"{estimate.bytes:,}"),
        ("estimated from pairs", f"{estimate.sampled_pairs:,}"),
        ("bytes of a complete phrase table", f"{estimate.complete_bytes:,}"),
    ):
        click.echo(f"{name:<36}{value:>16}")


@command.command("import")
@click.argument("file")
@_output
@click.option("--reordering", type=str, help="The Moses reordering table that belongs to a phrase table.")
@with_options(TextOptions, table="table")
@quiet_option
def import_command(file: str, output: Path, reordering: str | None, options: TextOptions, quiet: bool) -> None:
    """Compile FILE, a Moses phrase table or a cdec or Joshua grammar, into a table that opens instantly.

    FILE may be compressed (.gz, .zst).
    """
    with shown_progress(quiet=quiet) as progress:
        table = import_table(file, output, options, reordering=reordering, progress=progress)
    _say(output, table, quiet)


@command.command("export")
@_table
@click.option("-o", "--output", default="-", help="The file to write.  [default: standard output]")
@click.option("--reordering", type=str, help="Write the orientations to this file, as a Moses reordering table.")
@with_options(TextOptions, table="table")
@quiet_option
def export_command(table: Path, output: str, reordering: str | None, options: TextOptions, quiet: bool) -> None:
    """Write TABLE as text: a Moses phrase table, or a cdec or Joshua grammar."""
    with shown_progress(quiet=quiet) as progress:
        export_table(_opened_table(table), output, options, reordering=reordering, progress=progress)


@command.command("filter")
@_table
@click.argument("text")
@_output
@_tokenizer
@click.option("--model", type=_PATH, help="Cut the text into words as this model does.")
@quiet_option
def filter_command(table: Path, text: str, output: Path, tokenizer: str, model: Path | None, quiet: bool) -> None:
    """Keep only the rules of TABLE that the lines of TEXT can use."""
    known = None if model is None else Tokenizer.open(inside(model, "source.tokenizer"))
    with shown_progress(quiet=quiet) as progress:
        cutter = known or learn_tokenizer(Tokenizer(tokenizer), text, progress)
        sentences = cutter.tokenise_all(list(read_lines(text)))
        filtered = filter_table(_opened_table(table), sentences, output, progress=progress)
    _say(output, filtered, quiet)


@command.command("info")
@_table
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--verify", is_flag=True, help="Read every byte and compare checksums.")
def info_command(table: Path, as_json: bool, verify: bool) -> None:
    """Describe a table: its contents, how it was made, and its size."""
    place = _place(table)
    opened = Table.open(place, verify=True if verify else None)
    facts = {
        "rules": len(opened),
        "source sides": opened.source_sides,
        "source words": len(opened.source_vocabulary) - 4,
        "target words": len(opened.target_vocabulary) - 4,
        "features": list(opened.features),
        "orientations": opened.has_reordering,
        "made": {name: opened.facts[name] for name in sorted(opened.facts) if name not in ("rules", "source_sides")},
        "bytes": sum(file.stat().st_size for file in place.rglob("*") if file.is_file()),
    }
    if as_json:
        click.echo(json.dumps(facts, indent=2))
        return
    for name, value in facts.items():
        if isinstance(value, int) and not isinstance(value, bool):
            click.echo(f"{name:<15}{value:>14,}")
    click.echo(f"{'features':<15}{', '.join(opened.features)}" + (", orientations" if opened.has_reordering else ""))
    for name in ("counting", "format", "limits", "pairs", "instances", "filtered"):
        if name in opened.facts:
            made = opened.facts[name]
            shown = ", ".join(f"{key} {each}" for key, each in made.items()) if isinstance(made, dict) else made
            click.echo(f"{name:<15}{shown}")


def _place(path: Path) -> Path:
    """A table, or the one of a model."""
    return inside(path, "table") if is_model(path) and (path / "table").exists() else path


def _opened_table(path: Path) -> Table:
    return Table.open(_place(path))


def _opened(
    text: tuple[str, ...], tokenizer: str, grammar: dict[str, Any], threads: int, progress: Progress
) -> tuple[Index | tuple[Bitext, Alignment], RuleOptions]:
    """The text to extract rules from, and the limits."""
    if len(text) == 1:
        path = Path(text[0])
        if storage.kind_of(path) == "index":
            return Index.open(path), replace(RuleOptions(), **grammar)
        rules = replace(Description.open(path).rules, **grammar)
        return Index.open(inside(path, "index")), rules
    if len(text) != 3:
        raise click.UsageError("give a model or an index, or two texts and their links")
    source, target, links = text
    cutters = [learn_tokenizer(Tokenizer(tokenizer), each, progress) for each in (source, target)]
    bitext = read_bitext(
        source, target, source_tokenizer=cutters[0], target_tokenizer=cutters[1], threads=threads, progress=progress
    )
    return (bitext, read_links_of(bitext, links)), replace(RuleOptions(), **grammar)


def _say(path: Path, table: Table, quiet: bool) -> None:
    if not quiet:
        click.echo(f"{path}: {len(table):,} rules, {table.source_sides:,} source sides", err=True)
