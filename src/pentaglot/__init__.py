"""Pentaglot: from a parallel corpus to a translator that explains itself.

Rooms (subpackages), in the order in which data goes through them: `corpus`, `align`, `lm`, `forest`, `index`, `rules`,
`search`, `metrics`, `learn`, `evaluate`, `explain`, `systems`; `cli` is the door to the command line. See
docs/architecture.md.

`pentaglot.train` and `pentaglot.Translator` are the whole of it in two names; they are imported when they are used.
"""

from typing import TYPE_CHECKING, Any

from pentaglot.errors import PentaglotError

if TYPE_CHECKING:
    from pentaglot.systems import Translator, train

__all__ = ["PentaglotError", "Translator", "__version__", "train"]

__version__ = "0.1.0"  # pyproject.toml reads it here


def __getattr__(name: str) -> Any:
    if name in ("Translator", "train"):
        from pentaglot import systems

        return getattr(systems, name)
    raise AttributeError(f"module 'pentaglot' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
