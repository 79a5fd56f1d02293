"""Quantities of rules that can be cut into bins: local features, and counts of the rule itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot.errors import OptionError
from pentaglot.forest import DeclaredFeature, FeatureSpace
from pentaglot.options import suggestion
from pentaglot.rules.binning import Bins, digits_apart
from pentaglot.rules.features import (
    COPY_FEATURES,
    FEATURES,
    FOUND,
    MEMORY_FEATURES,
    TABLE_FEATURES,
    TABLE_GROUP,
    corpus_feature,
    declared_feature,
)

__all__ = ["MADE", "QUANTITIES", "Around", "Quantity", "Shown", "quantity_named"]

# Rules that have one of these were not collected from text: what is counted in text says nothing about them.
MADE = (*COPY_FEATURES[:2], MEMORY_FEATURES[0])

# Groups of features that tables have only for sentences with such words. Rules of other sentences have 0, not nothing:
# bins must tell rules apart, not sentences.
_SOMETIMES = ("copy", "fallback", "memory")

Shown = Literal["usual", "probability", "log"]
# Features of made rules, and which target words the language model knows: of the vocabulary, of the sentence alone.
Around = tuple[list[int], NDArray[np.uint8], NDArray[np.uint8]]

_TIMES = {1: "once", 2: "twice"}
_DIGITS = 3  # of a value in a meaning, unless more are needed to tell bins apart
# Shorter than the meaning, where a value follows.
_SAID = {
    "translation": "chance of this translation",
    "coherence": "chance that the source side can be translated by itself",
    "lexical_target": "chance of the target words given the source words",
    "lexical_source": "chance of the source words given the target words",
}


@dataclass(frozen=True)
class Quantity:
    """A number that a rule has by itself. `columns` are the features it is made of; a rule that was not collected from
    text does not have a `collected` one. `said` tells what it is, with the value or the range in place of {}."""

    name: str
    kind: Literal["column", "always", "sum", "source_count", "pair_count", "source_words", "new_words"]
    said: str
    columns: tuple[str, ...] = ()
    collected: bool = False
    logarithm: bool = False  # of a probability
    found: str = ""  # only rules with this feature have it

    def compiled(self, space: FeatureSpace) -> native.Quantity:
        """The same for native code, with the ids of a space."""
        ids = [space.add(name) for name in self.columns]
        ids += [native.NO_FEATURE] * (2 - len(ids))
        found = space.add(self.found) if self.found else native.NO_FEATURE
        return native.Quantity(self.kind, ids[0], ids[1], found, self.collected)

    def shown(self, how: Shown) -> Callable[[float], float]:
        """What turns a value into the number that people see."""
        return math.exp if self.logarithm and how != "log" else float

    def labels(self, bins: Bins, how: Shown) -> list[str]:
        """Short names for bins."""
        return bins.labels(self.shown(how))

    def meanings(self, bins: Bins, how: Shown, *, beside: int = 0) -> list[str]:
        """What each bin means, in words; with `beside`, together with so many bins on either side.

        >>> pairs = QUANTITIES["pair_count"]
        >>> bins = Bins((1.0, 3.0, 6.0), (2.0, 5.0, 9.0), (1.0, 4.0, 8.0), (5, 5, 5))
        >>> pairs.meanings(bins, "usual")[1], pairs.meanings(bins, "usual", beside=1)[0]
        ('phrase seen 3 to 5 times in training', 'phrase seen 1 to 5 times in training')
        """
        last = len(bins) - 1
        parts = [(max(0, at - beside), min(at + beside, last)) for at in range(len(bins))]
        if bins.whole and not self.logarithm:
            ranges = bins.ranges()
            return [
                self._saying(_in_words(ranges[one][0], ranges[other][1], "{times}" in self.said), how)
                for one, other in parts
            ]
        written = list(map(_plain, bins.written(self.shown(how), _DIGITS)))
        certain = self.logarithm and how != "log" and bins.last[-1] == 0.0  # a probability of 1
        said = []
        for one, other in parts:
            if other < last:
                said.append(f"{written[one]} to {written[other + 1]}" if one else f"below {written[other + 1]}")
            else:
                certainly = "1" if not bins.first[one] else f"{written[one]} to 1"
                said.append(certainly if certain else f"{written[one]} or more")
        return [self._saying(self._times(each), how) for each in said]

    def thresholds(self, bins: Bins, how: Shown) -> list[str]:
        """What it means to be below each bin but the first."""
        written = bins.written(self.shown(how), _DIGITS)[1:]
        return [self._saying(self._times(f"less than {_plain(each)}"), how) for each in written]

    def hats(self, bins: Bins, how: Shown) -> list[str]:
        """What it means to be at the top of the hat of each bin, or near it."""
        shown = self.shown(how)
        tops = digits_apart([shown(float(each)) for each in bins.centres], _DIGITS)
        return [self._saying(self._times(f"about {_plain(each)}"), how) for each in tops]

    def _saying(self, value: str, how: Shown) -> str:
        logarithm = "logarithm " if self.logarithm and how == "log" else ""
        return self.said.replace("{times}", "{}").format(f"{logarithm}{value}")

    def _times(self, value: str) -> str:
        return f"{value} times" if "{times}" in self.said else value


def _plain(number: str) -> str:
    return f"{float(number):.0f}" if "e+" in number else number


def _in_words(low: float, high: float | None, times: bool) -> str:
    if high is None or high <= low:
        number = _TIMES.get(int(low), f"{low:.0f} times") if times else f"{low:.0f}"
        return number if high is not None else f"{number} or more"
    return f"{low:.0f} to {high:.0f} times" if times else f"{low:.0f} to {high:.0f}"


QUANTITIES = {
    each.name: each
    for each in (
        Quantity(
            "coherent",
            "sum",
            "chance of this translation wherever the source side occurs: {}",
            ("translation", "coherence"),
            collected=True,
            logarithm=True,
        ),
        Quantity("source_count", "source_count", "source side seen {times} in training", collected=True),
        Quantity("pair_count", "pair_count", "phrase seen {times} in training", collected=True),
        Quantity("source_words", "source_words", "source words in the phrase: {}"),
        Quantity("new_words", "new_words", "target words that the language model does not know: {}"),
    )
}


def quantity_named(
    name: str, declared: Mapping[str, DeclaredFeature] = FEATURES, *, undeclared: bool = False
) -> Quantity:
    """A quantity by name: one of `QUANTITIES`, or a local feature, a declared one unless those of hooks are allowed.

    >>> quantity_named("lexical_target@news").found
    'found@news'
    >>> quantity_named("distortion")
    Traceback (most recent call last):
    pentaglot.errors.OptionError: 'distortion' looks across rules, so it cannot be cut into bins; ...
    """
    if name in QUANTITIES:
        return QUANTITIES[name]
    feature = declared_feature(name, declared)
    if feature is None:
        if not undeclared:
            local = [each.name for each in declared.values() if each.local]
            hint = suggestion(name, [*QUANTITIES, *local])
            raise OptionError(f"there is no feature '{name}' to cut into bins", hint=hint)
        return Quantity(name, "column", f"{_safe(name)}: {{}}", (name,))
    if not feature.local:
        raise OptionError(
            f"'{name}' looks across rules, so it cannot be cut into bins",
            hint="features with state can only be multiplied by what is known of the input (operator 'domains')",
        )
    corpus = name.partition("@")[2] if feature.name != name else ""
    return Quantity(
        name,
        "always" if feature.group in _SOMETIMES else "column",
        f"{_SAID.get(feature.name, _safe(feature.meaning))}{f' ({_safe(corpus)})' if corpus else ''}: {{}}",
        (name,),
        collected=feature.per == "corpus" or name in TABLE_FEATURES or feature.group == TABLE_GROUP,
        logarithm=feature.kind == "log",
        found=corpus_feature(FOUND, corpus) if corpus and feature.name != FOUND else "",
    )


def _safe(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
