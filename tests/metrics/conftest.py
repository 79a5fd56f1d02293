"""Translations with every oddity: random words, empty lines, other scripts, one to three references."""

from __future__ import annotations

import random

import pytest

WORDS = ["the", "The", "house", "is", "small", ",", ".", "it's", "l’arbre", "größer", "猫が", "!?", "a-b", "3.5", "€"]


@pytest.fixture(params=[1, 2, 3])
def translations(request: pytest.FixtureRequest) -> tuple[list[str], list[list[str]]]:
    """Hypotheses, and as many references as the parameter says."""
    draw = random.Random(request.param)

    def sentence() -> list[str]:
        return [draw.choice(WORDS) for _ in range(draw.randrange(0, 14))]

    def altered(words: list[str]) -> str:
        kept = [word for word in words if draw.random() < 0.8]
        if draw.random() < 0.3:
            kept = kept[len(kept) // 2 :] + kept[: len(kept) // 2]
        return " ".join(kept)

    sentences = [sentence() for _ in range(80)] + [[], ["one"], ["two", "words"]]
    hypotheses = [altered(words) for words in sentences]
    return hypotheses, [[altered(words) for words in sentences] for _ in range(request.param)]
