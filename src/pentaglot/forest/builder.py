"""Building a forest by hand, node by node and edge by edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from pentaglot._core import forest as core
from pentaglot.forest.forest import Forest

__all__ = ["ForestBuilder", "example_forest", "tail"]


def tail(number: int) -> int:
    """The symbol of a target template that stands for what tail `number` yields."""
    return -1 - number


class ForestBuilder:
    """Collects nodes and edges in any order; see `example_forest`."""

    def __init__(self) -> None:
        self._core = core.ForestBuilder()

    def node(self, payload: int = 0) -> int:
        """A new node; `payload` is any number below 2**64, kept as it is."""
        return self._core.add_node(payload)

    def edge(
        self,
        head: int,
        tails: Sequence[int] = (),
        target: Sequence[int] | None = None,
        features: Mapping[int, float] | None = None,
        payload: int = 0,
    ) -> int:
        """A new edge; `target` (word ids and `tail(k)`) is what its tails yield, in order, unless given."""
        symbols = [tail(k) for k in range(len(tails))] if target is None else list(target)
        given = {} if features is None else features
        template = self._core.add_template(symbols)
        return self._core.add_edge(head, list(tails), template, list(given.keys()), list(given.values()), payload)

    def finish(self, goal: int, *, weights: ArrayLike | None = None, trim: bool = True) -> Forest:
        """The forest; `trim` leaves out what no derivation of the goal can use. The builder is empty after it."""
        return Forest.from_packed(self._core.finish(goal, trim), weights)


def example_forest() -> Forest:
    """Three nodes and six edges: two ways to say each part, two orders to put them in."""
    builder = ForestBuilder()
    first, second, goal = builder.node(), builder.node(), builder.node()
    builder.edge(first, target=[4], features={0: -1.5})
    builder.edge(first, target=[5], features={0: -0.5})
    builder.edge(second, target=[6], features={0: -1.0})
    builder.edge(second, target=[7], features={0: -0.5})
    builder.edge(goal, [first, second], [tail(0), 8, tail(1)], {0: -0.5})
    builder.edge(goal, [first, second], [tail(1), tail(0)], {0: -0.75})
    return builder.finish(goal, weights=[1.0])
