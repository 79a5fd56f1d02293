"""The room of word alignment: IBM 1, HMM and a fast diagonal model, both directions, posteriors, symmetrisation.

Hands to the next rooms an `Alignment` (links in flat arrays, and the first and last link of every word), and an
`Aligner` that aligns pairs which come later.
"""

from pentaglot.align.aligner import Aligner, Iteration, LexicalEntry, Posteriors
from pentaglot.align.alignment import NO_POSITION, Alignment, Extents, read_links, symmetrise, write_links
from pentaglot.align.evaluation import AlignmentScore, GoldAlignment, evaluate, read_gold
from pentaglot.align.options import AlignOptions
from pentaglot.align.reach import reach
from pentaglot.align.training import train

__all__ = [
    "NO_POSITION",
    "AlignOptions",
    "Aligner",
    "Alignment",
    "AlignmentScore",
    "Extents",
    "GoldAlignment",
    "Iteration",
    "LexicalEntry",
    "Posteriors",
    "evaluate",
    "reach",
    "read_gold",
    "read_links",
    "symmetrise",
    "train",
    "write_links",
]
