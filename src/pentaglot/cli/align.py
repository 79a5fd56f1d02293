"""`pentaglot align`: word alignment of a parallel corpus; further commands evaluate it, draw it, and list words."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from pentaglot.align import Aligner, Alignment, AlignOptions, evaluate, read_gold, read_links, train, write_links
from pentaglot.align.alignment import misplaced_link
from pentaglot.align.options import (
    DEFAULT_GROW,
    DEFAULT_SYMMETRISATION,
    DEFAULT_THRESHOLD,
    SYMMETRISATIONS,
    SymmetrisationName,
)
from pentaglot.cli.options import quiet_option, threads_option, tokenizer_options, with_options
from pentaglot.cli.outputs import check_directory, check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.usage import Group, unknown_command
from pentaglot.corpus import Bitext, Tokenizer, learn_tokenizer, open_output, read_bitext, read_lines
from pentaglot.corpus.compression import shown
from pentaglot.errors import InputError, OptionError
from pentaglot.progress import SILENT, Progress
from pentaglot.wording import number_of

_FILE = click.Path(path_type=Path)
_STANDARD_INPUT = Path("-")
_DEFAULT = "files"


class _AlignGroup(Group):
    """A group whose arguments go to the command that aligns two files, unless they begin with another command."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            others = [name for name in self.commands if name != _DEFAULT]
            if difflib.get_close_matches(args[0], others) and not Path(args[0]).exists():
                raise unknown_command(args[0], context, others)
            args = [_DEFAULT, *args]
        return super().parse_args(context, args)

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        own = self.commands[_DEFAULT]
        looks = {"help_option_names": context.help_option_names, "max_content_width": context.max_content_width}
        with click.Context(own, info_name=context.command_path, **looks) as inner:  # type: ignore[arg-type]
            own.format_help(inner, formatter)
        with formatter.section("Further commands"):
            others = [(name, each.get_short_help_str(80)) for name, each in sorted(self.commands.items())]
            formatter.write_dl([(f"align {name}", text) for name, text in others if name != _DEFAULT])
        formatter.write_paragraph()
        formatter.write_text("A file that is named like a further command can be given as ./NAME.")


@click.group(cls=_AlignGroup, subcommand_metavar="SOURCE TARGET | COMMAND")
def command() -> None:
    """Word alignment."""


@command.command(_DEFAULT, hidden=True)
@click.argument("source", type=_FILE)
@click.argument("target", type=_FILE)
@click.option("-o", "--output", type=_FILE, default=Path("-"), show_default="standard output", help="File to write.")
@click.option("--save", type=_FILE, metavar="DIR", help="Save the trained aligner in this directory.")
@click.option(
    "--load",
    type=_FILE,
    metavar="DIR",
    help="Use this aligner (or that of a model); with --save, train it further first.",
)
@click.option("--scores", type=_FILE, help="Write the log-probability per word of each pair, in both directions (TSV).")
@click.option("--tokens", type=(_FILE, _FILE), metavar="SRC TGT", help="Write the words that links refer to.")
@tokenizer_options("auto")
@threads_option
@with_options(AlignOptions, table="align")
@quiet_option
def align_files(
    source: Path,
    target: Path,
    output: Path,
    save: Path | None,
    load: Path | None,
    scores: Path | None,
    tokens: tuple[Path, Path] | None,
    tokenizer: str | None,
    source_tokenizer: str | None,
    target_tokenizer: str | None,
    threads: int,
    options: AlignOptions,
    quiet: bool,
) -> None:
    """Align the words of two files whose lines translate each other.

    Trains an aligner on SOURCE and TARGET (plain text, .gz or .zst) and writes one line of links for each pair of
    lines: 0-0 1-2 links the first word of the source line to the first of the target line and the second to the third.

    With --load the saved aligner is applied to the files as it is. With --load and --save it is first trained further
    on them: what its earlier data taught it is kept, the new data is added.
    """
    if [source, target].count(Path("-")) > 1:
        raise InputError("standard input (-) can be read only once")
    check_directory(save)
    check_files(output, scores, *(tokens or ()), inputs=(source, target))
    aligner = None if load is None else _opened(load)
    known = None if aligner is None else aligner.tokenizers
    with shown_progress(quiet=quiet) as progress:
        tokenizers = (
            _tokenizer(source_tokenizer or tokenizer, known and known[0], source, progress),
            _tokenizer(target_tokenizer or tokenizer, known and known[1], target, progress),
        )
        bitext = read_bitext(
            source,
            target,
            source_tokenizer=tokenizers[0],
            target_tokenizer=tokenizers[1],
            threads=threads,
            progress=progress,
        )
        if aligner is None or save is not None:
            work: dict[str, Any] = {"threads": threads, "progress": progress, "path": shown(source)}
            aligner = train(bitext, options, start=aligner, tokenizers=tokenizers, **work)
        aligned = aligner.align(bitext, **options.joining, threads=threads, progress=progress)
    if save is not None:
        aligner.save(save)
    if scores is not None:
        _write_scores(aligned, bitext, scores)
    if tokens is not None:
        _write_tokens(bitext, tokens)
    write_links(aligned, output)


