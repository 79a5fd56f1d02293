"""`explain`: how a translation was put together, what each rule contributed, and where it was learnt."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pentaglot.systems.examples import Example, examples_of
from pentaglot.systems.translator import Hypothesis, Part, Translation, Translator

__all__ = ["Contribution", "Explanation", "Node", "explain"]

_GLUE, _START, _FINISH = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
Kind = Literal["rule", "glue", "start", "end"]


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
class Node:
    """One step of a derivation: a rule with its sides, or how parts are joined; and what it is built on."""

    kind: Kind
    span: tuple[int, int]  # of the input words
    source: tuple[str, ...]  # gaps as X1, X2, ...
    target: tuple[str, ...]
    contributions: tuple[Contribution, ...]
    examples: tuple[Example, ...]
    children: tuple[Node, ...]

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

    def to_json(self) -> dict[str, Any]:
        """Plain dictionaries and lists."""
        return {
            "source": self.translation.source,
            "text": self.translation.text,
            "score": self.translation.score,
            "limited": self.translation.limited,
            "derivations": [_as_dictionary(root) for root in self.roots],
        }


def explain(translator: Translator, line: str) -> Explanation:
    """Translates a line and says how."""
    translation = translator.translate(line)
    roots = tuple(_explained(translator, part, part.hypotheses[0]) for part in translation.parts)
    return Explanation(translation, roots)


def _explained(translator: Translator, part: Part, hypothesis: Hypothesis) -> Node:
    derivation = hypothesis.derivation
    payloads = derivation.payloads.tolist()
    vectors = derivation.local_vectors()
    nodes: dict[int, Node] = {}
    # Places are numbered from the root down, so children come after their parents: build from the back.
    for place in reversed(range(len(payloads))):
        children = tuple(nodes[child] for child in derivation.children(place))
        ids, values = vectors[place]
        contributions = tuple(
            Contribution(name, value, translator.weights.get(name, 0.0))
            for name, value in (
                (translator.features.name(number), value)
                for number, value in zip(ids.tolist(), values.tolist(), strict=True)
            )
        )
        nodes[place] = _node(translator, part, payloads[place], contributions, children)
    return nodes[0]


def _node(
    translator: Translator,
    part: Part,
    payload: int,
    contributions: tuple[Contribution, ...],
    children: tuple[Node, ...],
) -> Node:
    origin, span = payload & 0xFFFFFFFF, (payload >> 32 & 0xFFFF, payload >> 48)
    kinds: dict[int, Kind] = {_GLUE: "glue", _START: "start", _FINISH: "end"}
    if origin in kinds:
        return Node(kinds[origin], span, (), (), contributions, (), children)
    rules = part.rules
    pattern = int(np.searchsorted(rules.table.rule_offsets, origin, side="right")) - 1
    examples = examples_of(translator.model.index, translator.rules.options, rules, pattern, origin)
    sides = tuple(rules.source_side(pattern)), tuple(rules.target_side(origin))
    gaps = sum(symbol < 0 for symbol in rules.table.source(pattern).tolist())
    node = Node("rule", span, *sides, contributions, tuple(examples), children if gaps else ())
    # A phrase does not contain what was translated before it, it follows it.
    return node if gaps or not children else Node("glue", (0, 0), (), (), (), (), (*children, node))


def _as_dictionary(root: Node) -> dict[str, Any]:
    done: dict[int, dict[str, Any]] = {}
    for node in reversed(list(root.walk())):
        done[id(node)] = {
            "kind": node.kind,
            "span": list(node.span),
            "source": list(node.source),
            "target": list(node.target),
            "score": node.score,
            "features": {each.feature: {"value": each.value, "weight": each.weight} for each in node.contributions},
            "examples": [dataclasses.asdict(example) for example in node.examples],
            "children": [done[id(child)] for child in node.children],
        }
    return done[id(root)]
