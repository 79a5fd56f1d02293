"""All systems by name: Pentaglot's own, and those that other packages declare as entry points."""

from __future__ import annotations

from pentaglot.registry import Registry
from pentaglot.systems.hiero import HIERO
from pentaglot.systems.phrase import PHRASE
from pentaglot.systems.system import System

__all__ = ["GROUP", "find_system", "own_systems", "system_names"]

GROUP = "pentaglot.systems"  # of entry points

_OWN = {each.name: each for each in (HIERO, PHRASE)}

_SYSTEMS = Registry(
    GROUP,
    "system",
    _OWN,
    fits=lambda name, loaded: isinstance(loaded, System) and loaded.name == name,
    wanted="a System called '{name}'",
)


def own_systems() -> str:
    """Describes Pentaglot's own systems in a few words.

    >>> own_systems()
    'rules with gaps (hiero) or phrases (phrase)'
    """
    return " or ".join(f"{each.about} ({each.name})" for each in _OWN.values())


def system_names() -> tuple[str, ...]:
    """The names of all systems, Pentaglot's own first.

    >>> system_names()[:2]
    ('hiero', 'phrase')
    """
    return _SYSTEMS.names()


def find_system(name: str) -> System:
    """The system with a name.

    >>> find_system("hiero").search.search
    'chart'
    >>> find_system("hireo")
    Traceback (most recent call last):
    pentaglot.errors.OptionError: there is no system 'hireo'; did you mean 'hiero'?
    """
    return _SYSTEMS.find(name)
