"""`pentaglot forest`: the best translations in forests that were written as JSON, and their pictures."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click

from pentaglot.corpus import Vocabulary, open_output
from pentaglot.corpus.lines import read_lines
from pentaglot.errors import InputError, PentaglotError
from pentaglot.forest import Derivation, FeatureSpace, Forest, read_weights


@click.command()
@click.argument("forests", type=click.Path(path_type=Path))
@click.option(
    "--nbest", type=click.IntRange(min=1), default=1, show_default=True, help="How many translations of each forest."
)
@click.option("--distinct", is_flag=True, help="Only the best derivation of each string.")
@click.option("--risk", is_flag=True, help="The translation of minimum Bayes risk instead of the best one.")
@click.option(
    "--prune",
    "threshold",
    type=click.FloatRange(min=0),
    help="First drop edges that are this much worse than the best.",
)
@click.option("--weights", type=click.Path(path_type=Path), help="Score again with these weights.")
@click.option("--svg", type=click.Path(path_type=Path), help="Also draw the first forest into this file.")
def command(
    forests: Path,
    nbest: int,
    distinct: bool,
    risk: bool,
    threshold: float | None,
    weights: Path | None,
    svg: Path | None,
) -> None:
    """Print the best translations in packed forests.

    FORESTS has one forest per line, in the JSON that Pentaglot writes; - is standard input. Every translation is
    printed as: number of the forest ||| words ||| features ||| score.
    """
    space = FeatureSpace()
    chosen = None if weights is None else read_weights(weights)
    for number, (forest, spell) in enumerate(_read(forests, space)):
        if chosen is not None:
            forest = forest.rescore(chosen.dense(space))
        if threshold is not None:
            forest = forest.prune(threshold=threshold)
        if svg is not None and number == 0:
            with open_output(svg) as out:
                out.write(forest.to_svg(spell))
        for each in _best(forest, nbest, distinct, risk):
            words = " ".join(map(spell, each.words))
            features = " ".join(f"{space.name(name)}={value:g}" for name, value in each.features.items())
            click.echo(f"{number} ||| {words} ||| {features} ||| {each.score:.6g}")
    # Not an error: what is rare may well be in none of these forests.
    if unused := [name for name in chosen or () if name not in space]:
        logging.getLogger(__name__).warning("no forest has the feature '%s' of %s", "', '".join(unused), weights)


def _read(path: Path, space: FeatureSpace) -> Iterator[tuple[Forest, Callable[[int], str]]]:
    """Each forest, and what spells its words; words written as numbers are shown as numbers."""
    for line, text in enumerate(read_lines(path), 1):
        vocabulary = Vocabulary()
        try:
            forest = Forest.from_json(text, vocabulary, space)
        except PentaglotError as error:
            raise InputError(error.message, path=path, line=line) from error
        yield forest, partial(_spelt, vocabulary)


def _spelt(vocabulary: Vocabulary, id: int) -> str:
    return vocabulary.word(id) if id < len(vocabulary) else str(id)


def _best(forest: Forest, nbest: int, distinct: bool, risk: bool) -> list[Derivation]:
    if risk and forest.count():
        return [forest.minimum_bayes_risk(k=max(nbest, 100))]
    return forest.kbest(nbest, distinct=distinct)
