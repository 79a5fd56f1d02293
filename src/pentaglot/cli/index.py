"""`pentaglot index`: build, describe, add to, and merge."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import click

from pentaglot._core.align import parse_links
from pentaglot.align.alignment import read_links_of
from pentaglot.cli.find import journal_of
from pentaglot.cli.layers import beside_options
from pentaglot.cli.options import quiet_option, threads_option, tokenizer_options, with_options
from pentaglot.cli.outputs import check_directory
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.usage import Group
from pentaglot.corpus import Beside, Tokenizer, learn_tokenizer, read_bitext
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.guarded import inside
from pentaglot.index import Additions, Index, PrecomputationOptions, annotate, fold_in
from pentaglot.steady import read_steadily
from pentaglot.systems import merge
from pentaglot.systems.adding import word_ids_locked
from pentaglot.systems.description import is_model


def _opened_path(_: click.Context, __: click.Parameter, path: Path) -> Path:
    """The index itself, if a trained model is given."""
    return inside(path, "index") if is_model(path) else path


_index = click.argument("index", type=click.Path(path_type=Path), callback=_opened_path)


@click.group(cls=Group)
def command() -> None:
    """The index of a bitext, in which translations are looked up.

    Where INDEX is asked for, a trained model may be given too.
    """


@command.command("build")
@click.argument("source")
@click.argument("target")
@click.argument("links")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The directory to write.")
@tokenizer_options("none")
@beside_options("source", "target")
@with_options(PrecomputationOptions, table="index")
@threads_option
@quiet_option
def build_command(
    source: str,
    target: str,
    links: str,
    output: Path,
    tokenizer: str | None,
    source_tokenizer: str | None,
    target_tokenizer: str | None,
    beside: Beside,
    options: PrecomputationOptions,
    threads: int,
    quiet: bool,
) -> None:
    """Index SOURCE and TARGET, one sentence per line, with word LINKS such as '0-0 1-2' on the same lines."""
    check_directory(output)
    with shown_progress(quiet=quiet) as progress:
        bitext = read_bitext(
            source,
            target,
            source_tokenizer=learn_tokenizer(Tokenizer(source_tokenizer or tokenizer or "none"), source, progress),
            target_tokenizer=learn_tokenizer(Tokenizer(target_tokenizer or tokenizer or "none"), target, progress),
            keep_lines=True,
            threads=threads,
            progress=progress,
        )
        # What comes through a pipe cannot be read again; the lines are kept.
        files = None if source == "-" else source, None if target == "-" else target
        bitext = dataclasses.replace(bitext, annotation=beside.annotation(bitext, files))
        index = Index.build(bitext, read_links_of(bitext, links), options, threads=threads, progress=progress)
        index.save(output)
    click.echo(f"{output}: {len(index)} pairs, {bitext.source.words} source words", err=True)


@command.command("info")
@_index
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--verify", is_flag=True, help="Read every byte and compare checksums.")
def info_command(index: Path, as_json: bool, verify: bool) -> None:
    """Describe an index: how much is in it and how large its parts are."""
    facts = read_steadily([index], lambda: _facts(index, verify))
    sizes = facts["bytes"]
    if as_json:
        click.echo(json.dumps(facts, indent=2))
        return
    for name, value in facts.items():
        if name not in ("bytes", "layers"):
            click.echo(f"{name:<15}{value:>14,}")
    for layer in facts["layers"]:
        click.echo(f"{'layer':<15}{layer:>14}")
    for part, size in sizes.items():
        click.echo(f"{part:<15}{size:>14,} bytes")


def _facts(index: Path, verify: bool) -> dict[str, Any]:
    opened = Index.open(index, verify=True if verify else None)
    return {
        "pairs": len(opened),
        "source words": opened.bitext.source.words,
        "target words": opened.bitext.target.words,
        "added pairs": len(Additions(opened, journal_of(index)).pairs),
        "layers": [f"{group} {name}" for group, name, _ in opened.bitext.annotation.groups()],
        "bytes": {
            part.name: sum(file.stat().st_size for file in part.rglob("*") if file.is_file())
            for part in sorted(index.iterdir())
            if part.is_dir()
        },
    }


@command.command("add")
@_index
@click.argument("source")
@click.argument("target")
@click.option("--links", default="", help="Word links such as '0-0 1-2'.")
@click.option("--weight", default=1.0, show_default=True, help="How many times the pair counts.")
def add_command(index: Path, source: str, target: str, links: str, weight: float) -> None:
    """Add one sentence pair, its words separated by spaces; the next lookup finds it."""
    additions = Additions(Index.open(index), journal_of(index))
    pair = additions.add(source.split(), target.split(), _links(links), weight=weight)
    click.echo(pair.number)


def _links(text: str) -> list[tuple[int, int]]:
    try:
        _, source, target, _ = parse_links(f"{text}\n".encode(), 0)
    except PentaglotError as error:
        raise OptionError(error.message.removeprefix("line 1: "), hint="links are written as 0-0 1-2") from error
    return list(zip(source.tolist(), target.tolist(), strict=True))


@command.command("remove")
@_index
@click.argument("number", type=int)
def remove_command(index: Path, number: int) -> None:
    """Take an added pair out again; NUMBER is what 'add' printed and 'added' lists."""
    Additions(Index.open(index), journal_of(index)).remove(number)


@command.command("weigh")
@_index
@click.argument("number", type=int)
@click.argument("weight", type=float)
def weigh_command(index: Path, number: int, weight: float) -> None:
    """Let an added pair count WEIGHT times."""
    Additions(Index.open(index), journal_of(index)).weigh(number, weight)


@command.command("layer")
@_index
@click.option("--source", type=click.Path(path_type=Path), help="The source text, as a treebank (.conllu).")
@click.option("--target", type=click.Path(path_type=Path), help="The target text, as a treebank (.conllu).")
@beside_options("source", "target")
def layer_command(index: Path, source: Path | None, target: Path | None, beside: Beside) -> None:
    """Add layers and metadata to an index; nothing else in it is rebuilt.

    Values come from files beside the text that the index was built from, or from treebanks of it.
    """
    if not beside.annotates(source, target):
        raise click.UsageError("give --source-layer, --target-layer, --metadata or --domain, or a treebank")
    if index.name == "index" and is_model(index.parent):
        with word_ids_locked(index.parent):
            new = annotate(index, beside, source, target)
    else:
        new = annotate(index, beside, source, target)
    for group, name, _ in new.groups():
        click.echo(f"{index}: {group} {name}", err=True)


@command.command("added")
@_index
def added_command(index: Path) -> None:
    """List the added pairs: number, weight, source, target."""
    for pair in Additions(Index.open(index), journal_of(index)).pairs:
        click.echo("\t".join((str(pair.number), f"{pair.weight:g}", " ".join(pair.source), " ".join(pair.target))))


@command.command("merge")
@_index
@threads_option
@quiet_option
def merge_command(index: Path, threads: int, quiet: bool) -> None:
    """Fold the added pairs into the index."""
    with shown_progress(quiet=quiet) as progress:
        if index.name == "index" and is_model(index.parent):
            count = merge(index.parent, threads=threads, progress=progress)
        else:
            count = fold_in(index, journal_of(index), threads=threads, progress=progress)
    click.echo(f"{index}: {count} pair{'' if count == 1 else 's'} folded in", err=True)
