"""Tells how long the steps of an experiment took, and how long the rest may take."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Clock"]


class Clock:
    """Estimates how long the remaining steps take, from similar steps that are done."""

    def __init__(self) -> None:
        self._left: list[str] = []
        self._later: list[str] = []
        self._done, self._at_once = 0, 1
        self._seconds: dict[str, list[float]] = {}

    def begin(self, names: Sequence[str], at_once: int = 1, *, later: Sequence[str] = ()) -> None:
        """Goes on with the names of the steps to be done now, how many are done at a time, and what will come when
        these are done."""
        self._left, self._later, self._at_once = list(names), list(later), max(1, at_once)

    def told(self, name: str, seconds: float) -> str:
        """What to say after a step; the first word of its name is its kind."""
        self._left.remove(name)
        self._seconds.setdefault(name.split()[0], []).append(seconds)
        every = [each for kind in self._seconds.values() for each in kind]
        rest = [*self._left, *self._later]
        expected = [self._seconds.get(each.split()[0], every) for each in rest]
        left = sum(sum(kind) / len(kind) for kind in expected) / self._at_once
        self._done += 1
        done = f"{self._done} of {self._done + len(rest)}"
        return f"{name}: {seconds:.0f} s ({done})" + (f", about {_duration(left)} left" if rest else "")


def _duration(seconds: float) -> str:
    """A time as text.

    >>> _duration(42), _duration(300), _duration(9000)
    ('42 s', '5 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
