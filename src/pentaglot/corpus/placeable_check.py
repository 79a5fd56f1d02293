"""Placeables and numbers that only one side of a pair has."""

from __future__ import annotations

from collections.abc import Iterator

from pentaglot.corpus.placeables import Placeables

__all__ = ["PlaceableCheck"]


class PlaceableCheck:
    """Finds placeables and numbers that only one side of a pair has."""

    def __init__(self, placeables: Placeables | None = None) -> None:
        self._placeables = placeables or Placeables()

    def differences(self, source: str, target: str) -> Iterator[tuple[str, str]]:
        """The problems of a pair, with what only one side has.

        >>> list(PlaceableCheck().differences("30% of {0}", "%30'u {1}, 2"))
        [('placeables differ', '{0} against {1}'), ('numbers differ', 'nothing against 2')]
        """
        left, right = self._placeables.of_line(source), self._placeables.of_line(target)
        if left == right:
            return
        for problem, numbers in (("placeables differ", False), ("numbers differ", True)):
            only = [
                " ".join(each for each in (one - other).elements() if each != "%" and _is_number(each) == numbers)
                for one, other in ((left, right), (right, left))
            ]
            if any(only):
                yield problem, " against ".join(side or "nothing" for side in only)


def _is_number(text: str) -> bool:
    return text[0].isdigit() and text[-1].isdigit()