@command.command("evaluate")
@click.argument("links", type=_FILE)
@click.argument("gold", type=_FILE)
@click.option("--source", type=_FILE, help="The source sentences, words separated by spaces; with --target, gold links "
              "outside of their sentences are skipped and reported.")  # fmt: skip
@click.option("--target", type=_FILE, help="The target sentences.")
@click.option("--alpha", type=click.FloatRange(0, 1), help="Also print the F-measure with this weight of recall.")
@click.option("--last", is_flag=True, help="LINKS is longer than GOLD: compare its last lines.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def evaluate_links(
    links: Path,
    gold: Path,
    source: Path | None,
    target: Path | None,
    alpha: float | None,
    last: bool,
    as_json: bool,
) -> None:
    """Compute error rate, precision and recall of links against gold links.

    LINKS are counted from 0 (1-2). GOLD counts from 1, with - for sure and p for possible links (2-3 4p5).
    """
    lengths = None
    if (source is None) != (target is None):
        raise OptionError("--source and --target belong together", hint="give both or none")
    if source is not None and target is not None:
        lengths = (_lengths(source), _lengths(target))
    wanted = read_gold(gold, lengths=lengths)
    found = read_links(links)
    if last and len(found) > len(wanted):
        found = found.part(len(found) - len(wanted), len(found))
    if len(found) != len(wanted):
        raise InputError(
            f"has {number_of(len(found), 'line')}, but {gold} has {len(wanted):,}",
            path=links,
            hint="compare the same sentences, or use --last",
        )
    score = evaluate(found, wanted)
    numbers: dict[str, Any] = {
        "error_rate": score.error_rate,
        "precision": score.precision,
        "recall": score.recall,
        "f": score.f,
        **({} if alpha is None else {f"f_{alpha:g}": score.f_alpha(alpha)}),
        "links": score.links,
        "sure": score.sure,
        "possible": len(wanted.possible.source),
        "skipped": len(wanted.skipped),
        "pairs": len(wanted),
    }
    if as_json:
        click.echo(json.dumps(numbers, indent=2))
        return
    from rich.table import Table

    from pentaglot.cli.console import Console  # not for aligning, which has no use for it

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in numbers.items():
        table.add_row(name.replace("_", " "), f"{100 * value:.2f} %" if isinstance(value, float) else f"{value}")
    Console().print(table)


@command.command("show")
@click.argument("source")
@click.argument("target")
@click.option(
    "--load",
    type=_FILE,
    metavar="DIR",
    help="The aligner (or a model that has one) that links the words.",
)
@click.option("--links", type=_FILE, help="Draw these links instead of using an aligner; needs --number.")
@click.option("-n", "--number", type=click.IntRange(min=1), help="SOURCE and TARGET are files: draw this line of them.")
@click.option("--tokenizer", help="How both sides are cut into words.  [default: the aligner's; none with --links]")
@click.option("--symmetrise", type=click.Choice(SYMMETRISATIONS), default=DEFAULT_SYMMETRISATION, show_default=True,
              help="How the two directions become one alignment.")  # fmt: skip
@click.option("--threshold", type=click.FloatRange(0, 1), default=DEFAULT_THRESHOLD, show_default=True,
              help="Minimum posterior of a link in posterior-mean and posterior-product.")  # fmt: skip
@click.option("--grow", type=click.FloatRange(0, 1), default=DEFAULT_GROW, show_default=True,
              help="Share of the threshold that suffices next to another link (1: all of it).")  # fmt: skip
@click.option("--complete", type=click.FloatRange(0, 1), default=0.0, show_default=True,
              help="Minimum posterior of a link for a word that would have none (0: never).")  # fmt: skip
