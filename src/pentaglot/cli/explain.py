"""`pentaglot explain`: how a translation was put together, and the training sentences behind every rule."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from pentaglot.systems import Example, Explanation, Node, Translator, explain


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("sentence")
@click.option(
    "--examples", type=click.IntRange(min=0), default=1, show_default=True, help="Training pairs for each rule."
)
@click.option("--features", is_flag=True, help="Show what every feature adds to the score.")
@click.option("--json", "as_json", is_flag=True, help="Everything as one JSON object.")
def command(model: Path, sentence: str, examples: int, features: bool, as_json: bool) -> None:
    """Translate SENTENCE with MODEL and show how.

    Shown are the rules that were used, over which words of the input, what they add to the score, and training pairs
    that they come from, with the rule's own words marked.
    """
    explanation = explain(Translator.open(model), sentence)
    if as_json:
        sys.stdout.write(json.dumps(explanation.to_json(), ensure_ascii=False) + "\n")
        return
    _show(explanation, examples, features)


def _show(explanation: Explanation, examples: int, features: bool) -> None:
    console = Console(highlight=False)
    console.print(Text(explanation.translation.text, style="bold"))
    for root in explanation.roots:
        console.print(_tree(root, examples, features))
    console.print(f"score {explanation.translation.score:.3f}")


def _tree(root: Node, examples: int, features: bool) -> Tree:
    """The derivation as a tree of rules; parts that are joined one after the other stand side by side."""
    top = Tree("")
    waiting = [(root, top)]
    while waiting:
        node, above = waiting.pop()
        below = above
        if node.kind == "rule":
            below = above.add(_rule(node, features))
            for example in node.examples[:examples]:
                below.add(_example(example))
        waiting.extend((child, below) for child in reversed(node.children))
    top.hide_root = True
    return top


def _rule(node: Node, features: bool) -> Text:
    first, last = node.span
    text = Text(f"[{first + 1}-{last}] ", style="dim")
    text.append(" ".join(node.source), style="cyan")
    text.append("  →  ", style="dim")
    text.append(" ".join(node.target) or "∅", style="green")
    text.append(f"   {node.score:+.3f}", style="dim")
    if features:
        for each in node.contributions:
            text.append(f"\n    {each.feature} {each.value:.3f} × {each.weight:.3f} = {each.score:+.3f}", style="dim")
    return text


def _example(example: Example) -> Text:
    text = Text(f"pair {example.sentence + 1}: ", style="dim")
    for words, places, style in (
        (example.source, example.source_places, "bold cyan"),
        (example.target, example.target_places, "bold green"),
    ):
        marked = set(places)
        for at, word in enumerate(words):
            text.append(f"[{word}]" if at in marked else word, style=style if at in marked else "")
            text.append(" ")
        if words is example.source:
            text.append("/ ", style="dim")
    return text
