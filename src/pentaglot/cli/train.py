"""`pentaglot train`: from parallel text to a translator."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from pentaglot.align import AlignOptions
from pentaglot.cli.console import Console
from pentaglot.cli.languages import main_language, named_languages
from pentaglot.cli.layers import beside_options
from pentaglot.cli.options import given_here, quiet_option, threads_option, with_options
from pentaglot.cli.progress import shown_progress
from pentaglot.corpus import Beside
from pentaglot.errors import OptionError
from pentaglot.forest import read_weights
from pentaglot.learn import TuneOptions
from pentaglot.order import GrammarOptions, OrderOptions
from pentaglot.rules import Operator, RuleOptions, read_operators
from pentaglot.rules.features import features_of_corpus
from pentaglot.search import SearchOptions, language_features
from pentaglot.systems import Trained, TrainOptions, find_system, train
from pentaglot.systems.weighing import check_weights

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("source", type=_PATH)
@click.argument("target", type=_PATH)
@click.option("-o", "--output", type=_PATH, required=True, help="The model directory to make.")
@click.option("--dev", type=_PATH, nargs=2, metavar="SOURCE TARGET", help="Development text to tune the weights on.")
@click.option(
    "--reference",
    "references",
    type=_PATH,
    multiple=True,
    help="A further translation of the development text, line by line; may be repeated.",
)
@click.option("--alignment", type=_PATH, help="Use these links (Pharaoh format) instead of aligning.")
@click.option(
    "--lm",
    "languages",
    multiple=True,
    metavar="[NAME=]PATH[,CLASSES]",
    help="Use this language model (ARPA or directory) instead of building one; with a NAME, add it as a further one, "
    "over words or, with a file of CLASSES, over word classes. NAME=layer:LAYER estimates one over the values of a "
    "layer of the target side; may be repeated.",
)
@click.option(
    "--monolingual",
    type=_PATH,
    multiple=True,
    metavar="FILE",
    help="More text in the target language for the language models; may be repeated.",
)
@click.option("--weights", type=_PATH, help="Start with these weights.")
@click.option(
    "--induce",
    "operators",
    type=_PATH,
    metavar="FILE|NAME",
    help="A TOML file of operators that induce features, or the name of a preset; fitted on the text that "
    "weights are tuned on.",
)
@click.option(
    "--corpus",
    "further",
    multiple=True,
    metavar="NAME=SOURCE,TARGET",
    help="A further corpus with its own features; may be repeated.",
)
@beside_options("source", "target")
@beside_options("source", about="dev", name="dev_beside")
@quiet_option
@with_options(TrainOptions, table="train")
@with_options(TuneOptions, table="tune", name="tuning")
@with_options(RuleOptions, table="rules", name="grammar", changes="the system's")
@with_options(SearchOptions, table="search", name="searching", changes="the system's", flags=())
@with_options(AlignOptions, table="align", name="aligning", flags=())
@with_options(GrammarOptions, table="preorder", name="reordering", flags=())
@with_options(OrderOptions, table="order", name="ordering", flags=())
@threads_option
def command(
    source: Path,
    target: Path,
    output: Path,
    dev: tuple[Path, Path] | None,
    references: tuple[Path, ...],
    alignment: Path | None,
    languages: tuple[str, ...],
    monolingual: tuple[Path, ...],
    weights: Path | None,
    operators: Path | None,
    further: tuple[str, ...],
    beside: Beside,
    dev_beside: Beside,
    quiet: bool,
    options: TrainOptions,
    tuning: TuneOptions,
    grammar: dict[str, Any],
    searching: dict[str, Any],
    aligning: AlignOptions,
    reordering: GrammarOptions,
    ordering: OrderOptions,
    threads: int,
) -> None:
    """Train a translator on two text files whose lines translate each other.

    The steps are: prepare the text, align its words, build the language model and the index, and tune the weights: on
    --dev, or else on a few hundred held-out pairs, unless --hold-out is 0. A stopped run continues where it left off. A
    run with other files or options redoes what depends on them, and says so; the model stays unchanged until that is
    done.

    The rules of a further --corpus have their own features, such as translation@NAME, so that tuning finds out how far
    to trust it. So does a further --lm; its weights are 0 until they are tuned.

    A text may be a treebank (.conllu), or come with files that have a value for each word or line; these are kept in
    the index for systems and features that use them.
    """
    if options.preorder is None and given_here("reorder_by"):  # a file may have it for other runs
        raise OptionError("--reorder-by counts only with --preorder", hint="add --preorder pet, or leave it out")
    corpora = _corpora(further)
    main, rest = main_language(languages)
    named = named_languages(rest)
    if weights is not None:
        known = [name for each in corpora for name in features_of_corpus(each)]
        check_weights(read_weights(weights), known + [name for each in named for name in language_features(each)])
    system = find_system(options.system)
    induced: tuple[Operator, ...] = ()
    if operators is not None:
        induced = read_operators(operators, system.declared, undeclared=bool(system.hooks))
    with shown_progress(quiet=quiet) as progress:
        done = train(
            source,
            target,
            output,
            dev=dev or None,
            dev_references=references,
            options=options,
            align=aligning,
            rules=dataclasses.replace(system.rules, **grammar),
            search=dataclasses.replace(system.search, **searching),
            tuning=tuning,
            alignment=alignment,
            language_model=main,
            weights=weights,
            corpora=corpora,
            beside=beside,
            dev_beside=dev_beside,
            languages=named,
            monolingual=monolingual,
            grammar=reordering,
            order=ordering,
            induce=induced,
            threads=threads,
            progress=progress,
        )
    if not quiet:
        _summarise(done)


def _corpora(given: tuple[str, ...]) -> dict[str, tuple[Path, Path]]:
    found: dict[str, tuple[Path, Path]] = {}
    for each in given:
        name, _, files = each.partition("=")
        source, _, target = files.partition(",")
        if not (name and source and target):
            raise OptionError(f"'{each}' is not a corpus", hint="write --corpus NAME=SOURCE,TARGET")
        if name in found:
            raise OptionError(f"two corpora are called '{name}'", hint="give them different names")
        found[name] = Path(source), Path(target)
    return found


def _summarise(done: Trained) -> None:
    console = Console(stderr=True, highlight=False)
    if not done.seconds:
        console.print(f"{done.path} is already trained with these options.")
        return
    console.print(f"{done.path}: {done.pairs:,} sentence pairs", markup=False)
    table = Table()
    table.add_column("step")
    table.add_column("seconds", justify="right")
    for name, seconds in done.seconds.items():
        table.add_row(name, f"{seconds:.1f}")
    console.print(table)
    if done.tuning is not None:
        metric = done.tuning.metric
        text = f"{metric} on {done.held_out} pairs held out" if done.held_out else f"development {metric}"
        console.print(f"{text} {done.tuning.score:.2f} (round {done.tuning.best_round})")
    elif "weights" in done.seconds and not done.held_out:
        console.print("not tuned; give a development text (--dev) for better weights")
    sizes = {
        name: _megabytes(done.path / name)
        for name in ("index", "table", "corpora", "lm", "languages", "aligner", "order")
    }
    parts = ", ".join(f"{name} {size:.1f}" for name, size in sizes.items() if size)
    console.print(f"{_megabytes(done.path):.1f} MB on disk: {parts}")
    console.print(f"try: pentaglot translate {done.path}")


def _megabytes(path: Path) -> float:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) / 1e6
