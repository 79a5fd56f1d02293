"""`pentaglot beer`: a metric trained to agree with people."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Literal

import click

from pentaglot.cli.config_files import check_tables
from pentaglot.cli.inputs import check_inputs, note_empty_lines
from pentaglot.cli.metric_eval import (
    check_rankings,
    print_agreement,
    rankings_option,
    read_judged,
    skip_option,
    warn_of_spaces,
)
from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.outputs import check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.usage import Group
from pentaglot.corpus import read_lines
from pentaglot.corpus.compression import shown
from pentaglot.errors import InputError, OptionError
from pentaglot.evaluate.beer_scaling import fitted
from pentaglot.evaluate.beer_training import BeerOptions, self_trained, train_beer
from pentaglot.evaluate.judgments import read_direct_scores
from pentaglot.evaluate.leaving_out import leave_out
from pentaglot.evaluate.metric_evaluation import agreement_of, evaluate_metrics, segment_scores
from pentaglot.metrics import Beer, BeerModel, MetricOptions, chosen_metrics
from pentaglot.metrics.scaling import Scaling, ScalingKind
from pentaglot.options import read_options, read_toml
from pentaglot.toml_lines import located
from pentaglot.wording import number_of

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
@click.option("--self-training", type=click.Choice(["thesis", "release"]),
              help="Learn from people and from the lists, or from the lists alone.  [default: thesis]")  # fmt: skip
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
    self_training: Literal["thesis", "release"] | None,
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
    if scaling in ("share", "probability") and direct is not None:
        raise OptionError(f"the scale '{scaling}' takes no direct scores", hint="leave out --direct, or choose another")
    if (nbest is None) != (nbest_references is None):
        raise OptionError("--nbest and --nbest-references go together")
    if self_training is not None and nbest is None:
        raise OptionError("--self-training needs n-best lists", hint="give --nbest and --nbest-references")
    check_rankings(rankings)
    read = [path for paths in (*rankings, direct or ()) for path in paths]
    check_inputs(*read, nbest, nbest_references)
    check_files(output, inputs=(*read, nbest, nbest_references))
    judged = read_judged(rankings, skip_unknown=skip_unknown)
    scores = None if direct is None else read_direct_scores(*direct, skip_unknown=skip_unknown, prefer="raw")
    about = f"trained on {sum(len(each.preferred) for each in judged)} preferences: "
    about += ", ".join(each.name for each in judged)
    with shown_progress(quiet=quiet) as progress:
        model = train_beer(judged, options, about=about, threads=threads, progress=progress)
        if nbest is not None and nbest_references is not None:
            lists, wanted = _lists(nbest, nbest_references)
            way = self_training or "thesis"
            about += f"; self-trained on {len(lists)} n-best lists ({way})"
            model = self_trained(model, judged, lists, wanted, options, way=way, about=about,
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
    check_inputs(hypotheses, *references, model)
    said = list(read_lines(hypotheses))
    if not said:
        raise InputError("is empty: there is nothing to score", path=shown(hypotheses))
    wanted = [list(read_lines(path)) for path in references]
    for path, lines in zip(references, wanted, strict=True):
        if len(lines) != len(said):
            raise InputError(
                f"has {number_of(len(lines), 'line')} but {shown(hypotheses)} has {len(said):,}", path=shown(path)
            )
    metric = Beer(None if model is None else BeerModel.open(model), threads)
    note_empty_lines(said, hypotheses)
    scores = metric.statistics(said, wanted)[:, 0].tolist()
    if as_json:
        click.echo(json.dumps({"signature": metric.signature(len(references)), "scores": scores}))
    else:
        click.echo("".join(f"{score:.6f}\n" for score in scores), nl=False)


@command.command("evaluate")
@rankings_option
@skip_option
@_model
@click.option("--leave-out", "left_out", is_flag=True,
              help="Instead of using a model, train one without each language, and measure it on that.")  # fmt: skip
@click.option("--settings", type=_PATH, metavar="FILE",
              help="With --leave-out: choose among [[settings]] of a TOML file, on other languages.")  # fmt: skip
@click.option("--metrics", default="bleu,chrf", show_default=True,
              help="Metrics to compare with; the intervals are those of the lead over the last.")  # fmt: skip
@with_options(BeerOptions, table="beer")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@threads_option
@quiet_option
def evaluate_command(
    rankings: tuple[tuple[Path, Path], ...],
    skip_unknown: bool,
    model: Path | None,
    left_out: bool,
    settings: Path | None,
    metrics: str,
    options: BeerOptions,
    as_json: bool,
    threads: int,
    quiet: bool,
) -> None:
    """Compare a model with other metrics by agreement with people. See also `pentaglot metric-eval`.

    With --leave-out, a model is trained with the given options for each language, on all sets but those of this
    language, which have names such as cs-en and en-cs.
    """
    check_rankings(rankings)
    check_inputs(*(path for paths in rankings for path in paths), model)
    if left_out and model is not None:
        raise OptionError("--leave-out trains models, so there is none to give", hint="leave --model out")
    if not left_out and (settings is not None or options != BeerOptions()):
        raise OptionError("a model is not trained again", hint="add --leave-out, or leave the options of training out")
    others = chosen_metrics(MetricOptions(metrics=metrics))
    judged = read_judged(rankings, skip_unknown=skip_unknown)
    if not quiet:
        warn_of_spaces(judged, others)
    chosen = {}
    with shown_progress(quiet=quiet) as progress:
        if left_out:
            tried = [options] if settings is None else _settings(settings)
            found = leave_out(judged, tried, threads=threads, progress=progress)
            scores = [{"BEER": own, **{metric.name: segment_scores(metric, each) for metric in others}}
                      for own, each in zip(found.scores, judged, strict=True)]  # fmt: skip
            rows = agreement_of(judged, scores)
            chosen = {} if settings is None else {name: tried.index(each) + 1 for name, each in found.chosen.items()}
        else:
            metric = Beer(None if model is None else BeerModel.open(model), threads)
            rows = evaluate_metrics(judged, [metric, *others], threads=threads, progress=progress)
    print_agreement(rows, as_json=as_json)
    if chosen and not as_json:
        click.echo("settings chosen: " + ", ".join(f"{name}: {number}" for name, number in chosen.items()))


def _settings(path: Path) -> list[BeerOptions]:
    contents = read_toml(path)
    check_tables(path, contents, ["settings"])
    tables = contents.get("settings")
    if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
        raise OptionError("has no tables [[settings]]", path=path, hint="write one for each choice of options")
    named = [{key.replace("-", "_"): value for key, value in each.items()} for each in tables]
    found = []
    for number, each in enumerate(named, 1):
        with located(path, "settings", number=number):
            found.append(read_options(BeerOptions, each, path=path))
    return found


def _lists(nbest: Path, references: Path) -> tuple[list[list[str]], list[str]]:
    wanted = list(read_lines(references))
    lists: list[list[str]] = [[] for _ in wanted]
    for number, line in enumerate(read_lines(nbest), 1):
        fields = line.split(" ||| ")
        place = _place(fields[0].strip())
        if len(fields) < 2 or place >= len(wanted):
            raise InputError(
                "is not a line of an n-best list for these references", path=nbest, line=number,
                hint="write: sentence number ||| translation ||| ...",
            )  # fmt: skip
        lists[place].append(fields[1].strip())
    if not any(len(each) > 1 for each in lists):
        raise InputError("has no list of at least two translations", path=nbest)
    return lists, wanted


def _place(text: str) -> int:
    """The number of a sentence; a number that no text reaches if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 10**10
