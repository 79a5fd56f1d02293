"""`explain`: how a translation was put together, what each rule contributed, and where it was learnt."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pentaglot.corpus.splitters import plain
from pentaglot.rules import Fallback
from pentaglot.systems.assembly import Step, steps_of
from pentaglot.systems.examples import Example, Examples
from pentaglot.systems.translator import Hypothesis, Part, Translation, Translator

__all__ = ["Contribution", "Evidence", "Explanation", "Node", "explain"]

_NO_EXAMPLES = "the rules come from a table, which does not know the training sentences they were found in"

Kind = Literal["rule", "guessed", "unknown", "copied", "joined"]
Symbol = str | int

_REASONS = {
    "alike": "like {} (other capitals or accents)",
    "forms": "like {} (another form)",
    "compounds": "by its parts {}",
    "lexicon": "by the words that it is linked to",
    "letters": "letter by letter",
}


@dataclass(frozen=True)
class Contribution:
    """What a feature adds to the score at one place of the derivation."""

    feature: str
    value: float
    weight: float

    @property
    def score(self) -> float:
        return self.value * self.weight


@dataclass(frozen=True)
class Evidence:
    """How often the source side of a rule stands in the training text, and how often it was translated in this way."""

    occurrences: int  # of the source side
    sampled: int  # that were looked at
    translated: int  # of these, that had a translation at all
    count: float  # of these, that had this one


@dataclass(frozen=True)
class Node:
    """One step of a derivation: a rule over some words, or (`joined`) the line of pieces that make up a translation.

    The sides hold words, and numbers where there are gaps: 1 is filled by the first child, 2 by the second. A word
    without a rule of its own is `guessed` if it is treated like others, else `unknown`; a number or an address may
    be `copied` although there are rules for it.
    """

    kind: Kind
    span: tuple[int, int]  # of the input words
    target_span: tuple[int, int]
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    source_places: tuple[int, ...]  # of the words of the rule itself
    target_places: tuple[int, ...]
    contributions: tuple[Contribution, ...]
    evidence: Evidence | None
    examples: tuple[Example, ...]
    children: tuple[Node, ...]
    fallback: Fallback | None = None  # how a word was guessed
    like: tuple[str, ...] = ()  # the word that it is treated like, or the parts of a compound

    @property
    def reason(self) -> str:
        """How a word was guessed, in words; empty if it was not."""
        return "" if self.fallback is None else _REASONS[self.fallback].format(" + ".join(map(plain, self.like)))

    @property
    def score(self) -> float:
        """What this step alone adds to the score."""
        return sum(each.score for each in self.contributions)

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


@dataclass(frozen=True)
class Explanation:
    """A translation and the derivations of its parts (a very long line has several)."""

    translation: Translation
    roots: tuple[Node, ...]
    note: str = ""  # why there are no training sentences, if there cannot be any

    def totals(self) -> tuple[Contribution, ...]:
        """What each feature adds to the score of the line, the most important first."""
        summed = _summed(each for root in self.roots for node in root.walk() for each in node.contributions)
        return tuple(sorted(summed, key=lambda each: (-abs(each.score), each.feature)))

    def to_json(self) -> dict[str, Any]:
        """Plain dictionaries and lists."""
        return {
            "source": self.translation.source,
            "text": self.translation.text,
            "score": self.translation.score,
            "limited": self.translation.limited,
            "note": self.note,
            "derivations": [_as_dictionary(root) for root in self.roots],
        }

    def to_html(self) -> str:
        """A page of its own; see `pentaglot.systems.explanation_page` for one with several lines."""
        from pentaglot.systems.page import explanation_page

        return explanation_page([self])


def explain(translator: Translator, line: str) -> Explanation:
    """Translates a line and says how."""
    translation = translator.translate(line)
    roots = tuple(_explained(translator, part, part.hypotheses[0]) for part in translation.parts)
    lacking = translator.model.table is not None and len(translator.model.index) == 0
    return Explanation(translation, roots, _NO_EXAMPLES if lacking else "")


def _explained(translator: Translator, part: Part, hypothesis: Hypothesis) -> Node:
    table = part.rules.table
    steps, pieces = steps_of(part.forest, hypothesis.derivation, lambda rule: bool((table.target(rule) < 0).any()))
    vectors = hypothesis.derivation.local_vectors()
    examples = Examples(part.rules, translator.indexed)
    nodes: dict[int, Node] = {}
    joining: list[Contribution] = []
    # Places are numbered from the root down, so children come after their parents: build from the back.
    for place in reversed(range(len(steps))):
        ids, values = vectors[place]
        names = (translator.features.name(number) for number in ids.tolist())
        contributions = tuple(
            Contribution(name, value, translator.weights.get(name, 0.0))
            for name, value in zip(names, values.tolist(), strict=True)
        )
        step = steps[place]
        if step.rule is None:
            joining.extend(contributions)
        else:
            filling = tuple(nodes[child] for child in step.children)
            nodes[place] = _node(examples, part, step, step.rule, contributions, filling)
    size, length = len(part.rules.words), len(hypothesis.words)
    children = tuple(nodes[place] for place in pieces)
    return Node("joined", (0, size), (0, length), (), (), (), (), tuple(_summed(joining)), None, (), children)


def _summed(contributions: Iterable[Contribution]) -> list[Contribution]:
    total: dict[str, Contribution] = {}
    for each in contributions:
        before = total.get(each.feature)
        value = each.value if before is None else before.value + each.value
        total[each.feature] = Contribution(each.feature, value, each.weight)
    return [total[name] for name in sorted(total)]


def _node(
    examples: Examples,
    part: Part,
    step: Step,
    rule: int,
    contributions: tuple[Contribution, ...],
    children: tuple[Node, ...],
) -> Node:
    rules, table = part.rules, part.rules.table
    pattern = int(np.searchsorted(table.rule_offsets, rule, side="right")) - 1
    inside = {at for child in children for at in range(*child.span)}
    found = {each.feature for each in contributions if each.value > 0}
    guess = rules.stand_ins.get(pattern)
    kind: Kind = "unknown" if "unknown" in found else "copied" if "copied" in found else "guessed" if guess else "rule"
    evidence = Evidence(
        int(table.occurrences[pattern]),
        int(table.attempts[pattern]),
        int(table.successes[pattern]),
        float(table.counts[rule]),
    )
    return Node(
        kind,
        step.span,
        step.target_span,
        tuple(-s if s < 0 else rules.source_word(s) for s in table.source(pattern).tolist()),
        tuple(-s if s < 0 else rules.target_word(s) for s in table.target(rule).tolist()),
        tuple(at for at in range(*step.span) if at not in inside),
        step.target_places,
        contributions,
        evidence,
        examples.of(pattern, rule),
        children,
        guess.kind if guess else None,
        tuple(rules.source_word(symbol) for symbol in guess.like) if guess else (),
    )


def _as_dictionary(root: Node) -> dict[str, Any]:
    done: dict[int, dict[str, Any]] = {}
    for node in reversed(list(root.walk())):
        done[id(node)] = {
            "kind": node.kind,
            "fallback": node.fallback,
            "like": list(node.like),
            "span": list(node.span),
            "target_span": list(node.target_span),
            "source": list(node.source),
            "target": list(node.target),
            "source_places": list(node.source_places),
            "target_places": list(node.target_places),
            "score": node.score,
            "features": {each.feature: {"value": each.value, "weight": each.weight} for each in node.contributions},
            "evidence": None if node.evidence is None else dataclasses.asdict(node.evidence),
            "examples": [dataclasses.asdict(example) for example in node.examples],
            "children": [done[id(child)] for child in node.children],
        }
    return done[id(root)]
