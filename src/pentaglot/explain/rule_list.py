"""The rules of a derivation as nested HTML lists; each opens to show what it adds to the score and where it was
learnt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pentaglot.corpus.splitters import plain
from pentaglot.explain.examples import Example
from pentaglot.explain.nodes import Contribution, Node, Symbol
from pentaglot.explain.surface import in_line, near
from pentaglot.forest.lettering import is_right_to_left, safe, shortened

__all__ = ["RuleList", "feature_table"]

_LONGEST = 60  # letters of a word


@dataclass(frozen=True)
class RuleList:
    """Writes the rules of one line; `numbers` has the number of each node by its `id`."""

    line: int
    numbers: Mapping[int, int]
    largest: float  # contribution of a feature in the line: a full bar
    examples: int

    def reference(self, number: int) -> str:
        """The attributes of a link to a rule."""
        return f'href="#rule-{self.line}-{number}" data-rule="{self.line}-{number}"'

    def html(self, root: Node, places: Sequence[int], first: int) -> str:
        """The list for one part: the places of its words in the line, and of its first word in the translation."""
        done: dict[int, str] = {}
        for node in reversed(list(root.walk())):
            below = "".join(done.pop(id(child)) for child in _in_reading_order(node))
            below = f'<ol class="rules">{below}</ol>' if below else ""
            done[id(node)] = below if node.kind == "joined" else self._rule(node, places, first, below)
        return done[id(root)]

    def _rule(self, node: Node, places: Sequence[int], first: int, below: str) -> str:
        number = self.numbers[id(node)]
        tag = f'<span class="tag">{_kind(node)}</span>' if node.kind != "rule" else ""
        source = ", ".join(map(_place, node.stretches(places)))
        begin, end = node.target_span
        where = f"{source} → {_place((first + begin, first + end))}"
        examples = "".join(_example(each) for each in node.examples[: self.examples])
        return (
            f'<li class="k{number % 12}" id="rule-{self.line}-{number}" data-rule="{self.line}-{number}"><details>'
            f'<summary><span class="number">{number}</span><span>{self._side(node.source, node)}'
            f'<span class="arrow">→</span>{self._side(node.target, node)}{tag}</span>'
            f'<span class="where" title="places of the words in the source and in the translation">{where}</span>'
            f'{_bar(node.score, self.largest, 96)}<span class="amount">{_signed(node.score)}</span></summary>'
            f'<div class="inside"><p>{_found(node)}</p>'
            f"{feature_table(node.contributions, self.largest)}{examples}</div></details>{below}</li>"
        )

    def _side(self, symbols: Sequence[Symbol], node: Node) -> str:
        parts = []
        letters = "".join(symbol for symbol in symbols if isinstance(symbol, str))
        direction = "rtl" if is_right_to_left(letters) else "ltr"
        for symbol in symbols:
            if isinstance(symbol, int):
                number = self.numbers[id(node.children[symbol - 1])]
                parts.append(f'<span class="number k{number % 12}" data-rule="{self.line}-{number}">{number}</span>')
            else:
                parts.append(f'<bdi class="{node.kind}">{safe(shortened(plain(symbol), _LONGEST))}</bdi>')
        return f'<span class="side" dir="{direction}">{" ".join(parts) or "∅"}</span>'


def feature_table(contributions: Iterable[Contribution], largest: float) -> str:
    """The contribution of each feature to the score: a bar, and value times weight."""
    rows = []
    for each in sorted(contributions, key=lambda each: (-abs(each.score), each.feature)):
        if each.meaning and not each.score:  # there may be many
            continue
        name = safe(each.meaning or each.feature.replace("_", " "))
        rows.append(
            f'<tr><td>{name}</td><td>{_bar(each.score, largest, 150)}</td><td class="amount">{_signed(each.score)}</td>'
            f'<td class="sum">{_number(each.value)} × {_number(each.weight)}</td></tr>'
        )
    return f'<table class="features">{"".join(rows)}</table>'


def _kind(node: Node) -> str:
    if node.kind == "copied":
        return "copied"
    if node.kind == "guessed":
        return f"guessed, {safe(node.reason)}"
    return "unknown word, copied" if node.target else "unknown word, left out"


def _in_reading_order(node: Node) -> list[Node]:
    return sorted(node.children, key=lambda child: child.target_span)


def _place(span: tuple[int, int]) -> str:
    begin, end = span[0] + 1, span[1]
    return "∅" if end < begin else str(end) if begin == end else f"{begin}–{end}"


def _found(node: Node) -> str:
    """A sentence about how often a rule was seen."""
    evidence, kind = node.evidence, node.kind
    if kind in ("unknown", "guessed"):
        reason = f" It was translated {safe(node.reason)}." if kind == "guessed" else ""
        return f"The training text has no translation of this word by itself.{reason}"
    if evidence is None or not evidence.sampled:
        return "Copied as it stands." if kind == "copied" else "From a table of rules."
    times = "once" if evidence.occurrences == 1 else f"{evidence.occurrences:,} times"
    looked = evidence.sampled, evidence.translated, f"{evidence.count:,.4g}"
    if evidence.sampled == 1:
        return f"These words occur in the training text <b>{times}</b>, and were translated this way there."
    of_all = "Of these places" if evidence.sampled >= evidence.occurrences else f"Of {looked[0]:,} places looked at"
    return (
        f"These words occur in the training text <b>{times}</b>. {of_all}, {looked[1]:,} could be translated as a "
        f"whole, <b>{looked[2]}</b> of them this way."
    )


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _signed(score: float) -> str:
    return f"{score:+.2f}".replace("-", "−")


def _bar(score: float, largest: float, across: int) -> str:
    """A bar to the right for a positive score, to the left for a negative one."""
    middle = across / 2
    size = 0.0 if largest <= 0 else min(abs(score) / largest, 1.0) * (middle - 1)
    x, side = (middle, "plus") if score >= 0 else (middle - size, "minus")
    return (
        f'<svg class="bar-box" width="{across}" height="12" viewBox="0 0 {across} 12" preserveAspectRatio="none" '
        'aria-hidden="true">'
        f'<rect class="track" width="{across}" height="12" rx="3"/>'
        f'<rect class="{side}" x="{x:.1f}" y="1.5" width="{size:.1f}" height="9" rx="2"/>'
        f'<path class="zero" d="M{middle:g} 0V12"/></svg>'
    )


def _example(example: Example) -> str:
    return (
        f'<div class="example"><p class="faint">{safe(example.label)}</p>'
        f'<div dir="auto">{_marked(example.source, example.source_places, example.source_line)}</div>'
        f'<div dir="auto">{_marked(example.target, example.target_places, example.target_line)}</div></div>'
    )


def _marked(words: Sequence[str], places: Sequence[int], written: str) -> str:
    """A sentence with some words marked; for a long one, only the words near them."""
    marked = set(places)
    shown = near(words, places)
    parts = ["… "] if shown.start else []
    for at, (before, word) in enumerate(in_line(words, written)):
        if at not in shown and not (at == len(words) == shown.stop):
            continue
        before = safe(shortened(before, _LONGEST)) if at != shown.start else ""
        inside, joined = at in marked, at in marked and at - 1 in marked
        parts.append(f"{before}<mark>" if inside and not joined else before)
        parts.append(safe(shortened(word, _LONGEST)))
        parts.append("</mark>" if inside and at + 1 not in marked else "")
    return "".join(parts) + (" …" if shown.stop < len(words) else "")
