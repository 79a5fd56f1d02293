"""`pentaglot beer`: a metric trained to agree with people."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Literal

import click

from pentaglot.cli.metric_eval import print_agreement, rankings_option, read_judged, skip_option
from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.usage import Group
from pentaglot.corpus import read_lines
from pentaglot.errors import InputError, OptionError
from pentaglot.evaluate.beer_scaling import fitted
from pentaglot.evaluate.beer_training import BeerOptions, self_trained, train_beer
from pentaglot.evaluate.judgments import read_direct_scores
from pentaglot.evaluate.metric_evaluation import evaluate_metrics
from pentaglot.metrics import Beer, BeerModel, Chrf
from pentaglot.metrics.beer import Scaling, ScalingKind

_PATH = click.Path(path_type=Path)
_model = click.option("--model", type=_PATH, help="The model to use.  [default: the one that comes with Pentaglot]")


@click.group(cls=Group)
def command() -> None:
    """A metric trained to agree with people (Stanojević 2017).

    `pentaglot evaluate --metrics beer` uses the model that comes with Pentaglot.
    """


@command.command("train")
@rankings_option
@skip_option
@click.option("-o", "--output", type=_PATH, required=True, help="The model to write, a TOML file.")
@click.option(
    "--direct", type=_PATH, nargs=2, metavar="SEGMENTS SCORES", help="Direct scores by people, to fit the scale."
)
@click.option(
    "--scaling",
    type=click.Choice(["share", "probability", "linear", "platt", "isotonic"]),
    help="How to scale scores; the last three need --direct.  [default: share; with --direct, linear]",
)
@click.option("--nbest", type=_PATH, help="N-best lists (Moses format) for self-training, against bias.")
@click.option("--nbest-references", type=_PATH, help="References for the sentences of --nbest, one per line.")
@click.option("--self-training", type=click.Choice(["thesis", "release"]), default="thesis", show_default=True,
              help="Learn from people and from the lists, or from the lists alone.")  # fmt: skip
@with_options(BeerOptions, table="beer")
@threads_option
@quiet_option
def train_command(
    rankings: tuple[tuple[Path, Path], ...],
    skip_unknown: bool,
    output: Path,
    direct: tuple[Path, Path] | None,
    scaling: ScalingKind | None,
    nbest: Path | None,
    nbest_references: Path | None,
    self_training: Literal["thesis", "release"],
    options: BeerOptions,
    threads: int,
    quiet: bool,
) -> None:
    """Train a model on rankings by people.

    SEGMENTS has the columns segment, system (or ref) and text; PAIRS has segment, judge, system, rank, system and rank.
    Columns are separated by tabs and named in the first line.
    """
    if scaling in ("linear", "platt", "isotonic") and direct is None:
        raise OptionError(f"the scale '{scaling}' needs direct scores by people", hint="give --direct SEGMENTS SCORES")
    if (nbest is None) != (nbest_references is None):
        raise OptionError("--nbest and --nbest-references go together")
    judged = read_judged(rankings, skip_unknown=skip_unknown)
    scores = None if direct is None else read_direct_scores(*direct, skip_unknown=skip_unknown)
    about = f"trained on {sum(len(each.preferred) for each in judged)} preferences: "
    about += ", ".join(each.name for each in judged)
    with shown_progress(quiet=quiet) as progress:
        model = train_beer(judged, options, about=about, threads=threads, progress=progress)
        if nbest is not None and nbest_references is not None:
            lists, wanted = _lists(nbest, nbest_references)
            about += f"; self-trained on {len(lists)} n-best lists ({self_training})"
            model = self_trained(model, judged, lists, wanted, options, way=self_training, about=about,
                                 threads=threads, progress=progress)  # fmt: skip
    if scaling in ("share", "probability"):
        model = dataclasses.replace(model, scaling=Scaling(scaling))
    elif scores is not None:
        model = fitted(model, scores, scaling or "linear", threads=threads)
    model.save(output)


@command.command("score")
@click.argument("hypotheses", type=_PATH)
@click.argument("references", type=_PATH, nargs=-1, required=True)
@_model
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@threads_option
def score_command(
    hypotheses: Path, references: tuple[Path, ...], model: Path | None, as_json: bool, threads: int
) -> None:
    """Print the score of each line of HYPOTHESES, between 0 and 1; with several REFERENCES the best counts."""
    said = list(read_lines(hypotheses))
    wanted = [list(read_lines(path)) for path in references]
    for path, lines in zip(references, wanted, strict=True):
        if len(lines) != len(said):
            raise InputError(f"has {len(lines)} lines but {hypotheses} has {len(said)}", path=path)
    metric = Beer(None if model is None else BeerModel.open(model), threads)
    scores = metric.statistics(said, wanted)[:, 0].tolist()
    if as_json:
        click.echo(json.dumps({"signature": metric.signature(len(references)), "scores": scores}))
    else:
        click.echo("".join(f"{score:.6f}\n" for score in scores), nl=False)


@command.command("evaluate")
@rankings_option
@skip_option
@_model
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@threads_option
@quiet_option
def evaluate_command(
    rankings: tuple[tuple[Path, Path], ...],
    skip_unknown: bool,
    model: Path | None,
    as_json: bool,
    threads: int,
    quiet: bool,
) -> None:
    """Compare a model with chrF by agreement with people. See also `pentaglot metric-eval`."""
    metric = Beer(None if model is None else BeerModel.open(model), threads)
    judged = read_judged(rankings, skip_unknown=skip_unknown)
    with shown_progress(quiet=quiet) as progress:
        rows = evaluate_metrics(judged, [metric, Chrf()], progress=progress)
    print_agreement(rows, as_json=as_json)


def _lists(nbest: Path, references: Path) -> tuple[list[list[str]], list[str]]:
    wanted = list(read_lines(references))
    lists: list[list[str]] = [[] for _ in wanted]
    for number, line in enumerate(read_lines(nbest), 1):
        fields = line.split(" ||| ")
        if len(fields) < 2 or not fields[0].strip().isdecimal() or int(fields[0]) >= len(wanted):
            raise InputError(
                "is not a line of an n-best list for these references", path=nbest, line=number,
                hint="write: sentence number ||| translation ||| ...",
            )  # fmt: skip
        lists[int(fields[0])].append(fields[1].strip())
    if not any(len(each) > 1 for each in lists):
        raise InputError("has no list of at least two translations", path=nbest)
    return lists, wanted
