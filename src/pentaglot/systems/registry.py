"""All systems by name: Pentaglot's own, and those of other packages, which name theirs as entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.options import suggestion
from pentaglot.systems.hiero import HIERO
from pentaglot.systems.phrase import PHRASE
from pentaglot.systems.system import System

__all__ = ["GROUP", "find_system", "own_systems", "system_names"]

GROUP = "pentaglot.systems"  # of entry points

_OWN = {each.name: each for each in (HIERO, PHRASE)}


def own_systems() -> str:
    """What Pentaglot's own systems are, in a few words.

    >>> own_systems()
    'rules with gaps (hiero) or phrases (phrase)'
    """
    return " or ".join(f"{each.about} ({each.name})" for each in _OWN.values())


def system_names() -> tuple[str, ...]:
    """The names of all systems, Pentaglot's own first. Nothing of other packages is imported.

    >>> system_names()[:2]
    ('hiero', 'phrase')
    """
    return tuple(dict.fromkeys([*_OWN, *sorted(each.name for each in entry_points(group=GROUP))]))


def find_system(name: str) -> System:
    """The system of a name. Pentaglot's own names are not for others to take.

    >>> find_system("hiero").search.search
    'chart'
    >>> find_system("hireo")
    Traceback (most recent call last):
    pentaglot.errors.OptionError: there is no system 'hireo'; did you mean 'hiero'?
    """
    if name in _OWN:
        return _OWN[name]
    found = {each.value: each for each in entry_points(group=GROUP, name=name)}
    if not found:
        raise OptionError(f"there is no system '{name}'", hint=suggestion(name, system_names()))
    if len(found) > 1:
        packages = " and ".join(sorted(map(_package, found.values())))
        raise PentaglotError(f"{packages} both have a system '{name}'", hint="uninstall one of them")
    return _loaded(next(iter(found.values())))


def _loaded(entry: EntryPoint) -> System:
    where = f"the system '{entry.name}' of {_package(entry)}"
    try:
        loaded = entry.load()
    except Exception as error:  # other people's code: anything may go wrong
        said = str(error) or type(error).__name__
        raise PentaglotError(f"{where} cannot be loaded: {said}", hint="mend or uninstall the package") from error
    if not isinstance(loaded, System) or loaded.name != entry.name:
        raise PentaglotError(f"{where} is not a System called '{entry.name}'", hint=f"look at '{entry.value}'")
    return loaded


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value
