"""`pentaglot explain`: shows how a translation was put together, and the training sentences behind every rule."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from pentaglot.cli.console import Console
from pentaglot.cli.layers import beside_options
from pentaglot.cli.marked import marked
from pentaglot.cli.outputs import check_files
from pentaglot.cli.requests import annotated_lines
from pentaglot.corpus import Beside, Sentence, Tokenizer, open_output
from pentaglot.corpus.layer_files import plain_sentence
from pentaglot.corpus.retokenising import annotated_line
from pentaglot.corpus.splitters import plain
from pentaglot.errors import InputError, OptionError
from pentaglot.explain import Example, Explanation, Node, explain, explanation_page
from pentaglot.explain.nodes import Symbol
from pentaglot.systems import Translator
from pentaglot.wording import number_of

_NOTES = {"unknown": "  unknown, copied", "copied": "  copied"}


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("sentences", metavar="[SENTENCE]...", nargs=-1)
@click.option("-i", "--input", "input_file", type=click.Path(path_type=Path), help="Explain the lines of a file.")
@beside_options("source")
@click.option("--html", "page", type=click.Path(path_type=Path), help="Write a page for a browser to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, one object per line.")
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    help="Training pairs to show per rule, if the model remembers them.  [default: 1; on a page 3]",
)
@click.option("--features", is_flag=True, help="Show what every feature adds to the score.")
def command(
    model: Path,
    sentences: tuple[str, ...],
    input_file: Path | None,
    beside: Beside,
    page: Path | None,
    as_json: bool,
    examples: int | None,
    features: bool,
) -> None:
    """Translate each SENTENCE (or the lines of a file, or of standard input) with MODEL and show how.

    The output shows the rules, the input words they cover, what they add to the score, and training pairs they come
    from, with the rule's own words marked. With --html all this becomes one self-contained page with pictures.
    """
    if page is not None and as_json:
        raise click.UsageError("choose one of --html and --json")
    check_files(page, inputs=(input_file,))
    _check_sentences(sentences, input_file, beside)
    translator = Translator.open(model)
    lines = _lines(sentences, input_file, beside, translator.source_tokenizer)
    explanations = (explain(translator, line) for line in lines)
    if page is not None:
        _write_page(page, model, list(explanations), 3 if examples is None else examples)
        return
    console = Console()
    for number, explanation in enumerate(explanations):
        if as_json:
            sys.stdout.write(json.dumps(explanation.to_json(), ensure_ascii=False) + "\n")
        else:
            if number:
                console.print()
            most, coloured = 1 if examples is None else examples, console.is_terminal
            console.print(shown_explanation(explanation, most, coloured=coloured, features=features))


def _check_sentences(sentences: Sequence[str], input_file: Path | None, beside: Beside) -> None:
    if not sentences:
        return
    if input_file is not None:
        raise click.UsageError("give sentences or --input, not both")
    if beside.source_layers or beside.metadata:
        raise OptionError("files of layers and metadata go with the lines of a file", hint="give the lines by --input")
    for sentence in sentences:
        # Refuse file names; they can still be given on standard input.
        if _is_file(sentence):
            raise InputError(
                "is a file, not a sentence", path=sentence, hint="give it with --input to explain its lines"
            )


def _lines(
    sentences: Sequence[str], input_file: Path | None, beside: Beside, tokenizer: Tokenizer
) -> Iterable[str | Sentence]:
    if not sentences:
        return (line for _, line in annotated_lines(input_file or Path("-"), beside, tokenizer))
    if not beside:
        return sentences
    known = {"domain": beside.domain}
    return [annotated_line(plain_sentence(each).with_metadata(known), tokenizer) for each in sentences]


def _is_file(sentence: str) -> bool:
    try:
        return Path(sentence).is_file()
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        return False


def _write_page(page: Path, model: Path, explanations: list[Explanation], examples: int) -> None:
    text = explanation_page(explanations, title=f"{model.resolve().name}: how it was translated", examples=examples)
    if str(page) == "-":
        sys.stdout.write(text)
        return
    with open_output(page) as out:
        out.write(text)
    lines = number_of(len(explanations), "line")
    Console(stderr=True).print(f"{lines} explained in {page}", soft_wrap=True)


def shown_explanation(explanation: Explanation, examples: int, *, coloured: bool, features: bool = False) -> Group:
    """An explanation for the terminal."""
    joins = [node for root in explanation.roots for node in root.walk() if node.kind == "joined"]
    lines: list[RenderableType] = [
        Text(explanation.translation.source, style="dim"),
        Text(explanation.translation.text, style="bold"),
        *_trees(explanation, examples, features, coloured),
        Text(f"joining the pieces {sum(node.score for node in joins):+.2f}", style="dim"),
    ]
    if features:
        lines += [Text(_contributions(node), style="dim") for node in joins]
    lines.append(Text(f"score {explanation.translation.score:.2f}"))
    if explanation.translation.limited:
        lines.append(Text("the search was cut short by a limit", style="yellow"))
    if explanation.note and examples:
        lines.append(Text(f"no training pairs are shown: {explanation.note}", style="dim"))
    return Group(*lines)


def _trees(explanation: Explanation, examples: int, features: bool, coloured: bool) -> Iterator[Tree]:
    """The derivations as trees of rules: pieces in the order of the translation, and below each what fills its gaps."""
    first = 0  # word of the part in the translation
    for root, places in zip(explanation.roots, explanation.places, strict=True):
        top = Tree("", hide_root=True)
        waiting = [(root, top, 0)]
        while waiting:
            node, above, gap = waiting.pop()
            below = above
            if node.kind != "joined":
                below = above.add(_rule(node, gap, places, first, features))
                for example in node.examples[:examples]:
                    below.add(_example(example, coloured))
            filling = [(child, below, 0 if node.kind == "joined" else at) for at, child in enumerate(node.children, 1)]
            waiting.extend(reversed(filling))
        yield top
        first += root.target_span[1]


def _rule(node: Node, gap: int, places: Sequence[int], first: int, features: bool) -> Text:
    text = Text(f"X{gap} = " if gap else "", style="dim")
    text.append(_side(node.source), style="cyan")
    text.append(" → ", style="dim")
    text.append(_side(node.target) or "∅", style="green")
    text.append(f"  guessed, {node.reason}" if node.reason else _NOTES.get(node.kind, ""), style="yellow")
    begin, end = node.target_span
    words = ", ".join(map(_place, node.stretches(places)))
    text.append(f"  words {words} → {_place((first + begin, first + end))}", style="dim")
    if node.evidence is not None and node.evidence.translated:
        text.append(f", {node.evidence.count:.4g} of {node.evidence.translated} times", style="dim")
    text.append(f"  {node.score:+.2f}", style="dim")
    if features:
        text.append("\n" + _contributions(node), style="dim")
    return text


def _contributions(node: Node) -> str:
    ordered = sorted(node.contributions, key=lambda each: (-abs(each.score), each.feature))
    ordered = [each for each in ordered if each.score or not each.meaning]  # there may be many without a weight
    widest = min(max((len(each.shown) for each in ordered), default=0), 60)
    return "\n".join(
        f"    {each.shown:{widest}} {each.score:+8.2f} = {each.value:.4g} × {each.weight:.4g}" for each in ordered
    )


def _side(symbols: Sequence[Symbol]) -> str:
    return " ".join(f"X{symbol}" if isinstance(symbol, int) else plain(symbol) for symbol in symbols)


def _place(span: tuple[int, int]) -> str:
    begin, end = span
    return "∅" if begin == end else str(end) if end == begin + 1 else f"{begin + 1}-{end}"


def _example(example: Example, coloured: bool) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(
        example.label.removeprefix("training "),
        marked(example.source, example.source_places, example.source_line, coloured=coloured, style="bold cyan"),
    )
    grid.add_row(
        "",
        marked(example.target, example.target_places, example.target_line, coloured=coloured, style="bold green"),
    )
    return grid
