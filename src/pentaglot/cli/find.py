"""`pentaglot find`: a concordance of a bitext, with gaps and aligned translations."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from pentaglot.cli.options import with_options
from pentaglot.index import Additions, Concordance, FindOptions, Hit, Index, find


@click.command()
@click.argument("index", type=click.Path(path_type=Path))
@click.argument("pattern")
@click.option("--translations", type=click.IntRange(min=1), default=10, show_default=True, help="How many to show.")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON.")
@with_options(FindOptions, table="find")
def command(index: Path, pattern: str, translations: int, as_json: bool, options: FindOptions) -> None:
    """Search a bitext for words with gaps, and see how they were translated.

    INDEX is a directory that 'pentaglot index build' wrote; pairs that were added to it are searched too. In PATTERN,
    X, Y and Z (or ...) stand for one or more words: "nicht nur X sondern auch Y". To look for such a letter itself,
    put a backslash before it.

    Hits are grouped by the words that the pattern's words are aligned to; … stands for other words between them.
    """
    additions = Additions(Index.open(index), journal_of(index))
    found = find(additions.snapshot, pattern, options)
    if as_json:
        click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
    else:
        _show(found, translations)


def journal_of(index: Path) -> Path:
    """Where the additions to an index are kept."""
    return index.with_name(index.name + ".additions")


def _show(found: Concordance, most: int) -> None:
    console = Console(highlight=False, soft_wrap=True)
    times = "once" if found.count == 1 else f"{found.count} times"
    stopped = "" if found.complete else ", and more: the search was stopped there (see --most)"
    console.print(f"found {times if found.count else 'nothing'}{stopped}")
    for translation in found.translations[:most]:
        console.print()
        console.print(Text.assemble(f"{translation.count:6}  ", (translation.text or "(not aligned)", "bold green")))
        for hit in translation.examples:
            for words, marked in ((hit.source, _source_marks(hit)), (hit.target, set(hit.aligned))):
                console.print(Text("        ") + _marked(words, marked, console.is_terminal))
    left = len(found.translations) - most
    if left > 0:
        console.print(f"\nand {left} more translation{'s' if left > 1 else ''} (see --translations)")


def _source_marks(hit: Hit) -> set[int]:
    return {place for begin, end in hit.chunks for place in range(begin, end)}


def _marked(words: tuple[str, ...], places: set[int], coloured: bool) -> Text:
    """The words with some of them marked: in colour for people, in brackets where there is none."""
    line = Text()
    for place, word in enumerate(words):
        inside, joined = place in places, place in places and place - 1 in places
        line.append(" " if place else "")
        if inside and not coloured:
            word = ("" if joined else "[") + word + ("" if place + 1 in places else "]")
        line.append(word, style="bold yellow" if inside else "")
    return line
