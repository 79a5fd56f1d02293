"""`pentaglot rules`: shows the rules for a phrase."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pentaglot.cli.console import Console
from pentaglot.cli.marked import marked
from pentaglot.corpus.splitters import plain as bare
from pentaglot.explain import FoundRule
from pentaglot.explain.no_rule import Reason
from pentaglot.explain.rule_search import Scope
from pentaglot.systems import Translator
from pentaglot.wording import number_of

_REASONS: dict[Reason, str] = {
    "symbols": "it is too long for the source side of a rule",
    "gaps": "it has too many gaps for a rule",
    "unlinked": "it is not linked to any word of the translation",
    "edges": "its first or last word is not linked to any word of the translation",
    "crossing": "the words it is linked to are also linked to other words",
    "target": "the words it is linked to lie too far apart",
    "unfilled": "the content of its gaps is not translated as a whole",
    "moved": "its words are apart or in another order, now that the text follows the order of its translation",
}


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("phrase")
@click.option("--gaps", is_flag=True, help="Also show rules that cover the whole phrase with gaps for some words.")
@click.option("--parts", is_flag=True, help="Show the rules of all parts of the phrase.")
@click.option(
    "--most", type=click.IntRange(min=1), default=10, show_default=True, help="Most rules to show per source side."
)
@click.option(
    "--examples", type=click.IntRange(min=0), default=1, show_default=True, help="Sentences to show per rule."
)
@click.option("--features", is_flag=True, help="Show every feature.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, one rule per line.")
@click.option(
    "--plain", is_flag=True, help="Print one rule per line, tab-separated: source, target, count, score, features."
)
def command(
    model: Path,
    phrase: str,
    gaps: bool,
    parts: bool,
    most: int,
    examples: int,
    features: bool,
    as_json: bool,
    plain: bool,
) -> None:
    """Show the rules by which MODEL translates PHRASE, with the sentences they come from.

    In PHRASE, X stands for a gap: "nicht nur X, sondern auch". The rules are those that a translation of exactly these
    words would use; their scores do not include the language model.
    """
    if as_json and plain:
        raise click.UsageError("choose one of --json and --plain")
    translator = Translator.open(model)
    scope: Scope = "parts" if parts else "gaps" if gaps else "whole"
    found = translator.look_up(phrase, scope)
    if as_json:
        for rule in found:
            click.echo(json.dumps(rule.as_json(), ensure_ascii=False))
    elif plain:
        for line in _plain(found):
            click.echo(line)
    else:
        console = Console()
        if all("unknown" in rule.features for rule in found):
            _show_no_rule(console, translator, phrase)
            if found:
                console.print(_table(found, examples, features, console.is_terminal))
            elif scope != "parts":
                console.print(Text("see --parts for the rules of its parts", style="dim"))
        else:
            _show(console, found, most, examples, features)


def _plain(found: list[FoundRule]) -> Iterator[str]:
    for rule in found:
        features = " ".join(f"{name}={value:.6g}" for name, value in rule.features.items())
        yield "\t".join((_side(rule.source), _side(rule.target), f"{rule.count:g}", f"{rule.score:.6g}", features))


def _side(words: tuple[str, ...]) -> str:
    return " ".join(map(bare, words))


def _show_no_rule(console: Console, translator: Translator, phrase: str) -> None:
    """Why there is nothing to show, or only a copy of a word."""
    why = translator.why_no_rule(phrase)
    reasons = [f"  in {number_of(count, 'place')} {_REASONS[reason]}" for reason, count in why.reasons.items()]
    if not why.occurrences:
        say = "not in the training text, and no rule has it as its source side"
    elif translator.model.table is not None:
        say, reasons = f"seen {why.occurrences:,}× in the training text, but the table has no rule for it", []
    else:
        more = "" if why.complete else "more than "
        looked = f", {why.looked_at:,} looked at" if why.looked_at < why.occurrences else ""
        say = f"seen {more}{why.occurrences:,}×{looked}, but no rule can be made from it:"
    console.print(Text.assemble((phrase, "bold cyan"), (f"   {say}", "dim")), soft_wrap=True)
    for reason in reasons:
        console.print(Text(reason, style="dim"), soft_wrap=True)


def _show(console: Console, found: list[FoundRule], most: int, examples: int, features: bool) -> None:
    sources = dict.fromkeys(rule.source for rule in found)
    alike = Counter(map(_side, sources))
    for number, (source, group) in enumerate(groupby(found, key=lambda rule: rule.source)):
        rules = list(group)
        if number:
            console.print()
        first = rules[0]
        # Several ways of writing, which differ in where words touch.
        way = f"   {' '.join(source)}" if alike[_side(source)] > 1 else ""
        looked = f", {first.sample:,} looked at" if first.sample < first.occurrences else ""
        console.print(
            Text.assemble((_side(source), "bold cyan"), (f"{way}   seen {first.occurrences:,}×{looked}", "dim")),
            soft_wrap=True,
        )
        console.print(_table(rules[:most], examples, features, console.is_terminal))
        if len(rules) > most:
            console.print(Text(f"  and {len(rules) - most} more (see --most)", style="dim"))


def _table(rules: list[FoundRule], examples: int, features: bool, coloured: bool) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 2), header_style="dim")
    for name in ("count", "p", "score"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("translation", overflow="fold")
    for rule in rules:
        chance = rule.features.get("translation", 0.0)
        shown = f"{math.exp(chance):.2f}" if rule.translated else ""
        below: list[RenderableType] = [_marks(rule), *_examples(rule, examples, coloured)]
        if features:
            simple = (f"{name} {value:.3g}" for name, value in rule.features.items() if name not in rule.meanings)
            below.insert(1, Text("  ".join(simple), style="dim"))
            if rule.meanings:
                below.insert(2, Text("; ".join(rule.meanings.values()), style="dim"))
        table.add_row(f"{rule.count:g}", shown, f"{rule.score:.2f}", Group(*below))
    return table


def _marks(rule: FoundRule) -> Text:
    notes = [name for name in ("remembered", "unknown", "copied") if name in rule.features]
    note = f"   {', '.join(notes)}" if notes else ""
    return Text.assemble((_side(rule.target) or "∅", "bold green"), (note, "dim"))


def _examples(rule: FoundRule, most: int, coloured: bool) -> Iterator[Padding]:
    for example in rule.examples[:most]:
        source = marked(example.source, example.source_places, example.source_line, coloured=coloured)
        target = marked(example.target, example.target_places, example.target_line, coloured=coloured)
        for line in (source, target + Text(f"  ({example.label})", style="dim")):
            yield Padding(line, (0, 0, 0, 2))
