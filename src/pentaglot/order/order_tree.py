"""`OrderTree`: a tree of operators over the words of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pentaglot.forest import tail
from pentaglot.order.forest import OPERATORS, Attachment, permutation_forest, span_of
from pentaglot.order.links import Units

__all__ = ["OrderTree"]


@dataclass(frozen=True, eq=False, repr=False)  # the usual ways would fail on deep trees
class OrderTree:
    """A node over words: an operator in some state with children, or a word or phrase.

    >>> str(OrderTree((0, 2), "21", 5, (OrderTree((0, 1)), OrderTree((1, 2)))))
    '21(0,1)'
    """

    span: tuple[int, int]
    operator: str = ""
    state: int = 0
    children: tuple[OrderTree, ...] = ()

    def __str__(self) -> str:
        texts: list[str] = []
        stack: list[OrderTree | str] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                texts.append(node)
            elif not node.children:
                texts.append(" ".join(map(str, range(*node.span))))
            else:
                parts: list[OrderTree | str] = [f"{node.operator}("]
                for number, child in enumerate(node.children):
                    parts += [",", child] if number else [child]
                stack += reversed([*parts, ")"])
        return "".join(texts)

    def __repr__(self) -> str:
        return f"OrderTree({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OrderTree) and self._shape() == other._shape()

    def __hash__(self) -> int:
        return hash(self._shape())

    def _shape(self) -> tuple[tuple[tuple[int, int], str, int, int], ...]:
        return tuple((node.span, node.operator, node.state, len(node.children)) for node in self.nodes())

    def nodes(self) -> Iterator[OrderTree]:
        """All nodes, parents before their children."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    @property
    def places(self) -> tuple[int, ...]:
        """Where each child goes."""
        if not self.children:
            return ()
        if "0" in self.operator and len(self.children) == 2:
            return (0, 1)
        numbers = self.operator.split() if " " in self.operator else self.operator
        return tuple(int(number) - 1 for number in numbers)

    @property
    def order(self) -> tuple[int, ...]:
        """The words in the order that the tree gives them.

        >>> OrderTree((0, 2), "21", 5, (OrderTree((0, 1)), OrderTree((1, 2)))).order
        (1, 0)
        """
        words: list[int] = []
        stack = [self]
        while stack:
            node = stack.pop()
            if not node.children:
                words += range(*node.span)
            places = node.places
            stack += [node.children[places.index(place)] for place in reversed(range(len(places)))]
        return tuple(words)

    @classmethod
    def gold(cls, units: Units, attach: Sequence[Attachment] = ("right-bottom",)) -> OrderTree:
        """The canonical tree of a sentence whose links are known.

        >>> from pentaglot.align import Alignment
        >>> from pentaglot.order import minimal_phrases
        >>> units = minimal_phrases(Alignment.from_links([[(0, 2), (1, 2), (2, 0), (4, 1)]]), [5])[0]
        >>> str(OrderTree.gold(units))
        '21(0 1,12(2,01(3,4)))'
        """
        forest = permutation_forest(units, "left", attach=attach)
        made: dict[int, OrderTree] = {}
        for edge in range(forest.edges):  # children before their parents, and one edge for each node
            head = int(forest.packed.heads[edge])
            below = tuple(made[tail] for tail in forest.tails(edge))
            kind, span = int(forest.packed.edge_payloads[edge]), span_of(int(forest.packed.node_payloads[head]))
            known = OPERATORS[kind] if kind < len(OPERATORS) else ""
            made[head] = cls(span, known or _name(forest.template(edge)), 0, below) if below else cls(span)
        return made[forest.goal]


def _name(template: list[int]) -> str:
    """The name of an operator by its template, in which tail k stands where child k goes."""
    return " ".join(str(template.index(tail(child)) + 1) for child in range(len(template)))
