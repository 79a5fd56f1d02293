"""`explain`: shows how a translation was put together, what each rule contributed, and where it was learnt."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pentaglot.corpus import Sentence
from pentaglot.explain.assembly import PlacedEdge, placed_edges
from pentaglot.explain.examples import Examples
from pentaglot.explain.explained import ExplainedPart, ExplainedTranslation, ExplainedTranslator
from pentaglot.explain.nodes import Contribution, Evidence, Kind, Node
from pentaglot.explain.page import explanation_page
from pentaglot.forest import DeclaredFeature

__all__ = ["Explanation", "explain"]

_NO_EXAMPLES = "the rules come from a table, which does not know the training sentences they were found in"


@dataclass(frozen=True)
class Explanation:
    """A translation and the derivations of its parts (a very long line has several)."""

    translation: ExplainedTranslation
    roots: tuple[Node, ...]
    places: tuple[tuple[int, ...], ...] = ()  # of the words of each part in the line, as they were typed
    note: str = ""  # why there are no training sentences, if so
    features: tuple[DeclaredFeature, ...] = ()  # all features of the translator

    def __repr__(self) -> str:
        return f"Explanation({self.translation.source!r} → {self.translation.text!r})"

    def totals(self) -> tuple[Contribution, ...]:
        """The contribution of each feature to the score of the line, the largest first."""
        summed = _summed(each for root in self.roots for node in root.walk() for each in node.contributions)
        return tuple(sorted(summed, key=lambda each: (-abs(each.score), each.feature)))

    def to_json(self) -> dict[str, Any]:
        """The explanation as dictionaries and lists."""
        return {
            "source": self.translation.source,
            "text": self.translation.text,
            "score": self.translation.score,
            "limited": self.translation.limited,
            "note": self.note,
            "places": [list(each) for each in self.places],
            "derivations": [_as_dictionary(root) for root in self.roots],
        }

    def to_html(self) -> str:
        """An HTML page; see `explanation_page` for several lines on one page."""
        return explanation_page([self])


def explain(translator: ExplainedTranslator, line: str | Sentence) -> Explanation:
    """Translates a line and explains the translation."""
    translation = translator.translate(line)
    roots = tuple(_explained(translator, part) for part in translation.parts)
    lacking = translator.rules is not translator.indexed and not any(map(len, translator.indexed.view.indexes))
    note = _NO_EXAMPLES if lacking else ""
    return Explanation(translation, roots, _places(translation), note, tuple(translator.declared.values()))


def _places(translation: ExplainedTranslation) -> tuple[tuple[int, ...], ...]:
    found, begin = [], 0
    for part in translation.parts:
        end = begin + len(part.words)
        found.append(tuple(sorted(part.places)) or tuple(range(begin, end)))
        begin = end
    return tuple(found)


def _explained(translator: ExplainedTranslator, part: ExplainedPart) -> Node:
    hypothesis, table = part.hypotheses[0], part.rules.table
    steps, pieces = placed_edges(
        part.forest, hypothesis.derivation, lambda rule: bool((table.target(rule) < 0).any()), part.nodes
    )
    vectors = hypothesis.derivation.local_vectors()
    examples = Examples(part.rules, translator.indexed)
    ranks = {place: rank for rank, place in enumerate(sorted(part.places))}
    order = [ranks[place] for place in part.places] or range(len(part.words))
    nodes: dict[int, Node] = {}
    joining: list[Contribution] = []
    # Places are numbered from the root down, so children come after their parents: build from the back.
    for place in reversed(range(len(steps))):
        ids, values = vectors[place]
        names = (translator.features.name(number) for number in ids.tolist())
        contributions = tuple(
            Contribution(name, value, translator.weights.get(name, 0.0), translator.induced_meaning(name))
            for name, value in zip(names, values.tolist(), strict=True)
        )
        step = steps[place]
        if step.rule is None:
            joining.extend(contributions)
        else:
            filling = tuple(nodes[child] for child in step.children)
            inside = {at for child in step.children for at in range(*steps[child].span)}
            nodes[place] = _node(examples, part, step, step.rule, contributions, filling, inside, order)
    size, length = len(part.words), len(hypothesis.words)
    children = tuple(nodes[place] for place in pieces)
    return Node("joined", (0, size), (0, length), (), (), (), (), tuple(_summed(joining)), None, (), children)


def _summed(contributions: Iterable[Contribution]) -> list[Contribution]:
    total: dict[str, Contribution] = {}
    for each in contributions:
        before = total.get(each.feature)
        value = each.value if before is None else before.value + each.value
        total[each.feature] = dataclasses.replace(each, value=value)
    return [total[name] for name in sorted(total)]


def _node(
    examples: Examples,
    part: ExplainedPart,
    step: PlacedEdge,
    rule: int,
    contributions: tuple[Contribution, ...],
    children: tuple[Node, ...],
    inside: Container[int],
    order: Sequence[int],
) -> Node:
    """The node of a step. `inside` are the places in its gaps, `order` where the words of the part were typed."""
    rules, table = part.rules, part.rules.table
    pattern = int(np.searchsorted(table.rule_offsets, rule, side="right")) - 1
    own = table.places(pattern).tolist() or [at for at in range(*step.span) if at not in inside]
    places = tuple(sorted(order[at] for at in own))
    covered = sorted({*places, *(at for child in children for at in child.words())})
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
        (covered[0], covered[-1] + 1) if covered else step.span,
        step.target_span,
        tuple(-s if s < 0 else rules.source_word(s) for s in table.source(pattern).tolist()),
        tuple(-s if s < 0 else rules.target_word(s) for s in table.target(rule).tolist()),
        places,
        step.target_places,
        contributions,
        evidence,
        examples.of(pattern, rule),
        children,
        guess.kind if guess else None,
        tuple(rules.source_word(symbol) for symbol in guess.like) if guess else (),
    )


def _feature(each: Contribution) -> dict[str, Any]:
    known = {"value": each.value, "weight": each.weight}
    return known | {"meaning": each.meaning} if each.meaning else known


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
            "features": {each.feature: _feature(each) for each in node.contributions},
            "evidence": None if node.evidence is None else dataclasses.asdict(node.evidence),
            "examples": [dataclasses.asdict(example) for example in node.examples],
            "children": [done[id(child)] for child in node.children],
        }
    return done[id(root)]
