"""Perplexity: how surprised a model is by a text."""

from __future__ import annotations

from dataclasses import dataclass

from pentaglot.lm.scores import Scores

__all__ = ["Perplexity"]


@dataclass(frozen=True)
class Perplexity:
    """Sums over a text; they can be added. Tokens are words and ends of sentences.

    >>> perplexity = Perplexity(1, tokens=4, unknown=1, log_probability=-10.0, log_probability_unknown=-4.0)
    >>> perplexity.excluding_unknown
    100.0
    """

    sentences: int = 0
    tokens: int = 0
    unknown: int = 0
    log_probability: float = 0.0
    log_probability_unknown: float = 0.0

    @classmethod
    def of(cls, scores: Scores) -> Perplexity:
        """The sums over scored sentences."""
        logs = scores.log_probabilities.astype(float)
        return cls(
            sentences=len(scores.offsets) - 1,
            tokens=len(logs),
            unknown=int(scores.unknown.sum()),
            log_probability=float(logs.sum()),
            log_probability_unknown=float(logs[scores.unknown].sum()),
        )

    def __add__(self, other: Perplexity) -> Perplexity:
        return Perplexity(
            self.sentences + other.sentences,
            self.tokens + other.tokens,
            self.unknown + other.unknown,
            self.log_probability + other.log_probability,
            self.log_probability_unknown + other.log_probability_unknown,
        )

    @property
    def including_unknown(self) -> float:
        """Perplexity over all tokens; unknown words have the probability of <unk>."""
        return _perplexity(self.log_probability, self.tokens)

    @property
    def excluding_unknown(self) -> float:
        """Perplexity over the tokens that the model knows."""
        return _perplexity(self.log_probability - self.log_probability_unknown, self.tokens - self.unknown)


def _perplexity(log_probability: float, tokens: int) -> float:
    if tokens == 0:
        return float("nan")
    exponent = -log_probability / tokens
    return float("inf") if exponent > 300 else float(10.0**exponent)
