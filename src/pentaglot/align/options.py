"""Options for word alignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

from pentaglot.errors import OptionError
from pentaglot.options import setting

__all__ = [
    "DEFAULT_GROW",
    "DEFAULT_SYMMETRISATION",
    "DEFAULT_THRESHOLD",
    "MOST_CLASSES",
    "AlignOptions",
    "Joining",
    "ModelName",
    "SymmetrisationName",
    "check_classes",
]

ModelName = Literal["hmm", "fast", "ibm1"]
SymmetrisationName = Literal[
    "posterior-mean",
    "posterior-product",
    "intersection",
    "union",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
    "to-target",
    "to-source",
]
SYMMETRISATIONS: tuple[str, ...] = get_args(SymmetrisationName)
DEFAULT_SYMMETRISATION: SymmetrisationName = "posterior-mean"
DEFAULT_THRESHOLD = 0.5
DEFAULT_GROW = 0.8
MOST_CLASSES = 1000  # of words, found by the exchange algorithm

# The best numbers of iterations that docs/alignment.md reports: IBM 1 first, then the model itself.
_WARM_UP = {"hmm": 3, "fast": 3, "ibm1": 0}
_ITERATIONS = {"hmm": 4, "fast": 5, "ibm1": 5}


class Joining(TypedDict):
    """How the two directions become one alignment, as arguments of `Aligner.align`."""

    symmetrise: SymmetrisationName
    threshold: float
    grow: float
    complete: float


@dataclass(frozen=True)
class AlignOptions:
    """How an aligner is trained and how its two directions are joined. The defaults are those that gave the best
    alignments in our experiments (docs/alignment.md).

    >>> AlignOptions(model="fast").schedule
    [('ibm1', 3), ('fast', 5)]
    """

    model: ModelName = setting("hmm", "the model: hmm is the most accurate, fast the quickest good one")
    symmetrise: SymmetrisationName = setting(
        DEFAULT_SYMMETRISATION,
        "how the two directions become one alignment: by the mean or the geometric mean of their posteriors, "
        "or by the classic rules on each word's likeliest link",
    )
    threshold: float = setting(
        DEFAULT_THRESHOLD,
        "minimum posterior of a link in posterior-mean and posterior-product; higher gives fewer, surer links",
        minimum=0.0,
        maximum=1.0,
    )
    grow: float = setting(
        DEFAULT_GROW,
        "share of the threshold at which an unlinked word takes a link next to another link (1: all of it)",
        minimum=0.0,
        maximum=1.0,
    )
    complete: float = setting(
        0.0,
        "give an unlinked word its likeliest link if its own direction's posterior is at least this (0: never)",
        minimum=0.0,
        maximum=1.0,
    )
    iterations: int | None = setting(
        None, "maximum iterations of the model; by default 4 for hmm, 5 for fast and ibm1", minimum=1, maximum=1000
    )
    warm_up: int | None = setting(
        None,
        "iterations of IBM 1 before the model; by default 3, or none if the model is ibm1",
        minimum=0,
        maximum=1000,
    )
    stop: float = setting(
        0.0005, "stop early when an iteration lowers the perplexity by less than this share", minimum=0.0, maximum=1.0
    )
    agreement: bool = setting(True, "multiply the posteriors of the two directions while training")
    variational: bool = setting(False, "estimate by variational Bayes (with --smoothing as its prior)")
    smoothing: float = setting(
        1e-6, "pseudo-count of every pair of words that occur together", minimum=0.0, maximum=1e6
    )
    spelling: float = setting(
        1.0, "extra pseudo-count of pairs that are spelt alike, times their similarity", minimum=0.0, maximum=1e6
    )
    stems: int = setting(
        4,
        "words that share this many first letters count as forms of one word, which lend each other what they "
        "learn (0: off)",
        minimum=0,
        maximum=1000,
    )
    stem_strength: float = setting(
        2.0, "pseudo-count by which the forms of a word help each other", minimum=0.0, maximum=1e6
    )
    null_probability: float = setting(0.1, "chance that a word has no counterpart", minimum=1e-6, maximum=0.999)
    jump_uniform: float = setting(
        0.03, "share of the jump probability that is spread over the whole sentence", minimum=0.0, maximum=1.0
    )
    classes: int = setting(
        30,
        "word classes per side on which jumps depend (0 or 1: none); found from bigrams",
        minimum=0,
        maximum=MOST_CLASSES,
    )
    lowercase: bool = setting(True, "treat words that differ only in capitals as the same")
    longest: int = setting(1000, "pairs with more words on a side are left unaligned", minimum=1, maximum=65_000)

    @property
    def joining(self) -> Joining:
        """The arguments for `Aligner.align` and `align_pair`."""
        return {
            "symmetrise": self.symmetrise,
            "threshold": self.threshold,
            "grow": self.grow,
            "complete": self.complete,
        }

    @property
    def schedule(self) -> list[tuple[ModelName, int]]:
        """The models in the order of training, and how many iterations each may take."""
        warm_up = _WARM_UP[self.model] if self.warm_up is None else self.warm_up
        iterations = _ITERATIONS[self.model] if self.iterations is None else self.iterations
        steps: list[tuple[ModelName, int]] = [("ibm1", warm_up), (self.model, iterations)]
        return [step for step in steps if step[1] > 0]


def check_classes(number: int) -> None:
    """Raises an error for a single class of words, of which nothing can be learnt."""
    if number == 1:
        raise OptionError("all words would be in one class", hint="give at least 2 classes, or 0 for none")
