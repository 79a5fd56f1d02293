"""Operators that induce features from others, from words and from what is known of the input (Clark 2015).

`operator_tables` composes them in TOML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pentaglot.align.options import MOST_CLASSES, check_classes
from pentaglot.options import setting

__all__ = [
    "MOST_ACROSS",
    "OPERATORS",
    "OPERATOR_PRESETS",
    "USUAL_INPUTS",
    "ConjoinBins",
    "CutIntoBins",
    "Domains",
    "Operator",
    "SourceNgrams",
    "SourceWords",
    "TargetNgrams",
    "TargetWords",
    "Triggers",
    "WholeRules",
    "WordOperator",
    "WordPairs",
]

_MOST_BINS = 1 << 16
_ANY = 2**31 - 1
# Clark 2015, §6.5; the language model and the number of words stay beside the bins.
USUAL_PROBABILITIES = ("coherent", "lexical_target", "lexical_source")
USUAL_INPUTS = (*USUAL_PROBABILITIES, "source_words", "words", "unknown", "new_words")
MOST_ACROSS = 4  # words of an n-gram across rules; see core/search/target_ngrams.hpp


@dataclass(frozen=True)
class CutIntoBins:
    """Cuts quantities of rules into bins, each with a feature."""

    operator: ClassVar[str] = "bins"
    inputs: tuple[str, ...] = setting((), "what to cut: names of quantities or local features; none: the usual ones")
    bins: int = setting(16, "how many bins, at most", minimum=2, maximum=_MOST_BINS)
    kind: Literal["apart", "overlapping", "thresholds", "hats", "probability"] = setting(
        "apart",
        "a value is in one bin; also in those beside it; below thresholds; or shared by the two nearest; probability: "
        "no bins, but the probability in place of its logarithm",
    )
    keep: bool = setting(True, "let the real-valued features count beside their bins")
    shown: Literal["usual", "probability", "log"] = setting(
        "usual", "name bins of logarithms by probabilities (usual, probability), or as they are"
    )

    @property
    def chosen(self) -> tuple[str, ...]:
        """The inputs, or the usual ones: of the kind `probability`, those that are probabilities."""
        return self.inputs or (USUAL_PROBABILITIES if self.kind == "probability" else USUAL_INPUTS)


@dataclass(frozen=True)
class ConjoinBins:
    """Conjoins the bins of two or three quantities."""

    operator: ClassVar[str] = "conjoined_bins"
    inputs: tuple[str, ...] = setting((), "the quantities, which must be cut into bins; none: all that are")
    order: int = setting(2, "how many quantities each feature conjoins", minimum=2, maximum=3)
    least: int = setting(1, "how many rules of the development text must have it", minimum=1, maximum=_ANY)


@dataclass(frozen=True)
class Domains:
    """Gives features weights of their own in each domain: whatever a feature is, it is multiplied by the domain."""

    operator: ClassVar[str] = "domains"
    features: tuple[str, ...] = setting(
        (), "features to multiply; NAME= stands for all bins of NAME; none: all features that are not induced"
    )
    metadata: str = setting("domain", "the metadata of sentences that name it; a/b lies within a")
    least: int = setting(1, "how many development sentences a domain must have", minimum=1, maximum=_ANY)


@dataclass(frozen=True)
class WordOperator:
    """Features of the words of rules, or of their classes."""

    operator: ClassVar[str] = ""
    classes: int = setting(
        0,
        "use this many classes of words instead of words; 0: words",
        minimum=0,
        maximum=MOST_CLASSES,
        check=check_classes,
    )
    least: int = setting(1, "how often rules of the development text must have it", minimum=1, maximum=_ANY)
    most: int = setting(
        0, "keep this many (n-grams: of each length), the most frequent ones; 0: all", minimum=0, maximum=_ANY
    )

    @property
    def prefix(self) -> str:
        """The beginning of the names of its features."""
        return f"{self._called}({self.classes})" if self.classes else self._called

    @property
    def group(self) -> str:
        """The group of its features, for penalties and reports."""
        return self.prefix

    @property
    def template(self) -> str:
        """The native template."""
        return self.operator

    @property
    def longest(self) -> int:
        """The number of words in the longest n-gram."""
        return 1

    @property
    def crosses(self) -> bool:
        """Whether its features look across rules."""
        return False

    @property
    def _called(self) -> str:
        return self.operator.removesuffix("s")


@dataclass(frozen=True)
class SourceWords(WordOperator):
    """A feature for every source word."""

    operator: ClassVar[str] = "source_words"


@dataclass(frozen=True)
class TargetWords(WordOperator):
    """A feature for every target word."""

    operator: ClassVar[str] = "target_words"


@dataclass(frozen=True)
class WordPairs(WordOperator):
    """A feature for every pair of a source and a target word in one rule."""

    operator: ClassVar[str] = "pairs"
    linked: bool = setting(True, "only words that are linked")

    @property
    def template(self) -> str:
        return "linked_pairs" if self.linked else "all_pairs"

    @property
    def _called(self) -> str:
        return "pair" if self.linked else "any_pair"


@dataclass(frozen=True)
class SourceNgrams(WordOperator):
    """A feature for every n-gram of source words in a rule."""

    operator: ClassVar[str] = "source_ngrams"
    order: int = setting(2, "the number of words in the longest n-gram", minimum=2, maximum=7)

    @property
    def longest(self) -> int:
        return self.order


@dataclass(frozen=True)
class TargetNgrams(WordOperator):
    """A feature for every n-gram of target words: inside rules, those of the development text; across rules, which
    takes a state, those that are most frequent in the target side of the training text."""

    operator: ClassVar[str] = "target_ngrams"
    order: int = setting(2, "the number of words in the longest n-gram", minimum=2, maximum=7)
    across: bool = setting(False, "also across rules; then at most four words, and n-grams of the training text")

    @property
    def longest(self) -> int:
        return self.order

    @property
    def crosses(self) -> bool:
        return self.across

    @property
    def _called(self) -> str:
        return "ngram" if self.across else super()._called


@dataclass(frozen=True)
class Triggers(WordOperator):
    """A feature for two target words, one anywhere before the other: those pairs of the training text that tell most
    about each other. They take a large state."""

    operator: ClassVar[str] = "triggers"
    least: int = setting(5, "how many training sentences must have both", minimum=1, maximum=_ANY)
    most: int = setting(4000, "keep this many, those with the most mutual information; 0: all", minimum=0, maximum=_ANY)

    @property
    def crosses(self) -> bool:
        return True


@dataclass(frozen=True)
class WholeRules(WordOperator):
    """A feature for every rule."""

    operator: ClassVar[str] = "rules"

    @property
    def group(self) -> str:
        return self.prefix.replace("rule", "rules")  # 'rule' are the features that all rules have


Operator = CutIntoBins | ConjoinBins | Domains | WordOperator

_KINDS: tuple[type[Any], ...] = (
    CutIntoBins,
    ConjoinBins,
    Domains,
    SourceWords,
    TargetWords,
    WordPairs,
    SourceNgrams,
    TargetNgrams,
    Triggers,
    WholeRules,
)
OPERATORS: dict[str, type[Any]] = {each.operator: each for each in _KINDS}


# Feature sets of publications.
OPERATOR_PRESETS: dict[str, tuple[Operator, ...]] = {
    # Clark 2015, chapter 4.
    "clark2015-domains": (Domains(),),
    # Chapter 5: words, pairs across a rule, n-grams.
    "clark2015-words": (
        SourceWords(),
        TargetWords(),
        WordPairs(linked=False),
        SourceNgrams(),
        TargetNgrams(across=True, most=100_000),
    ),
    # Chapter 6: bins in place of all features of the translation model.
    "clark2015-bins": (CutIntoBins(bins=256, keep=False),),
    # Chapter 7.
    "clark2015-conjoined": (CutIntoBins(bins=16, keep=False), ConjoinBins()),
    # Gimpel 2012, §4.5: 7,200 features.
    "gimpel2012": (
        WordPairs(most=1000),
        TargetWords(most=200),
        TargetNgrams(order=3, across=True, most=1000),
        Triggers(most=4000),
    ),
}
