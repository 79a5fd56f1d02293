"""`PermutationTree`: a permutation taken apart into prime ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import order as core
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.options import suggestion
from pentaglot.order.permutation import Permutation

__all__ = ["PermutationTree", "Shape", "catalan", "largest_operator", "tree_count", "tree_of"]

Shape = Literal["left", "right", "flat"]
_Arrays = tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint32], NDArray[np.uint32]]


@dataclass(frozen=True, eq=False, repr=False)  # the usual ways would fail on deep trees
class PermutationTree:
    """A node over the units `span` of a permutation, which go to the places from `low` on. Its operator sends its
    children to places, counted from 0; a single unit has no children.

    >>> tree = tree_of(Permutation.read("5724136"))
    >>> str(tree), tree.operator, tree.children[2].span
    ('2413(5,7,2413(2,4,1,3),6)', (1, 3, 0, 2), (2, 6))
    """

    span: tuple[int, int]
    low: int
    children: tuple[PermutationTree, ...] = ()

    @property
    def operator(self) -> tuple[int, ...]:
        """The place of every child among its sisters."""
        lows = sorted(child.low for child in self.children)
        return tuple(lows.index(child.low) for child in self.children)

    @property
    def is_chain(self) -> bool:
        """Whether the children, two or more, all keep their order or are all turned around."""
        places = self.operator
        return len(places) > 1 and (places == tuple(range(len(places))) or places[::-1] == tuple(range(len(places))))

    def __str__(self) -> str:
        texts: list[str] = []
        stack: list[PermutationTree | str] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                texts.append(node)
            elif not node.children:
                texts.append(str(node.low + 1))
            else:
                name = ("" if len(node.children) < 10 else " ").join(str(place + 1) for place in node.operator)
                parts: list[PermutationTree | str] = [f"{name}("]
                for number, child in enumerate(node.children):
                    parts += [",", child] if number else [child]
                stack += reversed([*parts, ")"])
        return "".join(texts)

    def __repr__(self) -> str:
        return f"PermutationTree({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PermutationTree) and self._shape() == other._shape()

    def __hash__(self) -> int:
        return hash(self._shape())

    def _shape(self) -> tuple[tuple[tuple[int, int], int, int], ...]:
        return tuple((node.span, node.low, len(node.children)) for node in self.nodes())

    def nodes(self) -> Iterator[PermutationTree]:
        """All nodes, parents before their children, single units too."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    @property
    def permutation(self) -> Permutation:
        """The permutation that the operators make of the units: that from which the tree was made."""
        starts, ranks = {id(self): 0}, [0] * (self.span[1] - self.span[0])
        for node in self.nodes():
            start = starts[id(node)]
            for place in sorted(range(len(node.children)), key=lambda child: node.operator[child]):
                starts[id(node.children[place])] = start
                start += node.children[place].span[1] - node.children[place].span[0]
            if not node.children:
                ranks[node.span[0] - self.span[0]] = start
        return Permutation(tuple(ranks))


def tree_of(permutation: Permutation, shape: Shape = "left", *, linear: bool = True) -> PermutationTree:
    """The tree of a permutation whose chains of the same binary operator branch to the left (the canonical one) or to
    the right, or are flat: one node each. The canonical tree is found in linear time, or, if not `linear`, by the
    simple shift-reduce parser; both find the same.

    >>> [str(tree_of(Permutation.read("1324"), shape)) for shape in ("left", "right", "flat")]
    ['12(12(1,21(3,2)),4)', '12(1,12(21(3,2),4))', '123(1,21(3,2),4)']
    """
    if shape not in get_args(Shape):
        raise OptionError(f"there is no shape '{shape}' of trees", hint=suggestion(shape, get_args(Shape)))
    if not len(permutation):
        raise PentaglotError("an empty permutation has no tree")
    ranks = permutation.as_array
    if shape == "left":
        return _tree(core.canonical_tree(ranks, linear))
    return _tree(core.flat_tree(ranks) if shape == "flat" else core.branching_tree(ranks, core.Side.right))


def _tree(arrays: _Arrays) -> PermutationTree:
    made: list[PermutationTree] = []
    children = iter(arrays[4].tolist())
    for begin, end, low, arity in zip(*(each.tolist() for each in arrays[:4]), strict=True):
        made.append(PermutationTree((begin, end), low, tuple(made[next(children)] for _ in range(arity))))
    return made[-1]


def catalan(n: int) -> int:
    """How many binary trees have n nodes.

    >>> [catalan(n) for n in range(6)]
    [1, 1, 2, 5, 14, 42]
    """
    return comb(2 * n, n) // (n + 1)


def tree_count(permutation: Permutation) -> int:
    """How many trees of prime operators a permutation has: for every chain of the same binary operator the Catalan
    number of its binary nodes, one less than its children (Stanojević 2017, Eq. 2.50).

    >>> tree_count(Permutation.identity(4)), tree_count(Permutation.read("2413"))
    (5, 1)
    """
    count = 1
    for node in tree_of(permutation, "flat").nodes():
        count *= catalan(len(node.children) - 1) if node.is_chain else 1
    return count


def largest_operator(permutation: Permutation) -> int:
    """The number of children of the largest prime operator; 2 if the permutation is binarisable, 0 for a single word.

    >>> largest_operator(Permutation.read("3412")), largest_operator(Permutation.read("24135"))
    (2, 4)
    """
    return int(core.largest_arities(np.array([0, len(permutation)], np.uint64), permutation.as_array, 1)[0])
