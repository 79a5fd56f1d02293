"""`pentaglot tune`: finds better weights for a trained model, without redoing the rest."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from pentaglot.cli.console import Console
from pentaglot.cli.languages import named_languages
from pentaglot.cli.layers import beside_options
from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.outputs import check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.corpus import Beside
from pentaglot.errors import OutputError
from pentaglot.forest import read_weights
from pentaglot.learn import History, TuneOptions, history_path
from pentaglot.learn.checkpoint import remove_rounds
from pentaglot.progress import Progress
from pentaglot.rules import Operator, read_operators
from pentaglot.rules.operator_tables import check_operators
from pentaglot.steps import beside
from pentaglot.systems import Translator, add_language, induce, open_languages, tune
from pentaglot.systems.description import FILE
from pentaglot.systems.development import read_development, read_references
from pentaglot.systems.inducing import induction_beside, save_tuned
from pentaglot.systems.tuning import check_tuning
from pentaglot.toml_lines import located

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("model", type=_PATH)
@click.option("--dev", type=_PATH, nargs=2, required=True, metavar="SOURCE TARGET", help="Development text.")
@click.option(
    "--reference",
    "further",
    type=_PATH,
    multiple=True,
    help="A further translation of the development text, line by line; may be repeated.",
)
@click.option("-o", "--output", type=_PATH, help="Write the weights here; into the model by default.")
@click.option("--weights", "start_file", type=_PATH, help="Start with these weights.  [default: the model's]")
@click.option(
    "--choose",
    type=_PATH,
    nargs=2,
    metavar="SOURCE TARGET",
    help="Choose the round on this text, which is not learnt from.",
)
@click.option(
    "--lm",
    "languages",
    multiple=True,
    metavar="NAME=PATH[,CLASSES]",
    help="First add this further language model (ARPA or directory) to MODEL, over words or, with a file of CLASSES, "
    "over word classes; NAME=layer:LAYER estimates one over the values of a layer of the training text's target side; "
    "may be repeated.",
)
@click.option(
    "--induce",
    "operators",
    type=_PATH,
    metavar="FILE|NAME",
    help="A TOML file of operators that induce features, or the name of a preset; fitted on the "
    "development text.  [default: those of MODEL]",
)
@beside_options("source", name="annotated")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of everything that is random."
)
@quiet_option
@with_options(TuneOptions, table="tune")
@threads_option
def command(
    model: Path,
    dev: tuple[Path, Path],
    further: tuple[Path, ...],
    output: Path | None,
    start_file: Path | None,
    choose: tuple[Path, Path] | None,
    languages: tuple[str, ...],
    operators: Path | None,
    annotated: Beside,
    seed: int,
    quiet: bool,
    options: TuneOptions,
    threads: int,
) -> None:
    """Tune the weights of MODEL on development text.

    The same command continues a stopped run where it left off; it may allow more --rounds. How each round did is kept
    beside the weights, see 'pentaglot weights'.
    """
    _check_output(output, (*dev, *further, *(choose or ()), *((operators,) if operators is not None else ())))
    translator = Translator.open(model)
    chosen = _chosen_operators(translator, operators)
    sources, first = read_development(dev, annotated)
    references = [first, *read_references(further, sources, dev[0])]
    start = None if start_file is None else read_weights(start_file)
    # Files beside the development text say nothing about another text, but the domain of all lines is that of both.
    judged = read_development(choose, Beside(domain=annotated.domain)) if choose else None

    def induced(translator: Translator, progress: Progress) -> Translator:
        if start_file is not None and operators is None and (own := induction_beside(start_file, translator.model)):
            return translator.with_induction(own)
        if not chosen:
            return translator
        file = model / FILE if operators is None else operators
        with located(file, "induce") if file.exists() else nullcontext():  # a preset has no lines
            return induce(translator, sources, chosen, threads=threads, progress=progress)

    place = output or model / "weights.txt"
    kept = beside(place)
    with shown_progress(quiet=quiet) as progress:
        if languages:  # when all else will do, for this changes the model
            opened = open_languages(model, named_languages(languages), threads=threads, progress=progress)
            known: dict[str, Any] = {"start": start, "chosen": judged is not None, "languages": opened}
            check_tuning(induced(translator, progress), options, len(sources), **known)
            for name, language in opened.items():
                add_language(model, name, language)
            translator = Translator.open(model)
        translator = induced(translator, progress)
        tuning = tune(
            translator,
            sources,
            references,
            options,
            start=start,
            choose=judged,
            seed=seed,
            threads=threads,
            progress=progress,
            checkpoint=kept,
        )
    if output is None:
        translator.save_features(model / "features")
    save_tuned(translator, tuning.weights, model, output)
    History.of(tuning, seed).save(history_path(place))
    remove_rounds(kept)
    if not quiet:
        Console(stderr=True, highlight=False).print(
            f"development {tuning.metric} {tuning.score:.2f} (round {tuning.best_round} of {len(tuning.rounds) - 1})"
        )


def _chosen_operators(translator: Translator, given: Path | None) -> tuple[Operator, ...]:
    """The given operators, or those of the model; mistakes in either are met before the work."""
    model = translator.model
    undeclared = bool(model.system.hooks)
    if given is not None:
        return read_operators(given, model.declared, undeclared=undeclared)
    path = model.path / FILE
    return check_operators(model.description.induce, path=path, declared=model.declared, undeclared=undeclared)


def _check_output(path: Path | None, inputs: tuple[Path, ...]) -> None:
    check_files(path, inputs=inputs)
    if path is not None and path.exists() and not path.is_file():  # it would be replaced, and its rounds kept beside it
        raise OutputError("is a pipe or a device; a file would be written here", path=path, hint="choose another name")
