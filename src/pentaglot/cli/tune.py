"""`pentaglot tune`: better weights for a trained model, without redoing the rest."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from pentaglot.cli.console import Console
from pentaglot.cli.layers import beside_options
from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.progress import shown_progress
from pentaglot.corpus import Beside
from pentaglot.errors import OptionError
from pentaglot.learn import TuneOptions
from pentaglot.lm import LanguageModel
from pentaglot.steps import beside
from pentaglot.systems import Translator, add_language, tune
from pentaglot.systems.development import read_development, read_references

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
@click.option("-o", "--output", type=_PATH, help="Write the weights here; into the model if not given.")
@click.option(
    "--lm",
    "languages",
    multiple=True,
    metavar="NAME=PATH",
    help="First give MODEL this further language model (ARPA or directory); may be repeated.",
)
@beside_options("source", name="annotated")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything that is random.")
@quiet_option
@with_options(TuneOptions, table="tune")
@threads_option
def command(
    model: Path,
    dev: tuple[Path, Path],
    further: tuple[Path, ...],
    output: Path | None,
    languages: tuple[str, ...],
    annotated: Beside,
    seed: int,
    quiet: bool,
    options: TuneOptions,
    threads: int,
) -> None:
    """Tune the weights of MODEL on development text.

    A run that was stopped goes on where it was when the same command is given again; more --rounds may be allowed then.
    """
    # All are opened before one is added.
    for name, language in [(name, LanguageModel.open(path)) for name, path in _languages(languages).items()]:
        add_language(model, name, language)
    translator = Translator.open(model)
    sources, first = read_development(dev, annotated)
    references = [first, *read_references(further, sources, dev[0])]
    place = output or model / "weights.txt"
    kept = beside(place)
    with shown_progress(quiet=quiet) as progress:
        tuning = tune(
            translator, sources, references, options, seed=seed, threads=threads, progress=progress, checkpoint=kept
        )
    if output is None:
        translator.save_features(model / "features")
    tuning.weights.save(place)
    shutil.rmtree(kept, ignore_errors=True)
    if not quiet:
        Console(stderr=True, highlight=False).print(
            f"development {tuning.metric} {tuning.score:.2f} (round {tuning.best_round} of {len(tuning.rounds) - 1})"
        )


def _languages(given: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for each in given:
        name, _, path = each.partition("=")
        if not (name and path):
            raise OptionError(f"'{each}' is not a language model with a name", hint="write --lm NAME=PATH")
        if name in found:
            raise OptionError(f"two language models are called '{name}'", hint="give them different names")
        found[name] = Path(path)
    return found
