"""Semirings in Python, for sums that the native ones do not cover; exact counts among them.

The native semirings (`max`, `log`, `count`, `expectation`) cover the usual cases. The loop here takes any two
operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pentaglot._core import forest as core
from pentaglot.errors import PentaglotError

__all__ = ["BOOLEAN", "COUNT", "Semiring", "inside", "outside"]

Value = TypeVar("Value")


@dataclass(frozen=True)
class Semiring(Generic[Value]):
    """Two operations and their neutral elements; `times` must commute."""

    zero: Value
    one: Value
    plus: Callable[[Value, Value], Value]
    times: Callable[[Value, Value], Value]


COUNT: Semiring[int] = Semiring(0, 1, lambda a, b: a + b, lambda a, b: a * b)
BOOLEAN: Semiring[bool] = Semiring(False, True, lambda a, b: a or b, lambda a, b: a and b)


def inside(packed: core.Forest, semiring: Semiring[Value], weights: Sequence[Value]) -> list[Value]:
    """For every node the sum over its derivations of the product of their edges' weights.

    >>> from pentaglot.forest import example_forest
    >>> forest = example_forest()
    >>> inside(forest.packed, COUNT, [1] * forest.edges)
    [2, 2, 8]
    """
    _check(packed, weights)
    tails, values = _tails(packed), [semiring.zero] * packed.nodes
    for edge, head in enumerate(packed.heads.tolist()):
        product = weights[edge]
        for tail in tails[edge]:
            product = semiring.times(product, values[tail])
        values[head] = semiring.plus(values[head], product)
    return values


def outside(
    packed: core.Forest, semiring: Semiring[Value], weights: Sequence[Value], inside_values: Sequence[Value]
) -> list[Value]:
    """For every node the sum over the ways to complete one of its derivations to one of the goal."""
    _check(packed, weights)
    tails, heads = _tails(packed), packed.heads.tolist()
    values = [semiring.zero] * packed.nodes
    values[packed.goal] = semiring.one
    for edge in reversed(range(packed.edges)):
        after = [semiring.one]
        for tail in reversed(tails[edge][1:]):
            after.append(semiring.times(inside_values[tail], after[-1]))
        before = semiring.times(values[heads[edge]], weights[edge])
        for tail in tails[edge]:
            values[tail] = semiring.plus(values[tail], semiring.times(before, after.pop()))
            before = semiring.times(before, inside_values[tail])
    return values


def _check(packed: core.Forest, weights: Sequence[Value]) -> None:
    if len(weights) != packed.edges:
        raise PentaglotError(f"there are {len(weights)} weights for {packed.edges} edges")


def _tails(packed: core.Forest) -> list[list[int]]:
    offsets, tails = packed.tail_offsets.tolist(), packed.tails.tolist()
    return [tails[offsets[edge] : offsets[edge + 1]] for edge in range(packed.edges)]
