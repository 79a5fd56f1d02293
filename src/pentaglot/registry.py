"""`Registry`: things by name, Pentaglot's own and those that other packages name as entry points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.options import suggestion

__all__ = ["Registry"]

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """The things of one kind. A package adds one by an entry point of the `group`, under a name that is not taken.

    >>> greetings = Registry("example.greetings", "greeting", {"hello": "Hello!", "bye": "Goodbye!"})
    >>> greetings.names(), greetings.find("bye")
    (('hello', 'bye'), 'Goodbye!')
    >>> greetings.find("hallo")
    Traceback (most recent call last):
    pentaglot.errors.OptionError: there is no greeting 'hallo'; did you mean 'hello'?
    """

    def __init__(
        self,
        group: str,
        what: str,
        own: Mapping[str, Thing],
        *,
        fits: Callable[[str, object], bool] = lambda name, loaded: True,
        wanted: str = "",
    ) -> None:
        """`what` is what people call such a thing. Things of other packages must satisfy `fits(name, thing)`; `wanted`
        says what they should be, with {name} for the name."""
        self._group, self._what, self._own, self._fits, self._wanted = group, what, dict(own), fits, wanted

    def names(self) -> tuple[str, ...]:
        """All names, Pentaglot's own first. Nothing of other packages is imported."""
        return tuple(dict.fromkeys([*self._own, *sorted(each.name for each in entry_points(group=self._group))]))

    def __contains__(self, name: str) -> bool:
        return name in self.names()

    def find(self, name: str) -> Thing:
        """The thing with this name. Other packages cannot take Pentaglot's own names."""
        if name in self._own:
            return self._own[name]
        found = {each.value: each for each in entry_points(group=self._group, name=name)}
        if not found:
            raise OptionError(f"there is no {self._what} '{name}'", hint=suggestion(name, self.names()))
        if len(found) > 1:
            packages = " and ".join(sorted(map(_package, found.values())))
            raise PentaglotError(f"{packages} both have a {self._what} '{name}'", hint="uninstall one of them")
        return self._loaded(next(iter(found.values())))

    def _loaded(self, entry: EntryPoint) -> Thing:
        where = f"the {self._what} '{entry.name}' of {_package(entry)}"
        try:
            loaded = entry.load()
        except Exception as error:  # other people's code: anything may go wrong
            said = str(error) or type(error).__name__
            raise PentaglotError(f"{where} cannot be loaded: {said}", hint="fix or uninstall the package") from error
        if not self._fits(entry.name, loaded):
            wanted = self._wanted.format(name=entry.name)
            raise PentaglotError(f"{where} is not {wanted}", hint=f"look at '{entry.value}'")
        thing: Thing = loaded
        return thing


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value
