"""`pentaglot find`: a concordance of a bitext, with gaps and aligned translations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
from rich.text import Text

from pentaglot.cli.console import Console
from pentaglot.cli.marked import marked
from pentaglot.cli.options import with_options
from pentaglot.index import Additions, Concordance, FindOptions, Hit, Index, find
from pentaglot.systems import Translator
from pentaglot.systems.description import is_model
from pentaglot.wording import number_of


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("pattern")
@click.option("--translations", type=click.IntRange(min=1), default=10, show_default=True, help="How many to show.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--plain", is_flag=True, help="One hit per line: translation, source and target, separated by tabs.")
@with_options(FindOptions, table="find")
def command(model: Path, pattern: str, translations: int, as_json: bool, plain: bool, options: FindOptions) -> None:
    """Search the text behind a model for words with gaps, and see how they were translated.

    MODEL is a trained model, or a directory that 'pentaglot index build' wrote; pairs that were added to it are
    searched too. In PATTERN, X, Y and Z (or ...) stand for one or more words: "nicht nur X, sondern auch Y". To look
    for such a letter itself, put a backslash before it. Text is found as it was written, from any of its words to any
    other.

    Hits are grouped by the words that the pattern's words are aligned to; … stands for other words between them.
    """
    if as_json and plain:
        raise click.UsageError("choose one of --json and --plain")
    if is_model(model):
        found = Translator.open(model).find(pattern, options)
    else:
        found = find(Additions(Index.open(model), journal_of(model)).snapshot, pattern, options)
    if as_json:
        click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return
    if plain:
        for text in _plain(found, translations):
            click.echo(text)
        return
    console = Console(soft_wrap=True)
    for indent, line in shown_concordance(found, translations, coloured=console.is_terminal):
        console.print(Text(" " * indent) + line)


def journal_of(index: Path) -> Path:
    """Where the additions to an index are kept."""
    return index.with_name(index.name + ".additions")


def shown_concordance(found: Concordance, most: int, *, coloured: bool) -> Iterator[tuple[int, Text]]:
    """A concordance for the terminal, with at most `most` translations: lines, each with its indentation."""
    times = "once" if found.count == 1 else f"{found.count:,} times"
    stopped = "" if found.complete else ", and more: the search was stopped there (see --most)"
    yield 0, Text(f"found {times if found.count else 'nothing'}{stopped}")
    if not found.exact:
        yield 0, Text("(not exactly as written: with other spaces or capitals)", style="dim")
    for translation in found.translations[:most]:
        yield 0, Text()
        yield 0, Text.assemble(f"{translation.count:6}  ", (translation.text or "(not aligned)", "bold green"))
        for hit in translation.examples:
            source, target = _sides(hit, coloured)
            yield 8, source
            yield 8, target + Text(f"  (line {hit.pair + 1:,} of {hit.file})" if hit.file else "", style="dim")
    left = len(found.translations) - most
    if left > 0:
        yield 0, Text(f"\nand {number_of(left, 'more translation')} (see --translations)")


def _plain(found: Concordance, most: int) -> Iterator[str]:
    for translation in found.translations[:most]:
        for hit in translation.examples:
            place = f"{hit.file}:{hit.pair + 1}" if hit.file else ""
            yield "\t".join((translation.text, *(side.plain for side in _sides(hit, coloured=False)), place))


def _sides(hit: Hit, coloured: bool) -> tuple[Text, Text]:
    places = {place for begin, end in hit.chunks for place in range(begin, end)}
    return (
        marked(hit.source, places, hit.source_line, coloured=coloured),
        marked(hit.target, hit.aligned, hit.target_line, coloured=coloured),
    )
