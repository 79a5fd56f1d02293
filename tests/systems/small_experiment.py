"""A small experiment for tests: its text, and options that make it quick."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

QUICK = """
[tune]
rounds = 1
size = 10
mira = { epochs = 2 }

[compare]
metrics = "bleu,ter"
shuffles = 100
resamples = 40
"""


def write_text(place: Path) -> None:
    """Text to train, tune, choose and test on."""
    parts = {"train": slice(0, 300), "dev": slice(300, 320), "choose": slice(320, 340), "test": slice(340, 370)}
    for side in ("de", "en"):
        lines = (EXAMPLES / f"train.{side}").read_text("utf-8").splitlines(keepends=True)
        for name, part in parts.items():
            (place / f"{name}.{side}").write_text("".join(lines[part]), "utf-8")
