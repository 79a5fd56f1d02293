"""All tuners by name: Pentaglot's own, and those that other packages add by entry points."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pentaglot.learn.learners import LossLearner
from pentaglot.learn.losses import LOSSES
from pentaglot.learn.mert import Mert
from pentaglot.learn.mira import Mira
from pentaglot.learn.pro import Pro
from pentaglot.learn.tuner import Optimiser, Tuner
from pentaglot.registry import Registry

__all__ = ["GROUP", "TunerKind", "find_table", "find_tuner", "own_tables", "tuner_names"]

GROUP = "pentaglot.tuners"  # of entry points


@dataclass(frozen=True)
class TunerKind:
    """A tuner that can be chosen by name.

    `options` is a frozen dataclass of settings (`pentaglot.options.setting`); in a TOML file they stand in a table of
    their own, `[tune.NAME]`, which several tuners may share. `make` takes such options and the number of threads, and
    returns a tuner, or an optimiser for the shared loop over k-best lists.
    """

    name: str
    about: str
    options: type[Any]
    make: Callable[[Any, int], Tuner | Optimiser]
    table: str = ""  # default: its own name

    @property
    def table_name(self) -> str:
        """The table of its options."""
        return self.table or self.name


def _learner(loss: str, settings: LossLearner, threads: int) -> LossLearner:
    return dataclasses.replace(settings, loss=loss, threads=threads)


_OWN = {
    each.name: each
    for each in (
        TunerKind("mira", "any number of features", Mira, lambda mira, threads: mira),
        TunerKind("mert", "few features", Mert, lambda mert, threads: dataclasses.replace(mert, threads=threads)),
        TunerKind("pro", "pairs of candidates", Pro, lambda pro, threads: pro),
        *(
            TunerKind(name, "a loss of sentences", LossLearner, functools.partial(_learner, name), "loss")
            for name in LOSSES
        ),
    )
}

_TUNERS = Registry(
    GROUP,
    "tuner",
    _OWN,
    fits=lambda name, loaded: isinstance(loaded, TunerKind) and loaded.name == name,
    wanted="a TunerKind called '{name}'",
)


def tuner_names() -> tuple[str, ...]:
    """The names of all tuners, Pentaglot's own first. Other packages are not imported.

    >>> tuner_names()[:2]
    ('mira', 'mert')
    """
    return _TUNERS.names()


def find_tuner(name: str) -> TunerKind:
    """The tuner with this name.

    >>> find_tuner("mira").options()
    Mira(strength=0.01, decay=0.999, epochs=60, pull=0.5)
    """
    return _TUNERS.find(name)


def own_tables() -> dict[str, type[Any]]:
    """The option tables of Pentaglot's own tuners.

    >>> own_tables()["mert"].__name__
    'Mert'
    """
    return {each.table_name: each.options for each in _OWN.values()}


def find_table(name: str) -> type[Any]:
    """The options of a table, of Pentaglot's own tuners or of another package's."""
    own = own_tables()
    return own[name] if name in own else find_tuner(name).options
