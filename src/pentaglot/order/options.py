"""Options for learning a reordering grammar and for ordering text with one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pentaglot.align.options import MOST_CLASSES, check_classes
from pentaglot.errors import OptionError
from pentaglot.options import setting
from pentaglot.order.forest import Attachment, check_attached

__all__ = ["Choice", "GrammarOptions", "OrderOptions", "TreesName"]

TreesName = Literal["pet", "itg", "left", "right"]
Choice = Literal["expected", "drawn", "best-tree"]


@dataclass(frozen=True)
class GrammarOptions:
    """How a reordering grammar is learnt; most defaults are those of Stanojević 2017, §3.4.

    >>> GrammarOptions(trees="itg").most_children
    2
    """

    trees: TreesName = setting(
        "pet",
        "which trees to learn from: all (pet), all of sentences with only binary ones (itg), or one of each "
        "sentence, branching to the left or to the right",
    )
    binary_states: int = setting(30, "states of each operator with two children", minimum=1, maximum=200)
    other_states: int = setting(3, "states of each operator with more children", minimum=1, maximum=200)
    iterations: int = setting(10, "rounds of expectation-maximisation over the corpus", minimum=1, maximum=1000)
    hard: bool = setting(False, "one more round in the end that counts only the best tree of each sentence")
    batch: int = setting(0, "update the grammar after this many sentences (0: after all of them)", minimum=0)
    step: float = setting(
        0.6, "with --batch, how fast old counts fade: the k-th batch counts (k + 2) to the power of minus this",
        minimum=0.5, maximum=1.0,
    )  # fmt: skip
    cutoff: int = setting(3, "words seen at most this often are learnt as the unknown word", minimum=0)
    phrase_cutoff: int = setting(3, "the same for phrases of several words that links do not take apart", minimum=0)
    classes: int = setting(
        0,
        "learn from this many classes of words instead of words (0: words)",
        minimum=0,
        maximum=MOST_CLASSES,
        check=check_classes,
    )
    unseen: float = setting(
        0.001,
        "in places where a word was never seen, the share of the unknown word's probability that it gets there",
        minimum=0.0,
        maximum=1.0,
    )
    attach: tuple[Attachment, ...] = setting(
        ("right-bottom",),
        "where words without links are joined: to which side, to a phrase or as high as possible",
        check=check_attached,
    )
    noise: float = setting(
        0.5, "how much the first probabilities differ at random, so that states can differ", minimum=0.0, maximum=0.99
    )
    noise_kind: Literal["relative", "absolute"] = setting(
        "relative", "noise as a share of each probability, or added to it as in the thesis (then 0.005)"
    )
    least_words: int = setting(4, "shortest sentences to learn from", minimum=1)
    most_words: int = setting(50, "longest sentences to learn from", minimum=1, maximum=200)
    tangled: Literal["drop", "opaque"] = setting(
        "drop",
        "sentences with operators of more children than the grammar has: leave them out (drop), or learn from them "
        "with all words under such an operator as one phrase (opaque)",
    )
    seed: int = setting(1, "seed of the noise", minimum=0)

    def check(self) -> None:
        """Raises an error if nothing can be learnt with them. (A file may have one of them, a flag the other.)"""
        if self.least_words > self.most_words:
            problem = f"no sentence has at least {self.least_words} and at most {self.most_words} words"
            raise OptionError(problem, hint="option 'least_words' must not be larger than 'most_words'")

    @property
    def most_children(self) -> int:
        """Larger operators are not learnt."""
        return 2 if self.trees == "itg" else 5


@dataclass(frozen=True)
class OrderOptions:
    """How the order of a new sentence is chosen."""

    choice: Choice = setting(
        "expected",
        "expected: least expected Kendall distance, exactly, among all binary orders and some drawn ones; drawn: among "
        "orders drawn at random, as in the thesis; best-tree: the order of the likeliest tree",
    )
    samples: int | None = setting(
        None, "how many derivations are drawn; by default 10000 for drawn and 100 for expected", minimum=0,
        maximum=1_000_000,
    )  # fmt: skip
    seed: int = setting(1, "seed of the draws", minimum=0)
    orders: int = setting(
        100, "how many orders of a line are translated at once, as a lattice; 1: only the best", minimum=1, maximum=1000
    )
    lattice_from: Literal["orders", "chart"] = setting(
        "orders",
        "make the lattice of several orders from the best of those that are drawn, or from likely trees in the chart",
    )
    arcs: int = setting(500, "most arcs of a lattice; long lines then have fewer orders", minimum=1, maximum=100_000)
    prune: float = setting(
        0.0, "leave out nodes that the grammar without states finds less likely than this (0: none)", minimum=0.0,
        maximum=1.0,
    )  # fmt: skip
    least_gain: float = setting(
        0.03,
        "keep the order as typed unless the other is expected to put at least this share more of all pairs of words "
        "right",
        minimum=0.0,
        maximum=1.0,
    )
    far: float = setting(
        2.0,
        "doubt far moves: for words further apart than nine in ten training sentences are long, the chance that they "
        "change places is multiplied by the power of this of that length divided by their distance (0: not at all)",
        minimum=0.0,
        maximum=100.0,
    )
    boundaries: bool = setting(
        True,
        "keep rows of unknown words together, and let nothing change places over the end of a sentence or over other "
        "marks, unless it often does in the training text",
    )
    worthwhile: float = setting(
        0.01,
        "keep all text as typed unless ordering puts this share more of the pairs of words right in held-out training "
        "sentences",
        minimum=-1.0,
        maximum=1.0,
    )
    much: float = setting(
        0.1,
        "with --reorder-by auto, put text into another order only if that puts this share more of the pairs right; if "
        "it gains less, the search weighs orders",
        minimum=-1.0,
        maximum=1.0,
    )
    longest: int = setting(150, "longer sentences are cut into equal pieces", minimum=1, maximum=400)

    @property
    def draws(self) -> int:
        """How many derivations are drawn."""
        return {"drawn": 10_000, "expected": 100, "best-tree": 0}[self.choice] if self.samples is None else self.samples
