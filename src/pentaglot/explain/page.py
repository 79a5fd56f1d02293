"""Explanations as a self-contained HTML page. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from pentaglot.explain.nodes import Node
from pentaglot.explain.picture import block_svg, blocks_of
from pentaglot.explain.rule_list import RuleList, feature_table
from pentaglot.explain.surface import as_written
from pentaglot.forest.lettering import is_right_to_left, safe, shortened
from pentaglot.pages import html_page

if TYPE_CHECKING:
    from pentaglot.explain.explanation import Explanation

__all__ = ["explanation_page"]

_OPEN = 5  # lines whose derivations are shown open; others open on a click
_LONGEST = 300  # letters of a word


def explanation_page(explanations: Sequence[Explanation], *, title: str = "", examples: int = 3) -> str:
    """The page as text. Every rule shows up to `examples` training pairs, if the model remembers that many."""
    heading = safe(title) or "How it was translated"
    sections = "".join(
        _section(explanation, number, len(explanations), examples) for number, explanation in enumerate(explanations, 1)
    )
    known = dict.fromkeys(each for explanation in explanations for each in explanation.features)
    meanings = "".join(f"<dt>{safe(each.name.replace('_', ' '))}</dt><dd>{safe(each.meaning)}</dd>" for each in known)
    body = (
        f"<header><h1>{heading}</h1>\n"
        "<p>Words of one colour were translated together, by one rule that was found in the training text. Point at a "
        "word to see where it went; click on it for the rule, what speaks for it, and the training sentences it comes "
        'from. A word in a <span class="side"><bdi class="unknown">dashed frame</bdi></span> was not known and was '
        "guessed or copied.</p></header>\n"
        f"<main>{sections}</main>\n<footer><details><summary>What the features mean</summary><dl>{meanings}</dl>"
        "<p>A translation's score is the sum over all features of value times weight. Bars to the right speak for a "
        "rule, bars to the left against it.</p></details></footer>\n"
    )
    return html_page(heading, body, style=_asset("page.css"), script=_asset("page.js"))


@cache
def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _section(explanation: Explanation, line: int, lines: int, examples: int) -> str:
    """One line of input: the two texts, the pieces as pictures, the rules, and the score."""
    rules = [node for root in explanation.roots for node in _in_order(root)]
    numbers = {id(node): number for number, node in enumerate(rules, 1)}
    everything = [each for root in explanation.roots for node in root.walk() for each in node.contributions]
    largest = max([abs(each.score) for each in everything] + [abs(node.score) for node in rules], default=0.0)
    listing = RuleList(line, numbers, largest, examples)
    source, target = _written(explanation)
    owners = _owners(explanation, numbers)
    opened = " open" if line <= _OPEN else ""
    score = f"{explanation.translation.score:.2f}".replace("-", "−")
    unknown = sum(node.kind == "unknown" for node in rules)
    facts = [f"<b>{len(rules)}</b> rule{'s' * (len(rules) != 1)}", f"score <b>{score}</b>"]
    facts += [f"<b>{unknown}</b> unknown word{'s' * (unknown != 1)}"] if unknown else []
    facts += (
        ['<span class="warning">the search was cut short by a limit</span>'] if explanation.translation.limited else []
    )
    facts += [safe(explanation.note)] if explanation.note else []
    totals = explanation.totals()
    scale = max((abs(each.score) for each in totals), default=0.0)
    return (
        f'<section id="line-{line}">'
        + (f"<h2>Line {line}</h2>" if lines > 1 else "")
        + (
            f'<p class="text" dir="auto">{_text(source, owners[0], listing)}</p>'
            f'<p class="text translation" dir="auto">{_text(target, owners[1], listing) or "∅"}</p>'
            f'<p class="said">{" · ".join(facts)}</p>'
            f'<details class="how"{opened}><summary>How it was put together</summary>'
            + "".join(_parts(explanation, source, target, listing))
            + f'<details class="total"><summary>The score of the whole line</summary>{feature_table(totals, scale)}'
            + "</details></details>"
            if rules
            else '<p class="said">An empty line.</p>'
        )
        + "</section>\n"
    )


def _in_order(root: Node) -> Iterator[Node]:
    """The rules in the order of the translation, each before those in its gaps."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind != "joined":
            yield node
        waiting.extend(sorted(node.children, key=lambda child: child.target_span, reverse=True))


def _written(explanation: Explanation) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    translation = explanation.translation
    placed = {
        place: word
        for part, places in zip(translation.parts, explanation.places, strict=True)
        for place, word in zip(part.places or places, part.words, strict=True)
    }
    source = [placed[place] for place in sorted(placed)]
    target = [word for part in translation.parts for word in part.hypotheses[0].words]
    return as_written(source, translation.source), as_written(target, translation.text)


def _owners(explanation: Explanation, numbers: dict[int, int]) -> tuple[dict[int, Node], dict[int, Node]]:
    """For each place of a word in the line, source and target, the rule that it belongs to."""
    owners: tuple[dict[int, Node], dict[int, Node]] = ({}, {})
    first = 0
    for root, places in zip(explanation.roots, explanation.places, strict=True):
        for node in root.walk():
            owners[0].update((places[at], node) for at in node.source_places)
            owners[1].update((first + at, node) for at in node.target_places)
        first += root.target_span[1]
    return owners


def _text(words: list[tuple[str, str]], owners: dict[int, Node], listing: RuleList) -> str:
    """A line with neighbouring words of one rule as one coloured link."""
    parts = []
    for _, group in groupby(range(len(words)), key=lambda at: id(owners.get(at))):
        places = list(group)
        inside = "".join(
            safe(words[at][0]) * (at != places[0]) + safe(shortened(words[at][1], _LONGEST)) for at in places
        )
        node = owners.get(places[0])
        parts.append(safe(words[places[0]][0]))
        if node is None:
            parts.append(inside)
        else:
            number = listing.numbers[id(node)]
            parts.append(f'<a class="w {node.kind} k{number % 12}" {listing.reference(number)}>{inside}</a>')
    return "".join(parts)


def _parts(
    explanation: Explanation, source: list[tuple[str, str]], target: list[tuple[str, str]], listing: RuleList
) -> Iterator[str]:
    """The pictures and rules of each part; only very long lines have several."""
    first = 0
    for number, (root, places) in enumerate(zip(explanation.roots, explanation.places, strict=True), 1):
        end = first + root.target_span[1]
        if len(explanation.roots) > 1:
            whole = places == tuple(range(places[0], places[-1] + 1))
            between = "words" if whole else "words among"
            yield f"<h3>Part {number} of {len(explanation.roots)}, {between} {places[0] + 1} to {places[-1] + 1}</h3>"
        words = [source[place][1] for place in places], [word for _, word in target[first:end]]
        pictures = "".join(
            f"<div>{block_svg(block, *words, listing.numbers, listing.reference)}</div>"
            for block in blocks_of(root.children)
        )
        direction = "rtl" if is_right_to_left("".join(words[1])) else "ltr"
        yield f'<h3>Pieces, in the order of the translation</h3><div class="pieces" dir="{direction}">{pictures}</div>'
        yield f"<h3>Rules <button>open all</button></h3>{listing.html(root, places, first)}"
        first = end
