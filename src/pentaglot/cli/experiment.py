"""`pentaglot experiment`: train, tune, test and compare systems as described in a file."""

from __future__ import annotations

from pathlib import Path

import click

from pentaglot.cli.compare import print_report
from pentaglot.cli.options import quiet_option, threads_option
from pentaglot.cli.progress import shown_progress
from pentaglot.systems.experiment import Laboratory
from pentaglot.systems.experiment_file import read_experiment

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
    written as report.html, report.md, report.tex and report.json.
    """
    experiment = read_experiment(file, data)
    place = output or file.with_suffix(".results")
    with shown_progress(quiet=quiet) as progress:
        laboratory = Laboratory(experiment, place, threads=threads, processes=processes, progress=progress)
        if dry_run:
            for line in laboratory.plan().lines():
                click.echo(line)
            return
        report = laboratory.run()
    print_report(report)
