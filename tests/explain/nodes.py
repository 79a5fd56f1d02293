"""Nodes and explanations made by hand."""

from __future__ import annotations

from pentaglot.explain import Contribution, Evidence, Example, Node
from pentaglot.explain.nodes import Kind, Symbol


def rule(
    span: tuple[int, int],
    target_span: tuple[int, int],
    source: list[Symbol],
    target: list[Symbol],
    *children: Node,
    kind: Kind = "rule",
    examples: tuple[Example, ...] = (),
    evidence: Evidence | None = None,
) -> Node:
    """A rule; the places of its own words are those that its children leave."""
    below = {at for child in children for at in range(*child.span)}
    target_below = {at for child in children for at in range(*child.target_span)}
    return Node(
        kind,
        span,
        target_span,
        tuple(source),
        tuple(target),
        tuple(at for at in range(*span) if at not in below),
        tuple(at for at in range(*target_span) if at not in target_below),
        (Contribution("language_model", -2.0, 0.5), Contribution("words", 2.0, 0.25)),
        evidence,
        examples,
        children,
    )


def phrase(span: tuple[int, int], target_span: tuple[int, int]) -> Node:
    """A rule without gaps."""
    return rule(span, target_span, [f"s{at}" for at in range(*span)], [f"t{at}" for at in range(*target_span)])
