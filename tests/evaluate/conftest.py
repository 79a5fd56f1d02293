"""Made-up systems: outputs that differ from their reference by some words, and more so in some systems."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from tests.metrics.conftest import translations  # noqa: F401 (a fixture)

MakeSystems = Callable[..., tuple[dict[str, list[list[str]]], list[list[str]]]]


@pytest.fixture
def made_up() -> MakeSystems:
    """Systems with so many errors in each hundred words, and the references."""

    def make(
        errors: dict[str, int], *, runs: int = 3, segments: int = 60, references: int = 1, seed: int = 1
    ) -> tuple[dict[str, list[list[str]]], list[list[str]]]:
        draw = random.Random(seed)
        words = [f"w{number}" for number in range(40)]
        first = [[draw.choice(words) for _ in range(draw.randrange(3, 15))] for _ in range(segments)]

        def spoilt(line: Sequence[str], share: int) -> str:
            return " ".join(draw.choice(words) if draw.randrange(100) < share else word for word in line)

        wanted = [[spoilt(line, 10 * number) for line in first] for number in range(references)]
        outputs = {
            name: [[spoilt(line, share) for line in first] for _ in range(runs)] for name, share in errors.items()
        }
        return outputs, wanted

    return make
