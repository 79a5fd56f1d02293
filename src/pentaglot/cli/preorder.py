"""`pentaglot preorder`: learn the word order of another language from links, and put new text into it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from math import log10
from pathlib import Path

import click

from pentaglot.align import Alignment, AlignOptions, read_links
from pentaglot.align import train as train_aligner
from pentaglot.align.alignment import check_links
from pentaglot.cli.inputs import check_inputs
from pentaglot.cli.linked_pair import linked
from pentaglot.cli.options import quiet_option, threads_option, tokenizer_options, with_options
from pentaglot.cli.outputs import check_directory, check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.showing import visible
from pentaglot.cli.usage import Group
from pentaglot.corpus import Bitext, Tokenizer, learn_tokenizer, open_output, read_bitext, read_lines
from pentaglot.corpus.compression import shown
from pentaglot.errors import InputError, OptionError
from pentaglot.forest import Lattice, lattice_to_json
from pentaglot.order import (
    GrammarOptions,
    OrderOptions,
    OrderPicture,
    OrderTree,
    Permutation,
    Preorderer,
    RankedOrder,
    minimal_phrases,
    permutation_forest,
    train_grammar,
    tree_count,
)
from pentaglot.order.forest import forest_svg
from pentaglot.order.lattice_drawing import lattice_svg, lattice_text
from pentaglot.order.learning import remove_rounds
from pentaglot.parallel import in_order
from pentaglot.progress import Progress

_FILE = click.Path(path_type=Path)
_STANDARD = Path("-")
_ORDERING = ("choice", "samples", "seed", "prune", "least_gain", "far", "boundaries", "longest")
_LATTICES = ("lattice_from", "arcs", *(each for each in _ORDERING if each != "choice"))


@click.group(cls=Group)
def command() -> None:
    """Put the words of source sentences into the order of the target language.

    A reordering grammar is learnt from source text and its links to a translation; nothing else is needed.
    """


@command.command("train")
@click.argument("source", type=_FILE)
@click.argument("target", type=_FILE)
@click.option("-o", "--output", type=_FILE, required=True, metavar="DIR", help="Directory to write.")
@click.option("--links", type=_FILE, help="Links of the words between spaces (0-0 1-2), instead of aligning them.")
@tokenizer_options("auto; none with --links")
@threads_option
@with_options(GrammarOptions, table="preorder")
@with_options(AlignOptions, table="align", name="align_options", flags=())
@quiet_option
def train_command(
    source: Path,
    target: Path,
    output: Path,
    links: Path | None,
    tokenizer: str | None,
    source_tokenizer: str | None,
    target_tokenizer: str | None,
    threads: int,
    options: GrammarOptions,
    align_options: AlignOptions,
    quiet: bool,
) -> None:
    """Learn a reordering grammar from two files whose lines translate each other.

    The words are aligned first, unless --links names a file with one line of links for each pair of lines. A run that
    was stopped goes on with the next round when the same command is given again.
    """
    options.check()
    check_inputs(source, target, links)
    check_directory(output)
    usual = "auto" if links is None else "none"
    given = links if links is None else read_links(links)
    with shown_progress(quiet=quiet) as progress:
        tokenizers = [
            learn_tokenizer(Tokenizer(mode or tokenizer or usual), path, progress)
            for mode, path in ((source_tokenizer, source), (target_tokenizer, target))
        ]
        bitext = read_bitext(
            source,
            target,
            source_tokenizer=tokenizers[0],
            target_tokenizer=tokenizers[1],
            threads=threads,
            progress=progress,
        )
        if given is None:
            given = _aligned(bitext, source, align_options, threads, progress)
        elif links is not None:
            check_links(given, bitext, links)
        grammar = train_grammar(
            bitext.source,
            bitext.source_vocabulary,
            given,
            options,
            keep=output,
            tokenizer=tokenizers[0],
            threads=threads,
            progress=progress,
        )
    grammar.save(output)
    remove_rounds(output)
    if not quiet:
        chance = grammar.log[-1] / grammar.sentences
        click.echo(
            f"learnt from {grammar.sentences} of {len(bitext)} sentences; log-likelihood per sentence {chance:.2f}",
            err=True,
        )


def _aligned(bitext: Bitext, source: Path, options: AlignOptions, threads: int, progress: Progress) -> Alignment:
    aligner = train_aligner(bitext, options, threads=threads, progress=progress, path=shown(source))
    return aligner.align(bitext, **options.joining, threads=threads, progress=progress)


@command.command("apply")
@click.argument("grammar", type=_FILE, metavar="GRAMMAR")
@click.argument("text", type=_FILE, default=_STANDARD)
@click.option("-o", "--output", type=_FILE, default=_STANDARD, show_default="standard output", help="File to write.")
@click.option("--orders", type=_FILE, help="Write the positions (from 0) of the words of each line in their new order.")
@click.option(
    "--kbest", type=click.IntRange(min=1), help="Print up to this many orders of each line, with their expected loss."
)
@threads_option
@with_options(OrderOptions, table="order", flags=_ORDERING)
def apply_command(
    grammar: Path,
    text: Path,
    output: Path,
    orders: Path | None,
    kbest: int | None,
    threads: int,
    options: OrderOptions,
) -> None:
    """Put the words of every line of TEXT (standard input if not given) into their new order.

    Words are written as they were cut, separated by spaces. With --kbest every order has its own line: number of the
    sentence ||| words ||| expected loss ||| share of the derivations drawn.
    """
    check_files(output, orders, inputs=(text,))
    if kbest is not None and orders is not None:
        raise OptionError("--orders is of no use with --kbest", hint="leave one of them out")
    preorderer = Preorderer.open(grammar, options)
    if kbest is not None:
        _print_orders(preorderer, text, output, kbest, threads)
        return
    with ExitStack() as opened:
        out = opened.enter_context(open_output(output))
        positions = None if orders is None else opened.enter_context(open_output(orders))
        for number, each in enumerate(preorderer.order_lines(read_lines(text), threads=threads), 1):
            if each.kept:
                _note(number, each.words, "it is left as typed")
            elif each.cut:
                _note(number, each.words, "its pieces are ordered one by one")
            _warn(number, each.words, unknown=each.unknown and not each.cut, glued=each.glued)
            out.write(" ".join(each.words) + "\n")
            if positions is not None:
                positions.write(" ".join(map(str, each.permutation.order)) + "\n")


def _note(line: int, words: Sequence[str], what: str) -> None:
    click.echo(f"line {line} has {len(words)} words: {what}", err=True)


def _warn(line: int, words: Sequence[str], *, unknown: bool, glued: bool) -> None:
    """Says why the order of a line is worth little."""
    if unknown:
        click.echo(f"line {line} has only words that the grammar does not know", err=True)
    if glued and len(words) > 1:
        click.echo(f"line {line} has no tree: only parts of it are ordered", err=True)


def _print_orders(preorderer: Preorderer, text: Path, output: Path, kbest: int, threads: int) -> None:
    options = preorderer.options
    samples = 10_000 if options.samples is None else options.samples
    if samples == 0:
        raise OptionError("--kbest needs orders that are drawn", hint="leave out --samples 0")

    def made(numbered: tuple[int, str]) -> tuple[list[str], list[RankedOrder], bool]:
        number, line = numbered
        words = preorderer.tokenizer.tokenise(line)
        if len(words) > options.longest:
            one = preorderer.order_one(words)
            return words, [RankedOrder(one.permutation, one.expected_loss, 1.0)], False
        if not words:
            return words, [], False
        parse = preorderer.parse(words)
        return words, parse.orders(kbest, samples, options.seed + number), parse.glued

    with open_output(output) as out:
        for number, (words, orders, glued) in enumerate(in_order(made, enumerate(read_lines(text)), threads)):
            if len(words) > options.longest:
                _note(number + 1, words, "it has one order")
            else:
                _warn(number + 1, words, unknown=preorderer.knows_none(words), glued=glued)
            for each in orders:
                reordered = " ".join(each.permutation.apply(words))
                out.write(f"{number} ||| {reordered} ||| {each.expected_loss:.6f} ||| {each.probability:.6f}\n")


@command.command("show")
@click.argument("source")
@click.argument("target", required=False)
@click.option("--grammar", type=_FILE, metavar="DIR", help="The grammar whose likeliest tree is shown.")
@click.option("--links", help='How SOURCE and TARGET are linked ("0-0 1-2"); without --grammar, shows their tree.')
@click.option("--aligner", type=_FILE, metavar="DIR", help="The aligner that links them, if --links does not.")
@click.option("--svg", type=_FILE, help="Draw into this file instead of the terminal.")
@click.option("--forest", is_flag=True, help="With --svg and links: draw all trees at once, packed into one forest.")
def show_command(
    source: str,
    target: str | None,
    grammar: Path | None,
    links: str | None,
    aligner: Path | None,
    svg: Path | None,
    forest: bool,
) -> None:
    """Draw the tree by which the words of SOURCE get their new order.

    With TARGET, a translation, and links between them, the links are shown before and after. Without a grammar the
    words are those between spaces, and the tree is that of the links; it is said how many others they have.
    """
    check_files(svg)
    if forest and (svg is None or grammar is not None):
        raise OptionError("--forest draws the trees of links into a file", hint="give --svg, and leave out --grammar")
    preorderer = None if grammar is None else Preorderer.open(grammar)
    words = tuple((preorderer.tokenizer if preorderer else Tokenizer("none")).tokenise(source))
    other, pairs = linked(words, target, links, aligner)
    if not words:
        raise InputError("there are no words to show")
    units = None
    if preorderer is not None:
        parse = preorderer.grammar.parse(words)
        order, trees = parse.best_tree_order(), tuple(parse.best_trees())
    elif pairs:
        units = minimal_phrases(Alignment.from_links([pairs]), [len(words)])[0]
        trees = (OrderTree.gold(units),)
        order = Permutation.from_order(trees[0].order)
    else:
        raise OptionError("give --grammar, or TARGET and links", hint="one of them says what the order is")
    picture = OrderPicture(words, order, trees, other, tuple(pairs))
    chosen = order if preorderer is None else preorderer.order_one(words).permutation
    if svg is not None:
        with open_output(svg) as out:
            out.write(
                forest_svg(permutation_forest(units), words) if forest and units is not None else picture.to_svg()
            )
        return
    _print_picture(picture)
    if units is not None and (number := tree_count(units.permutation)) > 1:
        told = f"{number:,}" if number < 10**9 else f"more than 10^{int(log10(number))}"
        click.echo(f"\n{told} trees give this order: --forest --svg FILE draws them")
    if chosen != order:
        click.echo(f"\n'pentaglot preorder apply' chooses another order: {visible(' '.join(chosen.apply(words)))}")


def _print_picture(picture: OrderPicture) -> None:
    from rich.text import Text

    from pentaglot.cli.alignment_matrix import alignment_matrix
    from pentaglot.cli.console import Console
    from pentaglot.order.drawing import told_crossings

    console = Console(soft_wrap=True, highlight=False)
    reordered = picture.permutation.apply(picture.words)
    console.print(Text(picture.text()))
    console.print(Text("\n" + " ".join(reordered)))
    if picture.links:
        for name, words, links in (
            ("before", picture.words, list(picture.links)),
            ("after", reordered, picture.moved_links),
        ):
            console.print(Text(f"\n{name}: {told_crossings(links)}", style="bold"))
            console.print(alignment_matrix(words, picture.target, links))


@command.command("lattice")
@click.argument("grammar", type=_FILE, metavar="GRAMMAR")
@click.argument("text", type=_FILE, default=_STANDARD)
@click.option("-o", "--output", type=_FILE, default=_STANDARD, show_default="standard output", help="File to write.")
@click.option("--orders", type=click.IntRange(1, 1000), default=100, show_default=True, help="Most orders of a line.")
@click.option("--show", is_flag=True, help="Show the best orders of each line for people instead.")
@click.option("--svg", type=_FILE, help="Draw the lattice of the first line with words into this file.")
@threads_option
@with_options(OrderOptions, table="order", flags=_LATTICES)
def lattice_command(
    grammar: Path,
    text: Path,
    output: Path,
    orders: int,
    show: bool,
    svg: Path | None,
    threads: int,
    options: OrderOptions,
) -> None:
    """Write a lattice of several orders of every line of TEXT (standard input if not given).

    A lattice is the smallest one with exactly these orders. An arc is worth minus the number of words that come later
    but are expected before it. 'pentaglot translate --lattices json' reads them; a model trained with --preorder makes
    such lattices by itself, with --orders.
    """
    check_files(output, svg, inputs=(text,))
    preorderer = Preorderer.open(grammar, options)

    def made(line: str) -> tuple[list[str], Lattice | None, bool]:
        words = preorderer.tokenizer.tokenise(line)
        if len(words) < 2 or len(words) > options.longest:
            return words, preorderer.lattice(words, orders) if words else None, False
        parse = preorderer.parse(words)
        return words, preorderer.lattice(words, orders, parse), parse.glued

    with open_output(output) as out:
        for number, (words, lattice, glued) in enumerate(in_order(made, read_lines(text), threads), 1):
            if len(words) > options.longest and orders > 1:
                _note(number, words, "it has one order")
            else:
                _warn(number, words, unknown=preorderer.knows_none(words), glued=glued)
            if svg is not None and lattice is not None:
                with open_output(svg) as drawn:
                    drawn.write(lattice_svg(lattice, words))
                svg = None
            if show:
                out.write(" ".join(words) + "\n" + (lattice_text(lattice, words) + "\n" if lattice else "") + "\n")
            else:
                out.write((lattice_to_json(lattice, words.__getitem__) if lattice else "") + "\n")
    if svg is not None:
        click.echo(f"no line has words, so {visible(str(svg))} is not written", err=True)
