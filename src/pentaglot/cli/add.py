"""`pentaglot add`: adds sentence pairs to a trained model, and removes them."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.text import Text

from pentaglot import systems
from pentaglot.cli.console import Console
from pentaglot.cli.languages import named_languages
from pentaglot.cli.layers import beside_options
from pentaglot.cli.options import threads_option
from pentaglot.cli.progress import shown_progress
from pentaglot.corpus import Beside, Sentence, read_pairs
from pentaglot.corpus.layer_files import DOMAIN, plain_sentence
from pentaglot.corpus.splitters import plain
from pentaglot.systems import Translator
from pentaglot.wording import number_of

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("model", type=_PATH)
@click.argument("pair", metavar="[SOURCE TARGET]", nargs=-1)
@click.option("--from", "files", type=_PATH, nargs=2, metavar="SOURCE TARGET", help="Add all pairs of two files.")
@click.option("--corpus", metavar="NAME", help="With --from: add them as a further corpus with its own features.")
@click.option("--remove-corpus", metavar="NAME", help="Remove a further corpus.")
@click.option(
    "--lm",
    metavar="NAME=PATH[,CLASSES]",
    help="Add a further language model; tune finds its weights. NAME=layer:LAYER estimates one over a layer.",
)
@click.option("--remove-lm", metavar="NAME", help="Remove a further language model.")
@click.option("--weight", default=1.0, show_default=True, help="How many times each pair counts.")
@click.option("--list", "listing", is_flag=True, help="List the added pairs: number, weight, source, target.")
@click.option("--json", "as_json", is_flag=True, help="List them as JSON, one per line, with their word links.")
@click.option("--remove", "removed", type=int, multiple=True, metavar="NUMBER", help="Remove an added pair.")
@click.option("--weigh", "weighed", type=(int, float), metavar="NUMBER WEIGHT", help="Give an added pair a new weight.")
@beside_options("source", "target")
@threads_option
@click.option("-q", "--quiet", is_flag=True, help="Print only the numbers of the pairs.")
def command(
    model: Path,
    pair: tuple[str, ...],
    files: tuple[Path, Path] | None,
    corpus: str | None,
    remove_corpus: str | None,
    lm: str | None,
    remove_lm: str | None,
    weight: float,
    listing: bool,
    as_json: bool,
    removed: tuple[int, ...],
    weighed: tuple[int, float] | None,
    beside: Beside,
    threads: int,
    quiet: bool,
) -> None:
    """Add a sentence pair to MODEL: the very next translation uses it.

    The sentence itself is then translated exactly like this, and its parts help with other sentences. Give the pair as
    plain text, or files with --from. 'pentaglot index merge MODEL' folds many additions into the index.
    """
    wishes = [bool(pair), files, listing or as_json, removed, weighed, remove_corpus, lm, remove_lm]
    if sum(each not in (None, False, ()) for each in wishes) != 1 or len(pair) not in (0, 2):
        raise click.UsageError("give SOURCE and TARGET (in quotes), or one of --from, --list, --remove and --weigh")
    if beside and not files and (not pair or beside.files()):
        raise click.UsageError("files of layers and metadata need --from; --domain needs pairs to add")
    if remove_corpus is not None:
        systems.remove_corpus(model, remove_corpus)
        return
    if remove_lm is not None:
        systems.remove_language(model, remove_lm)
        return
    if lm is not None:
        _add_language(model, lm, threads, quiet)
        return
    if corpus is not None:
        _add_corpus(model, corpus, files, beside, weight, threads, quiet)
        return
    translator = Translator.open(model)
    if pair:
        _add_one(translator, pair[0], pair[1], beside.domain, weight, quiet)
    elif files is not None:
        _add_files(translator, files, beside, weight, threads, quiet)
    elif weighed is not None:
        translator.weigh(*weighed)
    elif removed:
        translator.remove(*removed)
    else:
        _list(translator, as_json)


def _add_corpus(
    model: Path,
    name: str,
    files: tuple[Path, Path] | None,
    beside: Beside,
    weight: float,
    threads: int,
    quiet: bool,
) -> None:
    if files is None or weight != 1:
        raise click.UsageError("--corpus needs --from and cannot be combined with --weight")
    with shown_progress(quiet=quiet) as progress:
        pairs = systems.add_corpus(model, name, *files, beside=beside, threads=threads, progress=progress)
    if not quiet:
        click.echo(f"{model}: {pairs:,} pairs as corpus '{name}'; 'pentaglot tune' finds out how far to trust it")


def _add_language(model: Path, given: str, threads: int, quiet: bool) -> None:
    with shown_progress(quiet=quiet) as progress:
        opened = systems.open_languages(model, named_languages((given,)), threads=threads, progress=progress)
    for name, language in opened.items():
        systems.add_language(model, name, language)
    if not quiet:
        click.echo(f"{model}: language model '{name}'; its weights are 0 until 'pentaglot tune' finds better ones")


def _add_one(translator: Translator, source: str, target: str, domain: str, weight: float, quiet: bool) -> None:
    line = plain_sentence(source).with_metadata({DOMAIN: domain}) if domain else source
    order_by = target if translator.model.needs_translations else None
    before = "" if quiet else translator.translate(line, order_by=order_by).text
    # One pair takes no time, unless an aligner has to be trained first.
    with shown_progress(quiet=quiet or translator.model.aligner is not None) as progress:
        (added,) = translator.add_all([(line, target)], weight=weight, progress=progress)
    if quiet:
        click.echo(added.number)
        return
    console = Console(soft_wrap=True)
    console.print(f"added as pair {added.number}")
    for label, text, style in (
        ("source", source, ""),
        ("before", before, "dim"),
        ("now", translator.translate(line).text, "bold"),
    ):
        console.print(Text.assemble((f"  {label:<8}", "dim"), (text, style)))


def _add_files(
    translator: Translator, files: tuple[Path, Path], beside: Beside, weight: float, threads: int, quiet: bool
) -> None:
    lines = [(pair.source, pair.target) for pair in read_pairs(files)]
    pairs: list[tuple[str | Sentence, str | Sentence]] = list(lines)
    if beside.annotates(*files):
        sides = beside.sources(files[0]), beside.targets(files[1])
        pairs = [(source, target) for (_, source), (_, target) in zip(*sides, strict=True)]
    sources = translator.model.source_tokenizer.tokenise_all([source for source, _ in lines])
    targets = translator.model.target_tokenizer.tokenise_all([target for _, target in lines])
    empty = [not (source and target) for source, target in zip(sources, targets, strict=True)]
    pairs = [pair for pair, left_out in zip(pairs, empty, strict=True) if not left_out]
    with shown_progress(quiet=quiet) as progress:
        added = translator.add_all(pairs, weight=weight, threads=threads, progress=progress)
    if quiet:
        for each in added:
            click.echo(each.number)
        return
    numbers = f" as {added[0].number} to {added[-1].number}" if added else ""
    left_out = f"; {sum(empty)} with an empty side left out" if any(empty) else ""
    click.echo(f"{number_of(len(added), 'pair')} added{numbers}{left_out}")


def _list(translator: Translator, as_json: bool) -> None:
    source, target = translator.model.source_tokenizer, translator.model.target_tokenizer
    for pair in translator.added:
        sides = [
            " ".join(line.split()) or tokenizer.recase(tokenizer.detokenise(list(words)))
            for tokenizer, words, line in (
                (source, pair.source, pair.written[0]),
                (target, pair.target, pair.written[1]),
            )
        ]
        if not as_json:
            click.echo("\t".join((str(pair.number), f"{pair.weight:g}", *sides)))
            continue
        record = {"number": pair.number, "weight": pair.weight, "source": sides[0], "target": sides[1]}
        words = {"source_words": list(map(plain, pair.source)), "target_words": list(map(plain, pair.target))}
        click.echo(json.dumps(record | words | {"links": pair.links}, ensure_ascii=False))
