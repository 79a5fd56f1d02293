"""Pentaglot: from a parallel corpus to a translator that explains itself.

Rooms (subpackages), in the order in which data goes through them: `corpus`, `align`, `lm`, `forest`, `index`, `rules`,
`search`, `metrics`, `learn`; `cli` is the door to the command line. See docs/architecture.md.
"""

from importlib.metadata import version

from pentaglot.errors import PentaglotError

__version__ = version("pentaglot")

__all__ = ["PentaglotError", "__version__"]
