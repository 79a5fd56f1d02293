"""Losses of a sentence under given weights (Gimpel 2012, chapters 3 and 6).

Most have two sides. The upper one is pulled up, the lower one is pushed down; each is the largest score over some
candidates, or (soft) the logarithm of the sum of their exponentials, where costs may be added to scores (*fear*) or
subtracted from them (*hope*). Costs are not negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pentaglot._core import learn as core
from pentaglot.errors import OptionError
from pentaglot.options import suggestion

__all__ = ["LOSSES", "Loss", "Over", "Side", "find_loss"]

# Candidates that a side covers: all; the one that stands for the reference, which is the first of those with the least
# cost; or all those with the least cost, which may be derivations of one string.
Over = Literal["all", "reference", "references"]
_OVER: tuple[Over, ...] = ("all", "reference", "references")


@dataclass(frozen=True)
class Side:
    """The largest score + factor * cost over some candidates, or its soft version."""

    factor: float = 0.0
    soft: bool = False
    over: Over = "all"


@dataclass(frozen=True)
class Loss:
    """The lower side minus the upper side; without sides, the risk: the expected cost under the softmax of scores.

    `scale` is what the thesis multiplies costs by. With `reached`, sentences whose reference is not among the
    candidates are skipped; otherwise the nearest candidate stands for it.
    """

    name: str
    up: Side | None = None
    down: Side | None = None
    scale: float = 1.0
    reached: bool = False

    @property
    def risk(self) -> bool:
        """Whether it is the expected cost."""
        return self.up is None or self.down is None

    @property
    def soft(self) -> bool:
        """Whether it is smooth in the weights on both sides."""
        return self.up is None or self.down is None or (self.up.soft and self.down.soft)

    @property
    def native(self) -> core.Loss:
        """The loss as the core reads it."""
        up, down = self.up or Side(), self.down or Side()
        sides = (up.soft, up.factor, _OVER.index(up.over)), (down.soft, down.factor, _OVER.index(down.over))
        return core.Loss(*sides[0], *sides[1], self.risk, self.reached)


_BEST, _HOPE, _FEAR = Side(), Side(-1.0), Side(1.0)
_MEAN, _SOFT_HOPE, _SOFT_FEAR = Side(0.0, True), Side(-1.0, True), Side(1.0, True)
_REFERENCE, _LATENT, _SOFT_LATENT = Side(over="reference"), Side(over="references"), Side(0.0, True, "references")

LOSSES: dict[str, Loss] = {
    each.name: each
    for each in (
        Loss("ramp1", _BEST, _FEAR, 1.0),
        Loss("ramp2", _HOPE, _BEST, 1.0),
        Loss("ramp3", _HOPE, _FEAR, 10.0),
        Loss("soft-ramp1", _MEAN, _SOFT_FEAR, 1.0),
        Loss("soft-ramp2", _SOFT_HOPE, _MEAN, 20.0),
        Loss("soft-ramp3", _SOFT_HOPE, _SOFT_FEAR, 10.0),
        Loss("hardsoft-ramp1", _BEST, _SOFT_FEAR, 1.0),
        Loss("hardsoft-ramp2", _HOPE, _MEAN, 20.0),
        Loss("hardsoft-ramp3", _HOPE, _SOFT_FEAR, 10.0),
        Loss("softhard-ramp1", _MEAN, _FEAR, 1.0),
        Loss("softhard-ramp2", _SOFT_HOPE, _BEST, 20.0),
        Loss("softhard-ramp3", _SOFT_HOPE, _FEAR, 10.0),
        Loss("risk", scale=20.0),
        Loss("perceptron", _REFERENCE, _BEST),
        Loss("latent-perceptron", _LATENT, _BEST),
        Loss("hinge", _REFERENCE, _FEAR),
        Loss("latent-hinge", _LATENT, _FEAR),
        Loss("log", _REFERENCE, _MEAN),
        Loss("latent-log", _SOFT_LATENT, _MEAN),
        Loss("softmax-margin", _REFERENCE, _SOFT_FEAR),
        Loss("latent-softmax-margin", _SOFT_LATENT, _SOFT_FEAR),
    )
}


def find_loss(name: str) -> Loss:
    """The loss with this name.

    >>> find_loss("ramp3").up
    Side(factor=-1.0, soft=False, over='all')
    """
    if name not in LOSSES:
        raise OptionError(f"unknown loss '{name}'", hint=suggestion(name, LOSSES))
    return LOSSES[name]
