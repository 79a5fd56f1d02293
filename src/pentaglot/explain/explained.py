"""Protocols of what can be explained: a translator and its translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from pentaglot.corpus import Sentence, Tokenizer
from pentaglot.forest import DeclaredFeature, Derivation, FeatureSpace, Forest
from pentaglot.rules import IndexRules, RuleSource, SentenceRules

__all__ = ["ExplainedHypothesis", "ExplainedPart", "ExplainedTranslation", "ExplainedTranslator"]


class ExplainedHypothesis(Protocol):
    """One translation of a part, and how it was derived."""

    @property
    def words(self) -> Sequence[str]: ...
    @property
    def derivation(self) -> Derivation: ...


class ExplainedPart(Protocol):
    """Words that were translated together, the best translation first."""

    @property
    def rules(self) -> SentenceRules: ...
    @property
    def forest(self) -> Forest: ...
    @property
    def hypotheses(self) -> Sequence[ExplainedHypothesis]: ...
    @property
    def words(self) -> Sequence[str]:
        """The words in the order in which they were translated."""
        ...

    @property
    def nodes(self) -> Sequence[int]:
        """If a lattice was translated, how many words come before each of its nodes; else empty."""
        ...

    @property
    def places(self) -> Sequence[int]:
        """Where its words were typed in the line, if they were put into another order; else empty."""
        ...


class ExplainedTranslation(Protocol):
    """The translation of a line."""

    @property
    def source(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def limited(self) -> bool: ...
    @property
    def parts(self) -> Sequence[ExplainedPart]: ...


class ExplainedTranslator(Protocol):
    """A translator; `indexed` finds rules in its training text, even if it translates with a table."""

    @property
    def features(self) -> FeatureSpace: ...
    @property
    def weights(self) -> Mapping[str, float]: ...
    @property
    def declared(self) -> Mapping[str, DeclaredFeature]: ...
    @property
    def rules(self) -> RuleSource: ...
    @property
    def indexed(self) -> IndexRules: ...
    @property
    def source_tokenizer(self) -> Tokenizer: ...
    def ordered(self, words: Sequence[str]) -> Sequence[str]:
        """Words in the order in which they are translated."""
        ...

    def induced_meaning(self, feature: str) -> str:
        """What an induced feature means, in words; empty for other features."""

    def translate(self, line: str | Sentence) -> ExplainedTranslation: ...
