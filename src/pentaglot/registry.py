"""Things by name: Pentaglot's own, and those of other packages, which name theirs as entry points."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, Protocol, TypeVar

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.options import suggestion

__all__ = ["Named", "Registry"]


class Named(Protocol):
    """What a registry may hold."""

    @property
    def name(self) -> str: ...


Thing = TypeVar("Thing", bound=Named)


class Registry(Generic[Thing]):
    """All things of a `kind` by name. Nothing of other packages is imported before it is asked for."""

    def __init__(self, kind: type[Thing], noun: str, group: str, own: Iterable[Thing]) -> None:
        """`noun` is what messages call a thing; `group` is where entry points name those of other packages."""
        self._kind, self._noun, self._group = kind, noun, group
        self.own = {each.name: each for each in own}

    def names(self) -> tuple[str, ...]:
        """The names of all, Pentaglot's own first."""
        return tuple(dict.fromkeys([*self.own, *sorted(each.name for each in entry_points(group=self._group))]))

    def find(self, name: str) -> Thing:
        """The thing of a name. Pentaglot's own names are not for others to take."""
        if name in self.own:
            return self.own[name]
        found = {each.value: each for each in entry_points(group=self._group, name=name)}
        if not found:
            raise OptionError(f"there is no {self._noun} '{name}'", hint=suggestion(name, self.names()))
        if len(found) > 1:
            packages = " and ".join(sorted(map(_package, found.values())))
            raise PentaglotError(f"{packages} both have a {self._noun} '{name}'", hint="uninstall one of them")
        return self._loaded(next(iter(found.values())))

    def _loaded(self, entry: EntryPoint) -> Thing:
        where = f"the {self._noun} '{entry.name}' of {_package(entry)}"
        try:
            loaded = entry.load()
        except Exception as error:  # other people's code: anything may go wrong
            said = str(error) or type(error).__name__
            raise PentaglotError(f"{where} cannot be loaded: {said}", hint="mend or uninstall the package") from error
        if not isinstance(loaded, self._kind) or loaded.name != entry.name:
            kind = self._kind.__name__
            raise PentaglotError(f"{where} is not a {kind} called '{entry.name}'", hint=f"look at '{entry.value}'")
        return loaded


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value
