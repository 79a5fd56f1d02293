"""`pentaglot experiment`: train, tune, test and compare systems as described in a file."""

from __future__ import annotations

from pathlib import Path

import click

from pentaglot.cli.compare import print_report, print_rows
from pentaglot.cli.options import quiet_option, threads_option
from pentaglot.cli.progress import shown_progress
from pentaglot.evaluate import survey_caption, survey_tables
from pentaglot.systems.experiment import Laboratory
from pentaglot.systems.experiment_file import Experiment, read_experiments
from pentaglot.systems.experiment_survey import Expedition

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("file", type=_PATH)
@click.option("-o", "--output", type=_PATH, help="Where to put models, outputs and the report.  [default: beside FILE]")
@click.option(
    "--data",
    type=_PATH,
    envvar="PENTAGLOT_DATA",
    show_envvar=True,
    help="The directory that {data} stands for in paths of FILE.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be done, and why.")
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many systems to tune or test at a time; they share the threads. More need more memory.",
)
@threads_option
@quiet_option
def command(
    file: Path, output: Path | None, data: Path | None, dry_run: bool, processes: int, threads: int, quiet: bool
) -> None:
    """Run the experiment that FILE describes: train its systems, tune each with every seed, test and compare them.

    Nothing is done twice: an interrupted run resumes where it stopped, systems that differ only in tuning share a
    model, models share equal parts, and changes to FILE redo only what depends on them. The report is printed, and
    written as report.html, report.md, report.tex and report.json. If FILE has several language pairs, each has its
    own, and survey.html, survey.md and survey.json put them side by side.
    """
    experiments = read_experiments(file, data)
    place = output or file.with_suffix(".results")
    if experiments[0].pair:
        _survey(experiments, place, dry_run=dry_run, processes=processes, threads=threads, quiet=quiet)
        return
    with shown_progress(quiet=quiet) as progress:
        laboratory = Laboratory(experiments[0], place, threads=threads, processes=processes, progress=progress)
        if dry_run:
            for line in laboratory.plan().lines():
                click.echo(line)
            return
        report = laboratory.run()
    print_report(report)


def _survey(experiments: list[Experiment], place: Path, *, dry_run: bool, quiet: bool, **work: int) -> None:
    with shown_progress(quiet=quiet) as progress:
        expedition = Expedition(experiments, place, progress=progress, **work)
        if dry_run:
            for line in expedition.plan_lines():
                click.echo(line)
            return
        survey = expedition.run()
    for heading, table in survey_tables(survey).items():
        click.echo(f"\n{heading}")
        print_rows(*table)
    for line in survey_caption(survey):
        click.echo(line)