def show(
    source: str,
    target: str,
    load: Path | None,
    links: Path | None,
    number: int | None,
    tokenizer: str | None,
    symmetrise: SymmetrisationName,
    threshold: float,
    grow: float,
    complete: float,
) -> None:
    """Draw one sentence pair and its links as a matrix.

    SOURCE and TARGET are two sentences, or with --number two files. The darker a square, the surer the link; possible
    links that were not chosen are dim.
    """
    from pentaglot.cli.alignment_matrix import alignment_matrix
    from pentaglot.cli.console import Console

    if (load is None) == (links is None):
        raise OptionError("give either --load or --links", hint="one of them says how the words are linked")
    if links is not None and number is None:
        raise OptionError("--links needs --number", hint="name the line to draw")
    if number is not None:
        source, target = _line(Path(source), number), _line(Path(target), number)
    if load is None:
        assert links is not None and number is not None
        cut = _tokenizer(tokenizer or "none", None)
        words = cut.tokenise(source), cut.tokenise(target)
        alignment = read_links(links)
        if number > len(alignment):
            raise InputError(f"has only {number_of(len(alignment), 'line')}", path=links)
        chosen = alignment.links(number - 1)
        wrong = next((each for each in chosen if each[0] >= len(words[0]) or each[1] >= len(words[1])), None)
        if wrong is not None:
            raise misplaced_link(links, number, wrong, *map(len, words))
        drawing = alignment_matrix(*words, chosen)
    else:
        aligner = _opened(load)
        known = aligner.tokenizers
        words = (
            _tokenizer(tokenizer, known and known[0]).tokenise(source),
            _tokenizer(tokenizer, known and known[1]).tokenise(target),
        )
        chosen = aligner.align_pair(*words, symmetrise=symmetrise, threshold=threshold, grow=grow, complete=complete)
        drawing = alignment_matrix(*words, chosen, aligner.posteriors(*words).mean)
    Console(soft_wrap=True).print(drawing)


@command.command("lexicon")
@click.option(
    "--load",
    type=_FILE,
    metavar="DIR",
    required=True,
    help="The aligner (or a model that has one) to take the lexicon from.",
)
@click.option("-o", "--output", type=_FILE, default=Path("-"), show_default="standard output", help="File to write.")
@click.option("--minimum", type=click.FloatRange(0, 1), default=0.0001, show_default=True,
              help="Write only pairs with at least this probability in either direction.")  # fmt: skip
def lexicon(load: Path, output: Path, minimum: float) -> None:
    """Write the translation probabilities of both directions as a table.

    Columns: source word, target word, chance of the target word given the source word, and the reverse, separated by
    tabs. <null> stands for words that have no counterpart.
    """
    aligner = _opened(load)
    with open_output(output) as out:
        out.write("source\ttarget\ttarget given source\tsource given target\n")
        for entry in aligner.lexicon(minimum=minimum):
            chances = f"{entry.target_given_source:.6g}\t{entry.source_given_target:.6g}"
            out.write(f"{entry.source}\t{entry.target}\t{chances}\n")


def _opened(path: Path) -> Aligner:
    """A saved aligner, or the one of a trained model."""
    from pentaglot.systems.description import is_model
    from pentaglot.systems.model import aligner_of

    return aligner_of(path) if is_model(path) else Aligner.open(path)


def _tokenizer(
    mode: str | None, known: Tokenizer | None, path: Path = _STANDARD_INPUT, progress: Progress = SILENT
) -> Tokenizer:
    """The one that was asked for, else the aligner's own, else one that suits the text."""
    if mode is None and known is not None:
        return known
    return learn_tokenizer(Tokenizer(mode or "auto"), path, progress)


def _lengths(path: Path) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array([len(line.split()) for line in read_lines(path)], np.int64)


def _line(path: Path, number: int) -> str:
    count = 0
    for count, line in enumerate(read_lines(path), 1):
        if count == number:
            return line
    raise InputError(f"has only {number_of(count, 'line')}", path=path)


def _write_scores(aligned: Alignment, bitext: Bitext, path: Path) -> None:
    assert aligned.scores is not None
    sizes = [np.maximum(np.diff(side.offsets.astype(np.int64)) - 1, 1) for side in (bitext.target, bitext.source)]
    with open_output(path) as out:
        for (forward, backward), m, n in zip(aligned.scores.tolist(), *sizes, strict=True):
            out.write(f"{forward / int(m):.6f}\t{backward / int(n):.6f}\n")


def _write_tokens(bitext: Bitext, paths: tuple[Path, Path]) -> None:
    with open_output(paths[0]) as source_out, open_output(paths[1]) as target_out:
        for number in range(len(bitext)):
            source, target = bitext.pair(number)
            source_out.write(" ".join(source) + "\n")
            target_out.write(" ".join(target) + "\n")
