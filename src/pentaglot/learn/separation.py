"""Whether weights can tell good translations from bad ones, and what proves that they cannot."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Clash", "Separability", "Separation"]


@dataclass(frozen=True)
class Clash:
    """Two pairs whose differences are opposite, or one pair without a difference: sentence, better, worse."""

    pairs: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Separation:
    """Whether some weights rank all pairs rightly, such weights, and pairs that prove the contrary.

    `collisions` are pairs with the same features; `collinear` are two pairs whose differences point in opposite
    directions. Both rule out any weights; without them, more than two pairs may still contradict each other.
    """

    separable: bool
    pairs: int
    weights: dict[str, float]
    collisions: tuple[Clash, ...]
    collinear: tuple[Clash, ...]
    # The largest share of pairs that the found weights rank rightly; 1 if separable.
    ranked: float


@dataclass(frozen=True)
class Separability:
    """Separability of features as they are, in bins of whole hypotheses, and in bins of single rules; and which
    transformation helps each feature."""

    linear: Separation
    global_: Separation
    local: Separation
    features: dict[str, dict[str, float]] = field(default_factory=dict)  # by use: share of pairs it ranks by itself
    advice: dict[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        if self.linear.separable:
            return "linearly separable: weights of the features as they are can rank everything"
        better = [name for name, each in (("rules", self.local), ("translations", self.global_)) if each.separable]
        if better:
            return (
                f"not linearly separable, but separable in bins of {' and of '.join(better)}: there are non-linearities"
            )
        if self.linear.collisions:
            return "not separable: some candidates of different quality have the same features"
        return "not separable, in bins or not"
